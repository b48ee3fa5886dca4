"""Requirements on runtimes: shipped once, patched layer by layer, never with a patch that another undoes."""

import pytest

from bundler.model.composition import Patch, Runtime
from bundler.model.location import Location
from tests.unit.compose.catalogues import composed, overlay, profile, recipe, refused


def patched(*operations):
    lines = "".join(f"      - {operation}\n" for operation in operations)
    return f"runtimes:\n  - name: torch\n    patches:\n{lines}"


def layers(overlay_operation, recipe_operation):
    return {
        "overlays/a.yaml": overlay("a", "{service: gke}", patched(overlay_operation)),
        "recipes/mega.yaml": recipe("mega", patched(recipe_operation)),
    }


def test_runtimes_are_sorted_and_patches_keep_the_order_of_layers(tmp_path):
    files = layers("{op: replace, path: /spec/a, value: 1}", "{op: add, path: /spec/list/-, value: 2}")
    files["overlays/b.yaml"] = overlay("b", "{os: cos}", "runtimes:\n  - name: mpi\n  - name: torch\n")
    composition = composed(tmp_path, files)
    assert composition.runtimes == (
        Runtime(name="mpi"),
        Runtime(
            name="torch",
            patches=(
                Patch(
                    operations=({"op": "replace", "path": "/spec/a", "value": 1},),
                    layer="overlay a",
                    location=Location(file="overlays/a.yaml", line=6, column=5),
                ),
                Patch(
                    operations=({"op": "add", "path": "/spec/list/-", "value": 2},),
                    layer="recipe mega",
                    location=Location(file="recipes/mega.yaml", line=6, column=5),
                ),
            ),
        ),
    )
    assert [made.layer for made in composition.trace.assignments["/runtimes/torch"]] == ["overlay a"]
    assert [made.action for made in composition.trace.assignments["/runtimes/torch/spec/a"]] == ["patch"]


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("{op: replace, path: /spec/a/b, value: 1}", "{op: replace, path: /spec/a, value: {}}"),
        ("{op: replace, path: /spec/a, value: 1}", "{op: remove, path: /spec/a}"),
        ("{op: add, path: /spec/a, value: 1}", "{op: add, path: /spec/a, value: 2}"),
        ("{op: add, path: /spec/env/-, value: 1}", "{op: replace, path: /spec/env, value: []}"),
    ],
)
def test_a_patch_that_a_later_layer_undoes_is_refused(tmp_path, first, later):
    [finding] = refused(composed, tmp_path, layers(first, later))
    operation, path = first.split(",")[0].removeprefix("{op: "), first.split("path: ")[1].split(",")[0]
    above = later.split("path: ")[1].split(",")[0].rstrip("}")
    assert finding == (
        f"AICR-C043: patch {operation} {path} on runtime torch by overlay a is undone by recipe mega, "
        f"which writes {above} (recipes/mega.yaml:8:9)\n"
        "  --> overlays/a.yaml:8:9\n"
        "  fix: move the patch to recipe mega, or write the whole value there"
    )


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("{op: add, path: /spec/env/-, value: 1}", "{op: add, path: /spec/env/-, value: 2}"),
        ("{op: add, path: /spec/env/0, value: 1}", "{op: add, path: /spec/env/0, value: 2}"),
        ("{op: replace, path: /spec/a, value: 1}", "{op: replace, path: /spec/a, value: 1}"),
        ("{op: replace, path: /spec/a, value: 1}", "{op: replace, path: /spec/ab, value: 1}"),
        ("{op: test, path: /spec/a, value: 1}", "{op: replace, path: /spec/a, value: 2}"),
        ("{op: replace, path: /spec/a, value: {}}", "{op: add, path: /spec/a/b, value: 2}"),
    ],
)
def test_patches_that_leave_each_other_alone_are_kept(tmp_path, first, later):
    [runtime] = composed(tmp_path, layers(first, later)).runtimes
    assert [patch.layer for patch in runtime.patches] == ["overlay a", "recipe mega"]


def test_a_runtime_belongs_to_the_axis_that_brings_it_although_an_overlay_patches_it_first(tmp_path):
    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", patched("{op: replace, path: /spec/a, value: 1}")),
        "recipes/mega.yaml": recipe("mega", "profiles:\n  fabric: {default: wired}\n"),
        "recipes/profiles/fabric.yaml": profile(
            "fabric", "  wired:\n    description: A test.\n    runtimes:\n      - name: torch\n"
        ),
    }
    [runtime] = composed(tmp_path, files).runtimes
    assert (runtime.axis, len(runtime.patches)) == ("fabric", 1)
