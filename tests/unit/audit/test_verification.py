"""Requirements on verifying a bundle: what can be rendered again is, and what cannot is said."""

import shutil

import pytest

from bundler.audit.verification import verify
from bundler.catalog.catalog import Catalog
from bundler.model.digest import canonical_digest
from bundler.model.request import Request
from bundler.pipeline import bundle
from bundler.publish.inventory import digest_of, format_inventory
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

LOCK = "bundle.lock.yaml"
VALUES = "components/nfd/values.yaml"


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="module")
def made(catalog):
    return bundle(catalog, Request(recipe="h100-kind-training-kubeflow"))


@pytest.fixture
def written(made, tmp_path):
    directory = tmp_path / "out"
    for path, content in made.files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(content)
    return directory


def said(found):
    return [(finding.rule, str(finding.severity), finding.message) for finding in found.findings]


def reseal(directory, change):
    """Change a bundle and write lock and inventory again, so that both agree with it."""
    data = read((directory / LOCK).read_bytes(), LOCK).data
    change(data)
    for path in data["outputs"]:
        data["outputs"][path] = f"sha256:{digest_of((directory / path).read_bytes())}"
    data["digest"] = canonical_digest({key: value for key, value in data.items() if key != "digest"})
    (directory / LOCK).write_text(dump(data))
    files = {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    (directory / "checksums.txt").write_bytes(format_inventory(files))


def test_a_bundle_is_rendered_again_to_the_same_bytes(written, catalog, made):
    found = verify(written, catalog)
    assert (found.findings, found.rendered) == ((), True)
    assert found.lock == made.lock
    assert dict(found.files) == dict(made.files)


def test_a_bundle_that_was_forged_with_lock_and_inventory_is_found_by_rendering(written, catalog):
    (written / VALUES).write_text((written / VALUES).read_text() + "forged: true\n")
    reseal(written, lambda data: None)
    found = verify(written, catalog)
    assert found.rendered
    # The lock too differs: it holds the digest of the forged file.
    assert {(rule, message) for rule, _, message in said(found)} == {
        ("AICR-O039", f"{path} is not what recipe.yaml renders to") for path in (VALUES, LOCK, "checksums.txt")
    }
    assert found.faults


def test_a_bundle_of_other_inputs_is_not_rendered_again_and_that_is_a_note(written, catalog):
    def change(data):
        data["inputs"]["layers"][-1]["digest"] = "sha256:" + "0" * 64

    reseal(written, change)
    found = verify(written, catalog)
    ((rule, severity, message),) = said(found)
    assert (rule, severity) == ("AICR-O040", "note")
    assert message.startswith("the bundle was not rendered again: this catalogue has other inputs: ")
    assert (found.rendered, found.faults) == (False, ())


def test_a_bundle_of_a_recipe_that_is_gone_is_not_rendered_again(written, catalog):
    recipe = written / "recipe.yaml"
    recipe.write_text(recipe.read_text().replace("recipe: h100-kind-training-kubeflow", "recipe: gone"))
    reseal(written, lambda data: data.update(recipe="gone"))
    ((rule, _, message),) = said(verify(written, catalog))
    assert rule == "AICR-O040"
    assert message.startswith("the bundle was not rendered again: this catalogue does not render it: ")


def test_a_bundle_at_fault_is_not_rendered(written, catalog):
    (written / "more").write_text("x")
    found = verify(written, catalog)
    assert [rule for rule, _, _ in said(found)] == ["AICR-O036"]
    assert not found.rendered


def test_rendering_may_be_left_out(written, catalog):
    assert not verify(written, catalog, render=False).rendered


def test_nothing_in_the_directory_is_touched(written, catalog):
    before = {path: path.stat().st_mtime_ns for path in written.rglob("*")}
    verify(written, catalog)
    assert {path: path.stat().st_mtime_ns for path in written.rglob("*")} == before


def test_a_copy_elsewhere_verifies_as_well(written, catalog, tmp_path):
    shutil.copytree(written, tmp_path / "elsewhere/copy")
    assert verify(tmp_path / "elsewhere/copy", catalog).rendered
