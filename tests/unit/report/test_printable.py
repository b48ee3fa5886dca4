"""Requirements on text for a terminal (attacks.md R1): nothing in a value acts on the terminal, everything else stays readable."""

import pytest

from bundler.report.printable import printable, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),  # CSI as one C1 character
        ("ding\x07", r"ding\x07"),
        ("title\x1b]0;owned\x07", r"title\x1b]0;owned\x07"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("a\x00b\x7f\x85", r"a\x00b\x7f\x85"),
        ("user\u202egnp.exe", r"user\u202egnp.exe"),  # right-to-left override
        ("a\u2028b\u2029c", r"a\u2028b\u2029c"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("\udcff", r"\udcff"),  # a byte of argv that was not UTF-8
        ("tag\U000e0041", r"tag\U000e0041"),
    ],
)
def test_escapes_what_acts_on_a_terminal(text, shown):
    assert printable(text) == shown


@pytest.mark.parametrize("text", ["", "plain", "Größe ≥ 3 → ok", "日本語", "🚀", "back\\slash", "`${{ x }}`", "{% raw %}"])
def test_leaves_readable_text_alone(text):
    assert printable(text) == text


def test_keeps_the_characters_it_is_told_to():
    assert printable("a\nb\x1b\n", keep="\n") == "a\nb\\x1b\n"


def test_no_character_of_unicode_passes_as_a_control():
    import unicodedata

    passed = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cs", "Zl", "Zp"}]
    assert not [character for character in passed if printable(character) == character]


@pytest.mark.parametrize(("limit", "shown"), [(5, "abcde"), (4, "abc…"), (1, "…")])
def test_shortens_at_the_end(limit, shown):
    assert shortened("abcde", limit) == shown
