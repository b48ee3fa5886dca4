"""Hostile strings as values (T6, what the writer owes): every reader gets the very string back, wherever it stands."""

import json

import pytest

from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump, to_json
from tests.property.readers import READERS
from tests.property.strategies import NASTY_STRINGS

T6 = ["a\nkind: Evil", "a: b", "a #b", "- a", "|", "%a", "@a", "`a`", "'a", '"a', "a\tb", "a\u2028b", "😀"]
LONG = ["x" * 65_536, "é \n" * 16_384, "a: b\n" * 13_108]
STRINGS = [*T6, *NASTY_STRINGS]


def placed(text):
    """The string in every place that a manifest has for one."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": text, "annotations": {"example.com/a": text}, "labels": {text[:100]: text}},
        "spec": {"containers": [{"name": text, "args": [text, [text]], "env": [{"name": "A", "value": text}]}]},
    }


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
def test_t6_yaml_gives_every_string_back(reader):
    for text in STRINGS:
        assert reader(dump(placed(text))) == placed(text)


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
def test_t6_json_gives_every_string_back_to_readers_of_yaml(reader):
    for text in STRINGS:
        assert reader(to_json(placed(text))) == placed(text)


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:4]))
def test_t6_a_string_of_64_kib_comes_back(reader, text):
    assert reader(dump({"a": text})) == reader(to_json({"a": text})) == {"a": text}


@pytest.mark.parametrize("text", STRINGS, ids=lambda text: ascii(text[:20]))
def test_t6_json_is_one_line_of_json(text):
    written = to_json(placed(text))
    assert json.loads(written) == placed(text)
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize("text", STRINGS, ids=lambda text: ascii(text[:20]))
def test_t6_our_reader_takes_what_our_writer_wrote(text):
    assert read(dump(placed(text)).encode(), "written.yaml").data == placed(text)
    assert read(to_json(placed(text)).encode(), "written.json").data == placed(text)


@pytest.mark.parametrize("text", ["a\nkind: Evil", "a\n---\nkind: Evil", "}\n{", '"\n'])
def test_t6_a_string_with_line_ends_adds_no_line_at_the_margin_of_a_document(text):
    assert [line for line in dump({"name": text}).split("\n") if line and not line.startswith(("name:", " "))] == []
