"""Requirements on `image`, `fragment` and `range`."""

import pytest

from bundler.render.functions import reference
from tests.unit.render.kit import data, findings

DIGEST = "sha256:" + "a" * 64
IMAGES = {"torch": {"name": "torch", "repository": "docker.io/pytorch/pytorch", "tag": "2.7.1", "digest": DIGEST}}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"repository": "docker.io/a/b", "tag": "v1", "digest": DIGEST}, f"docker.io/a/b:v1@{DIGEST}"),
        ({"repository": "docker.io/a/b", "tag": "v1"}, "docker.io/a/b:v1"),
        ({"repository": "docker.io/a/b", "digest": DIGEST}, f"docker.io/a/b@{DIGEST}"),
        ({"registry": "nvcr.io", "repository": "a/b", "tag": "v1"}, "nvcr.io/a/b:v1"),
    ],
)
def test_an_image_is_written_with_what_its_entry_knows(entry, text):
    assert reference(entry) == text


def test_a_template_names_images_and_fragments():
    text = 'image: {{ image("torch") | quote }}\ndevices: {{ fragment("devices") | to_json }}\n'
    given = {"images": IMAGES, "fragments": {"devices": [{"path": "/dev/nvidia0"}]}}
    assert data(text, **given) == {"image": f"docker.io/pytorch/pytorch:2.7.1@{DIGEST}", "devices": [{"path": "/dev/nvidia0"}]}


@pytest.mark.parametrize(("images", "fix"), [(IMAGES, "did you mean 'torch'?"), ({}, "declare it there")])
def test_an_unknown_image_is_told_at_its_name_with_the_nearest(images, fix):
    [found] = findings('a: 1\nimage: {{ image("torsch") | quote }}\n', images=images)
    assert (found.rule, found.location.line, found.location.column) == ("AICR-T011", 2, 18)
    assert found.message == "no image is named 'torsch' in bom/images.yaml"
    assert found.fix == fix


def test_range_counts_as_python_does():
    assert data("a: {{ range(2, 8, 3) | to_json }}\n") == {"a": [2, 5]}
