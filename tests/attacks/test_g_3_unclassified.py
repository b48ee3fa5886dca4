"""Row G3: a field that is neither the fabric's nor the benchmark's is a finding, wherever it stands."""

import pytest

from bundler.guard.side import Role
from tests.attacks.test_g_1_2_mutations import changed
from tests.unit.guard.kit import FILES, TCPXO, case

SPEC = {role: f"{case(TCPXO).pod(role)}/spec" for role in Role}
FIELDS = [
    ("pod", "/hostNetwork", True),
    ("pod", "/priorityClassName", "high"),
    ("pod", "/containers/0/lifecycle", {"postStart": {"exec": {"command": ["true"]}}}),
    ("pod", "/containers/1", {"name": "beside", "image": "registry.example.com/x"}),
    ("object", "/spec/template/spec/startupPolicy", {"startupPolicyOrder": "AnyOrder"}),
    ("object", "/spec/template/spec/replicatedJobs/0/template/metadata/annotations", {"networking.gke.io/interfaces": "[]"}),
]


def with_field(role, root, path, value):
    data = case(TCPXO).data(role)
    pointer = (SPEC[role] if root == "pod" else "") + path
    if path.endswith("/metadata/annotations") and role is Role.FIXTURE:  # its job has no metadata to add to
        pointer, value = pointer.removesuffix("/annotations"), {"annotations": value}
    if path.endswith("/1"):
        pointer, value = pointer.removesuffix("/1"), [data_at(data, pointer.removesuffix("/1"))[0], value]
    return changed(data, pointer, value)


def data_at(data, pointer):
    for step in pointer.split("/")[1:]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


@pytest.mark.parametrize(("root", "path", "value"), FIELDS)
@pytest.mark.parametrize("role", list(Role))
def test_g3_a_field_that_nobody_classified_is_one_finding(role, root, path, value):
    (finding,) = case(TCPXO).held(**{str(role): with_field(role, root, path, value)}).findings
    assert finding.rule == "AICR-G006"
    assert finding.message.startswith("nobody says whose ")
    assert finding.message.endswith(f"; the {role} has it")
    assert finding.fix == "add a line to the contract: the fabric's, or the benchmark's and why"
    assert {finding.location.file, *(place.location.file for place in finding.related)} == set(FILES.values())


@pytest.mark.parametrize(("root", "path", "value"), FIELDS)
def test_g3_that_both_sides_have_it_alike_makes_it_no_better(root, path, value):
    both = {str(role): with_field(role, root, path, value) for role in Role}
    (finding,) = case(TCPXO).held(**both).findings
    assert (finding.rule, finding.message.rpartition("; ")[2]) == ("AICR-G006", "both sides have it")
