"""Row I1: hostile and odd image references."""

import pytest

from bundler.errors import InvalidInput
from bundler.kube.image import Image

DIGEST = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a/b", "docker.io/a/b"),
        ("a/b:latest", "docker.io/a/b:latest"),
        ("host:5000/a/b", "host:5000/a/b"),
        (f"a/b:tag@{DIGEST}", f"docker.io/a/b:tag@{DIGEST}"),
        ("[2001:db8::1]:5000/a", "[2001:db8::1]:5000/a"),
        ("a__b/c--d", "docker.io/a__b/c--d"),
    ],
)
def test_a_reference_that_is_odd_but_valid_is_read(text, written):
    assert str(Image.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("HOST/A", "AICR-I002"),
        ("a/b@sha256:short", "AICR-I001"),
        ("a/b@sha512:" + "0" * 128, "AICR-I001"),
        ("a/b@" + DIGEST.upper(), "AICR-I001"),
        ("a/b@", "AICR-I001"),
        (f"a/b@{DIGEST}@{DIGEST}", "AICR-I001"),
        (f"a/b@{DIGEST}\n", "AICR-I001"),
        ("a b/c", "AICR-I002"),
        (" a/b", "AICR-I002"),
        ("", "AICR-I002"),
        ("/a", "AICR-I002"),
        ("a//b", "AICR-I002"),
        ("a/b/", "AICR-I002"),
        ("./a", "AICR-I002"),
        ("../a", "AICR-I002"),
        ("a___b", "AICR-I002"),
        ("ünï/code", "AICR-I002"),
        ("a/b\u0661", "AICR-I002"),
        ("a/" + "b" * 300, "AICR-I002"),
        ("docker://a/b", "AICR-I002"),
        ("https://gcr.io/a", "AICR-I002"),
        ("gcr.io:port/a", "AICR-I002"),
        ("-gcr.io/a", "AICR-I002"),
        ("a/b:", "AICR-I003"),
        ("a/b:x:y", "AICR-I003"),
        ("a/b:" + "t" * 129, "AICR-I003"),
        ("a/b:.dot", "AICR-I003"),
        ("a/b:täg", "AICR-I003"),
        ("a/b:tag\n", "AICR-I003"),
    ],
)
def test_what_is_no_reference_is_refused_by_the_rule_of_the_part_at_fault(text, rule):
    with pytest.raises(InvalidInput) as caught:
        Image.parse(text)
    assert [finding.rule for finding in caught.value.findings] == [rule]


def test_a_very_long_reference_is_refused_at_once_and_not_printed_whole():
    with pytest.raises(InvalidInput) as caught:
        Image.parse("a-" * 500_000)
    assert len(caught.value.findings[0].message) < 400
