"""What a snapshot says of one value: proven, refused because it says several things or an impossible one, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.detect.nodes import Node

__all__ = ["Fact", "agreed", "silent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """The answer of one discovery.

    Attributes:
        source: which objects were asked, and for what.
        nodes: how many nodes agree on the value.
        value: what is proven; None when nothing is.
        refusal: why several answers or an unusable one were found, as the end of a sentence; empty otherwise.
        silence: why there is no answer, as the end of a sentence; empty otherwise.
        candidates: what a user would choose from, as text.
    """

    source: str
    nodes: int = 0
    value: Any = None
    refusal: str = ""
    silence: str = ""
    candidates: tuple[str, ...] = ()


def agreed(source: str, answers: Mapping[tuple[str, ...], Sequence[Node]], *, silence: str) -> Fact:
    """The fact that every node which answers agrees on, or the refusal that lists what they say.

    Args:
        source: which objects were asked, and for what.
        answers: answer → the nodes that give it; a node that gives several proves none of them.
        silence: what is said when no node answers.
    """
    if not answers:
        return Fact(source=source, silence=silence)
    values = tuple(sorted({value for given in answers for value in given}))
    if len(values) == 1:
        return Fact(source=source, value=values[0], nodes=sum(map(len, answers.values())))
    counts = [f"{' and '.join(given)} ({plural(len(nodes), 'node')})" for given, nodes in sorted(answers.items())]
    return Fact(source=source, refusal=f"the nodes say {listed(counts)}", candidates=values)


def silent(source: str, why: str) -> Fact:
    """No answer."""
    return Fact(source=source, silence=why)
