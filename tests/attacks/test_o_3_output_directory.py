"""O3: a file, a link, `/`, `.`, home, authored data or somebody's files are no output directory; nothing unlisted is lost."""

import os
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import AicrError, InvalidInput, Unavailable
from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.target import protected_by
from bundler.publish.write import write

ROOT = Path(__file__).parents[2]
FILES = {"README.md": b"# Bundle\n", "bundle.lock.yaml": b"l\n", "recipe.yaml": b"r\n"}
BUNDLE = Bundle(files=dict(sorted({**FILES, "checksums.txt": format_inventory(FILES)}.items())))


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def files(directory):
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The current directory and the home directory are empty and below the test's own."""
    for name in ("cwd", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def refusal(out, **options):
    with pytest.raises(InvalidInput) as caught:
        write(BUNDLE, Path(out), **options)
    (finding,) = caught.value.findings
    return finding.rule, finding.message, finding.fix


@pytest.mark.parametrize("force", [False, True])
def test_a_file(tmp_path, force):
    (tmp_path / "file").write_bytes(b"mine")
    rule, message, fix = refusal(tmp_path / "file", force=force)
    assert (rule, message) == ("AICR-O010", f"output is not a directory: '{tmp_path}/file'")
    assert fix == "name a directory, or remove the file"
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_a_special_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe")[0] == "AICR-O010"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("goal", ["directory", "nowhere"])
def test_a_link(tmp_path, force, goal):
    (tmp_path / "directory").mkdir()
    (tmp_path / "link").symlink_to(goal)
    rule, message, fix = refusal(tmp_path / "link", force=force)
    assert (rule, message) == ("AICR-O011", f"output is a symbolic link: '{tmp_path}/link'")
    assert fix == "name the directory it points to"
    assert names(tmp_path / "directory") == []


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("/", "output holds the current directory: '/'"),
        (".", "output is the current directory: '.'"),
        ("./", "output is the current directory: '.'"),
        ("../cwd", "output is the current directory: '../cwd'"),
        ("..", "output holds the current directory: '..'"),
        ("x/..", "output is the current directory: 'x/..'"),
        ("../home", "output is the home directory: '../home'"),
    ],
)
@pytest.mark.parametrize("force", [False, True])
def test_a_place_that_holds_more_than_a_bundle(out, message, force, tmp_path):
    rule, found, fix = refusal(out, force=force)
    assert (rule, found, fix) == ("AICR-O012", message, "name a new directory below it")
    assert names(tmp_path) == ["cwd", "home"]


@pytest.mark.parametrize("folder", ["recipes", "recipes/profiles", "manifests", "schemas", "bom", "overlays"])
def test_inside_the_packaged_data(folder):
    protected = protected_by(Catalog.load())
    rule, message, fix = refusal(ROOT / folder / "out", protected=protected)
    assert rule == "AICR-O012"
    assert message.startswith("output overlaps the authored data in ")
    assert fix == "name a directory outside the authored data"


@pytest.mark.parametrize("out", ["data", "data/out", "data/recipes/out", ""])
def test_inside_or_around_a_data_directory(tmp_path, out):
    (tmp_path / "area/data/recipes").mkdir(parents=True)
    protected = protected_by(Catalog.load(tmp_path / "area/data"))
    rule, message, _fix = refusal(tmp_path / "area" / out, protected=protected)
    assert (rule, message) == (
        "AICR-O012",
        f"output overlaps the authored data in '{tmp_path}/area/data': {str(tmp_path / 'area' / out)!r}",
    )


def test_the_repository_of_the_packaged_data_may_hold_bundles(tmp_path):
    """`make demo` writes beside the data folders of a checkout."""
    assert write(BUNDLE, tmp_path / "out", protected=protected_by(Catalog.load())).written


def test_a_directory_with_files_and_no_inventory(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.txt").write_bytes(b"mine")
    rule, message, fix = refusal(tmp_path / "out")
    assert rule == "AICR-O013"
    assert message == f"output directory holds files and is no bundle: '{tmp_path}/out' (it has no checksums.txt)"
    assert fix == "choose a new or empty directory, or add --force to write beside what is there"
    write(BUNDLE, tmp_path / "out", force=True)
    assert files(tmp_path / "out") == {**BUNDLE.files, "thesis.txt": b"mine"}


def test_force_does_not_replace_a_file_that_is_not_listed(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/README.md").write_bytes(b"my own words")
    rule, message, fix = refusal(tmp_path / "out", force=True)
    assert rule == "AICR-O015"
    assert message == "README.md is a regular file that belongs to no bundle, and the bundle needs its place"
    assert fix == "move it away; --force does not replace it"
    assert files(tmp_path / "out") == {"README.md": b"my own words"}


@pytest.mark.parametrize(
    ("inventory", "cause"),
    [
        (b"", "checksums.txt:1: the inventory is empty"),
        (b"<<<<<<< ours\n", "checksums.txt:1: the line is not '<64 hex digits>  <path>'"),
        (b"%s  ../victim.txt\n" % (b"a" * 64), "checksums.txt:1: '../victim.txt' holds the name '..', which is no file name"),
    ],
)
def test_an_inventory_that_cannot_be_trusted(tmp_path, inventory, cause):
    (tmp_path / "victim.txt").write_bytes(b"mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/checksums.txt").write_bytes(inventory)
    rule, message, _fix = refusal(tmp_path / "out")
    assert rule == "AICR-O013"
    assert message == f"output directory holds files and is no bundle: '{tmp_path}/out' ({tmp_path}/out/{cause})"
    assert (tmp_path / "victim.txt").read_bytes() == b"mine"


def test_the_checksums_of_another_tool_make_no_bundle(tmp_path):
    """Release pages ship a checksums.txt: what it lists must not be taken for ours and removed."""
    release = {"tool_linux_amd64.tar.gz": b"1", "tool_darwin_arm64.tar.gz": b"2"}
    (tmp_path / "out").mkdir()
    for path, content in {**release, "checksums.txt": format_inventory(release)}.items():
        (tmp_path / "out" / path).write_bytes(content)
    before = files(tmp_path / "out")
    rule, message, _fix = refusal(tmp_path / "out")
    assert rule == "AICR-O013"
    assert message.endswith("(its checksums.txt lists no bundle.lock.yaml and no recipe.yaml)")
    assert refusal(tmp_path / "out", force=True)[0] == "AICR-O015"
    assert files(tmp_path / "out") == before


@pytest.mark.parametrize("out", ["a\0b", "x" * 300])
def test_what_no_file_system_takes(out, tmp_path):
    with pytest.raises(AicrError):
        write(BUNDLE, tmp_path / out)
    assert names(tmp_path) == ["cwd", "home"]


def test_a_file_above_the_output_directory(tmp_path):
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises(Unavailable, match="cannot write"):
        write(BUNDLE, tmp_path / "file/out")
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_a_loop_of_links_above_the_output_directory(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(Unavailable, match="cannot write"):
        write(BUNDLE, tmp_path / "loop/out")
