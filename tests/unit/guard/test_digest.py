"""Requirements on projection digests: equal exactly when the two are wired alike."""

import pytest

from bundler.guard.side import Role
from tests.attacks.test_g_1_2_mutations import changed
from tests.unit.guard.kit import FIXTURES, TCPXO, case

SPEC = f"{case(TCPXO).pod(Role.FIXTURE)}/spec"
DIGEST = "sha256:8d9e10fd589a34ab8a0aa64f7e70ad075c8f1c69bea176350f8d211367697e3d"


def digests(data=None):
    return case(TCPXO).held(**({} if data is None else {"fixture": data})).digests


@pytest.mark.parametrize("fixture", FIXTURES)
def test_a_fixture_and_its_runtime_have_one_digest(fixture):
    found = case(fixture).held().digests
    assert found[Role.RUNTIME] == found[Role.FIXTURE]
    assert found[Role.RUNTIME].startswith("sha256:")


def test_two_fabrics_have_two():
    assert len({case(fixture).held().digests[Role.RUNTIME] for fixture in FIXTURES}) == len(FIXTURES)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("containers/0/resources/limits/nvidia.com~1gpu", 8),
        ("containers/0/image", "docker.io/library/other"),
        ("containers/0/env/23/value", "INFO"),  # NCCL_DEBUG
    ],
)
def test_what_changes_no_wiring_changes_no_digest(pointer, value):
    found = digests(changed(case(TCPXO).data(Role.FIXTURE), f"{SPEC}/{pointer}", value))
    assert found[Role.RUNTIME] == found[Role.FIXTURE]


def test_a_relocated_image_of_one_repository_path_is_the_same_image():
    image = f"mirror.example/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21@{DIGEST}"
    found = digests(changed(case(TCPXO).data(Role.FIXTURE), f"{SPEC}/initContainers/0/image", image))
    assert found[Role.RUNTIME] == found[Role.FIXTURE]


def test_order_counts_where_it_means_something():
    data = case(TCPXO).data(Role.FIXTURE)
    pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["volumes"].reverse()
    pod["tolerations"].reverse()
    assert digests(data)[Role.RUNTIME] == digests(data)[Role.FIXTURE]
    pod["initContainers"][0]["command"].reverse()
    assert digests(data)[Role.RUNTIME] != digests(data)[Role.FIXTURE]
