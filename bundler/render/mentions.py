"""What a template names: the parts it includes, the fragments and the images it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Mention", "mentions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name that stands in a template.

    Attributes:
        kind: what it names: `template`, `fragment` or `image`.
        line: of the template.
        prefix: whether the name is only how it begins; the rest is computed.
    """

    kind: str
    name: str
    line: int
    prefix: bool = False

    def means(self, name: str) -> bool:
        """Whether it may be this name."""
        return name.startswith(self.name) if self.prefix else name == self.name


def mentions(every: Iterable[nodes.Node]) -> Iterator[Mention]:
    """The names in a template.

    Args:
        every: the nodes of the template's tree.
    """
    for node in every:
        match node:
            case nodes.Include(template=nodes.Const(value=str() as name)):
                yield Mention(kind="template", name=name, line=node.lineno)
            case nodes.Call(node=nodes.Name(name="fragment" | "image" as kind), args=[nodes.Const(value=str() as name), *_]):
                yield Mention(kind=kind, name=name, line=node.lineno)
            case nodes.Call(node=nodes.Name(name="fragment" | "image" as kind), args=[argument, *_]):
                yield Mention(kind=kind, name=_beginning(argument), line=node.lineno, prefix=True)
            case _:
                pass


def _beginning(argument: nodes.Expr) -> str:
    """The constant that a computed text begins with; empty when it begins with something computed."""
    match argument:
        case nodes.Const(value=str() as text):
            return text
        case nodes.Add(left=left):
            return _beginning(left)
        case _:
            return ""
