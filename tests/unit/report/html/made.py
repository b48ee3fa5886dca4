"""Pages of bundles on disk."""

import hashlib

from bundler.audit.portrayal import portray
from bundler.catalog.catalog import Catalog
from bundler.model.digest import canonical_digest
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump


def write(bundle, directory):
    """The bundle's files, without what writing a bundle has to care about."""
    for path, content in bundle.files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)
    return directory


def page_of(directory, catalog=None):
    return portray(directory, catalog or Catalog.load())


def locked(directory):
    """Write lock and inventory anew, as whoever forges a bundle would."""
    path = directory / "bundle.lock.yaml"
    lock = read(path.read_bytes(), "lock").data
    lock["outputs"] = {name: f"sha256:{digest(directory / name)}" for name in lock["outputs"]}
    lock["digest"] = canonical_digest({key: value for key, value in lock.items() if key != "digest"})
    path.write_text(dump(lock))
    return sealed(directory)


def sealed(directory):
    """Write the inventory anew."""
    listed = sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())
    lines = [f"{digest(directory / name)}  {name}\n" for name in listed if name != "checksums.txt"]
    (directory / "checksums.txt").write_text("".join(lines))
    return directory


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
