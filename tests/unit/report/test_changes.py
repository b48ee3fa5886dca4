"""Requirements on how changes are written: each format keeps its form, fits where it goes, acts on nothing, and shows no secret."""

import json
import re
from html.parser import HTMLParser

import pytest

from bundler.catalog.catalog import Catalog
from bundler.diff.classes import Classes
from bundler.diff.diff import diff
from bundler.diff.side import Tree
from bundler.report.changes import summary, told
from bundler.report.changes_ci import code_quality, workflow_commands
from bundler.report.changes_html import html
from bundler.report.changes_json import changes_json
from bundler.report.changes_markdown import LEVELS, markdown
from bundler.report.changes_text import brief, human, summary_table
from bundler.report.markdown import LIMIT
from tests.unit.report.forms import read_github

CATALOG = Catalog.load()
CLASSES = CATALOG.derived(Classes.of)
WRITERS = [human, brief, summary_table, changes_json, markdown, workflow_commands, code_quality, html]


def made(before, after, label="a"):
    trees = (Tree(label=label, files={k: v.encode() for k, v in files.items()}, root="b") for files in (before, after))
    return told(diff(*trees, CLASSES))


def config(value, name="c", key="k"):
    head = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {json.dumps(name)}}}\n"
    return {"c.yaml": f"{head}data: {{{json.dumps(key)}: {json.dumps(value)}}}\n"}


TWO = made(config("one"), config("two"))


def test_a_person_reads_what_changed_how_and_how_grave_it_is():
    assert human(TWO).splitlines() == [
        "ConfigMap/c  c.yaml  changed",
        "  ± /data/k  [values, medium]",
        "    - one",
        "    + two",
        "",
        "1 change in 1 place (1 medium risk): 1 values",
    ]


def test_a_brief_diff_is_one_line_an_item():
    assert brief(TWO).splitlines()[1].split() == ["medium", "changed", "ConfigMap/c", "values", "1"]


def test_a_summary_counts_by_class_and_risk():
    assert [line.split() for line in summary_table(TWO).splitlines()] == [
        ["CLASS", "HIGH", "MEDIUM", "LOW", "NONE", "CHANGES"],
        ["Values", "-", "1", "-", "-", "1"],
    ]


def test_nothing_differs_in_every_format():
    nothing = made({}, {})
    assert human(nothing) == "no difference\n"
    assert (brief(nothing), workflow_commands(nothing), code_quality(nothing)) == ("", "", "[]\n")
    assert markdown(nothing).startswith("### no difference\n")
    assert "no difference" in html(nothing)


def test_a_text_of_several_lines_shows_the_lines_that_differ():
    before, after = ("\n".join([*map(str, range(9)), last, *map(str, range(20, 29))]) for last in ("x", "z"))
    shown = [line[4:] for line in human(made(config(before), config(after))).splitlines() if line.startswith("    ")]
    assert shown == ["  7", "  8", "- x", "+ z", "  20", "  21"]


def test_of_another_order_what_moved_is_shown():
    names = [f"n{number}" for number in range(9)]
    orders = (names, [names[8], *names[:3], names[5], *names[3:5], *names[6:8]])
    before, after = ({"values.yaml": f"env: [{', '.join(f'{{name: {name}}}' for name in order)}]\n"} for order in orders)
    shown = [line.strip() for line in human(made(before, after)).splitlines() if line.startswith("    ⇆")]
    assert shown == ["⇆ n8: 9 → 1", "⇆ n5: 6 → 5"]


def test_colour_is_only_there_when_it_is_asked_for():
    assert "\x1b" not in human(TWO)
    assert "\x1b[32m    + two" in human(TWO, colour=True)


def test_json_keeps_its_schema_with_and_without_edits():
    for edits in (True, False):
        text = changes_json(TWO, edits=edits)
        document = json.loads(text)
        assert CATALOG.validator("changes").check(document) == ()
        assert text.isascii()
        assert ("items" in document) is edits


def test_annotations_stand_on_the_lines_of_the_second_side():
    (command,) = read_github(workflow_commands(TWO))
    assert command[:2] == ("notice", {"title": "Values: ConfigMap/c", "file": "b/c.yaml", "line": "4"})


def test_code_quality_has_what_gitlab_requires():
    # docs.gitlab.com/ci/testing/code_quality: description, check_name, fingerprint, location.path, location.lines.begin, severity.
    (entry,) = json.loads(code_quality(TWO))
    assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert entry["severity"] == "minor"
    assert entry["location"] == {"path": "b/c.yaml", "lines": {"begin": 4}}


@pytest.mark.parametrize(
    ("items", "size", "limit", "level"),
    [(1, 10, LIMIT - 1, "full"), (40, 4000, LIMIT - 1, "outline"), (60, 10, 8000, "names"), (500, 10, 8000, "names")],
)
def test_markdown_fits_in_a_comment_and_says_what_was_left_out(items, size, limit, level):
    before, after = ({f"{number:05}/values.yaml": f"k: {letter * size}\n" for number in range(items)} for letter in "xz")
    text = markdown(made(before, after), limit=limit)
    assert len(text.encode()) <= limit < 65_536
    assert ("Values are left out" in text, "Only names are left" in text) == (level == "outline", level == "names")
    assert text.startswith(f"### {items:,} change")
    assert (re.search(r"… \d+ more\n", text) is not None) is (items == 500)


def test_markdown_can_be_asked_to_say_less():
    assert markdown(TWO, most="summary") == (
        "### 1 change in 1 place (1 medium risk): 1 values\n\n<p><code>a</code> → <code>a</code></p>\n\n"
        "| class | high | medium | low | no risk |\n| --- | --- | --- | --- | --- |\n| values |  | 1 |  |  |\n"
    )
    assert [("two" in markdown(TWO, most=level)) for level in LEVELS] == [True, False, False, False]


HOSTILE = {
    "terminal": "\x1b]0;owned\x07\x9b2J\x1b[31m",
    "annotation": "x\n::error file=a::forged %0A::error::forged",
    "fence": "```\n# forged\n</details>",
    "long fence": "`" * 60,
    "html": "</code></details></summary><script>alert(1)</script><img src=x onerror=alert(1)>&amp;",
    "mention": "@someone [click](https://example.com/x) ![x](https://example.com/y) | a |",
    "right to left": "\u202egnp.exe\u2066",
    "separators": "a\u2028b\u0085c",
    "quotes": "\"'>",
}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def tags(text):
    parser = Tags()
    parser.feed(text)
    return parser.found


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE)
def hostile(request):
    """A diff in which the hostile text stands as value, key, name, file name and label."""
    text = request.param
    pairs = [config(f"{text}{end}", name=f"n{text}", key=text) for end in "12"]
    before, after = ({f"{text.replace('/', '')}.yaml": value for value in each.values()} for each in pairs)
    return made(before, after, label=text)


@pytest.mark.parametrize("write", WRITERS)
def test_r1_no_writer_writes_what_acts_on_a_terminal(hostile, write):
    assert [character for character in write(hostile) if character != "\n" and not character.isprintable()] == []


def test_r2_an_edit_is_one_annotation(hostile):
    (command,) = read_github(workflow_commands(hostile))
    assert set(command[1]) == {"title", "file", "line"}


def outside_of_code(text):
    """The lines of a Markdown text that are in no fence, and the fences."""
    kept, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"`{3,}", line)
        if fence is None and mark:
            fence = mark[0]
        elif fence is not None and line == fence:
            fence = None
        elif fence is None:
            kept.append(line)
    assert fence is None
    return kept


def test_r3_what_a_file_holds_is_no_markdown(hostile):
    for line in outside_of_code(markdown(hostile)):
        if line.startswith(("<p>", "<details", "<ul>")):
            # In a block of HTML nothing is Markdown, and all of it is escaped.
            assert {tag for tag, _ in tags(line)} <= {"p", "code", "details", "summary", "ul", "li"}
        else:
            assert not re.search(r"someone|forged|alert|owned", line)


def test_r4_what_a_file_holds_is_no_html(hostile):
    found = tags(html(hostile))
    assert {tag for tag, _ in found} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "code", "p", "table", "caption", "thead", "tr", "th"),
        *("tbody", "td", "details", "summary", "strong", "div", "span", "pre"),
    }
    assert {name for _, names in found for name in names} <= {
        "lang",
        "charset",
        "name",
        "content",
        "http-equiv",
        "class",
        "scope",
        "open",
    }


def pod(env=""):
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{containers: [{{name: c, env: [{env}]}}]}}\n"


TOKEN = "ghp_" + "a1" * 18


@pytest.mark.parametrize(
    ("before", "after", "secret"),
    [
        (config("x"), config(TOKEN), TOKEN),
        (config("x"), config("hunter2", key="password"), "hunter2"),
        (config("https://a:hunter2" + "@" + "h.example/"), config("x"), "hunter2"),
        ({}, config("hunter2", key="apiKey"), "hunter2"),
        ({"values.yaml": "auth: {token: hunter1}\n"}, {"values.yaml": "auth: {token: hunter2}\n"}, "hunter"),
        ({"values.yaml": "auth: {}\n"}, {"values.yaml": "auth: {deep: {secretKey: hunter2}}\n"}, "hunter"),
        (
            {"p.yaml": pod("{name: API_TOKEN, value: hunter1}")},
            {"p.yaml": pod("{name: API_TOKEN, value: hunter2}")},
            "hunter",
        ),
        (
            {"p.yaml": pod()},
            {"p.yaml": pod("{name: API_TOKEN, value: hunter2}")},
            "hunter",
        ),
        (
            {"s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: aHVudGVy}\n"},
            {"s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: aHVudGVz, b: aHVudGV0}\n"},
            "aHVudGV",
        ),
        ({}, {"s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: hunter2}\n"}, "hunter"),
    ],
)
@pytest.mark.parametrize("write", WRITERS)
def test_r6_no_writer_shows_a_secret(write, before, after, secret):
    assert secret not in write(made(before, after))


def test_r6_that_a_secret_changed_is_said():
    text = human(made({"values.yaml": "token: hunter1\n"}, {"values.yaml": "token: hunter2\n"}))
    assert "the values differ, and are not shown" in text


def test_a_long_value_is_cut_and_says_so():
    text = human(made({"README.md": "\n"}, {"README.md": "\n".join(map(str, range(1000)))}))
    assert summary(made({}, {})) == "no difference"
    assert len(text.splitlines()) < 10, "what people alone read is counted, not shown"
    lines = human(made({}, config("\n".join(map(str, range(1000)))))).splitlines()
    assert len(lines) < 420
    assert any("more lines" in line for line in lines)
