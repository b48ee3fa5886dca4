"""Every authored document keeps its schema, is found by its name, and tells editors where the schema is."""

import re
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.root import packaged_root
from bundler.catalog.validation import check
from bundler.yamlio.reader import read

ROOT = packaged_root()
CATALOG = Catalog.load()
AUTHORED = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("recipes", "overlays", "bom")
    for path in (ROOT / folder).rglob("*.yaml")
    if "fixtures" not in path.parts and path.name != "lock.yaml"
)
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


@pytest.mark.parametrize("file", AUTHORED)
def test_a_document_keeps_the_schema_that_its_first_line_names(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    named = MODELINE.match(text)
    assert named, "the first line names the schema"
    schema = (ROOT / file).parent.joinpath(named[1]).resolve().relative_to(ROOT.resolve() / "schemas")
    document = read(text.encode(), file)
    if document.kind:
        assert schema.as_posix() == f"{document.kind.lower()}.json"
        assert CATALOG.validator(document.kind.lower()).check(document.data, document=document) == ()
    else:
        component = Path(file).parent.name
        assert schema.as_posix() == f"values/{component}.json"
        assert check(document.data, CATALOG.values_schema(component), document=document) == ()


def test_overlays_are_named_for_their_criteria_and_stand_in_the_folder_of_their_dimension():
    for overlay in CATALOG.overlays:
        folder, stem = Path(overlay.file).parts[-2], Path(overlay.file).stem
        criteria = overlay.data["criteria"]
        if folder == "combination":
            assert overlay.name == stem
            assert len(criteria) > 1
        else:
            assert criteria == {folder: stem}
            assert overlay.name == f"{folder}-{stem}"


@pytest.mark.parametrize("overlay", CATALOG.overlays, ids=lambda overlay: overlay.name)
def test_an_overlay_covers_a_recipe(overlay):
    recipes = [recipe.data["criteria"] for recipe in CATALOG.recipes.values()]
    assert any(overlay.data["criteria"].items() <= criteria.items() for criteria in recipes)


def test_no_name_is_used_twice():
    names = [overlay.name for overlay in CATALOG.overlays]
    files = [path for path in (ROOT / "overlays").rglob("*.yaml") if path.parent.name != "certification"]
    assert len(names) == len(set(names)) == len(files)


def test_every_constraint_says_why():
    documents = [CATALOG.base, *CATALOG.overlays, *CATALOG.recipes.values()]
    constraints = [constraint for document in documents for constraint in document.data.get("constraints", ())]
    assert constraints
    assert all(constraint["reason"] and constraint["source"] for constraint in constraints)
