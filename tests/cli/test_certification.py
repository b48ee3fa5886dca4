"""Requirements on `aicr certification`, `aicr workloadrun` and `aicr workflow`."""

import json

import pytest

CERT = """\
apiVersion: nvcre.nvidia.com/v1alpha1
kind: Certification
metadata: {name: onprem-cert}
spec:
  target: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-GB300}}
  categories:
    - {domain: communication, variant: nccl-all-reduce}
    - {domain: diagnostics, variant: dcgm-level4}
"""
RUN = """\
apiVersion: nvcre.nvidia.com/v1alpha1
kind: WorkloadRun
metadata: {name: my-run}
spec:
  target: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
  image: registry.example/train:1
  framework: {exec: {command: [run]}}
  numNodes: 1
"""


@pytest.fixture
def cert(tmp_path):
    path = tmp_path / "cert.yaml"
    path.write_text(CERT)
    return path


def test_a_certification_renders_to_a_stream_of_workflows(run, cert):
    code, out, err = run("certification", "render", "--platform", "onprem", cert)
    assert (code, err) == (0, "")
    assert out.startswith(
        "apiVersion: nvcre.nvidia.com/v1alpha1\nkind: Workflow\nmetadata:\n  name: onprem-cert-communication-52b66\n"
    )
    assert out.count("\n---\n") == 1


def test_json_is_an_array(run, cert):
    code, out, _ = run("certification", "render", "--output", "json", "--explain", cert)
    assert code == 0
    first = json.loads(out)[0]
    assert first["metadata"]["annotations"]["nvcrectl.nvidia.com/detected-platform"] == "onprem"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--platform", "amazon"),
            "error[AICR-R004]: invalid platform 'amazon': must be one of aws, gcp, azure, oci, onprem, togetherai, mistral,",
        ),
        (("--gpu-arch", "h1000"), "error[AICR-R003]: invalid GPU architecture 'h1000': must be one of a100, b200,"),
    ],
)
def test_platform_and_architecture_are_of_one_list(run, cert, words, message):
    code, out, err = run("certification", "render", *words, cert)
    assert (code, out) == (2, "")
    assert err.startswith(message)


def test_the_case_of_a_value_counts(run, cert):
    cert.write_text(CERT.replace("  categories:", "  rdmaDeviceAccess: HostPath\n  categories:"))
    code, out, err = run("certification", "render", cert)
    assert (code, out) == (2, "")
    assert "'HostPath' is not one of hostPath, devicePlugin" in err
    assert "cert.yaml:6:3 /spec/rdmaDeviceAccess" in err


def test_a_fallback_of_the_tcpxo_release_is_said(run, cert):
    cert.write_text(CERT.replace("NVIDIA-GB300", "NVIDIA-H100-80GB-HBM3"))
    code, out, err = run("certification", "render", "--platform", "gcp", "--tcpxo-plugin", "v1.0.14", cert)
    assert code == 0
    assert "warning[AICR-R018]: found plugin v1.0.14, older than the minimum supported release v1.0.15" in err
    assert "tcpgpudmarxd-dev:v1.0.21" in out


@pytest.mark.parametrize(
    ("networks", "message"),
    [
        ("vpc1,vpc2", "TCPXO needs exactly 8 networks, and is given 2"),
        ("", "TCPXO needs exactly 8 networks, and is given 1"),
        ("a,b,c,d,e,f,g,g", "'g' cannot be a network here: each interface has one of its own, by its name"),
    ],
)
def test_wrong_networks_are_told_at_their_flag(run, cert, networks, message):
    cert.write_text(CERT.replace("NVIDIA-GB300", "NVIDIA-H100-80GB-HBM3"))
    code, out, err = run("certification", "render", "--platform", "gcp", "--tcpxo-networks", networks, cert)
    assert (code, out) == (2, "")
    assert f"error[AICR-R023]: {message}\n  --> --tcpxo-networks\n" in err


def test_the_catalogue_is_listed(run):
    code, out, _ = run("certification", "list", "-t", "json")
    assert code == 0
    listed = json.loads(out)
    assert [test["variant"] for test in listed["tests"]][-2:] == ["nemotron5-56b", "nemotron5-8b"]
    assert len(listed["platforms"]) == 9
    assert "GPU architectures: a100, b200" in run("certification", "list").out


def test_a_run_renders_and_its_workflow_renders_again(run, tmp_path):
    path, unresolved = tmp_path / "run.yaml", tmp_path / "workflow.yaml"
    path.write_text(RUN)
    unresolved.write_text(run("workloadrun", "render", path).out)
    code, out, err = run("workflow", "render", "--platform", "azure", "--gpu-arch", "h100", unresolved)
    assert (code, err) == (0, "")
    direct = run("workloadrun", "render", "--platform", "azure", "--explain", path).out
    assert out.partition("spec:\n")[2] == direct.partition("spec:\n")[2]


def test_a_workflow_is_resolved_for_one_platform_and_architecture(run, cert, tmp_path):
    path = tmp_path / "workflow.yaml"
    path.write_text(run("certification", "render", cert).out.partition("---\n")[0])
    code, _, err = run("workflow", "render", "--platform", "aws", path)
    assert code == 2
    assert "overrides are resolved for one platform and one GPU architecture" in err
    assert "give --platform aws|gcp|azure" in err


def test_a_file_of_another_kind_is_refused(run, cert):
    code, _, err = run("workloadrun", "render", cert)
    assert code == 2
    assert "kind is 'Certification', not WorkloadRun" in err
