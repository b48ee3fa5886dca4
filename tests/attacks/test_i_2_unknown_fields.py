"""Row I2: an image under a key, of a shape or in an object that nobody knows is found or refused, never passed over."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.image_fields import image_fields
from bundler.kube.references import Form, references

ROOT = Path(__file__).parents[2]
DIGEST = "sha256:" + "a" * 64
DECLARED = image_fields(Catalog.load())

# Shapes that were met in custom resources of operators, and some that merely could be.
FOUND = [
    {"scalingPodImage": "a.io/b:1"},
    {"scalingPod": {"image": {"repository": "a.io/b", "tag": "1"}}},
    {"image": {"registry": "a.io", "repository": "b", "tag": "1"}},
    {"options": {"default": {"image": "a.io/b:1"}}},
    {"plugins": [{"name": "x", "pluginImage": "a.io/b:1"}]},
    {"unheard": {"of": [{"key": "a.io/b:1"}]}},
    {"IMAGE": "a.io/b:1"},
    {"images": {"x": "a.io/b:1"}},
    {"spec": {"ofedDriver": {"repository": "a.io", "image": "b", "version": "1"}}},
    {"containers": [{"env": [{"name": "RELATED_IMAGE", "value": "a.io/b:1"}]}]},
    {"containers": [{"args": ["--init-image", "a.io/b:1"]}]},
    {"config": json.dumps({"image": "a.io/b:1"})},
    {"script": "#!/bin/sh\ncrictl pull a.io/b:1\n"},
    {"annotations": {"x.io/image": "a.io/b:1"}},
]
REFUSED = [
    {"image": {"unknown": "shape"}},
    {"image": {"name": "b", "tag": "1"}},
    {"image": ["a.io/b:1"]},
    {"imageRepository": "b", "imageTag": "1"},
    {"imageSpec": {"base": "ubuntu"}},
    {"operatorImages": [{"which": "b"}]},
    {"env": [{"name": "BASE_IMAGE_NAME", "value": "b"}]},
    {"args": ["--image-name=b"]},
]


@pytest.mark.parametrize("spec", FOUND, ids=lambda spec: json.dumps(spec)[:50])
def test_an_image_is_found_wherever_it_stands(spec):
    found = [reference.text for reference in references({"spec": spec}, DECLARED) if reference.form is not Form.UNKNOWN]
    assert found == ["a.io/b:1"]


@pytest.mark.parametrize("spec", REFUSED, ids=lambda spec: json.dumps(spec)[:50])
def test_what_sounds_like_an_image_and_is_not_understood_is_said(spec):
    found = [reference for reference in references({"spec": spec}, DECLARED) if reference.form is Form.UNKNOWN]
    assert found


def overlay(patch):
    return (
        "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: site, description: A test.}\n"
        f"criteria: {{service: kind}}\nruntimes:\n  - name: torch-distributed\n    patches:\n      - {json.dumps(patch)}\n"
    )


@pytest.mark.parametrize(
    ("env", "rule"),
    [
        ([{"name": "BASE_IMAGE_NAME", "value": "b"}], "AICR-I008"),
        ([{"name": "SIDECAR_IMAGE", "value": "a.io/b:1"}], "AICR-I004"),
        ([{"name": "NOTHING", "value": "a.io/b:1"}], "AICR-I004"),
        ([{"name": "NOTHING", "value": f"a.io/b@{DIGEST[:-1]}"}], "AICR-I001"),
    ],
)
def test_a_bundle_with_such_an_image_is_refused(env, rule, tmp_path):
    container = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers/0"
    (tmp_path / "overlays").mkdir()
    (tmp_path / "overlays/site.yaml").write_text(overlay({"op": "add", "path": f"{container}/env", "value": env}))
    words = ["bundle", "--recipe", "h100-kind-training-kubeflow", "--data", str(tmp_path), "--stdout"]
    result = subprocess.run([sys.executable, "-m", "bundler", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"error[{rule}]: " in result.stderr
