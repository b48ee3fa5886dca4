"""Requirements on `aicr explain`: every layer's word on a value, oldest first, with file and line; of an object the template."""

import json

import pytest

KIND = "h100-kind-training-kubeflow"
GKE = ("h100-gke-cos-training-kubeflow", "--profile", "fabricAttachment=none")


def explained(run, *words):
    code, out, err = run("explain", *words, "-t", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_value_is_explained_layer_by_layer(run):
    found = explained(run, *GKE, "/components/gpu-operator/values/driver/enabled")
    assert (found["present"], found["value"]) == (True, False)
    said = [(made["layer"], made["action"], made["value"]) for made in found["assignments"] if made["pointer"] == found["pointer"]]
    assert said == [("component gpu-operator", "set", True), ("profile gpuStack=gke-default", "set", False)]
    last = found["assignments"][-1]["location"]
    assert last["file"] == "recipes/profiles/gpuStack.yaml"
    assert last["line"] > 0


def test_a_component_and_a_dotted_path_are_a_pointer(run):
    assert explained(run, *GKE, "gpu-operator:driver.enabled") == explained(
        run, *GKE, "/components/gpu-operator/values/driver/enabled"
    )
    assert explained(run, *GKE, "gpuoperator:driver.enabled")["pointer"] == "/components/gpu-operator/values/driver/enabled"


def test_a_flag_is_a_layer(run):
    found = explained(run, KIND, "gpu-operator:driver.rdma", "--set", "gpu-operator:driver.rdma.enabled=true")
    assert found["value"] == {"enabled": True}
    assert found["assignments"][-1]["layer"] == "flags"
    assert found["assignments"][-1]["location"]["file"] == "--set gpu-operator:driver.rdma.enabled"


def test_a_deleted_value_says_who_deleted_it(run):
    words = (KIND, "nfd:worker.tolerations", "--set", "nfd:worker.tolerations=null")
    found = explained(run, *words)
    assert (found["present"], found["value"]) == (False, None)
    assert found["assignments"][-1]["action"] == "delete"
    assert "\n  value: (deleted)\n" in run("explain", *words).out


def test_constraints_dependencies_and_runtimes_are_explained(run):
    assert explained(run, *GKE, "/constraints/K8s.server.version")["value"] == ">= 1.32"
    assert explained(run, KIND, "/components/gpu-operator/dependencies/nfd")["value"] == "nfd"
    (added,) = explained(run, KIND, "/runtimes/torch-distributed")["assignments"]
    assert (added["layer"], added["action"]) == ("overlay platform-kubeflow", "add")


def test_the_text_is_a_value_and_a_table(run):
    lines = run("explain", *GKE, "gpu-operator:driver.enabled").out.splitlines()
    assert lines[:2] == ["/components/gpu-operator/values/driver/enabled", "  value: false"]
    assert lines[3].split() == ["POINTER", "ACTION", "VALUE", "LAYER", "WHERE"]
    assert "profile gpuStack=gke-default" in lines[-1]


def test_a_rendered_value_has_the_line_of_its_template(run):
    found = explained(run, KIND, "ClusterTrainingRuntime/torch-distributed", "/spec/mlPolicy/numNodes")
    assert (found["object"], found["value"]) == ("ClusterTrainingRuntime/torch-distributed", 1)
    assert found["location"]["file"] == "manifests/runtimes/torch-distributed.yaml.j2"
    assert found["location"]["line"] > 0


@pytest.mark.parametrize("name", ["torch-distributed", "clustertrainingruntime/torch-distributed"])
def test_an_object_is_found_by_its_name(run, name):
    assert explained(run, KIND, name, "/kind")["value"] == "ClusterTrainingRuntime"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("gpu-operator:driver.enbled",), 3, "error[AICR-U019]: nothing is at '/components/gpu-operator/values/driver/enbled'"),
        (("/constraint",), 3, "error[AICR-U019]: nothing is at '/constraint'"),
        (("torch-distribute", "/kind"), 3, "error[AICR-U018]: this recipe renders no object 'torch-distribute'"),
        (("torch-distributed", "/spec/mlpolicy"), 3, "error[AICR-U019]: nothing is at '/spec/mlpolicy'"),
        (("driver",), 2, "error[AICR-U003]: a pointer starts with '/', or is COMPONENT:PATH: 'driver'"),
        (("a", "b", "c"), 2, "error[AICR-U003]: one resource and one pointer are explained"),
        (("x:a..b",), 2, "error[AICR-C050]: aicr explain has an empty key in its path"),
    ],
)
def test_what_is_not_there_is_not_found_and_the_nearest_is_named(run, words, code, said):
    outcome = run("explain", KIND, *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(said)
    assert "\n  fix: " in outcome.err


def test_the_whole_tree_is_explained_too(run):
    found = explained(run, KIND, "")
    assert {"components", "constraints", "runtimes"} <= set(found["value"])
