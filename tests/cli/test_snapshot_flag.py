"""Requirements on --snapshot of `aicr bundle`, `aicr inputs`, `aicr explain` and the renders of certifications."""

import json
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[1] / "samples"
NODES, NETWORKS, PODS = (
    SAMPLES / name for name in ("01-gke-a3mega-nodes.yaml", "03-gke-a3mega-networks.yaml", "04-gke-tcpxo-installer-pods.yaml")
)
DISPLACED, NINTH = SAMPLES / "02-gke-a3mega-node-displaced-gvnic.yaml", SAMPLES / "02b-gke-a3mega-node-ninth-network.yaml"
ONPREM = SAMPLES / "14-onprem-nodes.yaml"
RECIPE = ("--recipe", "h100-gke-cos-training-kubeflow")
TCPXO = ("--profile", "fabricAttachment=gke-tcpxo-multinetwork")
READ = ("--snapshot", NODES, "--snapshot", NETWORKS, "--snapshot", PODS)
CERT = """\
apiVersion: nvcre.nvidia.com/v1alpha1
kind: Certification
metadata: {name: cert}
spec:
  target: {}
  categories: [{domain: communication, variant: nccl-all-reduce}]
"""
INTERFACES = ",".join(f"eth{number}=demo-gpu-nic-{number - 1}" for number in range(1, 9))


@pytest.fixture
def cert(tmp_path):
    path = tmp_path / "cert.yaml"
    path.write_text(CERT)
    return path


@pytest.fixture
def bundled(run, tmp_path):
    """A bundle whose machine type, interfaces and release the snapshot proved, and what was said of it."""
    outcome = run("bundle", *RECIPE, *TCPXO, *READ, "-o", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    return tmp_path / "out", outcome.err


def test_a_bundle_is_filled_and_says_with_what(bundled):
    directory, err = bundled
    recipe = (directory / "recipe.yaml").read_text()
    assert "eth8: demo-gpu-nic-7" in recipe
    assert "machineType: a3-megagpu-8g" in recipe
    assert "note[AICR-N010]: machine type is a3-megagpu-8g, as 2 nodes say (nodes: label node.kubernetes.io/instance-type)" in err
    assert f"note[AICR-N010]: parameter fabricAttachment.interfaces is {INTERFACES}, as 2 nodes say" in err
    assert "note[AICR-N010]: parameter fabricAttachment.release is v1.0.15, as 2 nodes say" in err


def test_later_renders_need_no_snapshot(run, bundled, tmp_path):
    directory, _ = bundled
    assert run("bundle", "--check", directory).code == 0
    again = run("bundle", "--recipe", directory / "recipe.yaml", "-o", tmp_path / "again")
    assert (again.code, "AICR-N" in again.err) == (0, False)
    assert (tmp_path / "again/bundle.lock.yaml").read_bytes() == (directory / "bundle.lock.yaml").read_bytes()


def test_a_flag_over_a_recorded_value_is_stated_and_no_observation(run, bundled, tmp_path):
    directory, _ = bundled
    other = INTERFACES.replace("demo-gpu-nic-7", "vpc8")
    words = ("--param", f"fabricAttachment.interfaces={other}", "-o", tmp_path / "again")
    assert run("bundle", "--recipe", directory / "recipe.yaml", *words).code == 0
    recipe = (tmp_path / "again/recipe.yaml").read_text()
    assert "at: /profiles/fabricAttachment/parameters/interfaces" not in recipe
    assert "at: /machineType" in recipe


def test_another_value_drops_the_observations_of_its_parameters(run, bundled, tmp_path):
    directory, _ = bundled
    words = ("--profile", "fabricAttachment=none", "-o", tmp_path / "again")
    assert run("bundle", "--recipe", directory / "recipe.yaml", *words).code == 0
    assert "fabricAttachment/parameters" not in (tmp_path / "again/recipe.yaml").read_text()


def test_a_bundle_in_git_is_held_against_its_cluster(run, bundled):
    directory, _ = bundled
    assert run("bundle", "--check", directory, *READ).code == 0
    assert run("bundle", "--check", directory, "--snapshot", NINTH).code == 0  # the eight that are stated are all there
    code, _, err = run("bundle", "--check", directory, "--snapshot", DISPLACED)
    assert code == 2
    assert "error[AICR-N012]: parameter fabricAttachment.interfaces is stated as" in err
    assert f"  --> {directory}/recipe.yaml:" in err
    assert f"  --> --snapshot {DISPLACED}" in err


def test_a_recipe_is_found_by_what_the_cluster_is(run, tmp_path):
    words = ("--snapshot", NODES, "--profile", "fabricAttachment=none", "-o", tmp_path / "out")
    code, _, err = run("bundle", *words)
    assert code == 0
    assert "recipe: h100-gke-cos-training-kubeflow" in (tmp_path / "out/recipe.yaml").read_text()
    assert "note[AICR-N010]: service is gke" in err


def test_what_is_ambiguous_is_refused_and_nothing_written(run, tmp_path):
    code, out, err = run("bundle", *RECIPE, *TCPXO, "--snapshot", DISPLACED, "-o", tmp_path / "out")
    assert (code, out) == (2, "")
    assert "error[AICR-N011]: parameter fabricAttachment.interfaces cannot be read from the snapshot: " in err
    assert not (tmp_path / "out").exists()


def test_a_contradiction_names_the_flag_and_the_snapshot(run):
    code, _, err = run("bundle", "--service", "eks", "--snapshot", NODES, "--dry-run")
    assert code == 2
    assert "error[AICR-N012]: service is stated as eks, but the nodes say gke" in err
    assert "  --> --service eks\n" in err
    assert f"  --> --snapshot {NODES}\n" in err


def test_findings_on_the_cluster_are_in_the_report(run, tmp_path):
    report = tmp_path / "report.json"
    run("bundle", *RECIPE, *TCPXO, "--snapshot", DISPLACED, "--dry-run", f"--report=json={report}")
    rules = [finding["rule"] for finding in json.loads(report.read_text())["findings"]]
    assert "AICR-N011" in rules


def test_inputs_lists_only_what_the_cluster_does_not_say(run):
    found = json.loads(run("inputs", *RECIPE, *TCPXO, *READ).out)
    assert found["inputs"] == []
    assert len(json.loads(run("inputs", *RECIPE, *TCPXO).out)["inputs"]) == 1


def test_explain_shows_the_snapshot_as_the_origin(run):
    code, out, _ = run("explain", RECIPE[1], "/constraints/K8s.server.version", *TCPXO, *READ)
    assert code == 0
    assert out


def test_a_certification_is_rendered_for_the_nodes_that_were_read(run, cert):
    code, out, err = run("certification", "render", "--snapshot", NODES, "--snapshot", PODS, cert)
    assert code == 0
    assert 'nvcrectl.nvidia.com/detected-platform: "gcp"' in out
    assert "demo-gpu-nic-7" in out
    assert "note[AICR-N007]: Detected platform gcp and GPU architecture h100 on 2 target nodes" in err


def test_a_target_of_several_platforms_is_refused_unless_one_is_stated(run, cert):
    code, _, err = run("certification", "render", "--snapshot", ONPREM, cert)
    assert code == 2
    assert "error[AICR-N003]: heterogeneous platforms detected: mistral (1), onprem (4)" in err
    assert run("certification", "render", "--snapshot", ONPREM, "--platform", "onprem", cert).code == 0


def test_the_architecture_is_not_stated_beside_nodes(run, cert):
    code, _, err = run("certification", "render", "--snapshot", NODES, "--gpu-arch", "h100", cert)
    assert code == 2
    assert "error[AICR-U003]: the GPU architecture is detected from the cluster's nodes; --gpu-arch cannot stand beside them" in err


def test_a_workflow_is_resolved_for_the_nodes_that_were_read(run, tmp_path):
    path = tmp_path / "workflow.yaml"
    path.write_text(
        "apiVersion: nvcre.nvidia.com/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n"
        "spec:\n  jobTemplate: {spec: {workload: {trainJob: {runtimeRef: {name: r}}}}}\n  orchestration: {execution: {}}\n"
    )
    code, out, err = run("workflow", "render", "--snapshot", NODES, path)
    assert code == 0, err
    assert 'nvcrectl.nvidia.com/detected-gpu-architecture: "h100"' in out


def test_a_file_that_is_no_snapshot_is_refused(run, cert):
    code, _, err = run("certification", "render", "--snapshot", cert, cert)
    assert code == 2
    assert "error[AICR-Q003]: nothing in " in err
