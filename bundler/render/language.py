"""The part of Jinja that templates are written in, checked on the tree before anything runs.

Statements: `if`, `for`, `set`, `with`, `include` of a named template. Expressions: data, members, arithmetic, comparisons, the
filters and tests of `bundler.render.filters`, and calls of three functions. There are no macros, imports, blocks or inheritance:
what templates share is data in a fragment, or a part they include.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from bundler.model.finding import Finding
from bundler.render.filters import FILTERS, SERIALISERS, TESTS
from bundler.render.names import FUNCTIONS, VARIABLES, is_part, suggestion
from bundler.render.place import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bundler.catalog.catalog import TemplateSource

__all__ = ["check_language", "check_serialised", "confined"]

_OFFERED: frozenset[type[nodes.Node]] = frozenset(
    {
        *(nodes.Template, nodes.Output, nodes.TemplateData),
        *(nodes.If, nodes.For, nodes.Assign, nodes.With, nodes.Include),
        # The parser puts autoescape, which is refused, into a scope that has no line to point at.
        nodes.Scope,
        *(nodes.Name, nodes.Const, nodes.List, nodes.Dict, nodes.Pair, nodes.Tuple, nodes.Keyword),
        *(nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test, nodes.Call, nodes.CondExpr),
        *(nodes.Not, nodes.And, nodes.Or, nodes.Compare, nodes.Operand),
        *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos),
    }
)

_SHARE = "share data through a fragment, or include a part"

_INSTEAD: dict[type[nodes.Node], tuple[str, str]] = {
    nodes.AssignBlock: ("a block of set", "assign an expression"),
    nodes.Block: ("block", _SHARE),
    nodes.CallBlock: ("call", _SHARE),
    nodes.Concat: ("~", "join text with +; the filter string turns a number into text"),
    nodes.Extends: ("extends", _SHARE),
    nodes.FilterBlock: ("a block of filter", "use the filter in an expression"),
    nodes.FromImport: ("import", _SHARE),
    nodes.Import: ("import", _SHARE),
    nodes.Macro: ("macro", _SHARE),
    nodes.NSRef: ("assigning to a member", "assign to a plain name"),
    nodes.ScopedEvalContextModifier: ("autoescape", "leave it out"),
    nodes.Slice: ("a slice", "take single items, or loop"),
}
"""What a statement or expression that is not offered is called, and what to do without it."""

_ASSIGNED_BY_JINJA = "loop"


def check_language(every: Sequence[nodes.Node], source: TemplateSource, *, names: Iterable[str] = VARIABLES) -> Iterator[Finding]:
    """Every use of something that templates do not have.

    Args:
        every: the nodes of the template's tree.
        source: the template, for locations.
        names: the variables it is rendered with.
    """
    known = {*names, *FUNCTIONS, _ASSIGNED_BY_JINJA}
    known.update(node.name for node in every if type(node) is nodes.Name and node.ctx != "load")
    for node in every:
        kind = type(node)
        if kind not in _OFFERED:
            yield _not_offered(node, source)
        elif kind is nodes.Name:
            yield from _check_name(node, source, known)
        elif kind in _CHECKS:
            yield from _CHECKS[kind](node, source)


def check_serialised(every: Sequence[nodes.Node], source: TemplateSource) -> Iterator[Finding]:
    """Every output expression that does not end in a serialising filter.

    Args:
        every: the nodes of the template's tree.
        source: the template, for locations.
    """
    for output in every:
        for expression in output.nodes if isinstance(output, nodes.Output) else ():
            if not isinstance(expression, nodes.TemplateData) and not _serialised(expression):
                yield Finding(
                    rule="AICR-T006",
                    message="an output expression does not end in a serialising filter",
                    location=place(source, expression.lineno, "{{"),
                    fix=f"end it in {' or '.join(SERIALISERS)}",
                )


def confined(name: str) -> bool:
    """Whether a template name stays below `manifests/`: plain steps, no way up or out."""
    return not any(step in {"", ".", ".."} for step in name.split("/")) and "\\" not in name and name.isprintable()


def _serialised(node: nodes.Expr) -> bool:
    match node:
        case nodes.Filter():
            return node.name in SERIALISERS
        case nodes.CondExpr():
            return _serialised(node.expr1) and node.expr2 is not None and _serialised(node.expr2)
        case _:
            return False


def _check_name(node: Any, source: TemplateSource, known: set[str]) -> Iterator[Finding]:
    if node.ctx == "load" and node.name not in known and not is_part(source.name):
        yield Finding(
            rule="AICR-T002",
            message=f"nothing is named {node.name!r}",
            location=place(source, node.lineno, node.name),
            fix=suggestion(node.name, known - {_ASSIGNED_BY_JINJA}),
        )


def _check_member(node: nodes.Getattr, source: TemplateSource) -> Iterator[Finding]:
    if node.attr.startswith("_"):
        yield Finding(
            rule="AICR-T003",
            message=f"the member {node.attr!r} is out of reach of templates",
            location=place(source, node.lineno, node.attr),
            fix="use members of the data only",
        )


def _check_loop(node: nodes.For, source: TemplateSource) -> Iterator[Finding]:
    if node.recursive:
        yield _refused("a recursive loop", node, source, "loop over a list")


def _not_offered(node: nodes.Node, source: TemplateSource) -> Finding:
    what, fix = _INSTEAD.get(type(node), (type(node).__name__, "write it with if, for, set, with and include"))
    return _refused(what, node, source, fix)


def _refused(what: str, node: nodes.Node, source: TemplateSource, fix: str) -> Finding:
    return Finding(rule="AICR-T004", message=f"{what} is not offered to templates", location=place(source, node.lineno), fix=fix)


def _check_filter(node: nodes.Filter, source: TemplateSource) -> Iterator[Finding]:
    if node.name not in FILTERS:
        yield _unknown("filter", node, FILTERS, source)
    yield from _check_arguments(node, source)


def _check_test(node: nodes.Test, source: TemplateSource) -> Iterator[Finding]:
    if node.name not in TESTS:
        yield _unknown("test", node, TESTS, source)
    yield from _check_arguments(node, source)


def _unknown(what: str, node: nodes.Filter | nodes.Test, offered: Iterable[str], source: TemplateSource) -> Finding:
    return Finding(
        rule="AICR-T004",
        message=f"there is no {what} {node.name!r}",
        location=place(source, node.lineno, node.name),
        fix=suggestion(node.name, offered),
    )


def _check_call(node: nodes.Call, source: TemplateSource) -> Iterator[Finding]:
    if not isinstance(node.node, nodes.Name) or node.node.name not in FUNCTIONS:
        names = ", ".join(FUNCTIONS)
        yield _refused(
            "a call of anything but a function", node, source, f"call one of {names}; members of a map come from the filter items"
        )
    yield from _check_arguments(node, source)


def _check_arguments(node: nodes.Filter | nodes.Test | nodes.Call, source: TemplateSource) -> Iterator[Finding]:
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        yield _refused("unpacking arguments with * or **", node, source, "write each argument")


def _check_choice(node: nodes.CondExpr, source: TemplateSource) -> Iterator[Finding]:
    if node.expr2 is None:
        yield _refused("an if expression without else", node, source, "say what the value is otherwise")


def _check_include(node: nodes.Include, source: TemplateSource) -> Iterator[Finding]:
    if node.ignore_missing or not node.with_context:
        yield _refused("include with a modifier", node, source, "write include and the name, nothing else")
    target = node.template.value if isinstance(node.template, nodes.Const) else None
    if not isinstance(target, str):
        yield Finding(
            rule="AICR-T008",
            message="an include does not name its template as a text",
            location=place(source, node.lineno),
            fix="write the name in quotes, such as 'runtimes/_node.yaml.j2'",
        )
    elif not confined(target):
        yield Finding(
            rule="AICR-T008",
            message=f"an include leads out of manifests/: {target!r}",
            location=place(source, node.lineno, target),
            fix="name a template relative to manifests/",
        )


_CHECKS: dict[type[nodes.Node], Callable[[Any, TemplateSource], Iterator[Finding]]] = {
    nodes.Getattr: _check_member,
    nodes.Filter: _check_filter,
    nodes.Test: _check_test,
    nodes.Call: _check_call,
    nodes.For: _check_loop,
    nodes.Include: _check_include,
    nodes.CondExpr: _check_choice,
}
