"""Generate the structural schemas of the Kubernetes objects that a bundle holds, from packages on PyPI.

    pip download --no-deps --dest WHEELS kubeflow-trainer-api==2.2.0
    pip download --no-deps --dest WHEELS kubeflow-trainer-api==2.3.0
    pip download --no-deps --dest WHEELS kubernetes-validate==1.37.0
    python schemas/kube/generate.py WHEELS [--check]

The wheels are read, never imported. Fields and required fields of Trainer and JobSet types come from the classes of
kubeflow-trainer-api; core types come from the OpenAPI definitions in kubernetes-validate, for the Kubernetes release that each
Trainer release is built on. That both packages agree on the fields of every core type is asserted. What the packages leave out
stands in constraints.json, and kinds without a package are written by hand and listed in `HANDWRITTEN`.

Two departures from the packages follow the CRDs: metadata inside a custom resource keeps five fields, and an object that declares
no properties (`torch` in 2.2) admits none.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

KUBERNETES_VALIDATE = "1.37.0"
TRAINER_RELEASES = {"2.2.0": "1.35", "2.3.0": "1.36"}
"""kubeflow-trainer-api version → the Kubernetes release of its core types."""
CORE_KINDS = {
    "1.32": {
        "apps.v1.DaemonSet": "Namespaced",
        "apps.v1.Deployment": "Namespaced",
        "core.v1.ConfigMap": "Namespaced",
        "core.v1.Namespace": "Cluster",
        "core.v1.ResourceQuota": "Namespaced",
    },
    "1.34": {"resource.v1.ResourceClaimTemplate": "Namespaced"},
}
"""Kubernetes release → native kinds with their scopes. A kind is of the lowest release that a bundle with it accepts, since a field
known there is known to every later release; what renders a kind younger than 1.32 states that release as a constraint."""
GROUPS = {"resource": "resource.k8s.io"}
"""Short name of an API group, where that is not its whole name."""
TRAINER_KINDS = {"ClusterTrainingRuntime": "Cluster", "TrainingRuntime": "Namespaced", "TrainJob": "Namespaced"}
HANDWRITTEN = {
    "mellanox.com/v1alpha1 NicClusterPolicy": {"scope": "Cluster", "schema": "kube/network-operator/nicclusterpolicy"},
    "resource.nvidia.com/v1beta1 ComputeDomain": {"scope": "Namespaced", "schema": "kube/nvidia-dra-driver-gpu/computedomain"},
}
EMBEDDED_METADATA = ("annotations", "finalizers", "labels", "name", "namespace")
QUANTITY = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"

_SCALARS: dict[str, Schema] = {
    "StrictStr": {"type": "string"},
    "StrictInt": {"type": "integer"},
    "StrictBool": {"type": "boolean"},
    "StrictFloat": {"type": "number"},
    "datetime": {"type": "string", "format": "date-time"},
}
_CONSTRAINTS: dict[str, dict[str, Schema]] = json.loads(Path(__file__).with_name("constraints.json").read_text(encoding="utf-8"))
"""Release → definition, or definition/property → what the CRDs add."""

# Reading the wheels


def core_definitions(wheels: Path, release: str) -> dict[str, Schema]:
    """The core types of a Kubernetes release by short name, such as `core.v1.PodSpec`."""
    with zipfile.ZipFile(_wheel(wheels, "kubernetes_validate", KUBERNETES_VALIDATE)) as archive:
        name = f"kubernetes_validate/kubernetes-json-schema/v{release}.0-local/_definitions.json"
        raw = json.loads(archive.read(name))["$defs"]
    return {_short(name): _plain(schema) for name, schema in raw.items()}


def _plain(schema: Schema) -> Schema:
    """One OpenAPI definition without descriptions, nullability and merge strategies, with short references."""
    result: Schema = {}
    for key, value in schema.items():
        if key in {"$ref", "format", "enum", "required"} or key.startswith("x-kubernetes-list"):
            result[key] = f"#/$defs/{_short(value.rpartition('/')[2])}" if key == "$ref" else value
        elif key == "type":
            result[key] = next(name for name in value if name != "null") if isinstance(value, list) else value
        elif key == "properties":
            result[key] = {name: _plain(inner) for name, inner in value.items()}
        elif key in {"items", "additionalProperties"} and isinstance(value, dict):
            result[key] = _plain(value)
    if result.get("type") == "object" and "properties" in result:
        result["additionalProperties"] = False
    return result


def _short(name: str) -> str:
    return re.sub(
        r"^io\.k8s\.(api|apimachinery\.pkg\.apis|apimachinery\.pkg\.api|apimachinery\.pkg\.util|[a-z-]+\.pkg\.apis)\.", "", name
    )


def trainer_definitions(wheels: Path, version: str) -> dict[str, Schema]:
    """Every class of kubeflow-trainer-api by short name, as its fields declare it."""
    found: dict[str, Schema] = {}
    with zipfile.ZipFile(_wheel(wheels, "kubeflow_trainer_api", version)) as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("kubeflow_trainer_api/models/") and name.endswith(".py"):
                for node in ast.parse(archive.read(name)).body:
                    if isinstance(node, ast.ClassDef):
                        found[_class_name(node.name)] = _class_schema(node)
    return found


def _class_name(name: str) -> str:
    match = re.match(
        r"(?:IoK8sApimachineryPkgApis|IoK8sApi|)(Jobset|Trainer|Scheduling|[A-Z][a-z0-9]+?)(V\d+(?:(?:alpha|beta)\d+)?)(\w+)$", name
    )
    if match is None:
        return name.replace("IoK8sApimachineryPkgApiResource", "resource.").replace("IoK8sApimachineryPkgUtilIntstr", "intstr.")
    group, version, kind = match.groups()
    return f"{group.lower()}.{version.lower()}.{kind}"


def _class_schema(node: ast.ClassDef) -> Schema:
    properties: dict[str, Schema] = {}
    required = []
    for field in node.body:
        if not isinstance(field, ast.AnnAssign) or "ClassVar" in ast.unparse(field.annotation):
            continue
        assert isinstance(field.target, ast.Name)
        keywords = {word.arg: word.value for word in field.value.keywords} if isinstance(field.value, ast.Call) else {}
        alias = keywords.get("alias")
        name = str(alias.value) if isinstance(alias, ast.Constant) else field.target.id
        properties[name] = _annotation_schema(field.annotation)
        if "default" not in keywords and (field.value is None or isinstance(field.value, ast.Call)):
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": sorted(required)} if required else schema


def _annotation_schema(node: ast.expr) -> Schema:
    """The schema of a field's annotation; an open map of anything becomes a map of nothing, which is what the CRDs make of it."""
    match node:
        case ast.Name(id=name):
            return _SCALARS.get(name, {"$ref": f"#/$defs/{_class_name(name)}"})
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _annotation_schema(inner)
        case ast.Subscript(value=ast.Name(id="List"), slice=inner):
            return {"type": "array", "items": _annotation_schema(inner)}
        case ast.Subscript(value=ast.Name(id="Dict"), slice=ast.Tuple(elts=[_, inner])):
            anything = isinstance(inner, ast.Name) and inner.id == "Any"
            return {"type": "object", "additionalProperties": False if anything else _annotation_schema(inner)}
        case _:
            return {}


def _wheel(wheels: Path, package: str, version: str) -> Path:
    path = wheels / f"{package}-{version}-py3-none-any.whl"
    if not path.is_file():
        sys.exit(f"{path} is missing: run the pip download commands at the top of {__file__}")
    return path


# Putting a kind together


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One generated file.

    Attributes:
        folder: below schemas/kube.
        root: short name of the type.
        definitions: all types it may refer to.
        packages: what it was made from, for the header.
    """

    folder: str
    root: str
    api_version: str
    scope: str
    definitions: dict[str, Schema]
    packages: dict[str, str]

    @property
    def kind(self) -> str:
        """The object's kind."""
        return self.root.rpartition(".")[2]

    @property
    def path(self) -> str:
        """The file, relative to schemas/kube."""
        return f"{self.folder}/{self.kind.lower()}.json"

    @property
    def name(self) -> str:
        """The schema's name in the catalogue."""
        return f"kube/{self.path.removesuffix('.json')}"

    def schema(self) -> Schema:
        """The self-contained schema, with only the definitions it reaches."""
        root = self.definitions[self.root]
        properties = {name: inner for name, inner in root["properties"].items() if name not in {"apiVersion", "kind", "status"}}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$comment": "Generated by schemas/kube/generate.py; do not edit.",
            "x-aicr-generated-from": self.packages,
            "type": "object",
            "required": ["apiVersion", "kind", "metadata"],
            "properties": {"apiVersion": {"enum": [self.api_version]}, "kind": {"enum": [self.kind]}, **properties},
            "additionalProperties": False,
            "$defs": {name: self.definitions[name] for name in sorted(set(_reached(properties, self.definitions)))},
        }


def _reached(schema: Any, definitions: dict[str, Schema], seen: set[str] | None = None) -> Iterator[str]:
    seen = set() if seen is None else seen
    if isinstance(schema, dict):
        name = schema.get("$ref", "").removeprefix("#/$defs/") if isinstance(schema.get("$ref"), str) else ""
        if name and name not in seen:
            seen.add(name)
            yield name
            yield from _reached(definitions[name], definitions, seen)
        for value in schema.values():
            yield from _reached(value, definitions, seen)


def core_kinds(wheels: Path) -> Iterator[Kind]:
    """The native kinds that bundles hold."""
    for release, kinds in CORE_KINDS.items():
        definitions = _completed(core_definitions(wheels, release), {})
        for root, scope in kinds.items():
            group, version, _ = root.split(".")
            yield Kind(
                folder=f"kubernetes-{release}",
                root=root,
                api_version=version if group == "core" else f"{GROUPS.get(group, group)}/{version}",
                scope=scope,
                definitions=definitions,
                packages={"kubernetes-validate": KUBERNETES_VALIDATE, "kubernetes": release},
            )


def trainer_kinds(wheels: Path, version: str) -> Iterator[Kind]:
    """The kinds of one Trainer release."""
    release = TRAINER_RELEASES[version]
    core = core_definitions(wheels, release)
    trainer = trainer_definitions(wheels, version)
    for name in sorted(set(core) & set(trainer)):
        ours, theirs = core[name].get("properties"), trainer[name]["properties"]
        if ours is not None and set(ours) != set(theirs):
            sys.exit(f"{name}: kubeflow-trainer-api {version} and Kubernetes {release} disagree: {set(ours) ^ set(theirs)}")
    own = {name: schema for name, schema in trainer.items() if name not in core}
    definitions = _completed({**core, **own}, _CONSTRAINTS[version])
    metadata = definitions["meta.v1.ObjectMeta"]
    definitions["EmbeddedObjectMeta"] = {
        **metadata,
        "properties": {name: metadata["properties"][name] for name in EMBEDDED_METADATA},
    }
    embedded = {name: _with_embedded_metadata(schema) for name, schema in definitions.items() if name != "meta.v1.ObjectMeta"}
    for kind, scope in TRAINER_KINDS.items():
        root = f"trainer.v1alpha1.{kind}"
        yield Kind(
            folder=f"trainer-{version}",
            root=root,
            api_version="trainer.kubeflow.org/v1alpha1",
            scope=scope,
            definitions={**embedded, "meta.v1.ObjectMeta": metadata, root: definitions[root]},
            packages={"kubeflow-trainer-api": version, "kubernetes-validate": KUBERNETES_VALIDATE, "kubernetes": release},
        )


def _completed(definitions: dict[str, Schema], constraints: dict[str, Schema]) -> dict[str, Schema]:
    """The definitions with constraints merged in, and the two types that are a number or a text."""
    result = json.loads(json.dumps(definitions))
    result["resource.Quantity"] = {
        "title": "a quantity such as 500m, 8 or 64Gi",
        "type": ["integer", "string"],
        "pattern": QUANTITY,
    }
    result["intstr.IntOrString"] = {"type": ["integer", "string"]}
    for place, constraint in {**_CONSTRAINTS["every release"], **constraints}.items():
        name, _, field = place.partition("/")
        if name in result and (not field or field in result[name]["properties"]):
            (result[name]["properties"][field] if field else result[name]).update(constraint)
    return result


def _with_embedded_metadata(schema: Schema) -> Schema:
    return json.loads(json.dumps(schema).replace('"#/$defs/meta.v1.ObjectMeta"', '"#/$defs/EmbeddedObjectMeta"'))


# Writing


def rendered(wheels: Path) -> dict[str, str]:
    """Every generated file by its path below schemas/kube."""
    native = list(core_kinds(wheels))
    custom = {version: list(trainer_kinds(wheels, version)) for version in TRAINER_RELEASES}
    files = {kind.path: _text(kind.schema()) for kind in [*native, *(kind for kinds in custom.values() for kind in kinds)]}
    kinds: Schema = dict(HANDWRITTEN)
    for kind in native:
        kinds[f"{kind.api_version} {kind.kind}"] = {"scope": kind.scope, "schema": kind.name}
    for version, of_version in custom.items():
        for kind in of_version:
            entry = kinds.setdefault(f"{kind.api_version} {kind.kind}", {"scope": kind.scope, "component": "kubeflow-trainer"})
            entry.setdefault("versions", {})[version] = kind.name
    index = {"$comment": "Generated by schemas/kube/generate.py; do not edit.", "kinds": dict(sorted(kinds.items()))}
    return {**files, "index.json": _text(index)}


def _text(schema: Schema) -> str:
    """Compact JSON with one line for each property and definition, so that a change shows as one line."""
    lines = []
    for key, value in schema.items():
        if key in {"properties", "kinds", "$defs"}:
            inner = ",\n".join(f"  {json.dumps(name)}: {_line(item)}" for name, item in value.items())
            lines.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {_line(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def main() -> int:
    """Write the schemas, or compare them with the committed ones."""
    parser = argparse.ArgumentParser(description="Generate the structural schemas below schemas/kube.")
    parser.add_argument("wheels", type=Path, help="directory with the three wheels")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a committed schema differs")
    arguments = parser.parse_args()
    here = Path(__file__).parent
    stale = []
    for path, text in rendered(arguments.wheels).items():
        target = here / path
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not arguments.check:
                target.parent.mkdir(exist_ok=True)
                target.write_text(text, encoding="utf-8", newline="\n")
    for path in stale:
        print(f"{'differs' if arguments.check else 'written'}: schemas/kube/{path}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
