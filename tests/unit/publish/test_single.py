"""Requirements on replacing one file: in one step, only when it differs, nothing through a link."""

import os

import pytest

from bundler.errors import InvalidInput, Unavailable
from bundler.publish.single import write_file


def test_a_file_is_written_and_then_left_alone(tmp_path):
    path = tmp_path / "x.yaml"
    assert write_file(path, b"a") is True
    before = path.stat()
    assert write_file(path, b"a") is False
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert write_file(path, b"b") is True
    assert path.read_bytes() == b"b"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.yaml"]


def test_its_permissions_do_not_depend_on_the_umask(tmp_path):
    previous = os.umask(0o077)
    try:
        write_file(tmp_path / "x", b"a")
    finally:
        os.umask(previous)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644


def test_nothing_is_written_through_a_link_or_over_a_directory(tmp_path):
    (tmp_path / "target").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "folder").mkdir()
    for name in ("link", "folder"):
        with pytest.raises(InvalidInput) as caught:
            write_file(tmp_path / name, b"a")
        assert caught.value.findings[0].rule == "AICR-O024"
    assert (tmp_path / "target").read_bytes() == b"kept"


def test_what_the_disk_refuses_is_said(tmp_path):
    with pytest.raises(Unavailable) as caught:
        write_file(tmp_path / "none" / "x", b"a")
    assert caught.value.findings[0].rule == "AICR-O025"
