"""Requirements on `aicr verify`: exit 0 for a bundle, exit 1 for one fault, and a statement only of what was verified."""

import hashlib
import json
import shutil

import pytest

KIND = "h100-kind-training-kubeflow"


@pytest.fixture
def bundle(run, tmp_path):
    assert run("bundle", "--recipe", KIND, "-o", tmp_path / "out").code == 0
    return tmp_path / "out"


def test_a_bundle_is_verified_and_rendered_again(run, bundle):
    number = sum(path.is_file() for path in bundle.rglob("*"))
    code, out, err = run("verify", bundle)
    assert (code, err) == (0, "")
    assert out == f"{bundle}: {number} files as listed, true to the lock, rendered again to the same bytes\n"


def test_a_fault_ends_with_1_and_writes_no_statement(run, bundle, tmp_path):
    (bundle / "more").write_text("x")
    code, out, err = run("verify", bundle, "--statement", tmp_path / "statement.json")
    assert (code, out) == (1, "")
    assert err == (
        "error[AICR-O036]: more is not listed in checksums.txt\n"
        f"  --> {bundle}/more\n"
        "  fix: remove it\n"
    )  # fmt: skip
    assert not (tmp_path / "statement.json").exists()


def test_a_statement_names_every_file_by_its_digest(run, bundle, tmp_path):
    path = tmp_path / "statement.json"
    assert run("verify", bundle, "--statement", path).code == 0
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in json.loads(path.read_text())["subject"]}
    assert subjects == {
        file.relative_to(bundle).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in bundle.rglob("*")
        if file.is_file()
    }


def test_a_statement_never_stands_in_its_bundle(run, bundle):
    code, _, err = run("verify", bundle, "--statement", bundle / "statement.json")
    assert code == 2
    assert "the statement would stand in the bundle that it is about" in err


def test_a_bundle_that_this_data_does_not_make_is_verified_as_far_as_that_goes(run, bundle, tmp_path):
    shutil.copytree(bundle, tmp_path / "copy")
    data = tmp_path / "data/overlays"
    data.mkdir(parents=True)
    (data / "site.yaml").write_text(
        "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: site, description: A test.}\n"
        "criteria: {service: kind}\ncomponents:\n  - {name: nfd, values: {worker: {tolerations: []}}}\n"
    )
    words = ["verify", tmp_path / "copy", "--data", tmp_path / "data"]
    code, out, err = run(*words)
    assert code == 0
    assert out.endswith("true to the lock, not rendered again\n")
    assert "note[AICR-O040]: the bundle was not rendered again: this catalogue has other inputs: overlay site" in err
    assert run(*words, "--strict").code == 1


@pytest.mark.parametrize(("name", "code"), [("none", 3), ("file", 2)])
def test_what_is_no_directory_is_refused(run, tmp_path, name, code):
    (tmp_path / "file").write_text("x")
    assert run("verify", tmp_path / name).code == code
