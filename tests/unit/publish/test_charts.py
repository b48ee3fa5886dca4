"""Requirements on a component as a Helm release. Chart.yaml: helm.sh/docs/topics/charts; versions: semver.org."""

import pytest

from bundler.model.composition import Chart, Component
from bundler.publish.charts import chart_reference, local_chart
from bundler.publish.files import OutputFile


def component(version="", **more):
    return Component(name="x", version=version, namespace="n", chart=None, values={}, **more)


def objects(*contents):
    return [OutputFile(path=f"components/x/templates/{number}.yaml", content=text, of="x") for number, text in enumerate(contents)]


@pytest.mark.parametrize(
    ("version", "number", "app"),
    [
        ("", "0.0.0", None),
        ("1.2.3", "1.2.3", "1.2.3"),
        ("v1.2.3", "1.2.3", "v1.2.3"),
        ("v1.2.3-rc.1", "1.2.3-rc.1", "v1.2.3-rc.1"),
        ("1.2", "0.0.0", "1.2"),
        ("latest", "0.0.0", "latest"),
        ("01.2.3", "0.0.0", "01.2.3"),
    ],
)
def test_a_local_chart_has_a_semantic_version_and_says_what_the_registry_says(version, number, app):
    chart = local_chart("x", version, "What it is.", objects(b"a"))
    head, plus, build = chart["version"].partition("+")
    assert (head, plus) == (number, "+")
    assert build.startswith("sha256.")
    assert chart.get("appVersion") == app
    assert (chart["apiVersion"], chart["name"], chart["type"], chart["description"]) == ("v2", "x", "application", "What it is.")


def test_the_version_changes_with_the_templates_and_with_nothing_else():
    """Flux packages a chart from git only when its version changed."""
    version = local_chart("x", "", "", objects(b"a", b"b"))["version"]
    assert local_chart("x", "", "other words", objects(b"a", b"b")[::-1])["version"] == version
    assert local_chart("x", "", "", objects(b"a", b"c"))["version"] != version
    assert local_chart("x", "", "", objects(b"a"))["version"] != version


def test_build_metadata_of_the_registry_is_kept():
    assert local_chart("x", "1.2.3+x", "", objects(b"a"))["version"].startswith("1.2.3+x.sha256.")


def test_a_reference_says_where_the_chart_is_and_what_comes_first():
    chart = Chart(repository="oci://registry.example/charts", name="trainer", version="2.2.0")
    reference = chart_reference(
        Component(name="x", version="2.2.0", namespace="n", chart=chart, values={}, dependencies=("a", "b"))
    )
    assert reference == {
        "apiVersion": "aicr.run/v2",
        "kind": "ChartReference",
        "metadata": {"name": "x"},
        "repository": "oci://registry.example/charts",
        "chart": "trainer",
        "version": "2.2.0",
        "namespace": "n",
        "dependsOn": ["a", "b"],
    }
