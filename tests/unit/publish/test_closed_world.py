"""Requirements on verifying a directory: closed by its inventory, true to its lock, one finding a fault."""

import os

import pytest

from bundler.errors import InvalidInput, NotFound
from bundler.model.digest import canonical_digest
from bundler.publish.closed_world import closed_world
from bundler.publish.inventory import format_inventory
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

LOCK = "bundle.lock.yaml"
README = "README.md"


@pytest.fixture
def written(made, tmp_path):
    directory = tmp_path / "out"
    for path, content in made.bundle.files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)
    return directory


@pytest.fixture
def judge(catalog):
    validator = catalog.validator("bundlelock")

    def run(directory):
        return closed_world(directory, check=lambda document: validator.check(document.data, document=document))

    return run


@pytest.fixture
def said(judge):
    return lambda directory: [(finding.rule, finding.message) for finding in judge(directory).findings]


def seal(directory, change):
    """Change the lock, and write its digest and the inventory again, as one would who wants it to pass."""
    data = read((directory / LOCK).read_bytes(), LOCK).data
    change(data)
    data["digest"] = canonical_digest({key: value for key, value in data.items() if key != "digest"})
    (directory / LOCK).write_text(dump(data))
    inventory(directory)


def inventory(directory):
    files = {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    (directory / "checksums.txt").write_bytes(format_inventory(files))


def test_a_bundle_as_it_was_written_is_closed(written, judge, made):
    world = judge(written)
    assert world.findings == ()
    assert dict(world.files) == dict(made.bundle.files)
    assert world.lock == made.bundle.lock


def test_git_at_the_top_is_no_content(written, said):
    (written / ".git").mkdir()
    (written / ".git/HEAD").write_text("x")
    assert said(written) == []


def changed(directory):
    (directory / README).write_text("changed")


def cut_off(directory):
    path = directory / README
    path.write_bytes(path.read_bytes()[:100])


def missing(directory):
    (directory / README).unlink()


def extra(directory):
    (directory / "runtimes/more.yaml").write_text("x")


def linked(directory):
    text = (directory / README).read_bytes()
    (directory.parent / "elsewhere").write_bytes(text)
    (directory / README).unlink()
    (directory / README).symlink_to(directory.parent / "elsewhere")


def extra_link(directory):
    (directory / "link").symlink_to("README.md")


def executable(directory):
    (directory / README).chmod(0o755)


def executable_inventory(directory):
    (directory / "checksums.txt").chmod(0o755)


def special(directory):
    (directory / README).unlink()
    os.mkfifo(directory / README)


def no_inventory(directory):
    (directory / "checksums.txt").unlink()


def linked_inventory(directory):
    (directory / "checksums.txt").rename(directory.parent / "sums")
    (directory / "checksums.txt").symlink_to(directory.parent / "sums")


def no_lock(directory):
    (directory / LOCK).unlink()
    inventory(directory)


def converted(directory):
    for path in directory.rglob("*"):
        if path.is_file() and path.name != "checksums.txt":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def newer(directory):
    seal(directory, lambda data: data.update(lockVersion=2))


def older(directory):
    seal(directory, lambda data: data.pop("lockVersion"))


def edited_lock(directory):
    text = (directory / LOCK).read_text()
    (directory / LOCK).write_text(text.replace("allowUnpinned: false", "allowUnpinned: true"))
    inventory(directory)


def unreadable_lock(directory):
    (directory / LOCK).write_text("a: [")
    inventory(directory)


def forged_file(directory):
    (directory / README).write_text("forged")
    inventory(directory)


@pytest.mark.parametrize(
    ("fault", "rule", "message"),
    [
        (changed, "AICR-O032", "README.md is not the file that checksums.txt lists"),
        (cut_off, "AICR-O032", "README.md is not the file that checksums.txt lists"),
        (missing, "AICR-O031", "README.md is missing"),
        (extra, "AICR-O036", "runtimes/more.yaml is not listed in checksums.txt"),
        (linked, "AICR-O033", "README.md is a symbolic link, not a regular file"),
        (extra_link, "AICR-O036", "link is not listed in checksums.txt and is a symbolic link"),
        (executable, "AICR-O034", "README.md is executable"),
        (executable_inventory, "AICR-O034", "checksums.txt is executable"),
        (special, "AICR-O033", "README.md is a special file, not a regular file"),
        (no_inventory, "AICR-O030", "no bundle: it has no checksums.txt"),
        (linked_inventory, "AICR-O030", "checksums.txt is a symbolic link"),
        (no_lock, "AICR-O030", "no bundle: its checksums.txt lists no bundle.lock.yaml"),
        (newer, "AICR-O037", "the lock has version 2; this aicr reads 1"),
        (older, "AICR-O037", "the lock has version None; this aicr reads 1"),
        (edited_lock, "AICR-O037", "the lock was edited: its digest is not that of its content"),
        (forged_file, "AICR-O038", "checksums.txt and bundle.lock.yaml do not agree on README.md"),
    ],
)
def test_each_fault_is_one_finding(written, said, fault, rule, message):
    fault(written)
    assert said(written) == [(rule, message)]


def test_a_tree_with_converted_line_ends_is_one_finding(written, said, made):
    converted(written)
    assert said(written) == [("AICR-O035", f"the line ends of {len(made.bundle.files) - 1} files are CR LF")]


def test_one_file_with_other_line_ends_is_a_changed_file(written, said):
    (written / README).write_bytes((written / README).read_bytes().replace(b"\n", b"\r\n"))
    assert said(written) == [("AICR-O032", "README.md is not the file that checksums.txt lists")]


def test_a_lock_that_is_no_yaml_is_one_finding(written, said):
    unreadable_lock(written)
    ((rule, _),) = said(written)
    assert rule.startswith("AICR-Y")


def test_a_lock_outside_its_schema_is_found(written, said):
    seal(written, lambda data: data.update(unknown=1))
    ((rule, message),) = said(written)
    assert rule.startswith("AICR-S")
    assert "unknown" in message


@pytest.mark.parametrize("position", [0, 500])
def test_one_flipped_digit_of_the_inventory_is_one_finding(written, said, position):
    path = written / "checksums.txt"
    text = path.read_text()
    line = text[position:].find("\n") + position + 1 if position else 0
    flipped = "0" if text[line] != "0" else "1"
    path.write_text(text[:line] + flipped + text[line + 1 :])
    ((rule, _),) = said(written)
    assert rule == "AICR-O032"


def test_a_file_at_fault_is_not_trusted(written, judge):
    changed(written)
    assert README not in judge(written).files


def test_a_lock_at_fault_is_not_trusted(written, judge):
    newer(written)
    assert judge(written).lock == {}


def test_what_is_no_directory_is_refused(tmp_path, judge):
    with pytest.raises(NotFound):
        judge(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInput):
        judge(tmp_path / "file")
