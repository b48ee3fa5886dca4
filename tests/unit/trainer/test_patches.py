"""What `runtimePatches` do to a runtime, version by version.

Values are those of the unit tests of kubeflow/trainer at v2.3.0, and of the strategic merge of Kubernetes where no test says.
"""

import pytest

from tests.unit.trainer.made import ANCESTOR, BOTH, env, made, patch, pod, pod_patch, replicated, runtime, trainjob


@pytest.mark.parametrize("version", BOTH)
def test_t14_a_patch_merges_variables_of_an_init_container(version):  # core/trainingruntime_test.go:226
    variables = [{"name": "INIT_ENV", "value": "original_init"}, {"name": "DATASET_PATH", "value": "runtime"}]
    base = runtime(replicated(pod={"initContainers": [{"name": "init", "image": "registry.example.com/i:1", "env": variables}]}))
    new = [{"name": "INIT_ENV", "value": "override_init"}, {"name": "NEW_VALUE", "value": "from_overrides"}]
    job = trainjob(runtimePatches=[patch(pod_patch(initContainers=[{"name": "init", "env": new}]))])
    assert list(env(pod(made(job, base, version))["initContainers"][0]).items()) == [
        ("INIT_ENV", "override_init"),
        ("NEW_VALUE", "from_overrides"),
        ("DATASET_PATH", "runtime"),
    ]


@pytest.mark.parametrize("version", BOTH)
def test_t15_tolerations_are_replaced_and_node_selectors_merged(version):  # kueue issue 15161
    base = runtime(replicated(pod={"tolerations": [{"key": "gpu"}], "nodeSelector": {"a": "1", "b": "2"}}))
    spec = pod(
        made(
            trainjob(runtimePatches=[patch(pod_patch(tolerations=[{"key": "foo"}], nodeSelector={"b": "9", "c": "3"}))]),
            base,
            version,
        )
    )
    assert spec["tolerations"] == [{"key": "foo"}]
    assert spec["nodeSelector"] == {"a": "1", "b": "9", "c": "3"}


@pytest.mark.parametrize("version", BOTH)
def test_t16_of_two_patches_the_later_wins(version):  # core/trainingruntime_test.go:1015
    patches = [
        patch(pod_patch(nodeSelector={"instance": "p5"}), manager="example.com/a"),
        patch(pod_patch(nodeSelector={"instance": "p5en"}), manager="example.com/b"),
    ]
    assert pod(made(trainjob(runtimePatches=patches), runtime(replicated()), version))["nodeSelector"] == {"instance": "p5en"}


@pytest.mark.parametrize("version", BOTH)
def test_t17_labels_go_where_they_are_patched(version):  # core/trainingruntime_test.go:841
    change = pod_patch()
    change["template"]["metadata"] = {"labels": {"job": "1"}}
    change["template"]["spec"]["template"] = {"metadata": {"labels": {"pod": "1"}, "annotations": {"a": "1"}}}
    jobset = made(trainjob(runtimePatches=[patch(change)]), runtime(replicated(), replicated("other", step="")), version)
    template = jobset.job("node")["template"]
    assert template["metadata"]["labels"] == {"job": "1", ANCESTOR: "trainer"}
    assert template["spec"]["template"]["metadata"] == {"labels": {"pod": "1"}, "annotations": {"a": "1"}}
    assert "metadata" not in jobset.job("other")["template"]["spec"]["template"]


@pytest.mark.parametrize("version", BOTH)
def test_t18_a_container_that_is_not_there_is_put_in_front(version):
    job = trainjob(runtimePatches=[patch(pod_patch(containers=[{"name": "ghost", "env": [{"name": "A", "value": "1"}]}]))])
    assert [one["name"] for one in pod(made(job, runtime(replicated()), version))["containers"]] == ["ghost", "node"]


def test_t19_a_job_that_is_not_there_is_passed_over_in_2_2_and_put_in_front_in_2_3():
    job = trainjob(runtimePatches=[patch({"name": "ghost", "template": {"metadata": {"labels": {"x": "y"}}}})])
    base = runtime(replicated("first", step=""), replicated())
    assert [one["name"] for one in made(job, base, "2.2.0").jobs] == ["first", "node"]
    assert [one["name"] for one in made(job, base, "2.3.0").jobs] == ["ghost", "first", "node"]


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ({"volumes": [{"name": "dshm", "emptyDir": {}}]}, {"volumes": [{"name": "dshm", "hostPath": {"path": "/x"}}]},
         [{"name": "dshm", "emptyDir": {}, "hostPath": {"path": "/x"}}]),
        ({"volumes": [{"name": "v1"}, {"name": "v2"}]}, {"volumes": [{"name": "v3"}]},
         [{"name": "v3"}, {"name": "v1"}, {"name": "v2"}]),
    ],
)  # fmt: skip
def test_t28_a_patched_volume_keeps_its_source(version, before, change, after):
    job = trainjob(runtimePatches=[patch(pod_patch(**change))])
    assert pod(made(job, runtime(replicated(pod=before)), version))["volumes"] == after


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"tolerations": []}, True),
        ({"containers": [{"name": "node", "env": [{"name": "A", "value": ""}]}]}, True),
        ({"containers": [{"name": "node", "volumeMounts": [{"name": "m", "mountPath": "/m", "readOnly": False}]}]}, True),
        ({"containers": [{"name": "node", "securityContext": {"privileged": False}}]}, False),
    ],
)
def test_a_patch_cannot_clear_but_a_pointer_can_say_false(version, change, kept):
    before = {"tolerations": [{"key": "gpu"}], "volumes": [{"name": "m", "emptyDir": {}}]}
    base = runtime(
        replicated(
            pod=before,
            env=[{"name": "A", "value": "1"}],
            volumeMounts=[{"name": "m", "mountPath": "/m", "readOnly": True}],
            securityContext={"privileged": True},
        )
    )
    without = made(trainjob(), base, version).data
    assert (made(trainjob(runtimePatches=[patch(pod_patch(**change))]), base, version).data == without) == kept
