"""S4: circles of dependencies, a component that needs itself, diamonds, what is missing, and two overlays matching equally.

Layers have no `base` of their own here, so circles can only be among components.
"""

import pytest

from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from tests.unit.compose.catalogues import composed, overlay, recipe, refused


def needing(edges):
    names = dict.fromkeys([name for edge in edges for name in edge])
    lines = [f"  - {{name: {name}, dependencies: [{', '.join(other for one, other in edges if one == name)}]}}" for name in names]
    return {"recipes/mega.yaml": recipe("mega", "components:\n" + "\n".join(lines) + "\n")}


@pytest.mark.parametrize(
    ("edges", "chain"),
    [
        ([("network", "network")], "network -> network (recipe mega at recipes/mega.yaml:6:36)"),
        ([("network", "plugin"), ("plugin", "network")], "network -> plugin -> network"),
        # The registry already has plugin -> operator.
        ([("operator", "plugin"), ("plugin", "network"), ("network", "network")], "network -> network"),
        (
            [("operator", "plugin")],
            "operator -> plugin -> operator (recipe mega at recipes/mega.yaml:6:37; registry at recipes/registry.yaml:19:5)",
        ),
    ],
)
def test_a_circle_is_refused_naming_its_chain(tmp_path, edges, chain):
    [finding] = refused(composed, tmp_path, needing(edges))
    assert finding.startswith(f"AICR-C021: components depend on each other: {chain}")


def test_a_diamond_is_no_circle(tmp_path):
    edges = [("plugin", "network"), ("plugin", "operator"), ("network", "operator")]
    assert [each.name for each in composed(tmp_path, needing(edges)).components] == ["operator", "network", "plugin"]


def test_a_missing_dependency_is_refused(tmp_path):
    assert [text[:9] for text in refused(composed, tmp_path, needing([("plugin", "networks")]))] == ["AICR-C012"]
    files = {"recipes/mega.yaml": recipe("mega", "components:\n  - {name: plugin, dependencies: [networks]}\n")}
    assert refused(composed, tmp_path, files) == [
        (
            "AICR-C020: component 'plugin' depends on 'networks', which the recipe does not include (recipe mega)\n"
            "  --> recipes/mega.yaml:6:35\n  fix: include 'networks', or drop the dependency; included: operator, plugin"
        )
    ]


def test_a_base_of_its_own_is_an_unknown_field(tmp_path):
    files = {"overlays/a.yaml": overlay("a", "{service: gke}", "base: a\n")}
    assert refused(composed, tmp_path, files)[0].startswith("AICR-S001: unknown field 'base'\n  --> overlays/a.yaml:5:1\n")


def test_two_overlays_that_match_equally_and_disagree_end_with_exit_2(tmp_path):
    body = "components:\n  - name: operator\n    values: {{driver: {{version: '{}'}}}}\n"
    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", body.format(1)),
        "overlays/b.yaml": overlay("b", "{accelerator: h100}", body.format(2)),
    }
    with pytest.raises(InvalidInput) as caught:
        composed(tmp_path, files)
    assert caught.value.exit_code == ExitCode.INVALID
    [finding] = caught.value.findings
    assert (finding.rule, str(finding.location)) == ("AICR-C010", "overlays/b.yaml:7:23")
    assert "(overlays/a.yaml:7:23)" in finding.message
