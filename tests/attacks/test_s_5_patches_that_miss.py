"""S5: a patch to a missing path, a wrong index, the whole document, with an extra member, or wiped out by a later layer."""

import pytest

from tests.unit.compose.catalogues import composed, overlay, recipe, refused


def patching(operation, later=""):
    body = f"components:\n  - name: operator\n    patches:\n      - {operation}\n"
    return {"overlays/a.yaml": overlay("a", "{service: gke}", body), "recipes/mega.yaml": recipe("mega", later)}


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        ("{op: replace, path: /driver/versoin, value: '1'}", "AICR-C041"),
        ("{op: remove, path: /drivers/version}", "AICR-C041"),
        ("{op: add, path: /absent/version, value: '1'}", "AICR-C041"),
        ("{op: add, path: /agents/tolerations/2, value: {}}", "AICR-C041"),
        ("{op: remove, path: /agents/tolerations/1}", "AICR-C041"),
        ("{op: remove, path: /agents/tolerations/01}", "AICR-C041"),
        ("{op: remove, path: /agents/tolerations/-}", "AICR-C041"),
        ("{op: move, from: /agents, path: /agents/inner}", "AICR-C041"),
        ("{op: test, path: /driver/enabled, value: 1}", "AICR-C042"),
        # What the schema of layers already refuses, with its own rule.
        ("{op: replace, path: '', value: {}}", "AICR-S006"),
        ("{op: replace, path: driver, value: {}}", "AICR-S006"),
        ("{op: replace, path: /driver, value: {}, vlaue: 1}", "AICR-S001"),
        ("{op: repalce, path: /driver, value: {}}", "AICR-S005"),
        ("{op: replace, path: /driver}", "AICR-S004"),
    ],
)
def test_a_patch_that_misses_or_is_malformed_is_refused_at_its_line(tmp_path, operation, rule):
    found = refused(composed, tmp_path, patching(operation))
    assert found[0].startswith(rule)
    assert "--> overlays/a.yaml:8:" in found[0]


@pytest.mark.parametrize(
    "later",
    [
        "components:\n  - name: operator\n    values: {agents: {tolerations: [{key: only}]}}\n",
        "components:\n  - name: operator\n    values: {agents: null}\n",
        "components:\n  - name: operator\n    patches:\n      - {op: replace, path: /agents/tolerations, value: []}\n",
        "components:\n  - name: operator\n    patches:\n      - {op: remove, path: /agents}\n",
    ],
)
def test_a_patch_that_a_later_layer_wipes_out_is_refused_naming_both(tmp_path, later):
    [finding] = refused(composed, tmp_path, patching("{op: add, path: /agents/tolerations/-, value: {key: x}}", later))
    assert finding.startswith(
        "AICR-C043: patch add /agents/tolerations/- on the values of operator by overlay a is undone by "
        "recipe mega, which writes /agents"
    )
    assert "(recipes/mega.yaml:" in finding
    assert "\n  --> overlays/a.yaml:8:9\n" in finding
