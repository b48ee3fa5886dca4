"""Row T8: what a template must not render is a finding, never left out in silence."""

import pytest

from bundler.errors import InvalidInput
from bundler.render.render import render_resources
from tests.unit.render.kit import catalog, component, composition

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: ns\n"
RUNTIME = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata:\n  name: r\n"


def refused(root, text, *, runtime=False):
    name = "runtimes/r.yaml.j2" if runtime else "components/x/t.yaml.j2"
    given = {"runtimes": ["r"]} if runtime else {"components": [component("components/x/t.yaml.j2", on=False)]}
    with pytest.raises(InvalidInput) as caught:
        render_resources(catalog(root, {name: text}), composition(**given))
    return [(found.rule, found.location.line) for found in caught.value.findings]


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        "# Only a comment.\n",
        "{# Only a comment. #}\n",
        "---\n---\n",
        "{% if values.on %}\nkind: X\n{% endif %}\n",
        "{% for x in [] %}\n- 1\n{% endfor %}\n",
    ],
)
def test_nothing(tmp_path, text):
    assert refused(tmp_path, text) == [("AICR-T012", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{CONFIG_MAP}---\n{CONFIG_MAP}", [("AICR-T014", 8)]),
        (f"{CONFIG_MAP}---\n{CONFIG_MAP.replace('v1', 'v1beta1')}", [("AICR-T014", 8)]),
        (f"{{% for x in [1, 2, 3] %}}\n---\n{CONFIG_MAP}{{% endfor %}}\n", [("AICR-T014", 4), ("AICR-T014", 4)]),
        (f"{CONFIG_MAP}---\n{CONFIG_MAP.replace('ConfigMap', 'Secret')}", [("AICR-T015", 7)]),
        (f"{CONFIG_MAP}---\napiVersion: v1\nkind: List\nitems: []\n", [("AICR-T016", 7)]),
        (f"{CONFIG_MAP}---\napiVersion: v1\nkind: ConfigMapList\nitems: []\n", [("AICR-T016", 7)]),
        (f"{CONFIG_MAP}---\n- a\n", [("AICR-T013", 7)]),
        (f"{CONFIG_MAP}---\nnull\n", [("AICR-T013", 7)]),
        ("apiVersion: v1\nmetadata:\n  name: a\n", [("AICR-T013", 1)]),
        ("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  namespace: ns\n", [("AICR-T017", 5)]),
        (CONFIG_MAP.replace("  namespace: ns\n", ""), [("AICR-T017", 3)]),
    ],
)
def test_what_no_bundle_may_hold(tmp_path, text, expected):
    assert refused(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{RUNTIME}  namespace: ns\n", [("AICR-T017", 5)]),
        (f"{RUNTIME}---\n{CONFIG_MAP}", [("AICR-T017", 10)]),
        (RUNTIME.replace("name: r", "name: other"), [("AICR-T018", 4)]),
        (CONFIG_MAP, [("AICR-T018", 4)]),
        (RUNTIME.replace("Cluster", ""), [("AICR-T017", 3)]),
    ],
)
def test_what_no_runtime_template_may_render(tmp_path, text, expected):
    assert refused(tmp_path, text, runtime=True) == expected


def test_one_object_rendered_by_two_components(tmp_path):
    templates = {"components/x/a.yaml.j2": CONFIG_MAP, "components/x/b.yaml.j2": f"# b\n{CONFIG_MAP}"}
    parts = [component("components/x/a.yaml.j2", name="a"), component("components/x/b.yaml.j2", name="b")]
    with pytest.raises(InvalidInput) as caught:
        render_resources(catalog(tmp_path, templates), composition(components=parts))
    [found] = caught.value.findings
    assert (found.rule, str(found.location)) == ("AICR-T014", f"{tmp_path}/manifests/components/x/b.yaml.j2:3:1")
    assert found.message == f"ConfigMap/a is rendered twice, first at {tmp_path}/manifests/components/x/a.yaml.j2:2:1"
