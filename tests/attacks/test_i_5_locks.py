"""Row I5: each fault of a lock or of a locked tree is exactly one finding, and the order of entries is none."""

import copy
import shutil

import pytest

from bundler.audit.verification import verify
from bundler.bom.catalogue import lock_digest
from bundler.bom.lock_check import corruption, differences
from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.pipeline import bundle
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

DIGEST = "sha256:" + "0" * 64
LOCK = {
    "apiVersion": "aicr.run/v2",
    "kind": "Lock",
    "lockVersion": 1,
    "images": [{"image": "a.io/b:1", "digest": "tag only"}, {"image": f"a.io/c@{DIGEST}", "digest": DIGEST}],
    "charts": [{"component": "nfd", "version": "1", "repository": "https://c.example.com", "chart": "n"}],
    "releases": [
        {
            "table": "t",
            "name": "v1",
            "source": "https://example.com",
            "images": {"daemon": "a.io/d:1", "plugin": "a.io/p:1"},
            "digest": DIGEST,
        }
    ],
    "inputs": {"layers": {"base": DIGEST}, "templates": {"manifests/a.yaml.j2": DIGEST}},
    "recipes": [
        {
            "name": "r",
            "outputs": {"README.md": DIGEST},
            "choices": [{"profiles": {"a": {"value": "x"}}, "outputs": {"recipe.yaml": DIGEST}}],
        }
    ],
}
LOCK["digest"] = lock_digest(LOCK)
TEXT = dump(LOCK)


def judged(raw):
    """Every finding that `aicr lock --check` makes of the bytes of a lock."""
    try:
        document = read(raw, "bom/lock.yaml")
    except InvalidInput as error:
        return [finding.rule for finding in error.findings]
    notes = [finding.rule for finding in document.notes]
    if (finding := corruption(document)) is not None:
        return [*notes, finding.rule]
    return [*notes, *(finding.rule for finding in differences(document, LOCK))]


def test_the_lock_as_it_was_written_has_no_fault():
    assert judged(TEXT.encode()) == []


@pytest.mark.parametrize("position", [index for index, character in enumerate(TEXT) if TEXT[index - 7 : index] == "sha256:"])
def test_a_flipped_digit_is_one_finding(position):
    flipped = TEXT[:position] + ("1" if TEXT[position] == "0" else "0") + TEXT[position + 1 :]
    assert judged(flipped.encode()) == ["AICR-I022"]


@pytest.mark.parametrize("length", [0, 1, 20, *range(60, len(TEXT) - 1, 97), len(TEXT) - 2])
def test_a_truncated_lock_is_one_finding(length):
    assert len(judged(TEXT[:length].encode())) == 1


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda data: data.update(lockVersion=2), "AICR-I021"),
        (lambda data: data.update(lockVersion=0), "AICR-I021"),
        (lambda data: data.update(lockVersion="1"), "AICR-I021"),
        (lambda data: data.pop("lockVersion"), "AICR-I022"),
        (lambda data: data["images"].append(data["images"][0]), "AICR-I023"),
        (lambda data: data["releases"].append(data["releases"][0]), "AICR-I023"),
        (lambda data: data["recipes"].append(data["recipes"][0]), "AICR-I023"),
        (lambda data: data.pop("images"), "AICR-I022"),
        (lambda data: data.update(images=None), "AICR-I022"),
        (lambda data: data.update(recipes=[{"name": "r"}]), "AICR-I022"),
    ],
)
def test_another_version_a_double_entry_and_a_missing_part_are_one_finding_each(change, rule):
    data = copy.deepcopy(LOCK)
    change(data)
    assert judged(dump(data).encode()) == [rule]


def test_an_entry_named_twice_in_a_map_is_one_finding():
    text = TEXT.replace(f"    base: {DIGEST}\n", f"    base: {DIGEST}\n    base: {DIGEST}\n")
    assert text != TEXT
    assert len(judged(text.encode())) == 1


def test_converted_line_ends_are_one_finding():
    assert judged(TEXT.replace("\n", "\r\n").encode()) == ["AICR-Y017"]


def test_the_order_of_entries_is_no_fault():
    data = copy.deepcopy(LOCK)
    data["images"].reverse()
    assert judged(dump(data).encode()) == []
    assert judged(dump(dict(reversed(data.items()))).encode()) == []


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="module")
def pristine(catalog, tmp_path_factory):
    directory = tmp_path_factory.mktemp("bundle") / "out"
    for path, content in bundle(catalog, Request(recipe="h100-kind-training-kubeflow")).files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)
    return directory


def flip(directory, name):
    path = directory / name
    text = path.read_text()
    at = text.index("sha256:") + 7 if "sha256:" in text else 0
    path.write_text(text[:at] + ("1" if text[at] != "1" else "0") + text[at + 1 :])


def convert(directory, *, inventory):
    for path in directory.rglob("*"):
        if path.is_file() and (inventory or path.name != "checksums.txt"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def shorten(directory, name):
    path = directory / name
    path.write_bytes(path.read_bytes()[:-10])


FAULTS = {
    "a flipped digit of the inventory": lambda directory: flip(directory, "checksums.txt"),
    "a flipped digit of the lock": lambda directory: flip(directory, "bundle.lock.yaml"),
    "a truncated inventory": lambda directory: shorten(directory, "checksums.txt"),
    "a truncated lock": lambda directory: shorten(directory, "bundle.lock.yaml"),
    "a truncated file": lambda directory: shorten(directory, "README.md"),
    "a missing file": lambda directory: (directory / "kustomization.yaml").unlink(),
    "a missing lock": lambda directory: (directory / "bundle.lock.yaml").unlink(),
    "a missing inventory": lambda directory: (directory / "checksums.txt").unlink(),
    "an extra file": lambda directory: (directory / "runtimes/extra.yaml").write_text("x"),
    "an extra link": lambda directory: (directory / "extra").symlink_to("README.md"),
    "an executable file": lambda directory: (directory / "README.md").chmod(0o755),
    "a double entry": lambda directory: (directory / "checksums.txt").write_text(
        "".join(f"{line}\n{line}\n" for line in (directory / "checksums.txt").read_text().splitlines()[:1])
    ),
    "converted line ends": lambda directory: convert(directory, inventory=False),
    "converted line ends, of the inventory too": lambda directory: convert(directory, inventory=True),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_of_a_bundle_is_one_finding(name, pristine, tmp_path, catalog):
    directory = shutil.copytree(pristine, tmp_path / "out")
    FAULTS[name](directory)
    assert len(verify(directory, catalog).findings) == 1


def test_a_bundle_without_a_fault_has_no_finding(pristine, catalog):
    assert verify(pristine, catalog).findings == ()
