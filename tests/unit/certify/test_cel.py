"""Requirements on the use of the CEL library."""

import sys

from bundler.certify.cel import holds, problem


def test_a_condition_leaves_the_interpreter_as_it_was():
    before = sys.getrecursionlimit()
    assert holds(f"platform == 'gcp' || {before} == 0", {"platform": "gcp"})
    assert problem(f"platform == && {before}", {"platform": "gcp"}) is not None
    assert sys.getrecursionlimit() == before


def test_no_depth_of_nesting_escapes():
    assert problem("(" * 5000 + "true" + ")" * 5000, {}) == "it is nested too deeply"
    assert problem("!" * 5000 + "true", {}) == "it is nested too deeply"
