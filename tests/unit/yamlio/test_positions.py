"""Requirements on the positions of a document: a mapping from JSON pointers, complete and nothing more."""

import pytest

from bundler.model.location import Location
from bundler.yamlio.reader import read

POSITIONS = read(b"a/b:\n- x: 1\n- []\nc~d: {}\n'': z\n", "f").positions


def test_lists_the_pointer_of_every_value():
    assert set(POSITIONS) == {"", "/a~1b", "/a~1b/0", "/a~1b/0/x", "/a~1b/1", "/c~0d", "/"}
    assert len(POSITIONS) == 7
    assert all(pointer in POSITIONS for pointer in POSITIONS)


def test_finds_a_value_by_its_pointer():
    assert POSITIONS["/a~1b/0/x"] == Location(file="f", line=2, column=3)
    assert POSITIONS["/"] == Location(file="f", line=5, column=1)


@pytest.mark.parametrize(
    "pointer", ["a", "/b", "/a~1b/2", "/a~1b/00", "/a~1b/-1", "/a~1b/x", "/a~1b/²", "/c~0d/x", "/a~1b/0/x/y", "/a/b"]
)
def test_has_nothing_for_other_pointers(pointer):
    assert pointer not in POSITIONS
    with pytest.raises(KeyError):
        POSITIONS[pointer]
