"""A drawing of attached pods: shapes at places, in two layouts, one for wide screens and one for narrow ones.

Every text is set in a fixed-width face, so that its width is known without a font, and is broken into lines instead of being cut.
"""

from __future__ import annotations

from dataclasses import field
from math import ceil
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.report.html.attachment import TRAINS
from bundler.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.report.html.attachment import Attached, Box, Link, Volume

__all__ = ["Drawing", "Shape", "narrow", "wide"]

_SIZE = 12.5
_ADVANCE = 7.6
"""Width of one character; the widest common fixed-width face takes 0.605 of its size."""
_LINE = 17
_PAD = 10
_GPU = 16
_BREAKS = "/-._:,= "


_Place = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One thing drawn.

    Attributes:
        tag: `rect`, `path` or `text`.
        look: classes of the style sheet.
        text: of a `text`; the commands of a `path`.
    """

    tag: str
    look: str
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    text: str = ""


@dataclass(slots=True, kw_only=True)
class Drawing:
    """Shapes in the order in which they cover each other.

    Attributes:
        width: in units, which are pixels where the drawing has its own size.
    """

    width: float
    height: float = 0
    shapes: list[Shape] = field(default_factory=list)

    def rect(self, x: float, y: float, width: float, height: float, look: str) -> None:
        """A box."""
        self.shapes.append(Shape(tag="rect", look=look, x=x, y=y, width=width, height=height))

    def path(self, commands: str, look: str) -> None:
        """A line."""
        self.shapes.append(Shape(tag="path", look=look, text=commands))

    def text(self, x: float, y: float, text: str, look: str = "") -> None:
        """A line of text on its base line."""
        self.shapes.append(Shape(tag="text", look=look, x=x, y=y, text=text))

    def lines(self, x: float, y: float, width: float, text: str, look: str = "") -> float:
        """A text broken to a width, from `y` downwards; the height it takes."""
        parts = broken(text, width)
        for number, part in enumerate(parts):
            self.text(x, y + _LINE * number + _SIZE, part, look)
        return _LINE * len(parts)


def broken(text: str, width: float) -> list[str]:
    """The text in lines of at most a width, broken after a separator where there is one in the second half of a line."""
    most = max(4, int(width // _ADVANCE))
    rest, parts = printable(text), []
    while len(rest) > most:
        at = max(rest.rfind(separator, most // 2, most) for separator in _BREAKS) + 1 or most
        parts.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    return [*parts, rest]


def wide(pods: Attached) -> Drawing:
    """Left the node with its pod, in the middle the networks, right all other nodes."""
    total, pod, margin, gap, others, stub = 1100, 380, 14, 12, 100, 16
    near = _width_of([link.label for link in pods.links], least=90, most=236)
    far = _width_of([_leads_to(link) for link in pods.links], least=120, most=270)
    node = margin + pod + stub + near - gap
    content = Drawing(width=total)
    top = 34
    pod_end, end = _node(content, pods, x=margin, y=top, width=pod)
    rows = _rows(pods.links, near, far)
    tall = sum(rows) + gap * (len(rows) - 1)
    bottom = max(end, top + tall) + margin
    drawing = Drawing(width=total, height=bottom + 1)
    drawing.rect(0.5, 0.5, node, bottom, "node")
    drawing.text(margin, 22, _node_title(pods), "strong")
    left = total - others
    drawing.rect(left, 0.5, others - 0.5, bottom, "node other")
    said = drawing.lines(left + _PAD, 10, others - 2 * _PAD, "every other node", "strong")
    drawing.lines(left + _PAD, 14 + said, others - 2 * _PAD, "attached alike", "quiet")
    start = round((node + gap + left - far) / 2)
    y = top + max(0.0, (pod_end - top - tall) / 2)
    for link, height in zip(pods.links, rows, strict=True):
        middle = y + height / 2
        drawing.path(f"M{margin + pod} {middle:g}h{stub}", f"wire {link.way}")
        drawing.path(f"M{start + far} {middle:g}H{left}", f"wire {link.way}")
        _link(drawing, link, (margin + pod + stub, y, near, height), (start, y, far, height))
        y += height + gap
    drawing.shapes += content.shapes
    return drawing


def narrow(pods: Attached) -> Drawing:
    """The pod on top, below it one row for each interface: left what the node has, right where it leads to."""
    total, margin, gap, wire = 342, 10, 10, 34
    near = _width_of([link.label for link in pods.links], least=80, most=150)
    far = total - margin - near - wire - 1
    content = Drawing(width=total)
    _, end = _node(content, pods, x=margin, y=34, width=total - 2 * margin)
    rows = _rows(pods.links, near, far)
    bottom = end + sum(rows) + gap * len(rows) + margin
    edge = margin + near + 6
    drawing = Drawing(width=total)
    shoulder = f"V{end:g}q0 8-8 8H{edge + 8:g}q-8 0-8 8" if pods.links else ""
    drawing.path(f"M.5 8.5q0-8 8-8h{total - 17}q8 0 8 8{shoulder}V{bottom - 8:g}q0 8-8 8H8.5q-8 0-8-8z", "node")
    drawing.text(margin, 22, _node_title(pods), "strong")
    y = end + margin + 4
    for link, height in zip(pods.links, rows, strict=True):
        _link(drawing, link, (margin, y, near, height), (margin + near + wire, y, far, height))
        y += height + gap
    drawing.height = bottom + 8 + drawing.lines(0, bottom + 6, total, "Every other node of the job is attached alike.", "quiet")
    drawing.shapes += content.shapes
    return drawing


def _width_of(texts: Sequence[str], *, least: float, most: float) -> int:
    """As wide as the longest text wants it, within bounds."""
    wanted = max((len(text) for text in texts), default=0) * _ADVANCE + 2 * _PAD
    return ceil(min(most, max(least, wanted)))


def _node_title(pods: Attached) -> str:
    return f"node, 1 of {pods.nodes}" if pods.nodes > 1 else "node"


def _rows(links: Sequence[Link], near: float, far: float) -> list[float]:
    """The height of each link: of its name or of its network, whichever takes more lines."""
    both = (((link.label, near), (_leads_to(link), far)) for link in links)
    return [max(len(broken(text, width - 2 * _PAD)) for text, width in pair) * _LINE + 10 for pair in both]


def _leads_to(link: Link) -> str:
    return link.network or "the fabric"


def _link(drawing: Drawing, link: Link, near: _Place, far: _Place) -> None:
    """An interface, a network, and the wire between them."""
    for (x, y, width, height), text in ((near, link.label), (far, _leads_to(link))):
        drawing.rect(x, y, width, height, f"end {link.way}")
        lines = len(broken(text, width - 2 * _PAD))
        drawing.lines(x + _PAD, y + (height - lines * _LINE) / 2 + 1, width - 2 * _PAD, text)
    drawing.path(f"M{near[0] + near[2]:g} {near[1] + near[3] / 2:g}H{far[0]:g}", f"wire {link.way}")


def _node(drawing: Drawing, pods: Attached, *, x: float, y: float, width: float) -> tuple[float, float]:
    """The pod and the volumes; where each of the two ends."""
    inner = width - 2 * _PAD
    content = Drawing(width=width)
    below = y + 30
    for box in pods.boxes:
        below = _container(content, box, x + _PAD, below, inner) + _PAD
    drawing.rect(x, y, width, below - y, "pod")
    drawing.text(x + _PAD, y + 20, "pod", "strong")
    drawing.shapes += content.shapes
    return below, _volumes(drawing, pods.volumes, x, below + _PAD, width) if pods.volumes else below


def _container(drawing: Drawing, box: Box, x: float, y: float, width: float) -> float:
    at = len(drawing.shapes)
    below, inner = y + 6, width - 2 * _PAD
    for text, look in _said(box):
        below += drawing.lines(x + _PAD, below, inner, text, look)
    if box.gpus:
        below = _gpus(drawing, box, x + _PAD, below + 4, inner)
    for mount in box.mounts:
        path = f"{mount.path} (read only)" if mount.read_only else mount.path
        _number(drawing, mount.number, x + _PAD, below + 2)
        below += drawing.lines(x + _PAD + 30, below + 1, inner - 30, path) + 1
    below += 8
    look = "container" if box.role == TRAINS else "beside"
    drawing.shapes.insert(at, Shape(tag="rect", look=look, x=x, y=y, width=width, height=below - y))
    return below


def _said(box: Box) -> Iterator[tuple[str, str]]:
    yield f"{box.name}: {box.role}", "strong"
    yield box.image, "quiet"
    if box.settings:
        yield plural(box.settings, "environment variable"), "quiet"
    if box.capabilities:
        yield f"adds {', '.join(box.capabilities)}", "quiet"
    if box.devices:
        yield plural(len(box.devices), "device file"), "quiet"


def _gpus(drawing: Drawing, box: Box, x: float, y: float, width: float) -> float:
    """A square for each GPU; their number alone where they would fill more than a line."""
    if box.gpus * (_GPU + 4) <= width:
        for number in range(box.gpus):
            drawing.rect(x + number * (_GPU + 4), y, _GPU, _GPU, "gpu")
        y += _GPU + 4
    return y + drawing.lines(x, y, width, f"{box.gpus} × {box.gpu}") + 4


def _volumes(drawing: Drawing, volumes: Sequence[Volume], x: float, y: float, width: float) -> float:
    at, below = len(drawing.shapes), y + 6
    below += drawing.lines(x + _PAD, below, width - 2 * _PAD, "volumes", "strong")
    for volume in volumes:
        _number(drawing, volume.number, x + _PAD, below + 2)
        below += drawing.lines(x + _PAD + 30, below + 1, width - 2 * _PAD - 30, volume.name)
        below += drawing.lines(x + _PAD + 30, below, width - 2 * _PAD - 30, volume.source, "quiet") + 2
    below += 6
    drawing.shapes.insert(at, Shape(tag="rect", look="volumes", x=x, y=y, width=width, height=below - y))
    return below


def _number(drawing: Drawing, number: int, x: float, y: float) -> None:
    drawing.rect(x, y, 22, 15, "tab")
    drawing.text(x + 11, y + 12, str(number), "middle")
