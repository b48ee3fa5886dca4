"""Requirements on single fields of pods. Source: k8s.io/kubernetes/pkg/apis/core/validation."""

import jsonpatch
import pytest

SPEC = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec"
NODE = f"{SPEC}/containers/0"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
POD_FIELDS = (
    "metadata.name, metadata.namespace, metadata.uid, spec.nodeName, spec.serviceAccountName, "
    "status.hostIP, status.hostIPs, status.podIP, status.podIPs"
)
LABEL = "is not lower case letters, digits and inner '-' (RFC 1123 label)"
SUBDOMAIN = "is not lower case letters, digits, inner '-' and single dots (RFC 1123 subdomain)"
NAME_PART = "has a name part that is not letters, digits and inner '-', '_' or '.'"


def put(path, value):
    return {"op": "add", "path": path, "value": value}


def variable(source, selector):
    return put(f"{NODE}/env/0", {"name": "A", "valueFrom": {source: selector}})


def volume(source):
    return put(f"{SPEC}/volumes/1", {"name": "data", **source})


@pytest.fixture
def told(runtime, judge):
    """Pointer below the pod and message of what is found after an operation."""

    def run(*operations):
        found = judge(jsonpatch.apply_patch(runtime, list(operations)))
        return [(finding.rule, finding.pointer.removeprefix(SPEC), finding.message, finding.fix) for finding in found]

    return run


@pytest.mark.parametrize(
    ("operation", "pointer", "message"),
    [
        # Where a variable comes from.
        (variable("fieldRef", {"fieldPath": "status.phase"}), "/containers/0/env/0/valueFrom/fieldRef/fieldPath",
         f"fieldPath 'status.phase' is no label or annotation such as metadata.labels['x'], nor {POD_FIELDS}"),
        (variable("fieldRef", {"fieldPath": "metadata.labels"}), "/containers/0/env/0/valueFrom/fieldRef/fieldPath",
         f"fieldPath 'metadata.labels' is no label or annotation such as metadata.labels['x'], nor {POD_FIELDS}"),
        (variable("fieldRef", {"fieldPath": "metadata.annotations['a b']"}), "/containers/0/env/0/valueFrom/fieldRef/fieldPath",
         f"fieldPath \"metadata.annotations['a b']\" has a key that {NAME_PART}"),
        (variable("resourceFieldRef", {"resource": "limits.nvidia.com/gpu"}),
         "/containers/0/env/0/valueFrom/resourceFieldRef/resource",
         "resource 'limits.nvidia.com/gpu' is not limits or requests of cpu, memory, ephemeral-storage or hugepages-<size>"),
        (variable("secretKeyRef", {"key": "token"}), "/containers/0/env/0/valueFrom/secretKeyRef",
         "secretKeyRef has no name, and no pod is made without it"),
        (variable("secretKeyRef", {"name": "", "key": "token"}), "/containers/0/env/0/valueFrom/secretKeyRef",
         "secretKeyRef has no name, and no pod is made without it"),
        (variable("configMapKeyRef", {"name": "Settings", "key": "a"}), "/containers/0/env/0/valueFrom/configMapKeyRef/name",
         f"name 'Settings' {SUBDOMAIN}"),
        (variable("configMapKeyRef", {"name": "settings", "key": "a/b"}), "/containers/0/env/0/valueFrom/configMapKeyRef/key",
         "key 'a/b' is not letters, digits, '-', '_' and '.'"),
        (put(f"{NODE}/envFrom", [{"configMapRef": {}}]), "/containers/0/envFrom/0/configMapRef",
         "configMapRef has no name, and no pod is made without it"),
        (put(f"{NODE}/envFrom", [{"prefix": "1_", "secretRef": {"name": "s"}}]), "/containers/0/envFrom/0/prefix",
         "prefix '1_' is not letters, digits, '-', '_' and '.', with no digit first"),
        (put(f"{NODE}/envFrom", [{}]), "/containers/0/envFrom/0",
         "exactly one of configMapRef, secretRef is needed, not none"),
        # Mounts and volumes.
        (put(f"{NODE}/volumeMounts/0/subPath", "/x"), "/containers/0/volumeMounts/0/subPath",
         "subPath '/x' is absolute, and has to be relative"),
        (put(f"{NODE}/volumeMounts/0/subPath", "a/../b"), "/containers/0/volumeMounts/0/subPath",
         "subPath 'a/../b' steps up with '..'"),
        (volume({"hostPath": {"path": "/dev/../etc"}}), "/volumes/1/hostPath/path", "path '/dev/../etc' steps up with '..'"),
        (volume({"hostPath": {"path": ""}}), "/volumes/1/hostPath", "hostPath has no path, and no pod is made without it"),
        (volume({"emptyDir": {"medium": "memory"}}), "/volumes/1/emptyDir/medium",
         "medium 'memory' is not Memory, HugePages or HugePages-<size>"),
        (volume({"configMap": {}}), "/volumes/1/configMap", "configMap has no name, and no pod is made without it"),
        (volume({"configMap": {"name": "c", "items": [{"key": "k", "path": "../k"}]}}), "/volumes/1/configMap/items/0/path",
         "path '../k' steps up with '..'"),
        (volume({"secret": {}}), "/volumes/1/secret", "secret has no secretName, and no pod is made without it"),
        (volume({"persistentVolumeClaim": {"claimName": "Data"}}), "/volumes/1/persistentVolumeClaim/claimName",
         f"claimName 'Data' {SUBDOMAIN}"),
        (volume({"nfs": {"server": "nfs.example.com", "path": "share"}}), "/volumes/1/nfs/path",
         "path 'share' is not an absolute path"),
        # The pod itself.
        (put(f"{SPEC}/serviceAccountName", "Trainer"), "/serviceAccountName", f"serviceAccountName 'Trainer' {SUBDOMAIN}"),
        (put(f"{SPEC}/activeDeadlineSeconds", 0), "/activeDeadlineSeconds",
         "activeDeadlineSeconds 0 is not between 1 and 2147483647"),
        (put(f"{SPEC}/securityContext", {"runAsUser": -1}), "/securityContext/runAsUser",
         "runAsUser -1 is not between 0 and 2147483647"),
        (put(f"{NODE}/securityContext", {"runAsGroup": -1}), "/containers/0/securityContext/runAsGroup",
         "runAsGroup -1 is not between 0 and 2147483647"),
        (put(f"{SPEC}/schedulingGates", [{"name": "a b"}]), "/schedulingGates/0/name", f"name 'a b' {NAME_PART}"),
        (put(f"{SPEC}/tolerations/0/key", "a b"), "/tolerations/0/key", f"key 'a b' {NAME_PART}"),
        (put(f"{SPEC}/topologySpreadConstraints", [{"maxSkew": 0, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]),
         "/topologySpreadConstraints/0/maxSkew", "maxSkew 0 is not between 1 and 2147483647"),
        (put(f"{SPEC}/affinity", {"podAffinity": {REQUIRED: [{"topologyKey": ""}]}}), f"/affinity/podAffinity/{REQUIRED}/0",
         f"an entry of {REQUIRED} has no topologyKey, and no pod is made without it"),
        (put(f"{SPEC}/affinity", {"nodeAffinity": {PREFERRED: [{"weight": 101, "preference": {}}]}}),
         f"/affinity/nodeAffinity/{PREFERRED}/0/weight", "weight 101 is not between 1 and 100"),
        # Probes.
        (put(f"{NODE}/readinessProbe", {"exec": {"command": ["true"]}, "tcpSocket": {"port": 1}}), "/containers/0/readinessProbe",
         "exactly one of exec, grpc, httpGet, tcpSocket is needed, not exec and tcpSocket"),
    ],
)  # fmt: skip
def test_a_field_that_no_pod_is_made_with_is_found_where_it_stands(operation, pointer, message, told):
    (finding,) = told(operation)
    assert finding[:3] == ("AICR-K059", pointer, message)


def test_a_claim_has_a_name_and_one_source(told):
    claim = {"name": "A", "resourceClaimName": "a", "resourceClaimTemplateName": "b"}
    using = put(f"{NODE}/resources/claims", [{"name": "A"}])
    found = [(rule, pointer, message) for rule, pointer, message, _ in told(put(f"{SPEC}/resourceClaims", [claim]), using)]
    assert ("AICR-K059", "/resourceClaims/0/name", f"name 'A' {LABEL}") in found
    options = "resourceClaimName, resourceClaimTemplateName"
    message = f"exactly one of {options} is needed, not resourceClaimName and resourceClaimTemplateName"
    assert ("AICR-K059", "/resourceClaims/0", message) in found


@pytest.mark.parametrize(
    "operation",
    [
        variable("fieldRef", {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}),
        variable("fieldRef", {"fieldPath": "status.hostIPs"}),
        variable("resourceFieldRef", {"resource": "limits.hugepages-2Mi"}),
        variable("secretKeyRef", {"name": "registry.token", "key": "TOKEN"}),
        put(f"{NODE}/envFrom", [{"prefix": "", "configMapRef": {"name": "settings"}}]),
        put(f"{NODE}/volumeMounts/0/subPath", "a/..b"),
        volume({"hostPath": {"path": "/dev/..data"}}),
        volume({"emptyDir": {"medium": "HugePages-1Gi"}}),
        volume({"emptyDir": {"medium": ""}}),
        volume({"nfs": {"server": "nfs.example.com", "path": "/share"}}),
        put(f"{SPEC}/securityContext", {"runAsUser": 0}),
        put(f"{NODE}/readinessProbe", {"tcpSocket": {"port": 2222}}),
    ],
)
def test_what_a_server_takes_passes(operation, told):
    assert told(operation) == []


def test_what_is_missing_and_what_is_wrong_is_advised(told):
    assert [fix for *_, fix in told(volume({"secret": {}}))] == ["state secretName"]
    assert [fix for *_, fix in told(volume({"secret": {"secretName": "A"}}))] == ["correct secretName"]
