"""Hypothesis strategies shared by the property tests: plain data, and the strings that go wrong first.

Import as `from tests.property.strategies import plain_data`.
"""

from hypothesis import strategies as st

from bundler.yamlio.scalars import MAX_INTEGER, MIN_INTEGER

NASTY_STRINGS = (
    "", " ", "\t", "\n", "\n\n", "\r", "\r\n", "a\r\nb", "a\nb", "a\n", "a\n\n", "\na", " a\nb", "a\n b", "a \nb", "a\nb ",
    "a\n\tb", "\ta", "a\n\n\nb", "\ta\nb", '#!/bin/sh\nset -e\n\n\techo "$1"\n', "# not a comment\nkey: value\n",
    "--- a\n...\nb", "a: b", "a:", ":a", ": a", "a #b", "a#b", "#a", "- a", "-", "--", "---", "...", "--- a", "-a", "? a", "?",
    "?a", "| a", "|", ">", "%a", "@a", "`a", "&a", "*a", "!a", "!!str a", "<<", "=", "'a'", '"a"', "'", '"', "\\", "\\n", "a\\",
    "[a]", "{a}", "[", "]", "{", "}", ",", "a, b", "null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "yes", "Yes",
    "no", "NO", "on", "Off", "y", "Y", "n", "N", "none", "nil", "0", "-0", "+1", "1", "00", "007", "0755", "089", "0o17",
    "0x1F", "0b11", "1_000", "_1", "1_", "+_", "._", "12:30:45", "1:30", "09:30", "0000:06:00.0", "10:11:12:13:14:15", "1.20",
    "1.0", ".5", "5.", "1e3", "1E3", "1.5e3", "1.0e+22", "1e400", ".inf", "-.INF", ".nan", "-.nan", "9223372036854775807",
    "9223372036854775808", "123456789012345678901234567890", "2026-01-01", "2026-1-1", "2026-01-01T00:00:00Z",
    "2026-01-01 00:00:00 +1", "1.2.3", "10.0.0.1", "10.0.0.1:80", "sha256:0123", "25.06-py3", "\x00", "\x07", "\x1b[31m",
    "\x7f", "\x85", "a\x85b", "\xa0", "\u2028", "a\u2029b", "\ufeff", "\ufeffa", "\ufffe", "\uffff", "\ufffd", "é", "e\u0301",
    "\u202e", "\u200b", "😀", "a😀\nb", "\U0001fffe", "\U0010ffff", "{{ 7 * 7 }}", "{% raw %}", "${{ x }}", "$(VAR)", "${VAR}",
    "`id`", 'a","b":"c', "</script>", "&amp;<>", "x" * 1100, "two words " * 110, "key: " * 220,
)  # fmt: skip
"""Strings that a template, a YAML 1.1, a YAML 1.2 or a Go reader is known to take for something else, or to lose a character of."""

_NUMBER_ALPHABET = "0123456789+-._:eExXoObBTZ aAfFin"


def number_like() -> st.SearchStrategy[str]:
    """Short texts of what numbers, times and dates are written with."""
    return st.text(_NUMBER_ALPHABET, max_size=12)


def texts() -> st.SearchStrategy[str]:
    """Any text that UTF-8 can hold, with much that is nasty."""
    nasty = st.sampled_from(NASTY_STRINGS)
    return st.one_of(
        nasty,
        number_like(),
        st.lists(nasty, min_size=2, max_size=4).map("\n".join),
        st.lists(nasty, min_size=2, max_size=3).map("".join),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    )


def keys() -> st.SearchStrategy[str]:
    """Keys of maps: the names that Kubernetes and our documents use, and any other text."""
    return st.one_of(
        st.sampled_from(
            ["apiVersion", "kind", "metadata", "name", "namespace", "annotations", "env", "value", "__class__", "items", "a/b~c"]
        ),
        texts(),
    )


def scalars() -> st.SearchStrategy[str | int | float | bool | None]:
    """Everything plain that holds nothing else."""
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(MIN_INTEGER, MAX_INTEGER),
        st.floats(allow_nan=False, allow_infinity=False),
        texts(),
    )


def plain_data(max_leaves: int = 20) -> st.SearchStrategy:
    """Maps, lists and scalars in one another, as a read document holds them."""
    return st.recursive(
        scalars(),
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys(), inner, max_size=4)),
        max_leaves=max_leaves,
    )


def documents() -> st.SearchStrategy[dict]:
    """Maps, as all authored documents and Kubernetes objects are."""
    return st.dictionaries(keys(), plain_data(), max_size=5)


def kubernetes_objects() -> st.SearchStrategy[dict]:
    """Maps that name a kind, with the parts whose strings are always quoted."""
    env = st.lists(st.fixed_dictionaries({"name": texts(), "value": texts()}), max_size=3)
    return st.fixed_dictionaries(
        {
            "spec": st.fixed_dictionaries(
                {"containers": st.lists(st.fixed_dictionaries({"name": texts(), "env": env}), max_size=2)}
            ),
            "metadata": st.fixed_dictionaries({"name": texts(), "annotations": st.dictionaries(keys(), texts(), max_size=3)}),
            "kind": st.just("Pod"),
            "apiVersion": st.just("v1"),
        }
    )
