"""Recorded runs of a real API server and a real Trainer controller, and how what is worked out offline is compared with them.

The folder `vectors` holds one case a file: what was sent, and what became of it. Nothing in a result was written by hand.
"""

from functools import cache
from pathlib import Path

import yaml

from bundler.catalog.catalog import Catalog
from bundler.kube.quantity import Quantity
from bundler.kube.resource import Resource
from bundler.model.document import Document
from bundler.trainer.check import Checker
from bundler.trainer.runtimes import Runtimes
from bundler.trainer.standards import context_of, trainjob_schema
from bundler.trainer.versions import trainer_version

FOLDER = Path(__file__).parent / "vectors"

# What an API server adds to a pod without changing its meaning; compared only where it was asked for.
_SERVER_DEFAULTS = {
    "terminationMessagePath",
    "terminationMessagePolicy",
    "imagePullPolicy",
    "dnsPolicy",
    "schedulerName",
    "serviceAccount",
    "terminationGracePeriodSeconds",
    "enableServiceLinks",
    "priority",
    "preemptionPolicy",
    "defaultMode",
}
_ADDED_TOLERATIONS = {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}
_ADDED_LABELS = {"jobset.sigs.k8s.io/priority"}  # of a downstream build of JobSet


@cache
def cases(folder):
    """File stem → case."""
    return {path.stem: yaml.safe_load(path.read_text()) for path in sorted((FOLDER / folder).glob("*.yaml"))}


@cache
def _standards(name):
    catalog, version = Catalog.load(), trainer_version(name)
    return version, context_of(catalog, version), trainjob_schema(catalog, version)


def checker(version, *runtimes, **options):
    """A checker with some runtimes at hand."""
    known, context, schema = _standards(version)
    resources = [Resource(data=runtime, template="runtime.yaml", positions={}, owner="") for runtime in runtimes]
    return Checker(version=known, schema=schema, runtimes=Runtimes.of(resources, **options), context=context)


def check(version, job, *runtimes, **options):
    """The verdict on a job given as data."""
    return checker(version, *runtimes, **options).check(Document(file="job.yaml", data=job, positions={}))


def comparable(data):
    """Data whose amounts are compared by value, and in which an empty map or list is none."""
    if isinstance(data, list):
        return [comparable(item) for item in data]
    if not isinstance(data, dict):
        return data
    found = {}
    for key, value in data.items():
        if key in {"limits", "requests"} and value:
            found[key] = {name: Quantity.parse(str(amount)).value for name, amount in value.items()}
        elif (inner := comparable(value)) not in ({}, [], None) or key == "emptyDir":
            found[key] = inner
    return found


def pod_without_defaults(pod, asked):
    """Metadata and spec of a recorded pod, without what the server added to what was `asked` for."""
    spec = _without_defaults(pod["spec"], asked["spec"])
    spec["tolerations"] = [one for one in spec["tolerations"] if one["key"] not in _ADDED_TOLERATIONS]
    labels = {key: value for key, value in pod["metadata"]["labels"].items() if key not in _ADDED_LABELS}
    return {"metadata": {"labels": labels, "annotations": pod["metadata"]["annotations"]}, "spec": spec}


def _without_defaults(data, asked):
    if isinstance(data, list):
        known = asked if isinstance(asked, list) else []
        return [_without_defaults(item, known[index] if index < len(known) else None) for index, item in enumerate(data)]
    if not isinstance(data, dict):
        return data
    known = asked if isinstance(asked, dict) else {}
    return {
        key: _without_defaults(value, known.get(key)) for key, value in data.items() if not _is_default(key, value, data, known)
    }


def _is_default(key, value, owner, asked):
    if key in asked:
        return False
    return (
        key in _SERVER_DEFAULTS
        or (key == "apiVersion" and "fieldPath" in owner)
        or (key == "type" and value == "" and "path" in owner)
        or (key == "requests" and value == owner.get("limits"))
    )


def pod_as_asked(pod):
    """A pod as it was worked out, in the shape of a recorded one. An empty value of a variable is the same as none."""
    spec = dict(pod["spec"])
    for key in ("initContainers", "containers"):
        if key in spec:
            spec[key] = [{**one, "env": [_without_empty(entry) for entry in one["env"]]} for one in spec[key]]
    metadata = {key: pod["metadata"][key] for key in ("labels", "annotations")}
    return {"metadata": metadata, "spec": spec}


def _without_empty(entry):
    return {key: value for key, value in entry.items() if value != ""}
