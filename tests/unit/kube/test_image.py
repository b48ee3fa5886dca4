"""Requirements on image references. Sources: OCI reference grammar; GKE's installer form `repo:tag@digest`."""

import pytest

from bundler.errors import InvalidInput
from bundler.kube.image import Image

DIGEST = "sha256:" + "a" * 64


@pytest.mark.parametrize(
    ("text", "registry", "repository", "tag", "digest"),
    [
        ("pytorch/pytorch:2.11.0", "docker.io", "pytorch/pytorch", "2.11.0", None),
        ("ubuntu", "docker.io", "library/ubuntu", None, None),
        ("cos-nvidia-installer:fixed", "docker.io", "library/cos-nvidia-installer", "fixed", None),
        ("localhost:5000/mirror/x:v1", "localhost:5000", "mirror/x", "v1", None),
        (f"gke.gcr.io/pause:3.8@{DIGEST}", "gke.gcr.io", "pause", "3.8", DIGEST),
        (f"gcr.io/gke-release/nri-device-injector@{DIGEST}", "gcr.io", "gke-release/nri-device-injector", None, DIGEST),
        # The rebuild suffix of one TCPXO daemon release is an underscore (facts of the release notes).
        ("us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.13_1", "us-docker.pkg.dev",
         "gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev", "v1.0.13_1", None),
    ],
)  # fmt: skip
def test_parses_what_manifests_write(text, registry, repository, tag, digest):
    assert Image.parse(text) == Image(registry=registry, repository=repository, tag=tag, digest=digest)


@pytest.mark.parametrize("text", ["docker.io/pytorch/pytorch:2.11.0", f"gke.gcr.io/pause:3.8@{DIGEST}", "localhost:5000/x"])
def test_a_full_reference_is_written_as_it_was_read(text):
    assert str(Image.parse(text)) == text


def test_a_short_name_is_the_same_image_as_its_full_name():
    assert Image.parse("ubuntu:24.04") == Image.parse("docker.io/library/ubuntu:24.04")


@pytest.mark.parametrize("text", ["a/b@sha256:short", "Host/a", "a/b:", "a b", "", "docker://a/b", "a/b:tag\n"])
def test_refuses_what_is_no_reference(text):
    with pytest.raises(InvalidInput):
        Image.parse(text)


def test_the_message_names_the_part_at_fault():
    with pytest.raises(InvalidInput, match="AICR-I003: image tag is not valid: 'a b'"):
        Image.parse("x/y:a b")


def test_relocation_keeps_the_digest():
    image = Image.parse(f"nvcr.io/nvidia/pytorch:25.06-py3@{DIGEST}")
    assert image.relocated("mirror.example").digest == image.digest
    assert image.relocated("mirror.example").name == "mirror.example/nvidia/pytorch"
