"""Requirements on the variables of a template."""

from bundler.model.composition import Selection
from bundler.model.request import Scheduling
from bundler.render.context import component_context, context
from tests.unit.render.kit import component, composition

RECORD = {"name": "v1.0.15", "plugin": {"tag": "v1.0.15"}}
TAINT = {"key": "nvidia.com/gpu", "operator": "Exists"}


def composed():
    return composition(
        components=[component("t.yaml.j2", replicas=2)],
        selections=[
            Selection(axis="gpuStack", value="gke-default"),
            Selection(
                axis="fabricAttachment",
                value="gke-tcpxo-multinetwork",
                parameters={"release": "v1.0.15", "interfaces": {"eth1": "net-1"}},
                releases={"release": RECORD},
            ),
        ],
        accelerated=Scheduling(node_selector={"pool": "gpu"}, tolerations=(TAINT,)),
    )


def test_every_template_sees_criteria_profiles_and_placement():
    assert context(composed()) == {
        "criteria": {"service": "gke", "os": "cos"},
        "profiles": {
            "gpuStack": {"value": "gke-default", "parameters": {}, "releases": {}},
            "fabricAttachment": {
                "value": "gke-tcpxo-multinetwork",
                "parameters": {"release": "v1.0.15", "interfaces": {"eth1": "net-1"}},
                "releases": {"release": RECORD},
                "release": RECORD,
            },
        },
        "accelerated": {"nodeSelector": {"pool": "gpu"}, "tolerations": [TAINT]},
        "system": {"nodeSelector": {}, "tolerations": []},
    }


def test_a_selection_has_the_table_and_the_machine_that_it_has_and_no_empty_ones():
    table, machine = {"devices": ["/dev/a"]}, {"name": "big-8", "gpus": 8}
    made = composition(
        selections=[
            Selection(axis="one", value="v", table=table, machine=machine),
            Selection(axis="two", value="v"),
        ]
    )
    profiles = context(made)["profiles"]
    assert (profiles["one"]["table"], profiles["one"]["machine"]) == (table, machine)
    assert profiles["two"].keys() == {"value", "parameters", "releases"}


def test_a_components_template_sees_the_component_and_its_values_too():
    made = composed()
    seen = component_context(made, made.components[0])
    assert seen.items() >= context(made).items()
    assert seen["component"] == {"name": "x", "version": "v1.0.0", "namespace": "ns-x"}
    assert seen["values"] == {"replicas": 2}
