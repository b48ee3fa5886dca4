"""The table of scalars against three readers, on texts that nobody listed."""

import pytest
from hypothesis import given, settings

from bundler.yamlio.scalars import ambiguous, number_text, quotes_needed, resolve
from tests.property.readers import READERS, go_scalar, same, yaml_1_1, yaml_1_2
from tests.property.strategies import number_like, scalars, texts


@settings(max_examples=1000)
@given(
    number_like()
    .map(str.strip)
    .filter(lambda text: text and not text.endswith(":") and ": " not in text and not text.startswith("- "))
)
def test_what_is_not_ambiguous_has_one_value_for_all_readers(text):
    if text == "-" or ambiguous(text):
        return
    expected = resolve(text)
    assert same(go_scalar(text), expected)
    for reader in (yaml_1_1, yaml_1_2):
        assert same(reader(f"a: {text}")["a"], expected)


@settings(max_examples=500)
@given(scalars())
def test_a_number_that_is_written_is_read_back_from_its_own_text(value):
    if isinstance(value, int | float) and not isinstance(value, bool):
        assert resolve(number_text(value)) == value
        assert type(resolve(number_text(value))) is type(value)
        assert ambiguous(number_text(value)) is None


@pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))
@settings(max_examples=150)
@given(text=texts().filter(lambda text: not quotes_needed(text)))
def test_a_string_that_needs_no_quotes_is_itself_to_every_reader_as_value_as_item_and_as_key(reader, text):
    assert reader(f"a: {text}\n") == {"a": text}
    assert reader(f"- {text}\n") == [text]
    if len(text) < 1000:
        assert reader(f"{text}: a\n") == {text: "a"}
