"""Requirements on terms that select nodes or pods. Source: ValidateNodeSelectorRequirement of Kubernetes."""

import jsonpatch
import pytest

SPEC = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec"
TERMS = f"{SPEC}/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"


def required(*terms):
    selector = {"nodeSelectorTerms": [{"matchExpressions": list(terms)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": selector}}


def preferred(term):
    preference = {"weight": 1, "preference": {"matchExpressions": [term]}}
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preference]}}


def apart(term):
    entry = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchExpressions": [term]}}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [entry]}}


@pytest.fixture
def told(runtime, judge):
    """Rule, pointer and message of what is found with an affinity."""

    def run(affinity):
        changed = jsonpatch.apply_patch(runtime, [{"op": "add", "path": f"{SPEC}/affinity", "value": affinity}])
        return [(finding.rule, finding.pointer, finding.message) for finding in judge(changed)]

    return run


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ({"key": "pool", "operator": "In"}, "term 'pool' In needs values"),
        ({"key": "pool", "operator": "NotIn", "values": []}, "term 'pool' NotIn needs values"),
        ({"key": "pool", "operator": "Exists", "values": ["gpu"]}, "term 'pool' Exists takes no values, and has 1"),
        ({"key": "gpus", "operator": "Gt", "values": ["4", "8"]}, "term 'gpus' Gt needs exactly one whole number"),
        ({"key": "gpus", "operator": "Lt", "values": ["many"]}, "term 'gpus' Lt needs exactly one whole number"),
        ({"key": "a b", "operator": "Exists"},
         "term 'a b' Exists has a key that has a name part that is not letters, digits and inner '-', '_' or '.'"),
        ({"key": "pool", "operator": "In", "values": ["gpu", "a b"]},
         "term 'pool' In has the value 'a b', which is not letters, digits and inner '-', '_' or '.'"),
    ],
)  # fmt: skip
def test_a_term_that_says_nothing_is_found(term, message, told):
    assert told(required(term)) == [("AICR-K061", f"{TERMS}/0/matchExpressions/0", message)]


@pytest.mark.parametrize("placed", [required, preferred, apart])
def test_terms_are_found_wherever_they_stand(placed, told):
    assert [rule for rule, _, _ in told(placed({"key": "pool", "operator": "In"}))] == ["AICR-K061"]
    assert [rule for rule, _, _ in told(placed({"key": "pool", "operator": "Is", "values": ["gpu"]}))] == ["AICR-K060"]


def test_a_required_affinity_without_terms_selects_no_node(told):
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}
    assert told(affinity) == [("AICR-K061", TERMS, "a required node affinity has no terms")]


@pytest.mark.parametrize(
    "term",
    [
        {"key": "pool", "operator": "In", "values": ["gpu", ""]},
        {"key": "pool", "operator": "DoesNotExist"},
        {"key": "gpus", "operator": "Gt", "values": ["-1"]},
        {"key": "node.kubernetes.io/instance-type", "operator": "NotIn", "values": ["p5.48xlarge"]},
    ],
)
def test_what_a_server_takes_passes(term, told):
    assert told(required(term)) == []


@pytest.mark.parametrize(("placed", "rules"), [(required, []), (preferred, []), (apart, ["AICR-K060"])])
def test_only_labels_of_nodes_are_compared_as_numbers(placed, rules, told):
    assert [rule for rule, _, _ in told(placed({"key": "gpus", "operator": "Gt", "values": ["4"]}))] == rules
