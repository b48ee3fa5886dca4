"""Requirements on tables: aligned in terminal columns, no trailing spaces, one line a row."""

from bundler.report.table import table


def test_aligns_columns():
    assert table(("name", "value"), [("a", "1"), ("long-name", "22")]) == "NAME       VALUE\na          1\nlong-name  22\n"


def test_an_empty_cell_is_a_dash_and_no_line_ends_in_a_space():
    assert table(("a", "b", "c"), [("x", "", "")]) == "A  B  C\nx  -  -\n"


def test_without_rows_there_is_the_header():
    assert table(("name", "value"), []) == "NAME  VALUE\n"


def test_wide_characters_take_two_columns_and_marks_none():
    lines = table(("a", "b"), [("日本", "x"), ("e\u0301", "x")]).splitlines()
    assert lines == ["A     B", "日本  x", "e\u0301     x"]


def test_a_value_cannot_break_its_row():
    assert table(("a", "b"), [("x\ny\x1b[1m", "z")]).splitlines()[1] == "x\\ny\\x1b[1m  z"
