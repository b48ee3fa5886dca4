"""The reader on texts that nobody wrote: it fails by a finding only, and accepts only what other readers read alike."""

import pytest
import ruamel.yaml
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bundler.errors import InvalidInput
from bundler.model.rules import RULES
from bundler.yamlio.reader import read, read_stream
from tests.property.readers import READERS, same

STARTS = ["", "k: ", "k:\n  ", "k:\n- a\n- ", "- ", "{", "[", "k: |\n  x\n"]
TOKENS = [
    "a", "b", "c: ", ": ", ":", " ", "\n", "\n  ", "\n    ", "\n- ", "- ", "[", "]", "{", "}", ", ", ",", '"', "'", "#", " #",
    " # x\n", "|\n", "|-\n", ">\n", "-", "&x ", "*x", "\t", "no", "1", "? ", "!", "%", "...", "---",
    "\n---\n", "\nk: ", "\nj: ", "m:\n  o: ",
    "\\", "é", "\n\n", "~", "null", "1.5", '"x y"', "'x'", "a b", "<<",
]  # fmt: skip

yaml_like = st.tuples(st.sampled_from(STARTS), st.lists(st.sampled_from(TOKENS), max_size=14)).map(
    lambda parts: parts[0] + "".join(parts[1])
)

SAMPLE = (
    b'# Sample.\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {b: "c", \'d\': "\\u00e9"}\n'
    b"spec:\n- &x [1, 2.5, true]\n- *x\n- |\n  line\n    more\n- >-\n  folded\n  text\n"
)


def refusal(text, reader=read):
    try:
        reader(text, "f")
    except InvalidInput as error:
        return error
    return None


@settings(max_examples=1000)
@given(st.binary(max_size=40))
def test_bytes_are_read_or_refused(text):
    error = refusal(text)
    assert error is None or all(finding.rule in RULES and finding.location and finding.fix for finding in error.findings)


@settings(max_examples=500)
@given(
    position=st.integers(0, len(SAMPLE)),
    removed=st.integers(0, 4),
    inserted=st.one_of(st.binary(max_size=4), st.sampled_from(TOKENS).map(str.encode)),
)
def test_a_file_with_a_damaged_place_is_read_or_refused(position, removed, inserted):
    damaged = SAMPLE[:position] + inserted + SAMPLE[position + removed :]
    error = refusal(damaged, read_stream)
    assert error is None or all(finding.rule in RULES and finding.location for finding in error.findings)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ruamel.yaml.error.ReusedAnchorWarning")
@settings(max_examples=1500)
@given(yaml_like)
def test_what_is_accepted_no_other_reader_reads_differently(text):
    try:
        data = read(text.encode(), "f").data
    except InvalidInput:
        return
    if isinstance(data, str):
        # A block scalar as the whole document may stand at the margin in YAML 1.2 only; no document of ours is one.
        return
    for reader in READERS.values():
        try:
            other = reader(text)
        except (yaml.YAMLError, ruamel.yaml.error.YAMLError):
            continue
        assert same(other, data)
