"""Requirements on classes of evidence: the recipe alone decides (NVIDIA/aicr issue 2297)."""

from dataclasses import replace

import pytest

from bundler.bom.evidence import PROVES, EvidenceClass, evidence_class, trainer
from bundler.model.location import Location
from bundler.model.request import Request
from bundler.model.trace import Assignment, Trace
from bundler.pipeline import compose


@pytest.fixture(scope="module")
def composition(packaged, tcpxo):
    return compose(packaged, tcpxo)


def classes(composition):
    return {runtime.name: str(evidence_class(runtime, composition)) for runtime in composition.runtimes}


def test_a_runtime_that_a_value_with_a_transport_brings_is_the_delivered_artifact(composition):
    assert classes(composition) == {
        "torch-distributed": "cluster-capability",
        "torch-distributed-tcpxo": "delivered-artifact",
    }


def test_a_runtime_whose_fabric_is_nvlink_alone_is_delivered_too(packaged):
    request = Request(
        recipe="gb300-generic-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "nvls-imex"},
        parameters={"fabricAttachment": {"gpus": "4", "namespace": "kubeflow"}},
    )
    assert classes(compose(packaged, request)) == {
        "torch-distributed": "cluster-capability",
        "torch-distributed-nvls": "delivered-artifact",
    }


def test_every_value_that_brings_a_runtime_says_what_proves_its_fabric(packaged):
    values = packaged.profiles["fabricAttachment"].data["values"]
    proofs = {name: {value.get("transport"), value.get("floor", {}).get("over")} - {None} for name, value in values.items()}
    assert {name for name, value in values.items() if "runtimes" in value} == {name for name, found in proofs.items() if found}


def test_without_its_controller_in_the_bundle_nothing_delivered_is_measured(composition):
    rest = tuple(component for component in composition.components if component.name != "kubeflow-trainer")
    bare = replace(composition, components=rest)
    assert classes(bare)["torch-distributed-tcpxo"] == "cluster-capability"
    assert trainer(bare) == {"delivered": False, "present": "reuse", "missing": "install"}


def test_a_runtime_that_the_recipe_names_itself_is_supplied_by_it(composition):
    place = Location(file="mine.yaml", line=1)
    pointer = "/runtimes/torch-distributed"
    named = Assignment(pointer=pointer, value="torch-distributed", action="add", layer="recipe mine", location=place)
    supplied = replace(composition, trace=Trace(assignments={pointer: (named,)}))
    assert classes(supplied)["torch-distributed"] == "recipe-supplied-runtime"
    patched = replace(composition, trace=Trace(assignments={pointer: (replace(named, action="patch"),)}))
    assert classes(patched)["torch-distributed"] == "cluster-capability"


def test_a_delivered_controller_that_is_missing_is_a_failure_and_never_installed_over(composition):
    assert trainer(composition) == {"delivered": True, "present": "reuse", "missing": "fail"}


def test_every_class_says_what_it_proves():
    assert PROVES.keys() == set(EvidenceClass)
