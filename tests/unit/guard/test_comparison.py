"""Requirements on the comparison: one difference at the highest place, said in words that name both values."""

import json

import pytest

from bundler.guard.side import Role
from bundler.model.finding import Severity
from bundler.model.pointer import join, resolve, tokens
from tests.attacks.test_g_1_2_mutations import changed
from tests.unit.guard.kit import TCPXO, case

ENV = "spec/containers/node/env"
SPEC = f"{case(TCPXO).pod(Role.FIXTURE)}/spec"
ANNOTATIONS = f"{case(TCPXO).pod(Role.FIXTURE)}/metadata/annotations"
INTERFACES = f"{ANNOTATIONS}/networking.gke.io~1interfaces"
EIGHT = [{"interfaceName": f"eth{number}", "network": f"gpu-nic-{number - 1}"} for number in range(1, 9)]


def found(pointer, value):
    data = changed(case(TCPXO).data(Role.FIXTURE), pointer, value)
    return [(finding.rule, finding.message) for finding in case(TCPXO).held(fixture=data).findings]


def interfaces(*entries):
    return json.dumps([{"interfaceName": "eth0", "network": "default"}, *entries])


PROTO = "release v1.0.15 wants 'Simple,LL128' (enforced)"
BINDS = "annotation networking.gke.io/interfaces binds {}, where {} are wanted in this order"
BOUND = "metadata/annotations/networking.gke.io/interfaces"
NAMES = [f"eth{number}" for number in range(9)]


@pytest.mark.parametrize(
    ("pointer", "value", "rule", "difference", "reasons"),
    [
        (
            f"{SPEC}/containers/0/env/4/value",
            "Simple",
            "AICR-G001",
            f'{ENV}/NCCL_PROTO/value is "Simple,LL128" in the runtime and "Simple" in the fixture',
            [f"NCCL_PROTO is 'Simple'; {PROTO}"],
        ),
        (
            f"{SPEC}/containers/0/env/4/value",
            1,
            "AICR-G005",
            f'{ENV}/NCCL_PROTO/value is the text "Simple,LL128" in the runtime and the number 1 in the fixture',
            [],
        ),
        (
            f"{SPEC}/containers/0/env/4",
            None,
            "AICR-G002",
            f"{ENV}/NCCL_PROTO stands in the runtime and not in the fixture",
            [f"NCCL_PROTO is missing; {PROTO}"],
        ),
        (
            f"{SPEC}/containers/0/env/4/name",
            "NCCL_PROTOS",
            "AICR-G001",
            f"{ENV} has 'NCCL_PROTO' in the runtime and 'NCCL_PROTOS' in the fixture",
            [f"NCCL_PROTO is missing; {PROTO}", "NCCL_PROTOS is no variable of release v1.0.15"],
        ),
        (
            f"{SPEC}/initContainers",
            None,
            "AICR-G002",
            "spec/initContainers stands in the runtime and not in the fixture",
            [
                "annotation devices.gke.io/container.tcpxo-daemon names a container that the pod does not have",
                "'tcpxo-daemon' is not a native sidecar of the pod",
            ],
        ),
        (
            f"{SPEC}/initContainers/0/args",
            ["/fts/entrypoint_rxdm_container.sh", "--num_hops=2", "--num_nics=8"],
            "AICR-G001",
            None,
            ["the daemon of release v1.0.15 no longer knows --num_nics"],
        ),
        (
            INTERFACES,
            interfaces(*EIGHT[:7]),
            "AICR-G001",
            f"{BOUND} of the fixture lacks {json.dumps(EIGHT[7])}",
            [
                BINDS.format(", ".join(NAMES[:8]), ", ".join(NAMES)),
                "the pod binds 7 interfaces beside its own, a3-megagpu-8g has 8",
            ],
        ),
        (
            INTERFACES,
            interfaces(EIGHT[1], EIGHT[0], *EIGHT[2:]),
            "AICR-G004",
            f"{BOUND} has {json.dumps(EIGHT[1])} at another place than the runtime",
            [BINDS.format(", ".join([NAMES[0], NAMES[2], NAMES[1], *NAMES[3:]]), ", ".join(NAMES))],
        ),
        (
            INTERFACES,
            interfaces(*EIGHT[:7], {**EIGHT[7], "network": "other"}),
            "AICR-G001",
            f"{BOUND} is {json.dumps(EIGHT[7])} in the runtime and {json.dumps({**EIGHT[7], 'network': 'other'})} in the fixture",
            [],
        ),
        (
            f"{ANNOTATIONS}/devices.gke.io~1container.tcpxo-daemon",
            "- path: /dev/nvidia0\n",
            "AICR-G001",
            None,
            ["annotation devices.gke.io/container.tcpxo-daemon lists 1 device, not exactly the 11 of the fabric"],
        ),
        (
            f"{SPEC}/containers/0/resources",
            None,
            "AICR-G002",
            "spec/containers/node/resources stands in the runtime and not in the fixture",
            [],
        ),
    ],
)  # fmt: skip
def test_says_what_differs_and_what_the_release_has_to_say_of_it(pointer, value, rule, difference, reasons):
    ((found_rule, said),) = found(pointer, value)
    assert found_rule == rule
    if difference is not None:
        assert said == ": ".join(filter(None, (difference, "; ".join(reasons))))
    assert said.endswith("; ".join(reasons))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        # The same data, written in another way.
        (INTERFACES, interfaces(*EIGHT).replace(", ", ",\n  ")),
        (
            f"{ANNOTATIONS}/devices.gke.io~1container.tcpxo-daemon",
            "".join(f'- "path": "/dev/nvidia{number}"\n' for number in range(8))
            + "- {path: /dev/nvidiactl}\n- {path: /dev/nvidia-uvm}\n- {path: /dev/dmabuf_import_helper}\n",
        ),
        (f"{SPEC}/containers/0/resources/limits/nvidia.com~1gpu", 8),
        (f"{SPEC}/containers/0/resources/limits/nvidia.com~1gpu", "8000m"),
        # null is absent for a server.
        (f"{SPEC}/containers/0/resources/claims", None),
    ],
)
def test_what_means_the_same_is_the_same(pointer, value):
    data = case(TCPXO).data(Role.FIXTURE)
    if value is None:
        *above, last = tokens(pointer)
        resolve(data, join(above))[last] = None
    else:
        data = changed(data, pointer, value)
    assert case(TCPXO).held(fixture=data).findings == ()


def alike(path, value):
    return {str(role): changed(case(TCPXO).data(role), f"{case(TCPXO).pod(role)}/spec/{path}", value) for role in Role}


def test_what_both_sides_have_wrong_alike_is_one_finding_about_both():
    (finding,) = case(TCPXO).held(**alike("containers/0/env/4/value", "Simple")).findings
    assert finding.rule == "AICR-F007"
    assert finding.message == f"in both, NCCL_PROTO is 'Simple'; {PROTO}"
    assert finding.severity is Severity.ERROR
    assert [place.location.file for place in finding.related] == ["runtime.yaml"]


def test_sides_of_a_broken_shape_are_compared_and_not_judged():
    findings = case(TCPXO).held(**alike("containers/0/securityContext", "x")).findings
    assert [(finding.rule, finding.severity, finding.message) for finding in findings] == [
        (
            "AICR-G009",
            Severity.NOTE,
            f"the {role} cannot be held against the release: spec/containers/node/securityContext: 'x' is a string, not a map",
        )
        for role in Role
    ]


def test_every_difference_is_found_and_not_only_the_first():
    data = case(TCPXO).data(Role.FIXTURE)
    for pointer, value in (("containers/0/env/4/value", "a"), ("volumes/0/name", "b"), ("initContainers/0/restartPolicy", None)):
        data = changed(data, f"{SPEC}/{pointer}", value)
    paths = [finding.message.partition(" ")[0] for finding in case(TCPXO).held(fixture=data).findings]
    assert sorted(paths) == [f"{ENV}/NCCL_PROTO/value", "spec/initContainers/tcpxo-daemon/restartPolicy", "spec/volumes"]
