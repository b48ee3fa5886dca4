"""Row G5: an entry that stands twice is a finding; another order is a note, and a finding where one entry refers to another."""

import pytest

from bundler.guard.side import Role
from bundler.model.finding import Severity
from tests.unit.guard.kit import TCPXO, case


def container(data, role):
    jobs = data["spec"]["template"]["spec"]["replicatedJobs"]
    pod = next(job for job in jobs if job["name"] == "node")["template"]["spec"]["template"]
    return next(one for one in pod["spec"]["containers"] if one["name"] == "node")


def held(change, *roles):
    sides = {str(role): case(TCPXO).data(role) for role in roles}
    for role in roles:
        change(container(sides[str(role)], role)["env"])
    return case(TCPXO).held(**sides).findings


@pytest.mark.parametrize("value", ["eth0", "eth1"])
@pytest.mark.parametrize("role", list(Role))
def test_g5_a_variable_that_stands_twice_is_one_finding_whatever_its_second_value(role, value):
    findings = held(lambda env: env.insert(0, {"name": "NCCL_SOCKET_IFNAME", "value": value}), role)
    twice = [finding for finding in findings if finding.rule == "AICR-G003"]
    assert [finding.message.partition(": ")[0] for finding in twice] == [
        f"spec/containers/node/env/NCCL_SOCKET_IFNAME stands twice in the {role}"
    ]
    assert [finding.rule for finding in findings if finding not in twice] == []  # the later one, which counts, is the runtime's


def test_g5_of_two_values_the_later_counts_as_for_a_kubelet():
    findings = held(lambda env: env.append({"name": "NCCL_SOCKET_IFNAME", "value": "eth1"}), Role.FIXTURE)
    assert [finding.rule for finding in findings] == ["AICR-G001", "AICR-G003"]
    assert findings[0].message.startswith('spec/containers/node/env/NCCL_SOCKET_IFNAME/value is "eth0" in the runtime and "eth1"')


def test_g5_a_variable_that_stands_twice_on_both_sides_is_one_finding():
    findings = held(lambda env: env.append(dict(env[0])), *Role)
    assert [(finding.rule, finding.message) for finding in findings] == [
        ("AICR-G003", "spec/containers/node/env/NCCL_FASTRAK_CTRL_DEV stands twice in the runtime and in the fixture")
    ]


@pytest.mark.parametrize("role", list(Role))
def test_g5_another_order_of_variables_is_a_note(role):
    (finding,) = held(lambda env: env.reverse(), role)
    assert (finding.rule, finding.severity) == ("AICR-G004", Severity.NOTE)


def test_g5_another_order_that_turns_a_reference_round_is_an_error():
    def refer(env):
        env.append({"name": "LATER", "value": "$(NCCL_SOCKET_IFNAME)"})

    def turned(env):
        env.insert(0, {"name": "LATER", "value": "$(NCCL_SOCKET_IFNAME)"})

    sides = {str(role): case(TCPXO).data(role) for role in Role}
    refer(container(sides["runtime"], Role.RUNTIME)["env"])
    turned(container(sides["fixture"], Role.FIXTURE)["env"])
    (finding,) = case(TCPXO).held(**sides).findings
    assert (finding.rule, finding.severity) == ("AICR-G004", Severity.ERROR)


def test_g5_lists_whose_order_means_nothing_may_have_another():
    data = case(TCPXO).data(Role.FIXTURE)
    container(data, Role.FIXTURE)["volumeMounts"].reverse()
    (finding,) = case(TCPXO).held(fixture=data).findings
    assert (finding.rule, finding.severity) == ("AICR-G004", Severity.NOTE)
    assert finding.message.endswith("which changes nothing")
