"""Whatever plain data is written, every reader reads the same data back, and writing what was read gives the same text."""

import json

import pytest
from hypothesis import given, settings

from bundler.yamlio.reader import read, read_stream
from bundler.yamlio.writer import dump, dump_all, to_json
from tests.property.readers import READERS, same
from tests.property.strategies import documents, kubernetes_objects, plain_data

LONGEST_KEY = 150
"""Readers of YAML find the colon of a key only within 1024 characters, and an escape has six of them."""


@settings(max_examples=300)
@given(plain_data())
def test_our_reader_reads_what_our_writer_writes(data):
    assert same(read(dump(data).encode(), "x").data, data)
    if longest_key(data) <= LONGEST_KEY:
        assert same(read(to_json(data).encode(), "x").data, data)


@settings(max_examples=100)
@given(plain_data())
def test_writing_what_was_read_changes_nothing(data):
    text = dump(data)
    assert dump(read(text.encode(), "x").data) == text


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
@settings(max_examples=100)
@given(data=plain_data())
def test_every_reader_reads_the_same_from_yaml(reader, data):
    assert same(reader(dump(data)), data)


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
@settings(max_examples=50)
@given(data=kubernetes_objects())
def test_every_reader_reads_the_same_from_a_kubernetes_object(reader, data):
    assert same(reader(dump(data)), data)


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
@settings(max_examples=100)
@given(data=plain_data())
def test_every_reader_of_yaml_reads_the_same_from_json(reader, data):
    if longest_key(data) <= LONGEST_KEY:
        assert same(reader(to_json(data)), data)


@settings(max_examples=100)
@given(plain_data())
def test_json_readers_read_the_same_from_json(data):
    assert same(json.loads(to_json(data)), data)
    assert "\n" not in to_json(data)


@settings(max_examples=100)
@given(documents(), documents())
def test_a_stream_gives_back_its_documents(first, second):
    assert [document.data for document in read_stream(dump_all([first, second]).encode(), "x")] == [first, second]


@settings(max_examples=100)
@given(documents())
def test_every_position_points_into_the_document_and_every_value_has_one(data):
    document = read(dump(data).encode(), "x")
    lines = dump(data).split("\n")
    assert len(document.positions) == nodes(data)
    for pointer, location in document.positions.items():
        assert document.locate(pointer) == location
        assert lines[location.line - 1][location.column - 1 :].strip()


def nodes(data):
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(nodes, inner))


def longest_key(data):
    if isinstance(data, dict):
        return max((max(len(key), longest_key(value)) for key, value in data.items()), default=0)
    return max(map(longest_key, data), default=0) if isinstance(data, list) else 0
