"""Requirements on completion: commands, flags, and names from the catalogue, in a real bash too."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.cli.commands import root
from bundler.cli.completing import candidates

ROOT = Path(__file__).parents[2]


def offered(process, *words, **environment):
    """What the fish script is offered for the last word."""
    answer = process(_AICR_COMPLETE="fish_complete", COMP_WORDS=" ".join(["aicr", *words]), COMP_CWORD=words[-1], **environment)
    assert (answer.code, answer.err) == (0, "")
    return [line.split(",", 1)[1].split("\t")[0] for line in answer.out.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("rec",), {"recipe"}),
        (("recipe", "sh"), {"show"}),
        (("bundle", "--acc"), {"--accelerator", "--accelerated-node-selector", "--accelerated-toleration"}),
        (("bundle", "--recipe", "h100-k"), {"h100-kind-training-kubeflow"}),
        (("recipe", "show", "vr200"), {"vr200-rke2-ubuntu-2604-training-kubeflow"}),
        (("bundle", "--service", "ek"), {"eks"}),
        (("bundle", "--profile", "fabricAttachment=gke-tcpxo-m"), {"fabricAttachment=gke-tcpxo-multinetwork"}),
        (("bundle", "--param", "fabricAttachment.r"), {"fabricAttachment.release=", "fabricAttachment.resourceName="}),
        (("bundle", "--param", "fabricAttachment.release=v1.0.12"), {"fabricAttachment.release=v1.0.12"}),
        (("bundle", "--param", "fabricAttachment.machineType=a4-h"), {"fabricAttachment.machineType=a4-highgpu-8g"}),
        (("bundle", "--machine-type", "a3-m"), {"a3-megagpu-8g"}),
        (("recipe", "show", "--machine-type", "p5."), {"p5.4xlarge", "p5.48xlarge"}),
        (("bundle", "--set", "gpu-op"), {"gpu-operator:"}),
        (("bundle", "--component-version", "kubeflow-trainer=2.3"), {"kubeflow-trainer=2.3.0"}),
        (("profile", "show", "gpu"), {"gpuStack"}),
        (("schema", "rec"), {"recipe"}),
        (("completion", "ba"), {"bash"}),
        (("recipe", "list", "-t", "y"), {"yaml"}),
    ],
)
def test_names_are_completed(process, words, names):
    assert set(offered(process, *words)) == names


def test_a_broken_catalogue_offers_nothing_and_says_nothing(process, tmp_path):
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "broken.yaml").write_text("{")
    assert offered(process, "bundle", "--data", str(tmp_path), "--recipe", "") == []
    assert candidates("recipe", "", data=tmp_path / "nowhere") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(run, shell):
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert "_AICR_COMPLETE=" in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_valid(run, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).out)
    subprocess.run([shell, "-n", str(script)], check=True)


@pytest.mark.parametrize(
    ("words", "current", "replies"),
    [
        ("aicr bun", 1, ["bundle"]),
        ("aicr bundle --profile gpuStack = driver-i", 5, ["driver-installer"]),
        (
            "aicr bundle --profile gpuStack =",
            4,
            ["azure-managed", "driver-installer", "gke-default", "oci-managed", "operator-managed"],
        ),
        ("aicr bundle --profile gpuStack=oci", 3, ["gpuStack=oci-managed"]),
        ("aicr bundle --param fabricAttachment.release = v1.0.17", 5, ["v1.0.17"]),
        ("aicr bundle --set gpu-operator", 3, ["gpu-operator:"]),
        ("aicr bundle --recipe = h100-kind", 4, ["h100-kind-training-kubeflow"]),
        ("aicr bundle --component-version kubeflow-trainer = 2.3", 5, ["2.3.0"]),
    ],
)
def test_bash_is_answered_with_what_it_replaces(tmp_path, run, words, current, replies):
    """Bash breaks words at `=` and `:`, so the words are given as it breaks them, and a reply replaces the last piece."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = tmp_path / "script"
    script.write_text(run("completion", "bash").out)
    (tmp_path / "aicr").write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m bundler "$@"\n')
    (tmp_path / "aicr").chmod(0o755)
    program = (
        f"source {script}; COMP_WORDS=({' '.join(map(repr, words.split()))}); COMP_CWORD={current}; "
        f"_aicr_completion {tmp_path}/aicr; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    result = subprocess.run([bash, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == replies


def test_every_option_with_a_value_of_ours_completes_it():
    import click

    bundle = root.get_command(click.Context(root), "bundle")
    completed = {parameter.name for parameter in bundle.params if parameter._custom_shell_complete is not None}
    assert {"recipe", "service", "accelerator", "os", "intent", "platform", "profile", "param", "set_"} <= completed
