"""Whatever stands in the output directory: a write leaves the new bundle and every file that is nobody's, or it changes nothing."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundler.errors import InvalidInput
from bundler.model.bundle import Bundle
from bundler.publish import swap
from bundler.publish.drift import ChangeKind, drift
from bundler.publish.files import OutputFile, closed
from bundler.publish.inventory import format_inventory, parse_inventory
from bundler.publish.names import problem
from bundler.publish.write import preview, write

STEPS = st.sampled_from(["a", "b", "c", "a.yaml", "b-c"])
PATHS = st.lists(STEPS, min_size=1, max_size=3).map("/".join)
CONTENTS = st.sampled_from([b"", b"1\n", b"2\n", b"\r\n", b"\xff"])
MARKERS = {"bundle.lock.yaml": b"lock\n", "recipe.yaml": b"recipe\n"}


def without_nesting(files):
    """Drop a path that another needs as a directory."""
    return {path: content for path, content in files.items() if not any(other.startswith(f"{path}/") for other in files)}


FILES = st.dictionaries(PATHS, CONTENTS, max_size=5).map(without_nesting)
BUNDLES = FILES.map(lambda files: {**files, **MARKERS})


def bundle_of(files):
    return Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))


def tree(directory):
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def put(directory, files):
    """Write what is not in the way of something else."""
    for path, content in files.items():
        place = directory / path
        if not place.exists() and not any(parent.is_file() for parent in place.parents):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


FLAGS = st.fixed_dictionaries({"force": st.booleans(), "exchange": st.sampled_from([swap.exchange, lambda _first, _second: False])})


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(old=BUNDLES, new=BUNDLES, mine=FILES, edits=FILES, flags=FLAGS)
def test_a_write_loses_nothing_and_mixes_nothing(old, new, mine, edits, flags):
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory, "out")
        write(bundle_of(old), out)
        put(out, mine)
        for path in edits.keys() & old.keys():
            (out / path).write_bytes(edits[path])
        before = tree(out)
        unlisted = {path: content for path, content in before.items() if path not in bundle_of(old).files}
        lost = {path for path in old if before[path] not in {old[path], new.get(path, old[path])}}
        try:
            expected = preview(bundle_of(new), out, force=flags["force"])
        except InvalidInput as error:
            refused = {finding.rule for finding in error.findings}
            with pytest.raises(InvalidInput):
                write(bundle_of(new), out, **flags)
            assert tree(out) == before
        else:
            refused = set()
            report = write(bundle_of(new), out, **flags)
            assert report == expected
            assert tree(out) == {**unlisted, **bundle_of(new).files}
            assert set(report.kept) == unlisted.keys() - new.keys()
            assert {change.kind for change in drift(bundle_of(new), out)} <= {ChangeKind.EXTRA}
            assert not write(bundle_of(new), out).written
        assert refused <= {"AICR-O014", "AICR-O015"}
        assert ("AICR-O014" in refused) == bool(lost and not flags["force"])
        assert [path.name for path in Path(directory).iterdir()] == ["out"]


@given(files=BUNDLES)
def test_an_inventory_reads_back_as_it_was_written(files):
    assert parse_inventory(format_inventory(files)).keys() == files.keys()


@given(text=st.binary(max_size=200))
def test_no_bytes_make_the_inventory_reader_fail_otherwise_than_with_a_finding(text):
    try:
        listed = parse_inventory(text)
    except InvalidInput:
        return
    assert all(problem(path) is None for path in listed)


@given(names=st.lists(st.text(max_size=20), max_size=5))
def test_files_are_one_on_every_file_system_or_refused(names):
    files = [OutputFile(path=f"x/{name}", content=b"", of=name) for name in names]
    try:
        paths = closed(files)
    except InvalidInput:
        return
    assert len({path.casefold() for path in paths}) == len(names)
    assert all(path.isascii() and ".." not in path.split("/") for path in paths)
