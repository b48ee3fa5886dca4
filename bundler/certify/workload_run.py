"""A WorkloadRun rendered as its controller renders it: the user's workload, wired as the catalogue wires its tests.

Its overrides are those of the tests, so that on GKE A3 Mega it gets the daemon, the annotations and the devices, and not only the
settings. Where no platform is stated they stay in the Workflow, for a controller to resolve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify import rendering
from bundler.certify.certification import Rendering
from bundler.certify.conditions import never_holding
from bundler.certify.dependencies import merged_dependencies
from bundler.certify.entries import RUN_TEMPLATE, Entry
from bundler.certify.fabric import fitted
from bundler.certify.options import resolved
from bundler.certify.overrides import apply, situation_of
from bundler.certify.remarks import merged_parts, of_one_site
from bundler.certify.served import judged
from bundler.certify.thresholds import check_thresholds
from bundler.certify.transforms import resolved_gang, with_gang_scheduler, with_labels
from bundler.detect.gpus import PRODUCT, Gpus, Shape, architecture_of
from bundler.detect.platforms import FALLBACK, platforms
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.certify.site import Site
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding

__all__ = ["render_workload_run"]

_EVERY_GPU_NODE = {"nodeSelector": {"nvidia.com/gpu.present": "true"}}
_OPTIONS = ("gpusPerNode", "mlnxPerNode", "nicResourceName", "imagePullSecrets", "enableMNNVL", "thresholds", "workloadMetadata")
_FILES_MODE = 0o755


def render_workload_run(catalog: Catalog, document: Document, site: Site, *, explain: bool = False) -> Rendering:
    """The Workflow of a WorkloadRun.

    Args:
        catalog: overlays and the template.
        document: the WorkloadRun, valid by its schema.
        site: what is known of the nodes; without a platform the overrides stay unresolved.
        explain: whether the Workflow says which overrides applied; what was detected it always says.

    Raises:
        InvalidInput: an unknown threshold or architecture, or a Workflow that breaks a rule.
    """
    spec = document.data["spec"]
    if unusable := list(check_thresholds(spec.get("thresholds", {}), document, "/spec/thresholds")):
        raise InvalidInput.of(unusable)
    target = spec.get("target", _EVERY_GPU_NODE)
    architecture = site.architecture or architecture_of(target.get("nodeSelector", {}).get(PRODUCT, ""))
    if not architecture:
        message = f"cannot determine GPU architecture from target nodeSelector or --gpu-arch ({PRODUCT} label is required)"
        fix = f"add {PRODUCT} to spec.target.nodeSelector, or give --gpu-arch"
        raise InvalidInput("AICR-R002", message, location=document.locate("/spec/target"), pointer="/spec/target", fix=fix)
    entry = _entry(document.name, spec)
    options = _options(catalog, entry, spec, site, architecture)
    options["target"] = target
    options, found = fitted(catalog, entry, options, site, counts_nodes=False, always_wired=True)
    plain = _with_pod_parts(rendering.base(catalog, entry, options), entry, spec)
    own = [(index, one, document.locate(f"/spec/overrides/{index}")) for index, one in enumerate(spec.get("overrides", ()))]
    if site.platform is None:
        catalogue = rendering.every_override(catalog, entry, options)
        merged: tuple[Finding, ...] = ()
        result = {**plain, "overrides": [*catalogue, *(override for _, override, _ in own)]}
        said = {key: value for key, value in rendering.detected(options, ()).items() if "platform" not in key}
    else:
        changed = rendering.overridden(catalog, entry, options, plain)
        merged = tuple(merged_parts(spec, plain, changed.spec, document))
        situation = situation_of(plain, platform=site.platform, architecture=architecture)
        result, applied = apply(changed.spec, own, situation)
        said = rendering.detected(options, (*changed.applied, *applied) if explain or site.observed is not None else ())
    if faults := judged(catalog, result, subject=f"Workflow/{document.name}", location=document.locate("/spec")):
        raise InvalidInput.of(faults)
    gang = resolved_gang(spec.get("gangScheduler"))
    wanted = options["workloadMetadata"].get("labels", {})
    result = with_labels(with_gang_scheduler(result, gang), wanted, gang, location=document.locate("/spec/workloadMetadata"))
    labels = {"app.kubernetes.io/managed-by": "nvcre", "nvcre.nvidia.com/workload-run": document.name}
    workflow = rendering.workflow(document.name, labels, result, notes=said)
    if namespace := document.data["metadata"].get("namespace"):
        workflow = {**workflow, "metadata": {**workflow["metadata"], "namespace": namespace}}
    shape = Shape(gpus=options["gpusPerNode"], nics=options["mlnxPerNode"])
    unlisted = catalog.derived(Gpus.of).unlisted(architecture, shape, location=document.locate("/spec/target"))
    observed = site.observed.notes if site.observed is not None else ()
    remarks = (*never_holding(catalog, own), *merged, *of_one_site(site.platform, document))
    return Rendering(workflows=(workflow,), notes=(*observed, *([unlisted] if unlisted else []), *found, *remarks))


def _entry(name: str, spec: JsonObject) -> Entry:
    framework = spec["framework"]
    settings: JsonObject = {
        "env": spec.get("env", []),
        "files": spec.get("config", {}).get("inline", {}),
        "checkpoint": spec.get("checkpoint", {}),
        "goodput": spec.get("goodputMeasurement", {}),
        "bandwidth": spec.get("bandwidthMeasurement", {}),
    }
    match framework:
        case {"torch": torch}:
            start = ["-m", torch["module"]] if "module" in torch else [torch["script"]]
            settings |= {"command": ["torchrun"], "args": [*start, *torch.get("args", ())]}
        case {"mpi": mpi}:
            settings |= {"args": [], "mpiArgs": [], "mpiImplementation": "OpenMPI", **mpi}
        case _:
            settings |= {"args": [], **framework["exec"]}
    facts = {"settings": settings, "options": {"timeoutPerJob": "24h"}}
    return Entry(domain="", variant=name, name=name, family="run", template=RUN_TEMPLATE, image=spec["image"], facts=facts)


def _options(catalog: Catalog, entry: Entry, spec: JsonObject, site: Site, architecture: str) -> JsonObject:
    gpus = catalog.derived(Gpus.of)
    stated = {name: spec[name] for name in _OPTIONS if name in spec}
    stated |= spec.get("orchestration", {}) | spec.get("checkpoint", {}) | {"nodesPerJob": spec["numNodes"]}
    platform = site.platform or FALLBACK
    options = resolved(entry, stated, gpus=gpus, platform=platform, architecture=architecture)
    if gpus.joined_by_nvlink(architecture):
        options["topologyKey"] = platforms(catalog)[platform].get("topologyKey", options["topologyKey"])
    options["framework"] = next(iter(spec["framework"]))
    options["userEnv"] = [variable["name"] for variable in spec.get("env", ())]
    return options


def _with_pod_parts(base: JsonObject, entry: Entry, spec: JsonObject) -> JsonObject:
    """The base with the user's volumes, containers and amounts, over which the platform's are laid: its count of NICs wins."""
    volumes, mounts = list(spec.get("volumes", ())), list(spec.get("volumeMounts", ()))
    if "config" in spec:
        source = spec["config"].get("configMapRef", {}).get("name", f"{entry.name}-config")
        volumes.append({"name": "config", "configMap": {"name": source, "defaultMode": _FILES_MODE}})
        mounts.append({"name": "config", "mountPath": "/config"})
    if "checkpoint" in spec:
        volumes.append({"name": "checkpoints", "persistentVolumeClaim": {"claimName": f"{entry.name}-pvc"}})
        mounts.append({"name": "checkpoints", "mountPath": "/checkpoints"})
    node: JsonObject = {"name": "node"}
    if mounts:
        node["volumeMounts"] = mounts
    if "resources" in spec:
        node["resources"] = _as_text(spec["resources"])
    pod: JsonObject = {"containers": [node]}
    if volumes:
        pod["volumes"] = volumes
    for part in ("initContainers", "imagePullSecrets"):
        if part in spec:
            pod[part] = spec[part]
    runtime = next(one for one in base["dependencies"] if one["metadata"]["name"] == f"{entry.name}-runtime")
    change = {
        "apiVersion": runtime["apiVersion"],
        "kind": runtime["kind"],
        "metadata": {"name": runtime["metadata"]["name"]},
        "spec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}]}}},
    }
    return {**base, "dependencies": merged_dependencies(base["dependencies"], [change])}


def _as_text(data: Any) -> Any:
    """Amounts as text, as every other amount in a rendered object."""
    return {key: _as_text(value) for key, value in data.items()} if isinstance(data, dict) else str(data)
