"""Requirements on architectures without a row. Source: pkg/catalog/gpu_defaults.go and its documentation of platform detection."""

import pytest

from bundler.detect.gpus import Gpus, Shape


def test_an_architecture_without_a_shape_is_said_with_the_counts_that_are_used(render):
    rendering = render("aws", "gb10", "communication/nccl-all-reduce", gpusPerNode=1)
    (note,) = rendering.notes
    assert note.rule == "AICR-R005"
    assert note.message == (
        "GPUArchitectureDefaults: GPU architecture 'gb10' has no entry in the catalogue's GPU defaults; "
        "the job is sized as gpusPerNode=1 mlnxPerNode=0"
    )
    assert str(note.location) == "cert.yaml:10:3"


@pytest.mark.parametrize("architecture", ["", "unknown", "h100"])
def test_nothing_is_said_of_one_that_is_listed_or_not_known_at_all(catalog, architecture):
    assert catalog.derived(Gpus.of).unlisted(architecture, Shape(gpus=4, nics=0)) is None


def test_an_unknown_architecture_is_not_warned_of_twice(render):
    both = ("communication/nccl-all-reduce", "communication/nccl-all-gather")
    assert len(render("aws", "gb10", *both).notes) == 1
