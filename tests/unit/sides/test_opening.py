"""Requirements on opening a side: what it names is read and nothing else, a link is what it says, and what is wrong is said."""

import io
import os
import subprocess
import tarfile

import pytest

from bundler.errors import InvalidInput, NotFound, Unavailable
from bundler.model.bundle import Bundle
from bundler.sides.budget import Budget
from bundler.sides.opening import aligned, open_side

RENDERED = Bundle(files={"a.yaml": b"a: 1\n"})


def opened(word, *, plain=False):
    return open_side(str(word), recipes=("h100-kind",), render=lambda _: RENDERED, plain=plain)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    return tmp_path


def git(*words):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(here):
    git("init", "-q", "-b", "main")
    (here / "d/e").mkdir(parents=True)
    (here / "d/a.yaml").write_text("a: 1\n")
    (here / "d/e/run").write_text("x\n")
    (here / "d/e/run").chmod(0o755)
    (here / "d/link").symlink_to("/etc/passwd")
    git("add", "-A")
    git("commit", "-qm", "one")
    (here / "d/a.yaml").write_text("a: 2\n")
    return here


def test_a_directory_is_its_files_and_a_link_is_what_it_says(repository):
    tree = opened("d")
    assert tree.files == {"a.yaml": b"a: 2\n", "e/run": b"x\n", "link": b"-> /etc/passwd\n"}
    assert tree.notes == {"e/run": "executable", "link": "a link"}
    assert (tree.root, tree.single) == ("d", False)


def test_the_repository_in_a_directory_is_no_content(repository):
    assert set(opened(".").files) == {"d/a.yaml", "d/e/run", "d/link"}


def test_a_special_file_is_never_opened(here):
    (here / "d").mkdir()
    os.mkfifo(here / "d/pipe")
    assert (opened("d").files, opened("d").notes) == ({"pipe": b""}, {"pipe": "a special file"})


@pytest.mark.parametrize("path", ["d", "./d", "d/"])
def test_a_revision_is_read_as_it_was_committed(repository, path):
    tree = opened(f"git:HEAD:{path}")
    assert tree.files == {"a.yaml": b"a: 1\n", "e/run": b"x\n", "link": b"-> /etc/passwd\n"}
    assert tree.notes == opened("d").notes


@pytest.mark.parametrize("path", ["", "."])
def test_a_revision_without_a_path_is_the_current_directory(repository, monkeypatch, path):
    assert set(opened(f"git:HEAD:{path}").files) == {"d/a.yaml", "d/e/run", "d/link"}
    monkeypatch.chdir("d")
    assert set(opened(f"git:main:{path}").files) == {"a.yaml", "e/run", "link"}


def test_one_file_of_a_revision_is_compared_with_any_file(repository):
    tree = opened("git:HEAD:d/a.yaml")
    assert (tree.files, tree.single) == ({"a.yaml": b"a: 1\n"}, True)
    (repository / "b.yaml").write_text("a: 3\n")
    before, after = aligned(tree, opened("b.yaml"))
    assert (before.files, after.files) == ({"b.yaml": b"a: 1\n"}, {"b.yaml": b"a: 3\n"})


def test_what_a_path_of_git_means_elsewhere_is_no_pattern_here(repository):
    with pytest.raises(NotFound, match=r"'HEAD' has nothing at ':\(glob\)\*\*'"):
        opened("git:HEAD:(glob)**".replace("git:HEAD:", "git:HEAD::"))


@pytest.mark.parametrize(
    ("word", "error", "message"),
    [
        ("git:HEAD", InvalidInput, "does not name a revision and a path"),
        ("git::d", InvalidInput, "does not name a revision and a path"),
        ("git:--output=x:d", InvalidInput, "does not name a revision and a path"),
        ("git:nope:d", InvalidInput, "git knows no revision 'nope' here"),
        ("git:HEAD:nope", NotFound, "'HEAD' has nothing at 'nope'"),
    ],
)
def test_what_git_does_not_have(repository, word, error, message):
    with pytest.raises(error, match=message):
        opened(word)
    assert not (repository / "x").exists()


def test_no_setting_of_a_hostile_repository_runs_a_program(repository):
    script = repository / "evil"
    script.write_text("#!/bin/sh\ntouch ran\n")
    script.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "diff.external", "filter.x.smudge", "diff.x.textconv"):
        git("config", name, str(script))
    (repository / ".gitattributes").write_text("* filter=x diff=x\n")
    assert opened("git:HEAD:d").files["a.yaml"] == b"a: 1\n"
    assert not (repository / "ran").exists()


def test_a_directory_without_a_repository_has_no_revisions(here, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(here.parent))
    with pytest.raises(InvalidInput, match="this is no git repository"):
        opened("git:HEAD:d")


def test_a_machine_without_git_says_so(here, monkeypatch):
    monkeypatch.setenv("PATH", str(here))
    with pytest.raises(InvalidInput, match="cannot run git: No such file or directory"):
        opened("git:HEAD:d")


def archive(name, members, mode="w:gz"):
    with tarfile.open(name, mode) as made:
        for path, content in members.items():
            info = tarfile.TarInfo(path)
            if isinstance(content, bytes):
                info.size = len(content)
                made.addfile(info, io.BytesIO(content))
            else:
                info.type, info.linkname = tarfile.SYMTYPE, content
                made.addfile(info)


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tgz", "w:gz"), ("a.tar.xz", "w:xz"), ("a.tar.bz2", "w:bz2")])
def test_an_archive_is_its_files_below_the_one_directory_that_holds_them(here, name, mode):
    archive(name, {"out/a.yaml": b"a: 1\n", "out/b/c": b"x", "out/link": "/etc/passwd"}, mode)
    tree = opened(name)
    assert tree.files == {"a.yaml": b"a: 1\n", "b/c": b"x", "link": b"-> /etc/passwd\n"}
    assert tree.notes == {"link": "a link"}


def test_an_archive_of_several_directories_keeps_them(here):
    archive("a.tgz", {"./a/x": b"1", "./b/x": b"2"})
    assert set(opened("a.tgz").files) == {"a/x", "b/x"}


def test_nothing_of_an_archive_is_written(here):
    archive("a.tgz", {"../evil": b"x", "/evil": b"x"})
    assert set(opened("a.tgz").files) == {"../evil", "/evil"}
    assert sorted(path.name for path in here.iterdir()) == ["a.tgz"]


@pytest.mark.parametrize("content", [b"", b"not an archive", b"\x1f\x8b\x08\x00cut"])
def test_what_is_no_archive_is_said(here, content):
    (here / "a.tgz").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"cannot read 'a\.tgz' as an archive"):
        opened("a.tgz")


def test_a_side_has_a_size(here):
    info = tarfile.TarInfo("big")
    info.size = 10**12
    (here / "a.tar").write_bytes(info.tobuf())
    with pytest.raises(InvalidInput, match=r"'a\.tar' holds more than 268,435,456 bytes"):
        opened("a.tar")
    budget = Budget(label="x", files=1)
    budget.take(1)
    with pytest.raises(InvalidInput, match="'x' holds more than 20,000 files"):
        budget.take(1)


def test_nothing_is_a_side():
    assert (opened("/dev/null").files, opened("/dev/null").single) == ({}, True)


def test_a_recipe_and_its_file_are_what_they_render_to_and_a_plain_file_is_itself(here):
    (here / "recipe.yaml").write_text("apiVersion: aicr.run/v2\nkind: BundleRecipe\n")
    assert opened("h100-kind").files == RENDERED.files
    assert opened("recipe.yaml").files == RENDERED.files
    assert set(opened("recipe.yaml", plain=True).files) == {"recipe.yaml"}


def test_a_word_that_is_nothing_has_the_nearest_recipe():
    with pytest.raises(NotFound, match="no file and no recipe 'h100-knd'") as refused:
        opened("h100-knd")
    assert refused.value.findings[0].fix == "did you mean 'h100-kind'?"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_never_taken_for_equal(here):
    (here / "d").mkdir(mode=0o000)
    with pytest.raises(Unavailable, match="cannot read"):
        opened("d")
