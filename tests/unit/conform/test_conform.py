"""Requirements on the check as a whole: places, order, scope of the rules, and time."""

import copy
import time

from bundler.conform import conform
from bundler.kube.resource import Resource
from bundler.model.location import Location

POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "b"}, "data": {}}


def test_a_finding_stands_at_the_template_line_that_wrote_the_value(runtime, catalog, composed):
    runtime["spec"]["mlPolicy"]["bogus"] = 1
    positions = {
        "/spec": Location(file="r.yaml.j2", line=7, column=1),
        "/spec/mlPolicy": Location(file="r.yaml.j2", line=9, column=5),
    }
    resource = Resource(data=runtime, template="r.yaml.j2", positions=positions, owner="kubeflow-trainer")
    (finding,) = conform.check((resource,), composed(), catalog)
    assert str(finding.location) == "r.yaml.j2:9:5"
    assert finding.pointer == "/spec/mlPolicy/bogus"
    assert finding.subject == "ClusterTrainingRuntime/torch-distributed"


def test_findings_are_sorted_by_location(catalog, composed):
    objects = [
        Resource(
            data={**CONFIG, "metadata": {"name": name, "namespace": "b"}, "x": 1}, template=f"{name}.j2", positions={}, owner="t"
        )
        for name in ("c", "a", "b")
    ]
    findings = conform.check(tuple(objects), composed(), catalog)
    assert [finding.location.file for finding in findings] == ["a.j2", "b.j2", "c.j2"]


def test_the_same_objects_give_the_same_findings_in_any_order_of_keys(runtime, judge):
    runtime["spec"]["bogus"] = 1
    runtime["metadata"]["labels"]["-bad-"] = "x" * 64

    def backwards(data):
        if isinstance(data, dict):
            return {key: backwards(data[key]) for key in reversed(data)}
        return [backwards(item) for item in data] if isinstance(data, list) else data

    assert judge(backwards(runtime)) == judge(runtime)


def test_rules_on_meaning_wait_until_the_structure_is_right(runtime, judge):
    pod = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["containers"] = {"node": {"image": "x"}}
    assert {finding.rule for finding in judge(runtime)} == {"AICR-K003", "AICR-I004"}


def test_no_rule_changes_an_object(runtime, judge):
    before = copy.deepcopy(runtime)
    judge(runtime)
    assert runtime == before


def test_every_rule_stands_in_exactly_one_group():
    every = [*conform.OBJECT, *conform.ADMISSION, *conform.LINT, *conform.FABRIC]
    assert len(every) == len(set(every))


def test_ten_objects_take_milliseconds(runtime, daemonset, catalog, composed):
    # The budget is 15 ms on an idle machine; the best of several runs leaves out what other processes take.
    objects = [copy.deepcopy(runtime) for _ in range(5)] + [copy.deepcopy(daemonset) for _ in range(5)]
    for index, data in enumerate(objects):
        data["metadata"]["name"] = f"object-{index}"
    resources = tuple(Resource(data=data, template="t", positions={}, owner="t") for data in objects)
    best = min(_timed(lambda: conform.check(resources, composed(), catalog)) for _ in range(10))
    assert best < 0.030


def _timed(work):
    started = time.process_time()
    work()
    return time.process_time() - started
