"""Requirements on shortened names. Source: pkg/naming and two names that the controller's tests record."""

import pytest

from bundler.certify.naming import LIMIT, shortened


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("test-cert-diagnostics-dcgm-level4", "test-cert-diagnostics-dcg-917bf"),
        ("onprem-cert-communication-nccl-all-reduce", "onprem-cert-communication-52b66"),
        ("cert-training-nemotron5-8b", "cert-training-nemotron5-8b"),
        ("a" * 31, "a" * 31),
    ],
)
def test_a_name_is_cut_and_told_apart_by_its_hash(name, short):
    assert shortened(name) == short
    assert len(short) <= LIMIT
