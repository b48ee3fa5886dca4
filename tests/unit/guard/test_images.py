"""Requirements on images of two sides: one digest is one image, and a tag is no digest."""

import pytest

from bundler.guard.images import image_difference

A, B = ("sha256:" + digit * 64 for digit in "ab")


@pytest.mark.parametrize(
    ("runtime", "fixture", "rules"),
    [
        (f"r.io/x:v1@{A}", f"r.io/x:v1@{A}", []),
        (f"r.io/x:v1@{A}", f"mirror.example/x:v1@{A}", []),  # relocated: the digest is the identity
        (f"r.io/x:v1@{A}", f"r.io/x@{A}", []),
        (f"r.io/x:v1@{A}", f"r.io/x:v2@{A}", []),
        (f"r.io/x:v1@{A}", f"r.io/x:v1@{B}", ["AICR-G001"]),
        (f"r.io/x:v1@{A}", f"r.io/y:v1@{A}", ["AICR-G001"]),
        (f"r.io/x:v1@{A}", "r.io/x:v1", ["AICR-G008"]),
        ("r.io/x:v1", f"r.io/x:v1@{A}", ["AICR-G008"]),
        (f"r.io/x:v1@{A}", "r.io/x:v2", ["AICR-G001", "AICR-G008"]),
        ("r.io/x:v1", "r.io/x:v2", ["AICR-G001"]),
        ("r.io/x:v1", "mirror.example/x:v1", ["AICR-G001"]),  # without a digest nothing says that it is the same
        ("x:v1", "docker.io/library/x:v1", []),
        (f"r.io/x:v1@{A}", "not an image", ["AICR-G001"]),
    ],
)
def test_tells_what_differs(runtime, fixture, rules):
    assert [rule for rule, _, _ in image_difference(runtime, fixture)] == rules


def test_says_which_side_is_not_pinned():
    ((_, said, fix),) = image_difference(f"r.io/x:v1@{A}", "r.io/x:v1")
    assert said == "is pinned by digest in the runtime; in the fixture it is 'r.io/x:v1', and a tag can move"
    assert fix == "pin the digest in both"
