"""Requirements on pods: what a pod's admission refuses, found before anything is applied."""

import pytest

from bundler.model.request import Scheduling

POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
SPEC = f"{POD}/spec"
NODE = f"{SPEC}/containers/0"
SIDECAR = f"{SPEC}/initContainers/0"
DAEMON = "/spec/template/spec"
TPU = "google.com~1tpu"
HUGE_PAGES = {"requests": {"hugepages-2Mi": "1Gi"}, "limits": {"hugepages-2Mi": "1Gi"}}


def put(path, value):
    return {"op": "add", "path": path, "value": value}


def drop(path):
    return {"op": "remove", "path": path}


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        # Containers.
        ([put(f"{SIDECAR}/name", "node")], [("AICR-K051", f"{NODE}/name")]),
        ([put(f"{SIDECAR}/name", "Side_car")], [("AICR-K051", f"{SIDECAR}/name")]),
        ([drop(f"{NODE}/image")], [("AICR-K052", NODE)]),
        # Environment.
        ([put(f"{NODE}/env/0/name", "")], [("AICR-K053", f"{NODE}/env/0/name"), ("AICR-K054", f"{NODE}/env/1/value")]),
        ([put(f"{NODE}/env/0/valueFrom", {"fieldRef": {"fieldPath": "metadata.name"}})], [("AICR-K053", f"{NODE}/env/0")]),
        (
            [put(f"{NODE}/env/0", {"name": "A", "valueFrom": {}})],
            [("AICR-K053", f"{NODE}/env/0/valueFrom")],
        ),
        ([put(f"{NODE}/env/0", {"name": "A", "value": "$(ROOT)"})], [("AICR-K054", f"{NODE}/env/0/value")]),
        ([put(f"{NODE}/env/0/value", "$(ROOT):/x")], [("AICR-K054", f"{NODE}/env/0/value")]),
        ([put(f"{NODE}/env/0/value", "$(NOWHERE)")], [("AICR-K054", f"{NODE}/env/0/value")]),
        ([put(f"{NODE}/env/0/value", "${HOME}/x")], [("AICR-K054", f"{NODE}/env/0/value")]),
        # Ports.
        ([put(f"{NODE}/ports/0/containerPort", 65536)], [("AICR-K055", f"{NODE}/ports/0/containerPort")]),
        ([put(f"{NODE}/ports/0/hostPort", 0)], [("AICR-K055", f"{NODE}/ports/0/hostPort")]),
        ([put(f"{NODE}/ports/0/name", "Metrics")], [("AICR-K055", f"{NODE}/ports/0/name")]),
        # Privileges.
        (
            [put(f"{SIDECAR}/securityContext/capabilities/add/0", "CAP_NET_ADMIN")],
            [("AICR-K056", f"{SIDECAR}/securityContext/capabilities/add/0")],
        ),
        (
            [put(f"{SIDECAR}/securityContext/capabilities/drop", ["all"])],
            [("AICR-K056", f"{SIDECAR}/securityContext/capabilities/drop/0")],
        ),
        (
            [put(f"{NODE}/securityContext", {"privileged": True, "allowPrivilegeEscalation": False})],
            [("AICR-K056", f"{NODE}/securityContext")],
        ),
        # Volumes.
        ([put(f"{SPEC}/volumes/0/hostPath", {"path": "/x"})], [("AICR-K057", f"{SPEC}/volumes/0")]),
        ([drop(f"{SPEC}/volumes/0/emptyDir")], [("AICR-K057", f"{SPEC}/volumes/0")]),
        (
            [put(f"{SPEC}/volumes/1", {"name": "a_b", "emptyDir": {}})],
            [("AICR-K057", f"{SPEC}/volumes/1/name")],
        ),
        ([put(f"{NODE}/volumeMounts/0/name", "other")], [("AICR-K058", f"{NODE}/volumeMounts/0/name")]),
        ([put(f"{NODE}/volumeMounts/0/mountPath", "dev/shm")], [("AICR-K058", f"{NODE}/volumeMounts/0/mountPath")]),
        # Closed lists.
        ([put(f"{SPEC}/restartPolicy", "Sometimes")], [("AICR-K060", f"{SPEC}/restartPolicy")]),
        ([put(f"{SPEC}/restartPolicy", "Always")], [("AICR-K060", f"{SPEC}/restartPolicy")]),
        ([put(f"{SIDECAR}/restartPolicy", "Never")], [("AICR-K060", f"{SIDECAR}/restartPolicy")]),
        ([put(f"{NODE}/restartPolicy", "Always")], [("AICR-K060", f"{NODE}/restartPolicy")]),
        ([put(f"{NODE}/imagePullPolicy", "ifNotPresent")], [("AICR-K060", f"{NODE}/imagePullPolicy")]),
        ([put(f"{NODE}/ports/0/protocol", "tcp")], [("AICR-K060", f"{NODE}/ports/0/protocol")]),
        ([put(f"{SPEC}/tolerations/0/effect", "Noschedule")], [("AICR-K060", f"{SPEC}/tolerations/0/effect")]),
        (
            [put(f"{SPEC}/volumes/0", {"name": "h", "hostPath": {"path": "/x", "type": "dir"}})],
            [("AICR-K060", f"{SPEC}/volumes/0/hostPath/type")],
        ),
        ([put(f"{NODE}/volumeMounts/0/mountPropagation", "Both")], [("AICR-K060", f"{NODE}/volumeMounts/0/mountPropagation")]),
        # Tolerations and selectors.
        ([put(f"{SPEC}/tolerations/0/value", "x")], [("AICR-K061", f"{SPEC}/tolerations/0")]),
        ([put(f"{SPEC}/tolerations/0", {"effect": "NoSchedule"})], [("AICR-K061", f"{SPEC}/tolerations/0")]),
        ([put(f"{SPEC}/tolerations/0/tolerationSeconds", 60)], [("AICR-K061", f"{SPEC}/tolerations/0")]),
        ([put(f"{SPEC}/nodeSelector/pool", "a b")], [("AICR-K061", f"{SPEC}/nodeSelector")]),
        # Amounts.
        ([put(f"{NODE}/resources/requests/cpu", "-1")], [("AICR-K040", f"{NODE}/resources/requests/cpu")]),
        ([put(f"{NODE}/resources/limits/cores", "1")], [("AICR-K040", f"{NODE}/resources/limits/cores")]),
        ([put(f"{NODE}/resources/limits/{TPU}", "500m")], [("AICR-K040", f"{NODE}/resources/limits/{TPU}")]),
        ([put(f"{NODE}/resources/requests/cpu", "1e1.5")], [("AICR-K041", f"{NODE}/resources/requests/cpu")]),
        ([put(f"{NODE}/resources/limits/cpu", 1)], [("AICR-K042", f"{NODE}/resources/limits/cpu")]),
        ([put(f"{NODE}/resources/requests/cpu", "2")], [("AICR-K043", f"{NODE}/resources/requests/cpu")]),
        ([put(f"{NODE}/resources/requests/{TPU}", "2")], [("AICR-K043", f"{NODE}/resources/requests/{TPU}")]),
        (
            [put(f"{NODE}/resources/requests/{TPU}", "1"), put(f"{NODE}/resources/limits/{TPU}", "2")],
            [("AICR-K043", f"{NODE}/resources/requests/{TPU}")],
        ),
        ([put(f"{SIDECAR}/resources", HUGE_PAGES)], [("AICR-K040", f"{SIDECAR}/resources")]),
        ([put(f"{NODE}/resources/claims", [{"name": "imex"}])], [("AICR-K044", f"{NODE}/resources/claims/0")]),
    ],
)  # fmt: skip
def test_each_fault_is_found_at_its_place(operations, found, runtime, after):
    assert after(runtime, *operations) == found


@pytest.mark.parametrize(("section", "name"), [("requests", "cpu"), ("limits", "memory")])
def test_huge_pages_are_admitted_beside_cpu_or_memory(section, name, runtime, after, judge):
    resources = {key: {**amounts, **({name: "1"} if key == section else {})} for key, amounts in HUGE_PAGES.items()}
    assert after(runtime, put(f"{SIDECAR}/resources", resources)) == []
    runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["initContainers"][0][
        "resources"
    ] = HUGE_PAGES
    (finding,) = judge(runtime)
    assert finding.message == "container 'sidecar' asks for huge pages and for neither cpu nor memory, so no pod is made"


def test_a_mount_of_a_claim_that_the_jobset_adds_passes(runtime, after):
    claim = {
        "metadata": {"name": "cache"},
        "spec": {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    operations = [
        put("/spec/template/spec/volumeClaimPolicies", [{"templates": [claim]}]),
        put(f"{NODE}/volumeMounts/1", {"name": "cache", "mountPath": "/cache"}),
    ]
    assert after(runtime, *operations) == []


@pytest.mark.parametrize(
    ("value", "severity", "message"),
    [
        ("$(LATER)", "error", "A refers to LATER, which is defined after it"),
        ("$(A)", "error", "A refers to itself; a variable of the image is not expanded"),
        ("$(NEVER)", "warning", "A refers to NEVER, which is not defined"),
        ("${A}", "warning", "A contains ${A}, which only a shell would expand"),
    ],
)
def test_a_reference_that_is_not_expanded_says_why(value, severity, message, runtime, judge):
    node = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    node["env"] = [{"name": "A", "value": value}, {"name": "LATER", "value": "x"}]
    (finding,) = judge(runtime)
    assert (str(finding.severity), finding.message) == (severity, message)


@pytest.mark.parametrize(
    ("source", "message", "fix"),
    [
        ({}, "variable 'A' has no source in valueFrom", "state one"),
        ({"fieldRef": None}, "variable 'A' has no source in valueFrom", "state one"),
        (
            {"fieldRef": {"fieldPath": "metadata.name"}, "secretKeyRef": {"name": "s", "key": "k"}},
            "variable 'A' has 2 sources in valueFrom",
            "keep one of them",
        ),
    ],
)
def test_a_variable_has_one_source(source, message, fix, runtime, judge):
    node = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    node["env"] = [{"name": "A", "valueFrom": source}]
    finding = next(one for one in judge(runtime) if one.rule == "AICR-K053")
    assert (finding.message, finding.fix) == (message, fix)


def test_escaped_and_ordered_references_pass(runtime, judge):
    node = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    node["env"] = [{"name": "A", "value": "$$(LATER)"}, {"name": "B", "value": "$(A)/$(A)"}]
    assert judge(runtime) == ()


def test_references_are_not_judged_where_a_config_map_may_define_them(runtime, judge):
    node = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    node["env"] = [{"name": "A", "value": "$(FROM_MAP)"}]
    node["envFrom"] = [{"configMapRef": {"name": "settings"}}]
    assert judge(runtime) == ()


def test_a_right_daemonset_has_no_findings(daemonset, judge):
    assert judge(daemonset) == ()


@pytest.mark.parametrize(
    ("operation", "found"),
    [
        (put(f"{DAEMON}/restartPolicy", "OnFailure"), ("AICR-K060", f"{DAEMON}/restartPolicy")),
        (put("/spec/template/metadata/labels", {"k8s-app": "other"}), ("AICR-K062", "/spec/template/metadata")),
        (
            put(f"{DAEMON}/containers/0/resources/requests/cpu", "150 m"),
            ("AICR-K005", f"{DAEMON}/containers/0/resources/requests/cpu"),
        ),
        (put(f"{DAEMON}/containers/0/imagePullPolciy", "Never"), ("AICR-K002", f"{DAEMON}/containers/0/imagePullPolciy")),
    ],
)
def test_daemonsets_are_held_to_the_rules_of_pods(operation, found, daemonset, after):
    assert after(daemonset, operation) == [found]


ACCELERATED = Scheduling(
    node_selector={"pool": "gpu"}, tolerations=({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},)
)


def test_placement_that_reached_the_pods_passes(runtime, after, composed):
    assert after(runtime, composition=composed(accelerated=ACCELERATED)) == []


@pytest.mark.parametrize(
    ("operation", "pointer"),
    [
        (put(f"{SPEC}/nodeSelector", {"pool": "cpu"}), f"{SPEC}/nodeSelector"),
        (drop(f"{SPEC}/nodeSelector"), f"{SPEC}/nodeSelector"),
        (drop(f"{SPEC}/tolerations"), f"{SPEC}/tolerations"),
        (put(f"{SPEC}/tolerations/0/key", "other"), f"{SPEC}/tolerations"),
    ],
)
def test_placement_that_did_not_reach_the_pods_is_found(operation, pointer, runtime, after, composed):
    assert after(runtime, operation, composition=composed(accelerated=ACCELERATED)) == [("AICR-K065", pointer)]


def test_tolerating_everything_covers_what_was_asked_for(runtime, after, composed):
    operation = put(f"{SPEC}/tolerations", [{"operator": "Exists"}])
    assert after(runtime, operation, composition=composed(accelerated=ACCELERATED)) == []
