"""Read a catalogue's lock, compare it with the catalogue, and hold a bundle to it. One fault is one finding."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bundler.bom.catalogue import LOCK_VERSION, choice_key, lock_digest
from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.kube.image import Image
from bundler.model.finding import Finding
from bundler.model.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import Document, JsonObject

__all__ = ["corruption", "differences", "unlocked"]

_RELOCK = "run 'aicr lock', and read the difference before committing it"
_RESTORE = "restore the file from version control, or run 'aicr lock'"


def corruption(document: Document) -> Finding | None:
    """Why a file cannot be taken for a lock that `aicr lock` wrote, or None."""
    data = document.data if isinstance(document.data, dict) else {}
    version = data.get("lockVersion")
    if version is not None and version != LOCK_VERSION:
        newer = isinstance(version, int) and version > LOCK_VERSION
        fix = "use a newer aicr" if newer else _RESTORE
        message = f"the lock has version {version!r}; this aicr reads {LOCK_VERSION}"
        return Finding(rule="AICR-I021", message=message, location=document.locate("/lockVersion"), pointer="/lockVersion", fix=fix)
    try:
        twice = [name for name, times in Counter(entry.label for entry in _entries(data)).items() if times > 1]
        digest = lock_digest(data)
    except (KeyError, TypeError, AttributeError):
        return Finding(rule="AICR-I022", message="the lock is not whole", location=document.locate(""), fix=_RESTORE)
    if twice:
        message = f"{twice[0]} is locked twice"
        return Finding(rule="AICR-I023", message=message, location=document.locate(""), fix=_RESTORE)
    if data.get("digest") != digest:
        message = "the lock was edited or cut off: its digest is not that of its content"
        return Finding(rule="AICR-I022", message=message, location=document.locate("/digest"), pointer="/digest", fix=_RESTORE)
    return None


def differences(document: Document, fresh: JsonObject) -> Iterator[Finding]:
    """What a lock says other than the catalogue.

    Args:
        document: a lock that is whole.
        fresh: the lock that the catalogue has now.
    """
    locked = document.data
    moved = {f"release {table} {name}": message for table, name, message in _moved(locked, fresh)}
    before = {entry.label: entry for entry in _entries(locked)}
    after = {entry.label: entry for entry in _entries(fresh)}
    for label, entry in after.items():
        if label not in before:
            yield _stale(document, f"{label} is not in the lock", "")
        elif before[label].value != entry.value and label not in moved:
            yield _stale(document, f"{label} is not the one in the lock", before[label].pointer)
    for label, entry in before.items():
        if label not in after:
            yield _stale(document, f"{label} is in the lock and nowhere else", entry.pointer)
    for label, message in moved.items():
        place = before[label].pointer
        fix = "change all images of the row to one release of the vendor"
        yield Finding(rule="AICR-I025", message=message, location=document.locate(place), pointer=place, fix=fix)
    yield from _other_outputs(document, locked, fresh)


def unlocked(bundle: JsonObject, locked: JsonObject) -> Iterator[Finding]:
    """What of a bundle is not in the catalogue's lock.

    Where an image is pulled from does not count: a mirror holds the same image.

    Args:
        bundle: the lock of the bundle.
        locked: the lock of the catalogue.
    """
    held = {entry.label: entry.value for entry in _entries(locked)}
    wanted = [(f"image {image['image']}", image["digest"]) for image in bundle["images"]]
    wanted += [(f"release {release['table']} {release['name']}", release["digest"]) for release in bundle["releases"]]
    wanted += [
        (f"chart {component['name']} {component['version']}", f"{component['repository']} {component['chart']}")
        for component in bundle["components"]
        if "chart" in component
    ]
    for section, found in bundle["inputs"].items():
        digests = {item["layer"]: item["digest"] for item in found} if section == "layers" else found
        wanted += [(f"{section} {name}", digest) for name, digest in digests.items()]
    for label, value in wanted:
        if held.get(label) != value:
            what = "is not in" if label not in held else "is not the one in"
            fix = "leave --locked out, or bring the change into the catalogue and run 'aicr lock'"
            yield Finding(rule="AICR-I026", message=f"{label} {what} the lock", fix=fix)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One fact of a lock."""

    label: str
    value: str
    pointer: str


def _entries(lock: JsonObject) -> Iterator[_Entry]:
    for index, image in enumerate(lock["images"]):
        yield _Entry(label=f"image {image['image']}", value=image["digest"], pointer=join(("images", index)))
    for index, chart in enumerate(lock["charts"]):
        label, value = f"chart {chart['component']} {chart['version']}", f"{chart['repository']} {chart['chart']}"
        yield _Entry(label=label, value=value, pointer=join(("charts", index)))
    for index, release in enumerate(lock["releases"]):
        label = f"release {release['table']} {release['name']}"
        yield _Entry(label=label, value=release["digest"], pointer=join(("releases", index)))
    for section, found in lock["inputs"].items():
        for name, digest in found.items():
            yield _Entry(label=f"{section} {name}", value=digest, pointer=join(("inputs", section, name)))
    for index, recipe in enumerate(lock["recipes"]):
        yield _Entry(label=f"recipe {recipe['name']}", value="", pointer=join(("recipes", index)))
        for position, choice in enumerate(recipe["choices"]):
            pointer = join(("recipes", index, "choices", position))
            values = ", ".join(f"{axis}={chosen['value']}" for axis, chosen in sorted(choice["profiles"].items()))
            yield _Entry(label=f"recipe {recipe['name']} with {values} ({choice_key(choice)[7:15]})", value="", pointer=pointer)


def _moved(locked: JsonObject, fresh: JsonObject) -> Iterator[tuple[str, str, str]]:
    """Rows of release tables of which some images moved and others did not: a vendor couples them."""
    before = {(release["table"], release["name"]): release["images"] for release in locked["releases"]}
    for release in fresh["releases"]:
        images = before.get((release["table"], release["name"]), {})
        both = sorted(images.keys() & release["images"].keys())
        moved = [role for role in both if _place(images[role]) != _place(release["images"][role])]
        if moved and len(moved) < len(both):
            stayed = [role for role in both if role not in moved]
            message = f"release {release['table']} {release['name']}: {', '.join(moved)} moved and {', '.join(stayed)} did not"
            yield release["table"], release["name"], message


def _place(text: str) -> tuple[str, str | None]:
    image = Image.parse(text)
    return image.name, image.tag


def _other_outputs(document: Document, locked: JsonObject, fresh: JsonObject) -> Iterator[Finding]:
    """One finding a path, however many bundles hold it."""
    before, after = _outputs(locked), _outputs(fresh)
    differing: dict[str, set[str]] = {}
    for key in before.keys() & after.keys():
        for path in before[key].keys() | after[key].keys():
            if before[key].get(path) != after[key].get(path):
                differing.setdefault(path, set()).add(key)
    for path, keys in sorted(differing.items()):
        recipes = sorted({key.partition(" ")[0] for key in keys})
        several = f"{len(keys)} bundles of {plural(len(recipes), 'recipe')}" if len(keys) > 1 else f"a bundle of {recipes[0]}"
        yield _stale(document, f"{path} of {several} is not the one in the lock", "/recipes")


def _outputs(lock: JsonObject) -> dict[str, JsonObject]:
    return {
        f"{recipe['name']} {choice_key(choice)}": {**recipe["outputs"], **choice["outputs"]}
        for recipe in lock["recipes"]
        for choice in recipe["choices"]
    }


def _stale(document: Document, message: str, pointer: str) -> Finding:
    return Finding(rule="AICR-I024", message=message, location=document.locate(pointer), pointer=pointer, fix=_RELOCK)
