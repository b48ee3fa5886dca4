"""What the parameters of GKE's fabrics accept: releases of their table, the machine's interfaces, a namespace; and nothing else."""

from itertools import chain

import pytest

from bundler.pipeline import compose
from tests.unit.data.gke import (
    BOUND,
    CLAIMS,
    FABRICS,
    FIRST,
    RELEASES,
    TABLES,
    asked,
    given,
    refusals,
)
from tests.unit.data.rendering import CATALOG

NETWORK = "the name of a GKE Network (RFC 1123 label of at most 41 characters), not the cluster's default network"


@pytest.mark.parametrize("name", ["v0.0.1", "latest", "", *chain(*RELEASES.values())])
@pytest.mark.parametrize("value", FABRICS)
def test_a_release_outside_its_table_is_refused(value, name):
    recipe, _, _, machine, _ = FIRST[value]
    request = asked(recipe, value, given(value, machine, release=name))
    if name in RELEASES[TABLES[value]]:
        assert compose(CATALOG, request)
    else:
        message = f"parameter fabricAttachment.release: '{name}' is no release of {TABLES[value]}"
        assert refusals(request) == [("AICR-P014", message)]


@pytest.mark.parametrize("value", FABRICS)
def test_every_parameter_that_has_no_default_must_be_given(value):
    recipe, _, _, machine, _ = FIRST[value]
    needed = list(given(value, machine))
    found = refusals(asked(recipe, value, {}))
    assert {rule for rule, _ in found} == {"AICR-P006"}
    prefix = f"fabricAttachment={value} needs the parameter "
    assert sorted(message.removeprefix(prefix).partition(":")[0] for _, message in found) == sorted(map(repr, needed))


@pytest.mark.parametrize("value", FABRICS)
def test_no_parameter_of_another_value_is_taken(value):
    recipe, _, _, machine, _ = FIRST[value]
    foreign = {"instanceType": "p5.48xlarge", "resourceName": "rdma/hca"}
    if value not in BOUND:
        foreign["interfaces"] = {"eth2": "rdma-0"}
    if value not in CLAIMS:
        foreign["namespace"] = "team-a"
    found = refusals(asked(recipe, value, given(value, machine) | foreign))
    assert found == [("AICR-P007", f"fabricAttachment={value} has no parameter '{name}'") for name in foreign]


def faulty(value):
    """Interface maps of a value that are each wrong in one way, with the rule and the end of its message."""
    right = given(value, FIRST[value][3])["interfaces"]
    names = list(right)
    first, last, count = names[0], names[-1], len(names)
    for name in ("default", "Net-0", "net_0", "net.0", "-net", "net-", "n" * 42, "", "net-0\n"):
        yield right | {first: name}, "AICR-P012", f": {first} is {name!r}, not {NETWORK}"
    yield right | {first: right[last]}, "AICR-P011", f" gives '{right[last]}' to {first}, {last}"
    yield right | {first: 0}, "AICR-P013", f": {first} is a string, not 0"
    yield {name: right[name] for name in names[:-1]}, "AICR-P008", f" has {count - 1} of {count} entries: {last} is missing"
    yield {}, "AICR-P008", f" has 0 of {count} entries: {', '.join(names)} are missing"
    for name in ("eth0", "eth10", "rdma0"):
        yield right | {name: "net-10"}, "AICR-P009", f" has no entry '{name}'"


@pytest.mark.parametrize(("value", "interfaces", "rule", "end"), [(value, *fault) for value in BOUND for fault in faulty(value)])
def test_interfaces_are_exactly_those_of_the_machine_each_with_a_network_of_its_own(*, value, interfaces, rule, end):
    recipe, _, _, machine, _ = FIRST[value]
    request = asked(recipe, value, given(value, machine) | {"interfaces": interfaces})
    assert refusals(request) == [(rule, f"parameter fabricAttachment.interfaces{end}")]


@pytest.mark.parametrize("value", BOUND)
def test_the_longest_name_of_a_network_is_taken(value):
    recipe, _, _, machine, _ = FIRST[value]
    right = given(value, machine)
    right["interfaces"] |= {min(right["interfaces"]): "n" * 41}
    assert compose(CATALOG, asked(recipe, value, right))


@pytest.mark.parametrize("value", CLAIMS)
@pytest.mark.parametrize("namespace", ["Team", "team_a", "-team", "team-", "", "a" * 64, "team\n", "team.a"])
def test_the_namespace_of_a_claim_is_a_label(value, namespace):
    recipe, _, _, machine, _ = FIRST[value]
    ((rule, message),) = refusals(asked(recipe, value, given(value, machine, namespace=namespace)))
    assert rule == "AICR-P012"
    assert message.startswith(f"parameter fabricAttachment.namespace: it is {namespace!r}"[:80])
    assert message.endswith(", not a namespace (RFC 1123 label)")
