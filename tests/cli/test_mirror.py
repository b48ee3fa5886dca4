"""Requirements on `aicr mirror`: a bundle that pulls from one registry, and the map for what copies the images."""

import pytest
import yaml

KIND = "h100-kind-training-kubeflow"
TO = "registry.example.com:5000/aicr"


@pytest.fixture
def bundle(run, tmp_path):
    assert run("bundle", "--recipe", KIND, "-o", tmp_path / "out").code == 0
    return tmp_path / "out"


def lock(directory):
    return yaml.safe_load((directory / "bundle.lock.yaml").read_text())


def test_the_map_has_every_image_with_its_tag_and_digest(run, bundle):
    code, out, err = run("mirror", bundle, "--to", TO)
    assert (code, err) == (0, "")
    document = yaml.safe_load(out)
    assert document["kind"] == "Relocation"
    assert [item["from"] for item in document["images"]] == [image["image"] for image in lock(bundle)["images"]]
    for item in document["images"]:
        assert item["to"].startswith(f"{TO}/")
        assert item["to"].partition("@")[2] == item["from"].partition("@")[2]


def test_the_relocated_bundle_pulls_from_the_mirror_alone(run, bundle, tmp_path):
    assert run("mirror", bundle, "--to", TO, "-o", tmp_path / "mirrored").code == 0
    runtime = (tmp_path / "mirrored/runtimes/clustertrainingruntime-torch-distributed.yaml").read_text()
    assert f"image: {TO}/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime@sha256:" in runtime
    values = yaml.safe_load((tmp_path / "mirrored/components/gpu-operator/values.yaml").read_text())
    assert values["operator"]["repository"] == f"{TO}/nvidia"
    assert f"`{TO}`" in (tmp_path / "mirrored/README.md").read_text()
    for image in lock(tmp_path / "mirrored")["images"]:
        assert image["at"].startswith(f"{TO}/")


def test_a_relocation_changes_no_digest_of_the_lock(run, bundle, tmp_path):
    run("mirror", bundle, "--to", TO, "-o", tmp_path / "mirrored")
    before, after = lock(bundle), lock(tmp_path / "mirrored")
    assert [(image["image"], image["digest"]) for image in before["images"]] == [
        (image["image"], image["digest"]) for image in after["images"]
    ]
    assert before["inputs"] == after["inputs"]


def test_the_relocated_bundle_is_a_bundle_like_any_other(run, bundle, tmp_path):
    mirrored = tmp_path / "mirrored"
    run("mirror", bundle, "--to", TO, "-o", mirrored)
    assert run("bundle", "--check", mirrored).code == 0
    assert run("verify", mirrored).out.endswith("rendered again to the same bytes\n")
    assert run("bundle", "--recipe", mirrored / "recipe.yaml", "-o", tmp_path / "again").code == 0
    for path in mirrored.rglob("*"):
        if path.is_file():
            assert (tmp_path / "again" / path.relative_to(mirrored)).read_bytes() == path.read_bytes()


def test_a_bundle_is_relocated_from_where_its_images_are_published_every_time(run, bundle, tmp_path):
    run("mirror", bundle, "--to", TO, "-o", tmp_path / "once")
    run("mirror", tmp_path / "once", "--to", "other.example.com", "-o", tmp_path / "twice")
    run("mirror", bundle, "--to", "other.example.com", "-o", tmp_path / "direct")
    assert (tmp_path / "twice/checksums.txt").read_bytes() == (tmp_path / "direct/checksums.txt").read_bytes()


def test_the_printed_map_can_be_given_back(run, bundle, tmp_path):
    (tmp_path / "map.yaml").write_text(run("mirror", bundle, "--to", TO).out)
    assert run("mirror", bundle, "--map", tmp_path / "map.yaml").out == (tmp_path / "map.yaml").read_text()


def test_a_recipe_is_relocated_without_a_bundle(run, bundle):
    assert run("mirror", KIND, "--to", TO).out == run("mirror", bundle, "--to", TO).out


def test_a_map_that_lacks_a_registry_is_refused(run, bundle, tmp_path):
    (tmp_path / "map.yaml").write_text("apiVersion: aicr.run/v2\nkind: Relocation\nregistries: {docker.io: m.example.com}\n")
    code, out, err = run("mirror", bundle, "--map", tmp_path / "map.yaml")
    assert (code, out) == (2, "")
    assert "error[AICR-I011]: the relocation names no registry for " in err


def test_a_bundle_that_was_changed_is_not_relocated(run, bundle):
    (bundle / "README.md").write_text("changed")
    code, out, _ = run("mirror", bundle, "--to", TO)
    assert (code, out) == (2, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing says where the images are mirrored"),
        (["--to", "a.io", "--map", "x"], "--to and --map cannot stand together"),
        (["--to", "a.io", "--force"], "--force means nothing without -o"),
        (["--to", "https://a.io"], "not a registry: 'https://a.io'"),
    ],
)
def test_flags_that_do_not_fit_together_are_refused(run, words, message):
    code, _, err = run("mirror", KIND, *words)
    assert code == 2
    assert message in err
