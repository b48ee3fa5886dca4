"""Row I3: one repository with two digests, in a runtime and in the fixture that measures it, is one finding of the guard."""

import pytest

from bundler.guard.side import Role
from tests.unit.guard.kit import FIXTURES, TCPXO, case

OTHER = "sha256:" + "e" * 64


def sidecar(data):
    jobs = data["spec"]["template"]["spec"]["replicatedJobs"]
    (container,) = next(job for job in jobs if job["name"] == "node")["template"]["spec"]["template"]["spec"]["initContainers"]
    return container


def held(change, *roles):
    sides = {str(role): case(TCPXO).data(role) for role in roles}
    for data in sides.values():
        one = sidecar(data)
        one["image"] = change(one["image"])
    return case(TCPXO).held(**sides).findings


def other_digest(image):
    return f"{image.partition('@')[0]}@{OTHER}"


@pytest.mark.parametrize("role", list(Role))
def test_i3_two_digests_of_one_repository_are_one_finding_at_both_places(role):
    (finding,) = held(other_digest, role)
    image = sidecar(case(TCPXO).data(role))["image"]
    ours, theirs = (other_digest(image) if side is role else image for side in (Role.RUNTIME, Role.FIXTURE))
    assert finding.rule == "AICR-G001"
    assert finding.message == (
        f"spec/initContainers/tcpxo-daemon/image is {ours!r} in the runtime and {theirs!r} in the fixture: "
        f"image {other_digest(image)!r} is not the one of release v1.0.15, v1.0.21"
    )
    assert finding.fix == f"in the {role}, take tag and digest from the release record"
    assert [place.file for place in (finding.location, finding.related[0].location)] == ["fixture.yaml", "runtime.yaml"]


def test_i3_the_same_wrong_digest_on_both_sides_is_one_finding_about_both():
    (finding,) = held(other_digest, *Role)
    assert finding.rule == "AICR-F011"
    assert finding.message.startswith("in both, image ")
    assert len(finding.related) == 1


def test_i3_a_tag_beside_a_digest_is_one_finding():
    (finding,) = held(lambda image: image.partition("@")[0], Role.FIXTURE)
    assert finding.rule == "AICR-G008"
    assert "in the fixture it is" in finding.message


def test_i3_one_digest_under_another_tag_is_no_difference_but_misleads_a_reader():
    (finding,) = held(lambda image: image.replace(":v1.0.21@", ":v1.0.20@"), Role.FIXTURE)
    assert finding.rule == "AICR-F011"
    assert finding.message.startswith("in the fixture, image ")


@pytest.mark.parametrize("fixture", FIXTURES)
def test_i3_no_packaged_pair_has_one_repository_with_two_digests(fixture):
    images = {}
    for role in Role:
        data = case(fixture).data(role)
        pod = next(job for job in data["spec"]["template"]["spec"]["replicatedJobs"] if job["name"] == "node")["template"]["spec"]
        for container in (*pod["template"]["spec"]["containers"], *pod["template"]["spec"].get("initContainers", ())):
            name, _, digest = container["image"].partition("@")
            images.setdefault(name.rpartition(":")[0] or name, set()).add(digest)
    assert {name: found for name, found in images.items() if len(found) > 1} == {}
