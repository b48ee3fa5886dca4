"""A catalogue with two axes, in the shape of the shipped ones: who installs the stack, and how pods reach a fabric."""

from bundler.pipeline import compose
from tests.unit.compose.catalogues import catalogue, profile, recipe, request

STACK = """\
managed:
  description: The node image brings the driver.
  components:
    - name: operator
      values: {driver: {enabled: false}, mode: {kind: managed}}
  constraints:
    - {name: Pools.driver, value: Install, reason: R.}
owned:
  description: The operator installs the driver.
  brings: [plugin]
  components:
    - name: operator
      dependencies: [network]
      values: {driver: {enabled: true}, mode: {kind: null}}
    - name: plugin
      values: {extra: 1}
oracle:
  description: Oracle brings the driver.
  appliesTo: {criteria: {service: [oke, oci], os: [ubuntu]}}
  components:
    - name: operator
      values: {driver: {enabled: false}, mode: {kind: oracle}}
"""
FABRIC = """\
none:
  description: Pods use the cluster network only.
multi:
  description: Eight networks.
  appliesTo: {criteria: {service: [gke]}}
  parameters:
    interfaces:
      description: Interface to network.
      required: true
      schema:
        type: object
        properties: {eth1: {$ref: "#/$defs/net"}, eth2: {$ref: "#/$defs/net"}, eth3: {$ref: "#/$defs/net"}}
        required: [eth1, eth2, eth3]
        additionalProperties: false
        x-aicr-unique-values: true
        $defs: {net: {type: string, pattern: '^(?!default$)[a-z0-9-]{1,41}$(?!\\n)', description: the name of a Network}}
      example: {eth1: net-1, eth2: net-2, eth3: net-3}
      discoveredBy: kubectl get networks
    release:
      description: The release.
      releases: fabric
  runtimes:
    - name: torch-multi
  transport: Multi
counted:
  description: A resource with a count.
  parameters:
    count: {description: How many., schema: {type: integer, minimum: 1, maximum: 32, description: a count from 1 to 32}, default: 8}
    resource: {description: Its name., schema: {type: string}, required: true}
    nics: {description: Names., schema: {type: array, items: {type: string}, maxItems: 2}}
    tuned: {description: Whether., schema: {type: boolean}}
"""
TABLE = """\
apiVersion: aicr.run/v2
kind: ReleaseTable
metadata: {name: fabric, description: Releases., source: "https://example.org"}
default: v1.0.1
releases:
  - {name: v1.0.1, source: "https://example.org/1", plugin: {repository: example.org/plugin, tag: v1.0.1}}
  - {name: v1.0.2, source: "https://example.org/2", plugin: {repository: example.org/plugin, tag: v1.0.2}}
"""
RECIPE = """\
profiles:
  stack: {default: managed}
  fabric: {required: true}
components:
  - name: network
"""
FILES = {
    "recipes/profiles/stack.yaml": profile("stack", STACK),
    "recipes/profiles/fabric.yaml": profile("fabric", FABRIC),
    "bom/releases/fabric.yaml": TABLE,
    "recipes/mega.yaml": recipe("mega", RECIPE),
}
NETWORKS = {"eth1": "net-1", "eth2": "net-2", "eth3": "net-3"}


def composed(directory, files=None, **stated):
    """Compose `mega` with the two axes; the fabric is `none` unless chosen."""
    stated.setdefault("profiles", {"fabric": "none"})
    return compose(catalogue(directory, {**FILES, **(files or {})}), request(**stated))


def multi(directory, interfaces, files=None, **stated):
    """Compose `mega` with three networks."""
    parameters = {"fabric": {"interfaces": interfaces, **stated.pop("more", {})}}
    return composed(directory, files, profiles={"fabric": "multi"}, parameters=parameters, **stated)
