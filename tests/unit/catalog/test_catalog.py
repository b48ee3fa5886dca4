"""Requirements on finding authored data by kind and name, and on what `--data` may do to it."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput, NotFound

HEAD = "apiVersion: aicr.run/v2\n"
OVERLAY = HEAD + "kind: Overlay\nmetadata: {name: NAME, description: A test.}\ncriteria: {service: gke}\ncomponents:\n- name: nfd\n"


def catalog(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Catalog.load(root)


def said(action):
    with pytest.raises(InvalidInput) as caught:
        action()
    (finding,) = caught.value.findings
    return finding


def test_the_packaged_data_is_complete():
    packaged = Catalog.load()
    assert "h100-gke-cos-training-kubeflow" in packaged.recipes
    assert {"gpuStack", "fabricAttachment"} <= set(packaged.profiles)
    assert "runtimes/torch-distributed.yaml.j2" in packaged.templates
    assert packaged.notes == ()


def test_an_overlay_is_added(tmp_path):
    extended = catalog(tmp_path, {"overlays/extra.yaml": OVERLAY.replace("NAME", "extra")})
    assert "extra" in [overlay.name for overlay in extended.overlays]
    assert extended.notes == ()


def test_an_overlay_of_the_same_name_replaces_and_is_said(tmp_path):
    extended = catalog(tmp_path, {"overlays/any/where.yaml": OVERLAY.replace("NAME", "service-gke")})
    assert [overlay.file for overlay in extended.overlays if overlay.name == "service-gke"] == [
        f"{tmp_path}/overlays/any/where.yaml"
    ]
    (note,) = extended.notes
    assert (note.rule, note.message) == ("AICR-S021", "replaces the packaged overlay service-gke")


def test_registry_entries_are_merged_by_name_and_replacements_said(tmp_path):
    entry = "- name: NAME\n  description: A test.\n  namespace: test\n  manifests: [components/test.yaml.j2]\n"
    text = HEAD + "kind: Registry\nmetadata: {name: components, description: A test.}\ncomponents:\n"
    text += entry.replace("NAME", "nfd") + entry.replace("NAME", "new-component")
    extended = catalog(tmp_path, {"recipes/registry.yaml": text})
    assert extended.registry["new-component"].namespace == "test"
    assert extended.registry["nfd"].chart == ""
    assert extended.registry["gpu-operator"].chart == "gpu-operator"
    assert [note.message for note in extended.notes] == ["replaces the packaged entry nfd of recipes/registry.yaml"]


def test_a_recipe_that_replaces_one_cannot_drop_its_profiles(tmp_path):
    name = "h100-gke-cos-training-kubeflow"
    criteria = "criteria: {service: gke, accelerator: h100, os: cos, intent: training, platform: kubeflow}\n"
    text = HEAD + f"kind: Recipe\nmetadata: {{name: {name}, description: A test.}}\n{criteria}"
    extended = catalog(tmp_path, {f"recipes/{name}.yaml": text})
    finding = said(lambda: extended.notes)
    assert finding.rule == "AICR-S020"
    assert finding.message == "recipe replaces a packaged one and no longer declares the profile fabricAttachment, gpuStack"


def test_line_ends_that_were_mended_are_said(tmp_path):
    extended = catalog(tmp_path, {})
    (tmp_path / "overlays").mkdir()
    (tmp_path / "overlays/crlf.yaml").write_bytes(OVERLAY.replace("NAME", "crlf").replace("\n", "\r\n").encode())
    extended = Catalog.load(tmp_path)
    assert [note.rule for note in extended.notes] == ["AICR-Y017"]


def test_a_document_of_another_kind_in_a_folder_is_refused(tmp_path):
    extended = catalog(tmp_path, {"overlays/x.yaml": OVERLAY.replace("kind: Overlay", "kind: Overlya")})
    finding = said(lambda: extended.overlays)
    assert (finding.rule, finding.message, finding.fix) == ("AICR-S007", "kind is 'Overlya', not Overlay", "write `kind: Overlay`")


def test_a_file_that_does_not_bear_its_documents_name_is_refused(tmp_path):
    text = HEAD + "kind: ReleaseTable\nmetadata: {name: other, description: A test., source: none}\ndefault: a\nreleases: []\n"
    extended = catalog(tmp_path, {"bom/releases/test.yaml": text})
    with pytest.raises(InvalidInput) as caught:
        extended.release_table("test")
    assert {finding.rule for finding in caught.value.findings} <= {"AICR-S008", "AICR-S006", "AICR-S004"}


@pytest.mark.parametrize(
    "name", ["../pyproject.toml", "/etc/hostname", "runtimes/../../LICENSE", "Runtimes/torch-distributed.yaml.j2", "none.yaml.j2"]
)
def test_no_template_name_leads_out(name):
    assert said(lambda: Catalog.load().template(name)).rule == "AICR-S018"


def test_nearest_names_are_offered():
    packaged = Catalog.load()
    assert said(lambda: packaged.release_table("tcpxoo")).fix == "did you mean 'tcpxo'?"
    assert said(lambda: packaged.schema("recipes")).fix == "did you mean 'recipe'?"
    assert said(lambda: packaged.fragment("kernel-module-param")).fix == "did you mean 'kernel-module-params'?"


def test_a_schema_that_is_no_json_is_refused(tmp_path):
    extended = catalog(tmp_path, {"schemas/values/nfd.json": "{"})
    finding = said(lambda: extended.values_schema("nfd"))
    assert (finding.rule, finding.location.line) == ("AICR-S009", 1)


def test_each_file_is_parsed_once():
    packaged = Catalog.load()
    assert packaged.base is packaged.base
    assert packaged.recipes["h100-kind-training-kubeflow"] is packaged.recipes["h100-kind-training-kubeflow"]


def test_a_file_given_by_path_must_exist_and_be_of_a_kind(tmp_path):
    packaged = Catalog.load()
    with pytest.raises(NotFound):
        packaged.open(tmp_path / "none.yaml", kinds=("Recipe",))
    (tmp_path / "x.yaml").write_text("kind: Recpie\n")
    finding = said(lambda: packaged.open(tmp_path / "x.yaml", kinds=("Recipe", "BundleRecipe")))
    assert (finding.message, finding.fix) == ("kind is 'Recpie', not Recipe or BundleRecipe", "did you mean 'Recipe'?")
