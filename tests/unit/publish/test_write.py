"""Requirements on writing a bundle: what is replaced, what is kept, what is refused."""

import os
import stat
from pathlib import Path

import pytest

from bundler.errors import InvalidInput, Unavailable
from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.write import preview, write

OLD = {"README.md": b"old\n", "bundle.lock.yaml": b"l: 1\n", "components/a/values.yaml": b"a: 1\n", "recipe.yaml": b"r: 1\n"}
NEW = {"README.md": b"new\n", "bundle.lock.yaml": b"l: 2\n", "components/b/values.yaml": b"b: 1\n", "recipe.yaml": b"r: 1\n"}


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def bundle_of(files):
    files = dict(sorted(files.items()))
    return Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))


def tree(directory):
    """Path → bytes, link target or None for a directory."""
    found = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        found[name] = f"-> {path.readlink()}" if path.is_symlink() else None if path.is_dir() else path.read_bytes()
    return found


def files(directory):
    return {path: content for path, content in tree(directory).items() if content is not None}


def times(directory):
    return {path: path.lstat().st_mtime_ns for path in (directory.parent, directory, *directory.rglob("*"))}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "work" / "out"


def refused(error):
    return [(finding.rule, finding.message, str(finding.location)) for finding in error.value.findings]


def test_writes_a_new_directory_and_those_above_it(out):
    report = write(bundle_of(OLD), out)
    assert files(out) == dict(bundle_of(OLD).files)
    assert report.added == tuple(bundle_of(OLD).files)
    assert (report.changed, report.removed, report.kept) == ((), (), ())
    assert names(out.parent) == ["out"]


def test_writes_into_an_empty_directory(out):
    out.mkdir(parents=True)
    assert write(bundle_of(OLD), out).written
    assert files(out) == dict(bundle_of(OLD).files)


def test_replaces_the_previous_bundle(out):
    write(bundle_of(OLD), out)
    report = write(bundle_of(NEW), out)
    assert tree(out).keys() == {*bundle_of(NEW).files, "components", "components/b"}
    assert report.added == ("components/b/values.yaml",)
    assert report.changed == ("README.md", "bundle.lock.yaml", "checksums.txt")
    assert report.removed == ("components/a/values.yaml",)
    assert names(out.parent) == ["out"]


def test_an_unchanged_bundle_touches_nothing(out):
    write(bundle_of(OLD), out)
    (out / "mine.txt").write_bytes(b"mine")
    before = times(out)
    report = write(bundle_of(OLD), out)
    assert not report.written
    assert report.kept == ("mine.txt",)
    assert times(out) == before


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_modes_do_not_depend_on_the_umask(out, umask):
    previous = os.umask(umask)
    try:
        write(bundle_of(OLD), out)
    finally:
        os.umask(previous)
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (out, *out.rglob("*"))}
    assert modes == {(True, 0o755), (False, 0o644)}


def test_files_that_are_not_listed_are_kept_as_they_are(out, tmp_path):
    write(bundle_of(OLD), out)
    (out / "notes").mkdir(mode=0o750)
    (out / "notes/today.txt").write_bytes(b"mine")
    (out / "notes/today.txt").chmod(0o600)
    (out / "components/a/extra.txt").write_bytes(b"mine too")
    (out / "empty").mkdir()
    (out / "link").symlink_to("nowhere")
    (out / "linked").symlink_to(tmp_path)
    os.mkfifo(out / "pipe")
    inode = (out / "notes/today.txt").stat().st_ino
    report = write(bundle_of(NEW), out)
    assert report.kept == ("components/a/extra.txt", "link", "linked", "notes/today.txt", "pipe")
    assert tree(out / "notes") == {"today.txt": b"mine"}
    assert (out / "notes/today.txt").stat().st_ino == inode
    assert stat.S_IMODE((out / "notes/today.txt").stat().st_mode) == 0o600
    assert stat.S_IMODE((out / "notes").stat().st_mode) == 0o750
    assert (out / "notes/today.txt").stat().st_nlink == 1
    assert (out / "components/a/extra.txt").read_bytes() == b"mine too"
    assert not (out / "components/a/values.yaml").exists()
    assert (out / "empty").is_dir()
    assert str((out / "link").readlink()) == "nowhere"
    assert (out / "linked").readlink() == tmp_path
    assert (out / "pipe").is_fifo()
    assert names(out.parent) == ["out"]


def test_a_repository_at_the_output_directory_is_no_content(out):
    (out / ".git").mkdir(parents=True)
    (out / ".git/HEAD").write_bytes(b"ref: refs/heads/main\n")
    assert write(bundle_of(OLD), out).kept == ()
    assert write(bundle_of(NEW), out).kept == write(bundle_of(NEW), out).kept == ()
    assert (out / ".git/HEAD").read_bytes() == b"ref: refs/heads/main\n"


def test_a_lost_inventory_is_made_again_by_force(out):
    write(bundle_of(OLD), out)
    (out / "checksums.txt").unlink()
    with pytest.raises(InvalidInput, match="is no bundle"):
        write(bundle_of(OLD), out)
    assert write(bundle_of(OLD), out, force=True).added == ("checksums.txt",)
    assert files(out) == dict(bundle_of(OLD).files)
    assert names(out.parent) == ["out"]


def test_refuses_to_lose_an_edit(out):
    write(bundle_of(OLD), out)
    (out / "README.md").write_bytes(b"edited\n")
    (out / "components/a/values.yaml").write_bytes(b"a: 2\n")
    with pytest.raises(InvalidInput) as caught:
        write(bundle_of(NEW), out)
    assert refused(caught) == [
        ("AICR-O014", "README.md was changed since the bundle was written", f"{out}/README.md"),
        (
            "AICR-O014",
            "components/a/values.yaml was changed since the bundle was written",
            f"{out}/components/a/values.yaml",
        ),
    ]
    assert (out / "README.md").read_bytes() == b"edited\n"
    assert names(out.parent) == ["out"]


def test_force_replaces_what_was_edited(out):
    write(bundle_of(OLD), out)
    (out / "README.md").write_bytes(b"edited\n")
    (out / "components/a/values.yaml").unlink()
    (out / "components/a/values.yaml").symlink_to("/etc/hostname")
    write(bundle_of(NEW), out, force=True)
    assert files(out) == dict(bundle_of(NEW).files)
    assert Path("/etc").is_dir()


def test_an_edit_that_the_new_bundle_agrees_with_is_no_loss(out):
    write(bundle_of(OLD), out)
    (out / "README.md").write_bytes(NEW["README.md"])
    assert write(bundle_of(NEW), out).written
    assert files(out) == dict(bundle_of(NEW).files)


def test_a_listed_file_that_is_missing_is_written_again(out):
    write(bundle_of(OLD), out)
    (out / "README.md").unlink()
    assert write(bundle_of(OLD), out).added == ("README.md",)
    assert files(out) == dict(bundle_of(OLD).files)


def test_an_executable_bit_is_taken_off(out):
    write(bundle_of(OLD), out)
    (out / "README.md").chmod(0o755)
    assert write(bundle_of(OLD), out).changed == ("README.md",)
    assert stat.S_IMODE((out / "README.md").stat().st_mode) == 0o644


def test_never_replaces_a_file_that_is_not_listed(out):
    write(bundle_of(OLD), out)
    (out / "components/b").mkdir()
    (out / "components/b/values.yaml").write_bytes(b"mine")
    for force in (False, True):
        with pytest.raises(InvalidInput) as caught:
            write(bundle_of(NEW), out, force=force)
        message = "components/b/values.yaml is a regular file that belongs to no bundle, and the bundle needs its place"
        assert refused(caught) == [("AICR-O015", message, f"{out}/components/b/values.yaml")]
    assert files(out) == {**bundle_of(OLD).files, "components/b/values.yaml": b"mine"}


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda place: place.mkdir(), "a directory"),
        (lambda place: place.symlink_to("/etc/hostname"), "a symbolic link"),
        (os.mkfifo, "a special file"),
    ],
)
def test_never_replaces_what_is_no_file(out, make, word):
    write(bundle_of({path: content for path, content in OLD.items() if path != "README.md"}), out)
    make(out / "README.md")
    with pytest.raises(InvalidInput, match=f"README.md is {word} that belongs to no bundle"):
        write(bundle_of(OLD), out, force=True)


def test_never_writes_through_a_linked_directory(out, tmp_path):
    write(bundle_of(OLD), out)
    (out / "components").rename(tmp_path / "elsewhere")
    (out / "components").symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput, match="components is a symbolic link that belongs to no bundle"):
        write(bundle_of(NEW), out, force=True)
    assert tree(tmp_path / "elsewhere") == before


def test_adopts_an_unlisted_file_with_the_same_bytes(out):
    write(bundle_of(OLD), out)
    (out / "components/b").mkdir()
    (out / "components/b/values.yaml").write_bytes(NEW["components/b/values.yaml"])
    write(bundle_of(NEW), out)
    assert files(out) == dict(bundle_of(NEW).files)


def test_preview_says_what_a_write_would_do_and_does_nothing(out):
    write(bundle_of(OLD), out)
    (out / "mine.txt").write_bytes(b"mine")
    before = times(out), tree(out)
    expected = preview(bundle_of(NEW), out)
    assert (times(out), tree(out)) == before
    assert write(bundle_of(NEW), out) == expected


def test_a_bundle_that_leads_out_is_refused(out):
    with pytest.raises(InvalidInput, match=r"'\.\./x' holds the name '\.\.'"):
        write(Bundle(files={"../x": b"", "checksums.txt": format_inventory({"../x": b""})}), out)
    assert not out.parent.exists()


def test_a_bundle_whose_inventory_is_not_its_own_is_refused(out):
    with pytest.raises(InvalidInput, match=r"checksums\.txt is not the list of its files"):
        write(Bundle(files={"a": b"", "checksums.txt": b""}), out)


def test_two_renames_do_where_directories_cannot_be_exchanged(out):
    write(bundle_of(OLD), out)
    (out / "mine.txt").write_bytes(b"mine")
    write(bundle_of(NEW), out, exchange=lambda _first, _second: False)
    assert files(out) == {**bundle_of(NEW).files, "mine.txt": b"mine"}
    assert names(out.parent) == ["out"]


def test_what_cannot_be_linked_is_moved(out):
    """A file that a user may not link, such as another's, still reaches the new tree."""
    write(bundle_of(OLD), out)
    (out / "mine.txt").write_bytes(b"mine")

    def unlink_what_was_carried(step):
        if step == "carried":
            (out.parent / ".out.aicr-new/mine.txt").unlink()

    write(bundle_of(NEW), out, step=unlink_what_was_carried)
    assert files(out) == {**bundle_of(NEW).files, "mine.txt": b"mine"}


def test_a_file_made_while_the_bundle_was_written_is_kept(out):
    write(bundle_of(OLD), out)

    def make(step):
        if step == "synced":
            (out / "components/a/late.txt").write_bytes(b"late")

    write(bundle_of(NEW), out, step=make)
    assert files(out) == {**bundle_of(NEW).files, "components/a/late.txt": b"late"}


def test_a_file_without_a_place_stays_and_is_named(out):
    write(bundle_of(OLD), out)

    def make(step):
        if step == "synced":
            (out / "components/b").mkdir()
            (out / "components/b/values.yaml").write_bytes(b"late")

    with pytest.raises(Unavailable) as caught:
        write(bundle_of(NEW), out, step=make)
    leftover = out.parent / ".out.aicr-new"
    assert refused(caught) == [("AICR-O018", f"files that belong to no bundle are left in '{leftover}'", str(leftover))]
    assert files(leftover) == {"checksums.txt": bundle_of(OLD).files["checksums.txt"], "components/b/values.yaml": b"late"}
    assert files(out) == dict(bundle_of(NEW).files)
