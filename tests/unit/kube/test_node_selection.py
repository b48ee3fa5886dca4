"""Requirements on node selection. Source: k8s.io/component-helpers/scheduling/corev1/nodeaffinity."""

import pytest

from bundler.kube.node_selection import selects

NODE = {"metadata": {"name": "node-1", "labels": {"pool": "gpu", "gpus": "8", "zone": "a"}}}


def required(*terms):
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}}}


def labels(*requirements):
    return {"matchExpressions": [dict(zip(("key", "operator", "values"), one, strict=False)) for one in requirements]}


@pytest.mark.parametrize(
    ("requirement", "holds"),
    [
        (("pool", "In", ["cpu", "gpu"]), True),
        (("pool", "In", ["cpu"]), False),
        (("rack", "In", ["a"]), False),
        (("pool", "NotIn", ["cpu"]), True),
        (("pool", "NotIn", ["gpu"]), False),
        (("rack", "NotIn", ["a"]), True),
        (("pool", "Exists"), True),
        (("rack", "Exists"), False),
        (("rack", "DoesNotExist"), True),
        (("pool", "DoesNotExist"), False),
        (("gpus", "Gt", ["4"]), True),
        (("gpus", "Gt", ["8"]), False),
        (("gpus", "Lt", ["10"]), True),
        (("pool", "Gt", ["4"]), False),
        (("rack", "Lt", ["4"]), False),
    ],
)
def test_a_requirement_is_held_against_the_label(requirement, holds):
    assert selects(required(labels(requirement)), NODE) is holds


def test_requirements_of_one_term_all_hold_and_terms_are_alternatives():
    pool, rack = ("pool", "In", ["gpu"]), ("rack", "Exists")
    assert not selects(required(labels(pool, rack)), NODE)
    assert selects(required(labels(rack), labels(pool)), NODE)


@pytest.mark.parametrize("spec", [required(), required({}), required(labels())])
def test_no_requirements_select_no_node(spec):
    assert not selects(spec, NODE)


def test_a_field_is_the_name_of_the_node():
    fields = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}
    assert selects(required(fields), NODE)
    assert not selects(required({**fields, **labels(("rack", "Exists"))}), NODE)


def test_the_node_selector_holds_besides():
    assert selects({"nodeSelector": {"pool": "gpu"}}, NODE)
    assert not selects({"nodeSelector": {"pool": "cpu"}, **required(labels(("pool", "Exists")))}, NODE)
    assert selects({}, {"metadata": {"name": "bare"}})


def test_what_is_only_preferred_keeps_no_node_away():
    preference = {"weight": 1, "preference": labels(("rack", "Exists"))}
    assert selects({"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preference]}}}, NODE)
