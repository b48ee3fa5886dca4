"""Requirements on architectures and node shapes. Source: pkg/catalog/gpu_defaults.go, entries/_lib/gpu-defaults.yaml."""

import pytest

from bundler.detect.gpus import Gpus, Shape, architecture_of
from bundler.errors import InvalidInput


@pytest.mark.parametrize(
    ("product", "architecture"),
    [
        ("NVIDIA-H100-80GB-HBM3", "h100"),
        ("NVIDIA-A100-SXM4-40GB", "a100"),
        ("NVIDIA-GB200-NVL72", "gb200"),
        ("NVIDIA-H100-NVL", "h100"),
        ("NVIDIA-L40S", "l40s"),
        ("NVIDIA-B300-SXM6-AC", "b300"),
        ("NVIDIA GB300", "gb300"),
        ("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "rtxpro6000"),
        ("gb300", "gb300"),
        ("", ""),
    ],
)
def test_an_architecture_is_read_from_a_product(product, architecture):
    assert architecture_of(product) == architecture


@pytest.mark.parametrize(
    ("platform", "architecture", "gpus", "nics"),
    [
        *((None, name, 8, 8) for name in ("h100", "a100", "l40s", "b200", "b300", "h200")),
        (None, "l40", 8, 4),
        (None, "gb200", 4, 8),
        (None, "gb300", 4, 8),
        (None, "rtxpro6000", 8, 0),
        (None, "gb10", 4, 0),
        ("oci", "l40s", 4, 2),
        ("oci", "gb200", 4, 0),  # an explicit 0 is a count
        ("oci", "gb300", 4, 4),
        ("nscale", "gb300", 4, 4),
    ],
)
def test_a_node_has_the_shape_of_its_architecture_and_platform(catalog, platform, architecture, gpus, nics):
    assert Gpus.of(catalog).shape(platform or "aws", architecture) == Shape(gpus=gpus, nics=nics)


def test_an_architecture_that_is_named_is_in_the_table(catalog):
    with pytest.raises(InvalidInput) as caught:
        Gpus.of(catalog).require("h1000")
    (finding,) = caught.value.findings
    assert finding.message == (
        "invalid GPU architecture 'h1000': must be one of a100, b200, b300, gb200, gb300, h100, h200, l40, l40s, rtxpro6000"
    )
    assert finding.fix == "did you mean 'h100'?"
