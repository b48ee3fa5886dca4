"""Requirements on the names of templates and on suggestions."""

import pytest

from bundler.render.names import is_part, suggestion


@pytest.mark.parametrize(
    ("name", "known", "fix"),
    [
        ("valus", ["values", "system"], "did you mean 'values'?"),
        ("xyzzy", ["b", "a"], "use one of a, b"),
        ("xyzzy", [str(number) for number in range(9)], "use one of 0, 1, 2, 3, 4, 5, 6, 7, …"),
        ("xyzzy", [], ""),
    ],
)
def test_the_nearest_name_or_a_few(name, known, fix):
    assert suggestion(name, known) == fix


@pytest.mark.parametrize(
    ("name", "part"), [("runtimes/_node.yaml.j2", True), ("_a.j2", True), ("runtimes/a_.yaml.j2", False), ("_x/a.j2", False)]
)
def test_a_part_has_a_name_that_starts_with_an_underscore(name, part):
    assert is_part(name) is part
