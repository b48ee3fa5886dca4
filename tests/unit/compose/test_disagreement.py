"""Requirements on overlays of equal specificity: they may repeat each other and never contradict."""

import pytest

from bundler.pipeline import compose
from tests.unit.compose.catalogues import catalogue, composed, overlay, refused, request, values


def two(one, other, criteria=("{service: gke}", "{os: cos}")):
    return {
        "overlays/a.yaml": overlay("a", criteria[0], one),
        "overlays/b.yaml": overlay("b", criteria[1], other),
    }


def driver(text):
    return f"components:\n  - name: operator\n    values:\n      driver: {text}\n"


@pytest.mark.parametrize(
    ("one", "other", "path", "words"),
    [
        ("{version: '1'}", "{version: '2'}", "driver/version", "set '1' (overlays/a.yaml:8:16), set '2' (overlays/b.yaml:8:16)"),
        ("{version: '1'}", "{version: null}", "driver/version", "set '1' (overlays/a.yaml:8:16), deleted (overlays/b.yaml:8:16)"),
        ("{version: 1}", "{version: true}", "driver/version", "set 1 (overlays/a.yaml:8:16), set true (overlays/b.yaml:8:16)"),
        ("{version: {a: 1}}", "{version: '2'}", "driver/version/a", "set 1 (overlays/a.yaml:8:26), set '2' (overlays/b.yaml:8:16)"),
        ("{version: '2'}", "{version: {a: 1}}", "driver/version/a", "set '2' (overlays/a.yaml:8:16), set 1 (overlays/b.yaml:8:26)"),
    ],
)
def test_one_path_with_two_values_names_both_places(tmp_path, one, other, path, words):
    [finding] = refused(composed, tmp_path, two(driver(one), driver(other)))
    assert finding.startswith(
        f"AICR-C010: overlay a and overlay b are equally specific and disagree on /components/operator/values/{path}: {words}\n"
    )
    assert finding.endswith("\n  fix: state the value in one of them, or in an overlay that names more criteria")


PATCHED = "components:\n  - name: operator\n    patches:\n      - {op: replace, path: /driver/version, value: '7'}\n"
RUNTIME = "runtimes:\n  - name: torch\n    patches:\n      - {{op: replace, path: /spec/numNodes, value: {}}}\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PATCHED, driver("{version: '2'}")),
        (driver("{version: '2'}"), PATCHED),
        (PATCHED, PATCHED.replace("'7'", "'8'")),
        (RUNTIME.format(2), RUNTIME.format(3)),
    ],
)
def test_patches_take_part(tmp_path, one, other):
    assert [finding[:9] for finding in refused(composed, tmp_path, two(one, other))] == ["AICR-C010"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (driver("{version: '2'}"), driver("{version: '2', branch: a}")),
        (driver("{extra: {}}"), driver("{extra: {a: 1}}")),
        (driver("{extra: {a: 1}}"), driver("{extra: {}}")),
        (driver("{extra: {a: 1}}"), driver("{extra: {b: 1}}")),
        (PATCHED, PATCHED),
        (
            "components:\n  - {name: network, dependencies: [operator]}\n",
            "components:\n  - {name: network, dependencies: [plugin]}\n  - name: plugin\n",
        ),
    ],
)
def test_what_does_not_contradict_is_put_together(tmp_path, one, other):
    assert composed(tmp_path, two(one, other))


def test_a_more_specific_overlay_decides(tmp_path):
    files = two(driver("{version: '1'}"), driver("{version: '2'}"), criteria=("{service: gke}", "{service: gke, os: cos}"))
    assert values(composed(tmp_path, files))["driver"]["version"] == "2"


def test_overlays_that_do_not_apply_may_say_what_they_like(tmp_path):
    files = two(driver("{version: '1'}"), driver("{version: '2'}"), criteria=("{service: gke}", "{service: eks}"))
    assert values(composed(tmp_path, files))["driver"]["version"] == "1"


def test_each_path_is_one_finding(tmp_path):
    files = two(driver("{version: '1', enabled: true}"), driver("{version: '2', enabled: false}"))
    assert len(refused(compose, catalogue(tmp_path, files), request())) == 2
