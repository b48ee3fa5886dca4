"""Fleet files → clusters. Every mistake of every file is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bundler.compose.wording import shown
from bundler.errors import AicrError, InvalidInput, NotFound
from bundler.fleet.cluster import Cluster
from bundler.fleet.entry import entry
from bundler.model.document import Document
from bundler.model.finding import Finding, Place
from bundler.model.location import Location
from bundler.publish import names
from bundler.publish.recipe_file import API_VERSION, KIND, read_request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.request import Request

__all__ = ["read_fleet"]

_SUFFIXES = (".yaml", ".yml")


def read_fleet(paths: Sequence[Path], catalog: Catalog) -> tuple[Cluster, ...]:
    """The clusters of one fleet, by name.

    Args:
        paths: fleet files, and directories whose YAML files are all fleet files. A fleet may be spread over files: one file is of
            bounded size.
        catalog: gives the schema.

    Raises:
        NotFound: there is no such file.
        InvalidInput: a file is malformed, or two clusters have one name or overlapping outputs.
    """
    documents = [catalog.open(path, kinds=("Fleet",)) for path in _files(paths)]
    clusters: list[Cluster] = []
    findings: list[Finding] = []
    for document in documents:
        for index in range(len(document.data["clusters"])):
            try:
                clusters.append(_cluster(document, index))
            except AicrError as error:
                findings += error.findings
    findings += _repeated(clusters)
    findings += _overlapping(clusters)
    if findings:
        raise InvalidInput.of(findings)
    return tuple(sorted(clusters, key=lambda cluster: cluster.name))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(each for each in path.iterdir() if each.suffix in _SUFFIXES)
        if not found:
            message = f"no fleet file in {str(path)!r}"
            raise NotFound("AICR-L001", message, location=Location(file=str(path)), fix="name a directory of *.yaml fleet files")
        yield from found


def _cluster(fleet: Document, index: int) -> Cluster:
    meant = entry(fleet, index)
    data = meant.data
    location = meant.locate("/name")
    output = data.get("output", data["name"])
    findings = []
    if fault := names.problem(output):
        message = f"the output of cluster {data['name']!r} {fault}"
        fix = "give a path below the fleet's root, such as clusters/eu-1"
        findings.append(Finding(rule="AICR-L002", message=message, location=meant.locate("/output"), fix=fix))
    if not data.keys() & {"recipe", "criteria"}:
        message = f"nothing chooses the recipe of cluster {data['name']!r}"
        fix = "state recipe or criteria, here or in defaults"
        findings.append(Finding(rule="AICR-L003", message=message, location=location, fix=fix))
    for axis, choice in data.get("profiles", {}).items():
        if "value" not in choice:
            message = f"cluster {data['name']!r} states parameters of {axis}, but no value"
            place = meant.locate(f"/profiles/{axis}")
            findings.append(Finding(rule="AICR-L004", message=message, location=place, fix="state its value, here or in defaults"))
    if findings:
        raise InvalidInput.of(findings)
    recipe = data.get("recipe")
    file = Path(fleet.file).parent / recipe if recipe is not None and recipe.endswith(_SUFFIXES) else None
    return Cluster(
        name=data["name"], request=_request(meant, in_file=file is not None), recipe_file=file, output=output, location=location
    )


def _request(meant: Document, *, in_file: bool) -> Request:
    """What the entry asks for, read as the `recipe.yaml` of a bundle is."""
    data = {key: value for key, value in meant.data.items() if key not in {"name", "output"}}
    if in_file:
        del data["recipe"]
    whole = {"apiVersion": API_VERSION, "kind": KIND, "recipe": None, "criteria": {}, "profiles": {}, **data}
    return read_request(Document(file=meant.file, data=whole, positions=meant.positions, digest=meant.digest))


def _repeated(clusters: Iterable[Cluster]) -> Iterator[Finding]:
    first: dict[str, Cluster] = {}
    for cluster in clusters:
        if (other := first.setdefault(cluster.name, cluster)) is not cluster:
            yield Finding(
                rule="AICR-L005",
                message=f"two clusters are named {shown(cluster.name)}",
                location=cluster.location,
                fix="rename one",
                related=(Place(location=other.location),),
            )


def _overlapping(clusters: Iterable[Cluster]) -> Iterator[Finding]:
    """Outputs that are one directory, or one of which holds the other, on any file system."""
    first: dict[str, Cluster] = {}
    for cluster in clusters:
        first.setdefault(names.key(cluster.output), cluster)
    for cluster in clusters:
        own = names.key(cluster.output)
        steps = own.split("/")
        for above in ("/".join(steps[: count + 1]) for count in range(len(steps))):
            other = first.get(above)
            if other is not None and other is not cluster and other.name != cluster.name:
                how = "is" if above == own else "lies in"
                yield Finding(
                    rule="AICR-L006",
                    message=f"the output of cluster {cluster.name!r} {how} that of {other.name!r}: {shown(cluster.output)}",
                    location=cluster.location,
                    fix="give each cluster a directory of its own",
                    related=(Place(location=other.location),),
                )
                break
