"""The page of the template language: names, filters, tests and limits out of the code, each example rendered as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.catalog.catalog import Catalog, TemplateSource
from bundler.render import budget
from bundler.render.filters import FILTERS, SERIALISERS, TESTS
from bundler.render.functions import functions
from bundler.render.names import FUNCTIONS, VARIABLES
from bundler.render.prepared import DEEPEST_BRACKETS
from bundler.render.renderer import Renderer
from generator.text import code, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["templates"]

_IMAGES = "`bom/images.yaml`"
_WHO = {
    "accelerated": ("runtimes, fixtures, components", "`nodeSelector` and `tolerations` of pods that use GPUs"),
    "component": ("components", "`name`, `version` and `namespace` of the component"),
    "criteria": ("runtimes, fixtures, components", "the criteria of the recipe that are stated, such as `criteria.service`"),
    "entry": ("certification", "the catalogue entry of the test, with what its platform and GPUs decide"),
    "options": ("certification", "the options of the test, the Certification's laid over the entry's"),
    "profiles": (
        "runtimes, fixtures, components",
        "axis → `value`, `parameters`, `releases`; where the value has them also `release`, `table` and `machine`",
    ),
    "system": ("runtimes, fixtures, components", "`nodeSelector` and `tolerations` of controllers"),
    "values": ("components", "the composed values of the component"),
}
_FUNCTIONS = {
    "fragment": ('fragment("NAME")', "the data of `manifests/fragments/NAME.yaml`"),
    "image": ('image("NAME")', f"the reference of an image that {_IMAGES} names, with its digest where one is known"),
    "range": ("range(STOP), range(START, STOP, STEP)", "whole numbers, as a list"),
}
_FILTERS = {
    "default": ("what stands in the place of what is undefined", 'values.absent | default("x") | quote'),
    "entries": ("each item of a list as a map with one key", '["a", "b"] | entries("path") | to_json'),
    "first": ("the first item", '["a", "b"] | first | quote'),
    "items": ("key and value of each entry of a map, to loop over", '({"a": 1} | items | first)[0] | quote'),
    "join": ("the items as one text", '["eth1", "eth2"] | join(",") | quote'),
    "last": ("the last item", '["a", "b"] | last | quote'),
    "length": ("how many items or characters", '["a", "b"] | length | to_json'),
    "lower": ("in lower case", '"A" | lower | quote'),
    "pairs": ("each entry of a map as a map with two keys", '{"eth1": "net"} | pairs("interface", "network") | to_json'),
    "pick": ("each map of a list with these keys only, in this order", '[{"a": 1, "b": 2}] | pick("b") | to_json'),
    "quote": ("a text in double quotes, which any YAML reader takes as that text", "8 | quote"),
    "replace": ("one text in the place of another, everywhere", '"a.b" | replace(".", "-") | quote'),
    "sort": ("the items in order", '["b", "a"] | sort | to_json'),
    "string": ("a number or a boolean as text", '((8 | string) + "Gi") | quote'),
    "to_json": ("any data as JSON, which YAML is too", '{"a": [true, 1]} | to_json'),
    "to_yaml": ("any data as the text of a YAML document, for a value that holds one", '[{"path": "/dev/x"}] | to_yaml | quote'),
    "trim": ("without white space at its ends", '" a " | trim | quote'),
    "upper": ("in upper case", '"a" | upper | quote'),
}
_TESTS = {
    "boolean": "true or false",
    "defined": "a name or member that there is",
    "mapping": "a map",
    "none": "null",
    "number": "a number",
    "sequence": "a list",
    "string": "a text",
    "undefined": "a name or member that there is not",
}
_LIMITS = (
    ("steps of one rendering", budget.STEPS),
    ("bytes of a template", budget.LARGEST_SOURCE),
    ("characters of one text", budget.LARGEST_TEXT),
    ("characters of what is rendered", budget.LARGEST_OUTPUT),
    ("numbers of a range", budget.LARGEST_RANGE),
    ("levels of data", budget.DEEPEST),
    ("brackets in brackets", DEEPEST_BRACKETS),
)


def templates() -> Iterator[str]:
    """The page `templates.md`."""
    catalog = Catalog.load()
    yield "# Templates"
    yield ""
    yield "A manifest is YAML with holes: a small part of Jinja, checked before it runs, in a sandbox without clock, environment"
    yield "and files. What it prints is parsed again and written anew: a template decides what is said and never how it is spelt."
    yield "`aicr lint` checks every template; the rules are those of [letter T](rules.md)."
    yield from _statements()
    yield from _names(catalog)
    yield from _filters(catalog)
    yield ""
    yield "## Limits"
    yield ""
    yield "They count work, not time, so that a template ends at the same place on every machine."
    yield ""
    yield from table(("limit", "at most"), ((name, f"{number:,}") for name, number in _LIMITS))


def _statements() -> Iterator[str]:
    yield ""
    yield "## Statements"
    yield ""
    rows = (
        ("`{% if … %}`, `{% for … in … %}`, `{% set name = … %}`, `{% with … %}`", "each tag on a line of its own"),
        (
            '`{% include "runtimes/_part.yaml.j2" %}`',
            "a part: a template whose name begins with `_`. It sees the names of whoever includes it",
        ),
        ("`{{ … }}`", f"in the place of a value only; it ends in {' or '.join(map(code, SERIALISERS))}"),
    )
    yield from table(("statement", "how"), rows)
    yield ""
    yield "There are no macros, imports, blocks and inheritance: what templates share is data in a fragment, or a part."
    yield "`+`, `-`, `*`, `/`, `//`, `%` and `**` compute; `+` joins texts, too. What is undefined is an error wherever it is used."


def _names(catalog: Catalog) -> Iterator[str]:
    yield ""
    yield "## Names"
    yield ""
    yield from table(("name", "in", "what it is"), ((code(name), *_WHO[name]) for name in VARIABLES))
    yield ""
    yield "## Functions"
    yield ""
    yield from table(("function", "gives"), ((code(_FUNCTIONS[name][0]), _FUNCTIONS[name][1]) for name in FUNCTIONS))
    assert functions(images=catalog.images, fragment=catalog.fragment).keys() == set(FUNCTIONS)


def _filters(catalog: Catalog) -> Iterator[str]:
    yield ""
    yield "## Filters"
    yield ""
    rows = ((name, *_FILTERS[name]) for name in sorted(FILTERS))
    examples = ((code(name), what, code(f"{{{{ {text} }}}}"), code(_rendered(text, catalog))) for name, what, text in rows)
    yield from table(("filter", "gives", "example", "renders"), examples)
    yield ""
    yield "## Tests"
    yield ""
    yield from table(("test", "holds for"), ((code(f"is {name}"), _TESTS[name]) for name in sorted(TESTS)))


def _rendered(expression: str, catalog: Catalog) -> str:
    """What an example comes to, in the sandbox that manifests are rendered in."""

    def fetch(name: str) -> TemplateSource:
        return TemplateSource(name=name, file=name, text=f"example: {{{{ {expression} }}}}\n")

    variables: dict[str, Any] = {"values": {}}
    rendered, _ = Renderer.manifests(fetch, images=catalog.images, fragment=catalog.fragment).documents(
        "example.yaml.j2", variables
    )
    return rendered.text.removeprefix("example: ").removesuffix("\n")
