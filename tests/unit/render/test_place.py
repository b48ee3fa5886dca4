"""Requirements on finding the column of what is at fault."""

import pytest

from bundler.render.place import place
from tests.unit.render.kit import source


@pytest.mark.parametrize(
    ("text", "line", "word", "where"),
    [
        ("a: {{ net | quote }}\n", 1, "net", "1:7"),
        # The word counts whole, and behind the first tag only.
        ("net: {{ network + net }}\n", 1, "net", "1:19"),
        ("a: {{ x }}\n", 1, "absent", "1:4"),
        ("a: {{ x }}\n", 1, "", "1:4"),
        ("plain\n", 1, "", "1"),
        ("a: 1\n  {% if x %}\n", 2, "", "2:3"),
        ("a\u2028b\n{{ x }}\n", 2, "x", "2:4"),
        ("a\r\n{{ x }}\r\n", 2, "x", "2:4"),
        ("a\n", 9, "x", "9"),
        ("{% include '../x' %}\n", 1, "../x", "1:13"),
    ],
)
def test_the_word_or_the_first_tag_of_the_line(text, line, word, where):
    assert str(place(source(text, "a.j2"), line, word)) == f"manifests/a.j2:{where}"
