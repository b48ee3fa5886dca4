"""Requirements on reading below one root: confined, bounded, regular files only."""

import os

import pytest

from bundler.catalog import files
from bundler.catalog.files import DataFiles, read_file
from bundler.errors import InvalidInput, NotFound


def index(root):
    return DataFiles.index(root, label="data")


def test_lists_only_the_data_folders_sorted_and_without_hidden_files(tmp_path):
    for name in (
        "overlays/b.yaml",
        "overlays/a/c.yaml",
        "overlays/.hidden.yaml",
        "recipes/x.yaml",
        "docs/no.yaml",
        "recipes/read.me",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    assert list(index(tmp_path).paths) == ["overlays/a/c.yaml", "overlays/b.yaml", "recipes/x.yaml"]


def test_a_misspelt_folder_is_said(tmp_path):
    (tmp_path / "overlay").mkdir()
    (note,) = index(tmp_path).notes
    assert note.rule == "AICR-S016"
    assert note.message == "directory 'overlay' is not read; the data folders are recipes, overlays, manifests, schemas, bom"
    assert note.fix == "rename it to 'overlays' if it holds authored data"


def test_a_missing_directory_is_not_found(tmp_path):
    with pytest.raises(NotFound):
        index(tmp_path / "none")


def test_a_file_instead_of_a_directory_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput):
        index(tmp_path / "file")


def rule_of(action):
    with pytest.raises(InvalidInput) as caught:
        action()
    (finding,) = caught.value.findings
    return finding.rule


def test_a_link_out_of_the_directory_is_refused(tmp_path):
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (tmp_path / "data/recipes").mkdir(parents=True)
    (tmp_path / "data/recipes/x.yaml").symlink_to(tmp_path / "secret.yaml")
    assert rule_of(lambda: index(tmp_path / "data")) == "AICR-S015"


def test_a_link_to_a_directory_is_refused(tmp_path):
    (tmp_path / "recipes/real").mkdir(parents=True)
    (tmp_path / "recipes/link").symlink_to(tmp_path / "recipes/real")
    assert rule_of(lambda: index(tmp_path)) == "AICR-S015"


def test_a_pipe_is_refused_and_never_opened(tmp_path):
    (tmp_path / "recipes").mkdir()
    os.mkfifo(tmp_path / "recipes/x.yaml")
    assert rule_of(lambda: index(tmp_path)) == "AICR-S012"
    assert rule_of(lambda: read_file(tmp_path / "recipes/x.yaml", shown="x")) == "AICR-S012"


def test_a_file_over_the_limit_is_refused(tmp_path):
    (tmp_path / "big.yaml").write_bytes(b"a" * (files.MAX_BYTES + 1))
    assert rule_of(lambda: read_file(tmp_path / "big.yaml", shown="big.yaml")) == "AICR-S013"


def test_too_many_files_are_refused(tmp_path):
    (tmp_path / "overlays").mkdir()
    for number in range(files.MAX_FILES + 1):
        (tmp_path / f"overlays/{number}.yaml").touch()
    assert rule_of(lambda: index(tmp_path)) == "AICR-S011"
