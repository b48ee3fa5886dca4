"""Makes a template pay for what it does: loops for their bodies, data for its size.

The tree is changed before it is compiled, by expressions that no template can write. A loop's turn costs the number of nodes in its
body, and each template the number of its own; data that the template builds is weighed where it is kept or compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.utils import pass_context

from bundler.render.budget import budget_of
from bundler.render.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jinja2.runtime import Context

__all__ = ["METERS", "meter"]

_PAY = "#pay"
_WEIGH = "#weigh"


@pass_context
def _pay(context: Context, steps: int) -> bool:
    budget_of(context).pay(steps)
    return True


@pass_context
def _weigh(context: Context, value: Any) -> Any:
    budget_of(context).weigh(value)
    return value


METERS: Mapping[str, Callable[..., Any]] = {_PAY: _pay, _WEIGH: _weigh}
"""The filters that the metered tree uses."""


def meter(every: Sequence[nodes.Node]) -> None:
    """Change a tree in place.

    Args:
        every: its nodes, the template first.
    """
    for node in every:
        match node:
            case nodes.For():
                toll = _toll(len(walk(node)), node.lineno)
                node.iter = _weighed(node.iter)
                node.body.insert(0, nodes.ExprStmt(toll, lineno=node.lineno))
                if node.test is not None:
                    node.test = nodes.And(toll, node.test, lineno=node.lineno)
            case nodes.Assign():
                node.node = _weighed(node.node)
            case nodes.With():
                node.values = [_weighed(value) for value in node.values]
            case nodes.Compare():
                _weigh_operands(node)
            case nodes.Template():
                node.body.insert(0, nodes.ExprStmt(_toll(len(every), 1), lineno=1))
            case _:
                pass


def _toll(size: int, line: int) -> nodes.Filter:
    return _filter(_PAY, nodes.Const(size, lineno=line))


def _weigh_operands(node: nodes.Compare) -> None:
    """Comparing with a constant is cheap; comparing two structures walks both, and searching walks what is searched."""
    searches = any(operand.op in {"in", "notin"} for operand in node.ops)
    if not searches and (isinstance(node.expr, nodes.Const) or all(isinstance(operand.expr, nodes.Const) for operand in node.ops)):
        return
    node.expr = _filter(_WEIGH, node.expr)
    for operand in node.ops:
        operand.expr = _filter(_WEIGH, operand.expr)


def _weighed(expression: Any) -> Any:
    """Only an expression that builds a list or map can be larger than the data it is made of."""
    builds = (nodes.List, nodes.Dict, nodes.Tuple)
    return _filter(_WEIGH, expression) if any(isinstance(node, builds) for node in walk(expression)) else expression


def _filter(name: str, expression: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(expression, name, [], [], None, None, lineno=expression.lineno)
