"""Requirements on a composition as data and as tables: nothing is left out of the data, values are left out of the tables."""

import json

from bundler.model.composition import Chart, Component, Composition, Constraint, Layer, Runtime, Selection
from bundler.model.criteria import Criteria
from bundler.model.request import Scheduling
from bundler.model.trace import Trace
from bundler.report.composition import composition_data, composition_text

COMPOSITION = Composition(
    recipe="r",
    criteria=Criteria(service="gke", accelerator="h100"),
    layers=(Layer(label="base", file="recipes/base.yaml", digest="sha256:00"), Layer(label="flags", file="")),
    components=(
        Component(
            name="b", version="1.0", namespace="n", chart=Chart(repository="https://x", name="c", version="1.0"), values={"k": [1]}
        ),
        Component(name="a", version="", namespace="n", chart=None, values={}, dependencies=("b",), manifests=("m.yaml.j2",)),
    ),
    runtimes=(Runtime(name="t", axis="fabricAttachment"),),
    constraints=(Constraint(name="K8s.server.version", value=">= 1.32"),),
    selections=(Selection(axis="fabricAttachment", value="none", parameters={"p": 1}, owned=("/components/b/values/k",)),),
    trace=Trace(assignments={}),
    accelerated=Scheduling(node_selector={"pool": "gpu"}, tolerations=({"operator": "Exists"},)),
)


def test_the_data_is_plain_and_keeps_the_order_of_installation():
    data = composition_data(COMPOSITION)
    assert json.loads(json.dumps(data)) == data
    assert list(data["components"]) == ["b", "a"]
    assert data["components"]["b"] == {
        "version": "1.0",
        "namespace": "n",
        "chart": {"repository": "https://x", "name": "c", "version": "1.0"},
        "dependencies": [],
        "manifests": [],
        "values": {"k": [1]},
    }
    assert data["profiles"]["fabricAttachment"]["owned"] == ["/components/b/values/k"]
    assert data["accelerated"] == {"nodeSelector": {"pool": "gpu"}, "tolerations": [{"operator": "Exists"}]}


def test_the_text_names_every_layer_choice_component_runtime_and_constraint():
    assert composition_text(COMPOSITION) == (
        "r\nservice=gke accelerator=h100\n"
        "\nLAYER  FILE\nbase   recipes/base.yaml\nflags  -\n"
        "\nPROFILE           VALUE  PARAMETERS\nfabricAttachment  none   p\n"
        "\nCOMPONENT  VERSION  NAMESPACE  CHART        AFTER\n"
        "b          1.0      n          https://x/c  -\n"
        "a          -        n          manifests    b\n"
        "\nRUNTIME  PROFILE\nt        fabricAttachment\n"
        "\nCONSTRAINT          VALUE\nK8s.server.version  >= 1.32\n"
    )
