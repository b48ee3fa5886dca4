"""Requirements on the comparison of a directory with the bundle it should hold."""

import os
import stat

import pytest

from bundler.errors import InvalidInput, NotFound
from bundler.model.bundle import Bundle
from bundler.publish.drift import drift, unified
from bundler.publish.inventory import format_inventory
from bundler.publish.write import write

FILES = {
    "README.md": b"# Title\n",
    "bundle.lock.yaml": b"a: 1\n",
    "components/x/values.yaml": b"one: 1\ntwo: 2\n",
    "recipe.yaml": b"r\n",
}


def bundle_of(files):
    files = dict(sorted(files.items()))
    return Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))


@pytest.fixture
def out(tmp_path):
    write(bundle_of(FILES), tmp_path / "out")
    return tmp_path / "out"


def found(out, files=FILES):
    return [str(change) for change in drift(bundle_of(files), out)]


def test_a_fresh_bundle_has_no_drift(out):
    assert found(out) == []


def test_every_kind_of_difference_is_listed_by_path(out):
    (out / "README.md").chmod(0o755)
    (out / "bundle.lock.yaml").unlink()
    (out / "bundle.lock.yaml").symlink_to("recipe.yaml")
    (out / "components/x/values.yaml").write_bytes(b"one: 1\n")
    (out / "components/x/notes.txt").write_bytes(b"mine")
    (out / "recipe.yaml").unlink()
    assert found(out) == [
        "mode: README.md (executable)",
        "symlink: bundle.lock.yaml (a symbolic link, not a regular file)",
        "extra: components/x/notes.txt",
        "changed: components/x/values.yaml",
        "missing: recipe.yaml",
    ]


def test_a_crlf_checkout_is_drift_and_says_so(out):
    (out / "README.md").write_bytes(b"# Title\r\n")
    assert found(out) == ["changed: README.md (line endings are CR LF)"]


def test_what_is_no_regular_file_is_never_opened(out):
    (out / "README.md").unlink()
    os.mkfifo(out / "README.md")
    os.mkfifo(out / "pipe")
    (out / "link").symlink_to("/etc")
    assert found(out) == [
        "changed: README.md (a special file, not a regular file)",
        "extra: link (a symbolic link)",
        "extra: pipe (a special file)",
    ]


def test_a_directory_in_the_place_of_a_file_is_a_change(out):
    (out / "README.md").unlink()
    (out / "README.md").mkdir()
    assert found(out) == ["changed: README.md (a directory, not a regular file)"]


def test_a_linked_directory_is_not_followed(out, tmp_path):
    (out / "components").rename(tmp_path / "elsewhere")
    (out / "components").symlink_to(tmp_path / "elsewhere")
    assert found(out) == ["extra: components (a symbolic link)", "missing: components/x/values.yaml"]


def test_what_git_does_not_record_is_no_drift(out):
    """git keeps the executable bit of a file and nothing else; it keeps no empty directory."""
    (out / "README.md").chmod(0o600)
    (out / "components/x/values.yaml").chmod(0o664)
    (out / "empty").mkdir()
    (out / ".git").mkdir()
    (out / ".git/HEAD").write_bytes(b"ref: refs/heads/main\n")
    assert found(out) == []


def test_a_large_file_is_not_read_whole(out):
    with (out / "README.md").open("wb") as file:
        file.truncate(1 << 33)
    assert found(out) == ["changed: README.md (too large to show)"]


def test_a_missing_directory_is_not_found(tmp_path):
    with pytest.raises(NotFound, match="bundle directory does not exist"):
        drift(bundle_of(FILES), tmp_path / "none")


def test_a_file_is_no_bundle_directory(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InvalidInput, match="not a directory"):
        drift(bundle_of(FILES), tmp_path / "file")


def test_the_unified_diff_leads_from_the_directory_to_the_recipe(out):
    (out / "components/x/values.yaml").write_bytes(b"one: 1\ntwo: 3")
    (out / "recipe.yaml").unlink()
    (out / "notes.txt").write_bytes(b"mine")
    (out / "README.md").chmod(0o755)
    assert unified(drift(bundle_of(FILES), out)) == (
        "README.md: executable\n"
        "--- components/x/values.yaml (committed)\n"
        "+++ components/x/values.yaml (rendered)\n"
        "@@ -1,2 +1,2 @@\n"
        " one: 1\n"
        "-two: 3\n"
        "\\ no newline at end of file\n"
        "+two: 2\n"
        "only in the directory: notes.txt\n"
        "--- /dev/null\n"
        "+++ recipe.yaml (rendered)\n"
        "@@ -0,0 +1 @@\n"
        "+r\n"
    )


def test_the_unified_diff_survives_bytes_that_are_no_text(out):
    (out / "README.md").write_bytes(b"\xff\xfe")
    assert unified(drift(bundle_of(FILES), out)) == "binary files differ: README.md\n"


def test_lines_are_split_at_line_feeds_alone(out):
    (out / "README.md").write_bytes("# Ti\x0ctle\u2028x\n".encode())
    assert "-# Ti\x0ctle\u2028x\n" in unified(drift(bundle_of(FILES), out))


def test_a_bundle_is_found_by_git_alone_to_be_mode_644(out):
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.rglob("*") if path.is_file()} == {0o644}
