"""Requirements on `checksums.txt`. Format: GNU coreutils `sha256sum`, text mode."""

import hashlib
import shutil
import subprocess

import pytest

from bundler.errors import InvalidInput
from bundler.publish.inventory import format_inventory, parse_inventory

A, B = "a" * 64, "b" * 64


def test_lists_every_other_file_sorted():
    text = format_inventory({"b/c.yaml": b"2", "checksums.txt": b"old", "README.md": b"1"})
    assert text.decode() == (f"{hashlib.sha256(b'1').hexdigest()}  README.md\n{hashlib.sha256(b'2').hexdigest()}  b/c.yaml\n")


def test_what_is_written_is_read():
    files = {"README.md": b"1", "a-b": b"2", "a/b": b"3", "a.b": b"4"}
    assert parse_inventory(format_inventory(files)) == {path: hashlib.sha256(files[path]).hexdigest() for path in files}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_sha256sum_reads_it(tmp_path):
    files = {"README.md": b"1", "a/b.yaml": b"2\n"}
    (tmp_path / "a").mkdir()
    for path, content in files.items():
        (tmp_path / path).write_bytes(content)
    (tmp_path / "checksums.txt").write_bytes(format_inventory(files))
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "checksums.txt"], cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("text", "rule", "message", "line"),
    [
        ("", "AICR-O004", "the inventory is empty", 1),
        (f"{A}  a", "AICR-O004", "the last line is cut off", 1),
        (f"{A}  a\n{B}", "AICR-O004", "the last line is cut off", 2),
        (f"{A}  a\r\n{B}  b\r\n", "AICR-O004", "the line ends in CR LF", 1),
        (f"{A} a\n", "AICR-O004", "the line is not '<64 hex digits>  <path>'", 1),
        (f"{A} *a\n", "AICR-O004", "the line is not '<64 hex digits>  <path>'", 1),
        (f"{A.upper()}  a\n", "AICR-O004", "the line is not '<64 hex digits>  <path>'", 1),
        (f"{A}  a\n\n{B}  b\n", "AICR-O004", "the line is not '<64 hex digits>  <path>'", 2),
        (f"<<<<<<< ours\n{A}  a\n", "AICR-O004", "the line is not '<64 hex digits>  <path>'", 1),
        (f"{A}  a\n{B}  a\n", "AICR-O004", "'a' is listed twice", 2),
        (f"{A}  b\n{B}  a\n", "AICR-O004", "'a' stands after 'b': the list is not sorted", 2),
        (f"{A}  checksums.txt\n", "AICR-O004", "the inventory lists itself", 1),
        (f"{A}  ../a\n", "AICR-O005", "'../a' holds the name '..', which is no file name", 1),
        (f"{A}  /etc/passwd\n", "AICR-O005", "'/etc/passwd' holds the name '', which is no file name", 1),
        (f"{A}  é\n", "AICR-O004", "the inventory is not ASCII text", 1),
    ],
)
def test_refuses_any_other_form(text, rule, message, line):
    with pytest.raises(InvalidInput) as caught:
        parse_inventory(text.encode(), file="out/checksums.txt")
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message, str(finding.location)) == (rule, message, f"out/checksums.txt:{line}")
