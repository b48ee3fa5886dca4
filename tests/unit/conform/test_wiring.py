"""Requirements on the wiring of a fabric, shown on TCPXO: a runtime made from a release record passes, any departure is found.

The known defects of published runtimes are among the departures: a retired flag, the daemon of another release, eight entries
in the interfaces annotation, the environment of an older release, a devices annotation for no container.
"""

import copy
import json

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.composition import Runtime, Selection
from bundler.yamlio.writer import dump

TABLE = Catalog.load().release_table("tcpxo").data
RELEASES = {record["name"]: record for record in TABLE["releases"]}
POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
NODE = f"{POD}/spec/containers/0"
DAEMON = f"{POD}/spec/initContainers/0"
NOTES = f"{POD}/metadata/annotations"
INTERFACES = f"{NOTES}/networking.gke.io~1interfaces"
DEVICES = f"{NOTES}/devices.gke.io~1container.tcpxo-daemon"
BOUND = [("eth0", "default"), *((f"eth{index}", f"rail-{index}") for index in range(1, 9))]
# From bom/images.yaml, by CUDA major.
DIGEST = "sha256:eee11b3b3872a8c838e35ef48f08b2d5def2080902c7f666831310ca1a0ef2be"
TRAINING = {
    12: f"docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime@{DIGEST}",
    13: "docker.io/pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
}


def interfaces(bound):
    return json.dumps([{"interfaceName": name, "network": network} for name, network in bound])


def devices(paths):
    return dump([{"path": path} for path in paths])


def image(part):
    return f"{part['repository']}:{part['tag']}" + (f"@{part['digest']}" if "digest" in part else "")


@pytest.fixture
def wired(runtime):
    """A runtime wired as a release record wants."""

    def build(release="v1.0.15"):
        record = RELEASES[release]
        data = copy.deepcopy(runtime)
        data["metadata"]["name"] = "torch-distributed-tcpxo"
        pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
        pod["metadata"]["annotations"] = {
            "devices.gke.io/container.tcpxo-daemon": devices(TABLE["devices"]),
            "networking.gke.io/default-interface": "eth0",
            "networking.gke.io/interfaces": interfaces(BOUND),
        }
        daemon, node = pod["spec"]["initContainers"][0], pod["spec"]["containers"][0]
        daemon |= {"name": "tcpxo-daemon", "image": image(record["daemon"]), "command": ["/bin/sh", "-c"]}
        daemon["args"] = ["exec /fts/entrypoint_rxdm_container.sh " + " ".join(record["daemon"]["args"])]
        node["image"] = TRAINING[record["cuda"]["major"]]
        node["env"] = [{"name": row["name"], "value": row["value"]} for row in record["env"]]
        return data

    return build


@pytest.fixture
def attached(composed):
    """A composition that selected a release."""

    def build(release="v1.0.15", **stated):
        selection = Selection(
            axis="fabricAttachment",
            value="gke-tcpxo-multinetwork",
            releases={"release": RELEASES[release]},
            declaration={"parameters": {"release": {"description": "The release.", "releases": "tcpxo"}}},
        )
        runtimes = (Runtime(name="torch-distributed-tcpxo", axis="fabricAttachment"),)
        return composed(runtimes=runtimes, selections=(selection,), **stated)

    return build


@pytest.mark.parametrize("release", sorted(RELEASES))
def test_a_runtime_made_from_its_release_record_passes(release, wired, attached, judge):
    findings = judge(wired(release), composition=attached(release, allow_unpinned=True))
    assert [finding for finding in findings if finding.rule != "AICR-I004"] == []


def test_the_default_release_is_pinned(wired, attached, judge):
    assert judge(wired(), composition=attached()) == ()


def put(path, value):
    return {"op": "add", "path": path, "value": value}


def swap(path, value):
    return {"op": "replace", "path": path, "value": value}


def drop(path):
    return {"op": "remove", "path": path}


def at(name):
    """Index of a variable in the environment of the default release."""
    return next(index for index, row in enumerate(RELEASES["v1.0.15"]["env"]) if row["name"] == name)


ADDED = f"{NODE}/env/{len(RELEASES['v1.0.15']['env'])}"


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        # The interfaces annotation.
        ([drop(INTERFACES)], [("AICR-F001", f"{POD}/metadata")]),
        ([swap(INTERFACES, interfaces(BOUND)[:-1])], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, '{"interfaceName": "eth0"}')], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, '[{"interfaceName": "eth0", "network": 1}]')], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, '[{"interfaceName": "eth0"}]')], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, '["eth0"]')], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, interfaces(BOUND).replace('"default"', '"x", "network": "default"'))], [("AICR-F001", INTERFACES)]),
        ([swap(INTERFACES, interfaces(BOUND[:-1]))], [("AICR-F002", INTERFACES)]),
        ([swap(INTERFACES, interfaces(BOUND[1:]))], [("AICR-F002", INTERFACES), ("AICR-F002", INTERFACES)]),
        ([swap(INTERFACES, interfaces([*BOUND, ("eth9", "rail-9")]))], [("AICR-F002", INTERFACES)]),
        ([swap(INTERFACES, interfaces([BOUND[0], BOUND[2], BOUND[1], *BOUND[3:]]))], [("AICR-F002", INTERFACES)]),
        ([swap(INTERFACES, interfaces([("eth0", "other"), *BOUND[1:]]))], [("AICR-F002", INTERFACES)]),
        ([swap(INTERFACES, interfaces([*BOUND[:-1], ("eth8", "rail-1")]))], [("AICR-F003", INTERFACES)]),
        ([swap(INTERFACES, interfaces([*BOUND[:-1], ("eth8", 'a","interfaceName":"eth9')]))], [("AICR-F003", INTERFACES)]),
        # The devices annotation.
        ([drop(DEVICES)], [("AICR-F004", f"{POD}/metadata")]),
        ([swap(DEVICES, devices(TABLE["devices"][:-1]))], [("AICR-F004", DEVICES)]),
        ([swap(DEVICES, devices(TABLE["devices"]) + "- path: /dev/x\n  path: /dev/y\n")], [("AICR-F004", DEVICES)]),
        ([swap(DEVICES, "/dev/nvidia0")], [("AICR-F004", DEVICES)]),
        ([swap(DEVICES, "- /dev/nvidia0\n")], [("AICR-F004", DEVICES)]),
        ([swap(DEVICES, "path: /dev/nvidia0\n")], [("AICR-F004", DEVICES)]),
        ([swap(DEVICES, "- path: /dev/nvidia0\n  mode: rw\n")], [("AICR-F004", DEVICES)]),
        (
            [put(f"{NOTES}/devices.gke.io~1container.other", "[]")],
            [("AICR-F004", f"{NOTES}/devices.gke.io~1container.other")],
        ),
        # The daemon.
        ([drop(DAEMON)], [("AICR-F004", DEVICES), ("AICR-F005", f"{POD}/spec/initContainers")]),
        ([drop(f"{DAEMON}/restartPolicy")], [("AICR-F005", DAEMON)]),
        ([swap(f"{DAEMON}/args/0", "/fts/entrypoint_rxdm_container.sh")], [("AICR-F006", f"{DAEMON}/args")]),
        ([swap(f"{DAEMON}/args/0", "/fts/x.sh --num_hops=22")], [("AICR-F006", f"{DAEMON}/args")]),
        ([swap(f"{DAEMON}/args/0", "/fts/x.sh --num_hops=2 --num_nics 8")], [("AICR-F006", f"{DAEMON}/args/0")]),
        (
            [swap(f"{DAEMON}/args/0", "/fts/x.sh --num_hops=2 --num_nics=8 --uid= --alsologtostderr")],
            [("AICR-F006", f"{DAEMON}/args/0")] * 3,
        ),
        # Privileges.
        ([put(f"{NODE}/securityContext", {"privileged": True})], [("AICR-F010", f"{NODE}/securityContext/privileged")]),
        ([put(f"{DAEMON}/securityContext", {"privileged": True})], [("AICR-F010", f"{DAEMON}/securityContext/privileged")]),
        # The environment.
        ([drop(f"{NODE}/env/{at('NCCL_PROTO')}")], [("AICR-F007", f"{NODE}/env")]),
        (
            [swap(f"{NODE}/env/{at('NCCL_PROTO')}/value", "Simple")],
            [("AICR-F007", f"{NODE}/env/{at('NCCL_PROTO')}")],
        ),
        ([{"op": "move", "from": f"{NODE}/env/0", "path": f"{NODE}/env/1"}], [("AICR-F008", f"{NODE}/env/0")]),
        ([put(f"{NODE}/env/-", {"name": "NCCL_ALGO", "value": "Ring"})], [("AICR-F012", ADDED)]),
        ([put(f"{NODE}/env/-", {"name": "NCCL_PROTO", "value": "Simple"})], [("AICR-K006", ADDED)]),
        # The images.
        ([swap(f"{NODE}/image", f"{TRAINING[13]}@sha256:{'0' * 64}")], [("AICR-F009", f"{NODE}/image")]),
        ([swap(f"{NODE}/image", f"registry.example.com/own@sha256:{'0' * 64}")], [("AICR-F009", f"{NODE}/image")]),
    ],
)  # fmt: skip
def test_each_departure_is_found_at_its_place(operations, found, wired, attached, after):
    assert after(wired(), *operations, composition=attached()) == found


def test_variables_of_the_workload_itself_are_its_own_business(wired, attached, after):
    operation = put(f"{NODE}/env/-", {"name": "OMP_NUM_THREADS", "value": "1"})
    assert after(wired(), operation, composition=attached()) == []


def test_the_daemon_of_another_release_is_found(wired, attached, judge):
    # The skew that a published benchmark ran with: plugin v1.0.15 beside daemon v1.0.20.
    data = wired()
    pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    pod["spec"]["initContainers"][0]["image"] = image(RELEASES["v1.0.14"]["daemon"])
    findings = judge(data, composition=attached(allow_unpinned=True))
    assert [(finding.rule, finding.pointer) for finding in findings if finding.rule != "AICR-I004"] == [
        ("AICR-F011", f"{DAEMON}/image")
    ]


def test_the_plugin_of_another_release_is_found_in_the_installer(daemonset, attached, judge):
    daemonset["spec"]["template"]["spec"]["initContainers"] = [{"name": "install", "image": image(RELEASES["v1.0.14"]["plugin"])}]
    findings = judge(daemonset, composition=attached(allow_unpinned=True))
    assert "AICR-F011" in {finding.rule for finding in findings}
    daemonset["spec"]["template"]["spec"]["initContainers"][0]["image"] = image(RELEASES["v1.0.15"]["plugin"])
    assert judge(daemonset, composition=attached()) == ()


def test_a_cuda_12_image_with_a_cuda_13_plugin_is_an_error(wired, attached, judge):
    data = wired("v1.0.17")
    pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    pod["spec"]["containers"][0]["image"] = TRAINING[12]
    messages = [finding.message for finding in judge(data, composition=attached("v1.0.17")) if finding.rule == "AICR-F009"]
    assert messages == [f"{TRAINING[12]!r} is built on CUDA 12; release v1.0.17 needs CUDA 13"]


def test_an_enforced_variable_is_an_error_and_a_recommended_one_a_warning(wired, attached, judge):
    for name, severity in (
        ("NCCL_NVLSTREE_MAX_CHUNKSIZE", "error"),
        ("NCCL_TUNER_PLUGIN", "warning"),
        ("NCCL_SOCKET_IFNAME", "error"),
    ):
        data = wired()
        pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
        pod["spec"]["containers"][0]["env"][at(name)]["value"] = "other"
        (finding,) = judge(data, composition=attached())
        assert (finding.rule, str(finding.severity)) == ("AICR-F007", severity)
        assert finding.message.startswith(f"{name} is 'other'; release v1.0.15 wants ")


def test_a_runtime_that_no_fabric_brought_is_not_held_to_a_release(runtime, attached, judge):
    assert judge(runtime, composition=attached()) == ()
