"""Row G4: a line of the contract that covers nothing is a finding at that line; and the packaged contract has none."""

from dataclasses import replace

import pytest

from bundler.audit.measured import of_catalogue
from bundler.guard.contract import PATH, Contract, Owner
from bundler.guard.guard import unused
from tests.unit.guard.kit import TCPXO, case, catalog


@pytest.fixture(scope="module")
def measured():
    return of_catalogue(catalog())


def test_g4_the_packaged_contract_has_no_line_that_covers_nothing(measured):
    assert measured.findings == ()


def test_g4_every_fixture_of_the_catalogue_is_held_against_a_runtime(measured):
    held = {
        (verdict.pair.fixture.name, verdict.pair.runtime.name.removeprefix("torch-distributed-"))
        for _, verdict in measured.verdicts
    }
    fixtures = {pair for pair in held if pair[0].startswith("nccl-all-reduce-")}
    names = ("dranet", "efa", "gib", "nvls", "nvls-efa", "nvls-gib", "rdma", "rdma-vf", "tcpx", "tcpxo")
    assert fixtures == {(f"nccl-all-reduce-{name}", name) for name in names}
    # What is left are tests of certifications, which are wired as two of the runtimes are.
    tests = held - fixtures
    assert {runtime for _, runtime in tests} == {"efa", "tcpxo"}
    assert {name for name, runtime in tests if runtime == "efa"} == {name for name, runtime in tests if runtime == "tcpxo"}


@pytest.mark.parametrize(
    "path",
    [
        "/pod/spec/hostNetwork",
        "/pod/spec/containers/node/env/NCCL_ALGOO",
        "/pod/spec/initContainers/tcpx-demon/image",
        "/pod/metadata/annotations/devices.gke.io~1*x",
        "/object/spec/suspend",
    ],
)
@pytest.mark.parametrize("owner", list(Owner))
def test_g4_a_line_that_covers_nothing_is_found_at_its_place(path, owner, measured):
    contract = catalog().derived(Contract.of)
    dead = replace(contract.lines[0], path=path, owner=owner)
    (finding,) = unused(replace(contract, lines=(*contract.lines, dead)), (verdict for _, verdict in measured.verdicts))
    assert (finding.rule, finding.location.file, finding.pointer) == ("AICR-G007", PATH, "/lines/0")
    assert finding.message == f"the contract says whose {path} is, and no runtime and no fixture has it"


def test_g4_a_line_that_another_hides_wholly_is_dead_too(measured):
    contract = catalog().derived(Contract.of)
    hidden = replace(contract.lines[0], path="/pod/spec/*Selector")
    contract = replace(contract, lines=(*contract.lines, hidden))
    (finding,) = unused(contract, (verdict for _, verdict in measured.verdicts))
    assert "/pod/spec/*Selector" in finding.message


def test_g4_without_its_line_a_field_is_nobodys():
    contract, needed = case(TCPXO).contract, case(TCPXO).held().lines
    for line in contract.lines:
        others = tuple(other for other in contract.lines if other is not line)
        related = any(line.path.startswith(f"{other.path}/") or other.path.startswith(f"{line.path}/") for other in others)
        if line.path in needed and not related:
            rules = {finding.rule for finding in case(TCPXO).held(replace(contract, lines=others)).findings}
            assert rules == {"AICR-G006"}, line.path
