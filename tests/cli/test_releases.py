"""Requirements on `aicr releases`: the matrix with its sources, and one release whole."""

import json

import pytest


def test_every_release_of_every_table_is_listed_with_its_source(run):
    code, out, err = run("releases", "list")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split()[:3] == ["TABLE", "RELEASE", "DATE"]
    assert all("https://" in line for line in out.splitlines()[1:])


def test_one_table_is_listed(run):
    out = run("releases", "list", "tcpxo").out
    assert {line.split()[0] for line in out.splitlines()[1:]} == {"tcpxo"}


def test_tables_are_listed_as_data(run):
    tables = json.loads(run("releases", "list", "-t", "json").out)
    assert "tcpxo" in {table["table"] for table in tables}
    assert all(release["source"] for table in tables for release in table["releases"])


def test_the_default_release_is_shown_when_none_is_named(run):
    assert run("releases", "show", "tcpxo").out == run("releases", "show", "tcpxo", "v1.0.15").out


def test_a_release_is_shown_as_data(run):
    release = json.loads(run("releases", "show", "tcpxo", "v1.0.14", "-t", "json").out)
    # Release notes of November 19, 2025: plugin v1.0.14 with daemon v1.0.20.
    assert release["images"]["daemon"].endswith("/tcpgpudmarxd-dev:v1.0.20")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["list", "tcpx0"], "error[AICR-U030]: no release table 'tcpx0'\n"),
        (["show", "tcpx0"], "error[AICR-U030]: no release table 'tcpx0'\n"),
        (["show", "tcpxo", "v1.0.51"], "error[AICR-U030]: no release 'v1.0.51' of tcpxo\n"),
    ],
)
def test_a_name_that_does_not_exist_is_not_found(run, words, message):
    code, out, err = run("releases", *words)
    assert (code, out) == (3, "")
    assert err.startswith(message)
    assert "did you mean" in err
