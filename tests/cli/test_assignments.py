"""Requirements on flags that assign: what they mean, and for what they cannot mean a finding with the way out."""

import pytest

from bundler.cli import assignments
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.yamlio.reader import read

AXES = {"gpuStack": ("gke-default", "driver-installer"), "fabricAttachment": ("none", "gke-tcpxo-multinetwork")}
ALL_AXES = "write --profile AXIS=VALUE: fabricAttachment=none|gke-tcpxo-multinetwork or gpuStack=gke-default|driver-installer"
GPU_STACK = "write --profile AXIS=VALUE: gpuStack=gke-default|driver-installer"


def refused(call, *arguments):
    with pytest.raises(InvalidInput) as caught:
        call(*arguments)
    (finding,) = caught.value.findings
    return finding


def test_profile_names_axis_and_value():
    assert assignments.profile("gpuStack=gke-default", AXES) == ("gpuStack", "gke-default")


@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("", "has no '='", ALL_AXES),
        ("gpuStack", "has no '='", GPU_STACK),
        ("gpuStack=", "names nothing after the '='", GPU_STACK),
        ("=gke-default", "names nothing before the '='", ALL_AXES),
        ("gpuStack=gke-default=x", "has more than one '='", GPU_STACK),
        ("gpuStack=gke-default ", "has a space at an end", GPU_STACK),
        (" gpuStack=gke-default", "has a space at an end", GPU_STACK),
        ("gpuStack=gke default", "has a character that no name has", GPU_STACK),
        ("gpuStack=gke-default\n", "has a space at an end", GPU_STACK),
        ("gpuStack=\x1b[31m", "has a character that no name has", GPU_STACK),
        ("gpuStack=\uff47ke", "has a character that no name has", GPU_STACK),
    ],
)
def test_a_malformed_profile_is_refused_with_the_allowed_values(text, problem, fix):
    finding = refused(assignments.profile, text, AXES)
    assert finding.rule == "AICR-U004"
    assert finding.message == f"profile {text!r} {problem}"
    assert finding.fix == fix


def test_parameter_keeps_its_text():
    text = "fabricAttachment.interfaces=eth1=net-1,eth2=net-2"
    assert assignments.parameter(text) == ("fabricAttachment", "interfaces", "eth1=net-1,eth2=net-2")
    assert assignments.parameter("a.b=") == ("a", "b", "")


@pytest.mark.parametrize("text", ["", "=", "a=b", "a.=b", ".b=c", "a.b", "a b.c=d", "a.b\n=c"])
def test_a_malformed_parameter_is_refused(text):
    finding = refused(assignments.parameter, text)
    assert (finding.rule, finding.message) == ("AICR-U005", f"parameter {text!r} is not AXIS.NAME=VALUE")


@pytest.mark.parametrize(
    ("text", "component", "path", "value"),
    [
        ("gpu-operator:driver.enabled=false", "gpu-operator", ("driver", "enabled"), "false"),
        ("x:a=", "x", ("a",), ""),
        ("x:a=b=c", "x", ("a",), "b=c"),
        ("x:a=1,2,3", "x", ("a",), "1,2,3"),
        ("x:a=one\ntwo", "x", ("a",), "one\ntwo"),
        (r"x:labels.cloud\.google\.com/gke=true", "x", ("labels", "cloud.google.com/gke"), "true"),
        (r"x:a\=b=c", "x", ("a=b",), "c"),
        (r"x:a\\.b=c", "x", ("a\\", "b"), "c"),
        ("x:a:b=c", "x", ("a:b",), "c"),
        ("x:ключ.ß=значение", "x", ("ключ", "ß"), "значение"),
        ("x:a={{ 7*7 }}", "x", ("a",), "{{ 7*7 }}"),
    ],
)
def test_set_is_component_path_and_text(text, component, path, value):
    override = assignments.override(text)
    assert (override.component, override.path, override.raw) == (component, path, value)


@pytest.mark.parametrize("text", ["", "x:a", "=x", ":a=x", "x y:a=1", "x=1", "x:=1", "x:a..b=1", "x:.a=1", "x:a[999999999]=1"])
def test_a_malformed_set_is_refused(text):
    finding = refused(assignments.override, text)
    assert (finding.rule, str(finding.location)) == ("AICR-C050", "--set")
    assert finding.fix


@pytest.mark.parametrize(
    ("text", "component", "path", "rest"),
    [
        ("x={}", "x", (), "{}"),
        ('x:a.b={"c=d": ":"}', "x", ("a", "b"), '{"c=d": ":"}'),
        ('x={"a:b": 1}', "x", (), '{"a:b": 1}'),
        (r"x:a\.b=[1]", "x", ("a.b",), "[1]"),
        ("x=values=1.yaml", "x", (), "values=1.yaml"),
    ],
)
def test_what_is_merged_may_name_a_path(text, component, path, rest):
    assert assignments.target("--set-json", text)[:3] == (component, path, rest)


@pytest.mark.parametrize("text", ["", "x", "=x", ":a=x", "x y={}", "x:={}", "x:a..b={}", "x:a[0]={}"])
def test_a_malformed_merge_is_refused(text):
    finding = refused(assignments.target, "--set-json", text)
    assert (finding.rule, str(finding.location)) == ("AICR-C050", "--set-json")


@pytest.mark.parametrize("call", [assignments.override, assignments.parameter], ids=["set", "param"])
@pytest.mark.parametrize(
    "text", ["a.b:c=" + "x" * 10**6, "a.b=" + "x" * 10**6, "a." * 10**6 + "=1"], ids=["value", "param", "path"]
)
def test_a_huge_flag_is_refused_in_bounded_space(call, text):
    finding = refused(call, text)
    assert len(finding.message) + len(finding.fix) + len(str(finding.location)) < 500


def test_the_place_of_an_override_never_shows_its_value():
    assert assignments.override("x:api.token=s3cr3t").location == Location(file="--set x:api.token")
    assert assignments.target("--set-json", 'x:api={"token": "s3cr3t"}')[3] == Location(file="--set-json x:api")


def merged(text, path=()):
    place = Location(file="--set-json x")
    overrides = assignments.merged_overrides("x", path, assignments.json_document(text, place), place)
    return {override.path: override.value for override in overrides}


def test_json_is_merged_leaf_by_leaf():
    text = '{"a": {"b": 1, "c": null}, "list": [{"x": 1}], "empty": {}, "true": true, "text": "no"}'
    assert merged(text) == {
        ("a", "b"): 1,
        ("a", "c"): None,
        ("list",): [{"x": 1}],
        ("empty",): {},
        ("true",): True,
        ("text",): "no",
    }


def test_json_below_a_path_may_be_any_value():
    assert merged('["a"]', ("tolerations",)) == {("tolerations",): ["a"]}
    assert merged('{"b": 1}', ("a",)) == {("a", "b"): 1}
    assert merged("{}", ("a",)) == {("a",): {}}


def test_an_empty_map_changes_nothing():
    assert merged("{}") == {}


@pytest.mark.parametrize("text", ["", "{", "{a: 1}", "'a'", "nope", "NaN", '{"a": -Infinity}', "{'a': 1}", "[" * 10**5, "{} {}"])
def test_what_is_not_json_is_refused(text):
    assert refused(merged, text).rule == "AICR-U006"


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": 1e999}', "[" * 300 + "]" * 300])
def test_json_is_read_as_strictly_as_a_file(text):
    assert refused(merged, text, ("p",)).rule.startswith("AICR-Y")


@pytest.mark.parametrize("text", ["1", '"x"', "[1]", "null"])
def test_the_values_of_a_component_are_a_map(text):
    finding = refused(merged, text)
    assert (finding.rule, finding.fix) == ("AICR-U006", "give a map, or name the path after the component: COMPONENT:PATH")


def test_a_file_says_where_each_value_stands():
    document = read(b"a:\n  b: 1\nc: 2\n", "values.yaml")
    places = [str(override.location) for override in assignments.merged_overrides("x", (), document, None)]
    assert places == ["values.yaml:2:3", "values.yaml:3:1"]


def test_component_version_names_both():
    assert assignments.component_version("kubeflow-trainer=2.3.0") == ("kubeflow-trainer", "2.3.0")


@pytest.mark.parametrize("text", ["", "x", "x=", "=1", "a=b=c", "x= 1"])
def test_a_malformed_component_version_is_refused(text):
    assert refused(assignments.component_version, text).rule == "AICR-U007"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("cloud.google.com/gke-nodepool=gpu", ("cloud.google.com/gke-nodepool", "gpu")),
        ("pool=", ("pool", "")),
        ("a=b", ("a", "b")),
    ],
)
def test_a_node_selector_is_a_label(text, label):
    assert assignments.label("--accelerated-node-selector", text) == label


@pytest.mark.parametrize("text", ["", "a", "=b", "a=b=c", "a b=c", "a=b c", "/a=b", "A/b/c=d", "a=" + "x" * 64, "a=b\n", "-a=b"])
def test_what_is_no_label_is_refused(text):
    finding = refused(assignments.label, "--system-node-selector", text)
    assert finding.rule == "AICR-U008"
    assert finding.message.startswith("node selector ")


@pytest.mark.parametrize(
    ("text", "toleration"),
    [
        ("nvidia.com/gpu", {"key": "nvidia.com/gpu", "operator": "Exists"}),
        ("nvidia.com/gpu:NoSchedule", {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}),
        ("dedicated=train", {"key": "dedicated", "operator": "Equal", "value": "train"}),
        ("a=b:NoExecute", {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"}),
        ("a=:PreferNoSchedule", {"key": "a", "operator": "Equal", "value": "", "effect": "PreferNoSchedule"}),
    ],
)
def test_a_toleration_is_what_kubernetes_writes(text, toleration):
    assert assignments.toleration("--accelerated-toleration", text) == toleration


@pytest.mark.parametrize("text", ["", ":", ":NoSchedule", "=b", "a:", "a:noschedule", "a:NoSchedule:x", "a b", "a=b c", "*"])
def test_what_is_no_toleration_is_refused(text):
    finding = refused(assignments.toleration, "--accelerated-toleration", text)
    assert finding.rule == "AICR-U008"
    assert finding.message.startswith("toleration ")
