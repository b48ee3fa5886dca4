"""Row I6: a relocation that loops, changes an image, or has no place for one is refused, and nothing is written."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DIGEST = "sha256:" + "a" * 64
HEAD = "apiVersion: aicr.run/v2\nkind: Relocation\n"


def mirror(tmp_path, text):
    (tmp_path / "map.yaml").write_text(HEAD + text)
    words = ["mirror", "h100-kind-training-kubeflow", "--map", str(tmp_path / "map.yaml"), "-o", str(tmp_path / "out")]
    return subprocess.run([sys.executable, "-m", "bundler", *words], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("registries: {docker.io: a.example.com, a.example.com: docker.io}\nto: m.example.com\n", "AICR-I014"),
        ("registries: {docker.io: a.example.com, a.example.com: b.example.com}\nto: m.example.com\n", "AICR-I014"),
        (f"to: m.example.com\nimages:\n  - {{from: a.io/x@{DIGEST}, to: m.example.com/x@{DIGEST[:-1]}b}}\n", "AICR-I015"),
        (f"to: m.example.com\nimages:\n  - {{from: a.io/x@{DIGEST}, to: m.example.com/x:1}}\n", "AICR-I015"),
        ("registries: {docker.io: m.example.com}\n", "AICR-I011"),
        ("registries: {}\n", "AICR-I011"),
        ("to: docker://m.example.com\n", "AICR-I013"),
        ("to: ''\n", "AICR-S006"),
        ("too: m.example.com\n", "AICR-S001"),
        ("images:\n  - {from: a.io/x:1}\n", "AICR-S004"),
    ],
)
def test_such_a_map_is_refused(tmp_path, text, rule):
    result = mirror(tmp_path, text)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"error[{rule}]: " in result.stderr
    assert not (tmp_path / "out").exists()


def test_two_images_that_would_have_one_name_are_refused(tmp_path):
    images = "".join(
        f"  - {{from: 'quay.io/jetstack/cert-manager-{name}:v1.20.2', to: 'm.example.com/x:v1.20.2'}}\n"
        for name in ("controller", "webhook")
    )
    result = mirror(tmp_path, f"to: m.example.com\nimages:\n{images}")
    assert (result.returncode, result.stdout) == (2, "")
    assert "error[AICR-I012]: 'quay.io/jetstack/cert-manager-controller:v1.20.2' and " in result.stderr
    assert not (tmp_path / "out").exists()
