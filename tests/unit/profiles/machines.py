"""A catalogue with a machine table: an axis with a value for one machine type, and one whose parameters take a row."""

from bundler.model.location import Location
from tests.unit.compose.catalogues import profile, recipe
from tests.unit.profiles import declared

MACHINES = """\
apiVersion: aicr.run/v2
kind: MachineTable
metadata: {name: gke, description: Machines., source: "https://example.org"}
facts: {warps: Cards of the fabric.}
machines:
  - {name: big-8, accelerator: h100, gpus: 8, arch: amd64, source: s, warps: 4, interfaces: [w1, w2]}
  - {name: small-1, accelerator: h100, gpus: 1, arch: amd64, source: s, warps: 1, interfaces: [w1], warning: One card only.}
  - {name: plain-8, accelerator: h100, gpus: 8, arch: amd64, source: s, warps: 0}
  - {name: old-8, accelerator: a100, gpus: 8, arch: amd64, source: s, warps: 2, interfaces: [w1, w2]}
"""
FABRIC = """\
none:
  description: Pods use the cluster network only.
listed:
  description: For one machine type.
  appliesTo: {machineTypes: [big-8]}
warp:
  description: A fabric.
  appliesTo: {criteria: {accelerator: [h100, a100]}}
  parameters:
    networks:
      description: Interface to network.
      required: true
      keysFrom: machine.interfaces
      schema:
        type: object
        additionalProperties: {type: string, pattern: '^[a-z0-9-]{1,9}$(?!\\n)', description: a network}
        x-aicr-unique-values: true
      example: {w1: net-1, w2: net-2}
      discoveredBy: kubectl get networks
    machine:
      description: The machine of the nodes.
      machines: gke
      requires: [warps]
      required: true
      discoveredBy: kubectl get nodes
"""
FILES = {
    "bom/machines/gke.yaml": MACHINES,
    "recipes/profiles/fabric.yaml": profile("fabric", FABRIC),
    "recipes/mega.yaml": recipe("mega", "profiles:\n  fabric: {required: true}\n"),
}
ORIGINS = {
    "/profiles/fabric": Location(file="--profile fabric=warp"),
    "/parameters/fabric/machine": Location(file="--param fabric.machine"),
    "/machineType": Location(file="--machine-type M"),
}


def composed(directory, value="warp", files=None, **stated):
    return declared.composed(directory, {**FILES, **(files or {})}, profiles={"fabric": value}, origins=ORIGINS, **stated)


def warp(directory, machine=None, networks=None, **stated):
    given = {"machine": machine, "networks": networks}
    parameters = {"fabric": {name: value for name, value in given.items() if value is not None}}
    return composed(directory, parameters=parameters, **stated)
