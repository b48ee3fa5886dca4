"""Requirements on `aicr lock` and `--locked`: one lock for one catalogue, the same bytes each time, and nothing beside it."""

import shutil

import pytest

KIND = "h100-kind-training-kubeflow"
OVERLAY = (
    "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: site, description: A test.}\n"
    "criteria: {service: kind}\ncomponents:\n  - {name: nfd, values: {worker: {tolerations: []}}}\n"
)


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A data directory with its lock, made once."""
    from bundler.cli import main

    data = tmp_path_factory.mktemp("data")
    (data / "overlays").mkdir()
    (data / "overlays/site.yaml").write_text(OVERLAY)
    assert main(["lock", "--data", str(data)]) == 0
    return data


@pytest.fixture
def data(locked, tmp_path):
    return shutil.copytree(locked, tmp_path / "data")


def test_lock_check_and_lock_again(run, data):
    path = data / "bom/lock.yaml"
    before = path.read_bytes()
    code, out, err = run("lock", "--check", "--data", data)
    assert (code, out, err) == (0, "", f"{path}: no findings\n")
    code, out, err = run("lock", "--data", data)
    assert (code, out) == (0, "")
    assert err.startswith(f"{path}: ")
    assert err.endswith("; already up to date\n")
    assert path.read_bytes() == before


def test_a_lock_that_is_not_current_ends_with_1(run, data):
    (data / "overlays/site.yaml").write_text(OVERLAY.replace("A test", "Another test"))
    code, out, err = run("lock", "--check", "--data", data)
    assert (code, out) == (1, "")
    assert err.startswith("error[AICR-I024]: layers overlay site is not the one in the lock\n")
    assert "  fix: run 'aicr lock', and read the difference before committing it\n" in err
    assert run("lock", "--check", "--data", data, "--exit-zero").code == 0


def test_what_is_locked_is_bundled(run, data, tmp_path):
    assert run("bundle", "--recipe", KIND, "--data", data, "--locked", "-o", tmp_path / "out").code == 0


def test_what_is_not_locked_is_refused_and_nothing_is_written(run, data, tmp_path):
    (data / "overlays/site.yaml").write_text(OVERLAY.replace("A test", "Another test"))
    code, out, err = run("bundle", "--recipe", KIND, "--data", data, "--locked", "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.startswith("error[AICR-I026]: layers overlay site is not the one in the lock\n")
    assert not (tmp_path / "out").exists()


def test_an_image_that_a_value_brings_in_is_not_locked(run, data):
    words = ["bundle", "--recipe", KIND, "--data", data, "--set", "nfd:image.tag=v0.18.0", "--dry-run"]
    assert run(*words).code == 0
    code, _, err = run(*words, "--locked")
    assert code == 2
    assert "image registry.k8s.io/nfd/node-feature-discovery:v0.18.0 is not in the lock" in err


def test_without_a_lock_nothing_is_locked(run, tmp_path):
    (tmp_path / "bom").mkdir()
    assert run("bundle", "--recipe", KIND, "--data", tmp_path, "--locked", "--dry-run").code == 3
    assert run("lock", "--check", "--data", tmp_path).code == 3


def test_exit_zero_is_for_the_check_alone(run):
    code, _, err = run("lock", "--exit-zero")
    assert code == 2
    assert "--exit-zero means nothing without --check" in err
