"""Fleet files → clusters. Every mistake of every file is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bundler.compose.wording import shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, NotFound
from bundler.fleet.cluster import Cluster
from bundler.fleet.entry import entry
from bundler.model.document import Document
from bundler.model.finding import Finding, Place
from bundler.model.location import Location
from bundler.model.request import DEFAULT_CERTIFICATION
from bundler.publish import names
from bundler.publish.recipe_file import API_VERSION, KIND, read_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.request import Request

__all__ = ["Fleet", "read_fleet"]

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """What fleet files hold.

    Attributes:
        outputs: name of every cluster → its output, by name.
        clusters: those that were chosen, by name.
    """

    outputs: Mapping[str, str]
    clusters: tuple[Cluster, ...]


def read_fleet(
    paths: Sequence[Path], catalog: Catalog, choose: Callable[[Sequence[str]], Sequence[str]] = lambda names: names
) -> Fleet:
    """The clusters of one fleet. Every mistake is told, in whatever cluster it is.

    Args:
        paths: fleet files, and directories whose YAML files are all fleet files. A fleet may be spread over files: one file is of
            bounded size.
        catalog: gives the schema.
        choose: names of all clusters, sorted → those to do.

    Raises:
        NotFound: there is no such file.
        InvalidInput: a file is malformed, or two clusters have one name or overlapping outputs.
    """
    documents = [catalog.open(path, kinds=("Fleet",)) for path in _files(paths)]
    entries = [_Entry.of(entry(document, index)) for document in documents for index in range(len(document.data["clusters"]))]
    findings = [finding for each in entries for finding in each.findings()]
    findings += _repeated(entries)
    findings += _overlapping(entries)
    if findings:
        raise InvalidInput.of(findings)
    by_name = {each.name: each for each in sorted(entries, key=lambda each: each.name)}
    return Fleet(
        outputs={name: each.output for name, each in by_name.items()},
        clusters=tuple(by_name[name].cluster() for name in choose(tuple(by_name))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A cluster as it is written."""

    name: str
    output: str
    meant: Document

    @classmethod
    def of(cls, meant: Document) -> _Entry:
        return cls(name=meant.data["name"], output=meant.data.get("output", meant.data["name"]), meant=meant)

    @property
    def location(self) -> Location:
        return self.meant.locate("/name")

    def findings(self) -> Iterator[Finding]:
        data = self.meant.data
        if fault := names.problem(self.output):
            message = f"the output of cluster {self.name!r} {fault}"
            fix = "give a path below the fleet's root, such as clusters/eu-1"
            yield Finding(rule="AICR-L002", message=message, location=self.meant.locate("/output"), fix=fix)
        if not data.keys() & {"recipe", "criteria"}:
            message = f"nothing chooses the recipe of cluster {self.name!r}"
            fix = "state recipe or criteria, here or in defaults"
            yield Finding(rule="AICR-L003", message=message, location=self.location, fix=fix)
        for axis, choice in data["profiles"].items():
            if "value" not in choice:
                message = f"cluster {self.name!r} states parameters of {axis}, but no value"
                place = self.meant.locate(f"/profiles/{axis}")
                fix = "state its value, here or in defaults"
                yield Finding(rule="AICR-L004", message=message, location=place, fix=fix)

    def cluster(self) -> Cluster:
        data, folder = dict(self.meant.data), Path(self.meant.file).parent
        recipe = folder / data.pop("recipe") if data.get("recipe", "").endswith(_SUFFIXES) else None
        stated = data.get("certification", DEFAULT_CERTIFICATION)
        certification = folder / data.pop("certification") if stated != DEFAULT_CERTIFICATION else None
        snapshots = tuple(folder / name for name in data.pop("snapshots", ()))
        return Cluster(
            name=self.name,
            request=_request(self.meant, data),
            recipe_file=recipe,
            certification_file=certification,
            snapshots=snapshots,
            output=self.output,
            location=self.location,
        )


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


def _request(meant: Document, data: JsonObject) -> Request:
    """What the entry asks for, read as the `recipe.yaml` of a bundle is."""
    whole = {"apiVersion": API_VERSION, "kind": KIND, "recipe": None, "criteria": {}, **data}
    return read_request(Document(file=meant.file, data=whole, positions=meant.positions, digest=meant.digest))


def _repeated(entries: Sequence[_Entry]) -> Iterator[Finding]:
    first: dict[str, _Entry] = {}
    for cluster in entries:
        if (other := first.setdefault(cluster.name, cluster)) is not cluster:
            yield Finding(
                rule="AICR-L005",
                message=f"two clusters are named {shown(cluster.name)}",
                location=cluster.location,
                fix="rename one",
                related=(Place(location=other.location),),
            )


def _overlapping(entries: Sequence[_Entry]) -> Iterator[Finding]:
    """Outputs that are one directory, or one of which holds the other, on any file system."""
    first: dict[str, _Entry] = {}
    for cluster in entries:
        first.setdefault(names.key(cluster.output), cluster)
    for cluster in entries:
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
