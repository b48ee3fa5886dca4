"""Requirements on names of Workflows. Source: pkg/naming, getWorkflowName, and names that the controller's tests record."""

import pytest

from bundler.certify.naming import LIMIT, names_of, shortened


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("test-cert-diagnostics-dcgm-level4", "test-cert-diagnostics-dcg-917bf"),
        ("onprem-cert-communication-nccl-all-reduce", "onprem-cert-communication-52b66"),
        ("labels-cert-communication-nccl-all-reduce", "labels-cert-communication-742e8"),
        ("nscale-cert-training-nemotron5-8b", "nscale-cert-training-nemo-fcc32"),
        ("aws-gb200-hostpath-cert-communication-nccl-all-reduce", "aws-gb200-hostpath-cert-c-158dc"),
        ("cert-training-nemotron5-8b", "cert-training-nemotron5-8b"),
        ("a" * 31, "a" * 31),
    ],
)
def test_a_name_is_cut_and_told_apart_by_its_hash(name, short):
    assert shortened(name) == short
    assert len(short) <= LIMIT


def test_one_category_of_an_entry_has_no_option_in_its_name():
    assert names_of("c", [{"domain": "d", "variant": "v", "options": {"nodesPerJob": 4}}]) == ("c-d-v",)


def test_several_categories_of_an_entry_have_their_options_in_the_controllers_order():
    options = {
        "gpusPerNode": 4,
        "exitDurationMins": 30,
        "maxSteps": 50,
        "enableCheckpoint": True,
        "testScale": "intra-rack",
        "enableMNNVL": True,
        "nodesPerJob": 4,
    }
    stated = [options, {"enableMNNVL": False, "enableCheckpoint": False, "image": "a"}, {}]
    names = names_of("c", [{"domain": "d", "variant": "v", "options": one} for one in stated])
    assert names == (shortened("c-d-v-n4-mnnvl-intra-rack-ckpt-s50-e30-g4"), "c-d-v-nomnnvl", "c-d-v")
