"""The page: what was gathered of a bundle, put into the template. Everything shown is escaped, printable and without secrets.

The template stands in `template/`. It is program and not authored data: unlike a manifest's it writes HTML, so escaping is on, and
a value that is to be markup would have to say so; none does.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.guard.side import Role
from bundler.model.finding import Severity
from bundler.report.changes_html import changes_section
from bundler.report.html import drawing
from bundler.report.printable import printable
from bundler.report.redaction import redacted, without_secrets
from bundler.report.text import count, gravest_first
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.bom.bill import Bill
    from bundler.diff.change import Changes
    from bundler.guard.guard import Verdict
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.model.trace import Assignment
    from bundler.report.html.attachment import Attached

__all__ = ["STATED", "Page", "write_page"]

_TEMPLATE = Path(__file__).parent / "template"
STATED = (
    "observed",
    "allowUnpinned",
    "overrides",
    "scheduling",
    "relocation",
    "delivery",
    "installTime",
    "machines",
    "trainer",
    "certification",
)
"""What of a lock is shown as it stands there, where it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything the page says.

    Attributes:
        lock: of the bundle, which has been held against its schema.
        files: how many the bundle has.
        description: of the recipe; empty when this catalogue does not render the bundle.
        composition: what the bundle was rendered from; None when this catalogue does not render it.
        findings: of verifying the bundle and of comparing its fixtures.
        verdicts: fixtures held against runtimes.
        pods: how each runtime is attached, fabrics first.
        contracts: what each runtime asks of its jobs (`bundler.publish.contract`), with the smallest `job`.
        bill: images and charts.
        changes: against another bundle, as `told` gives them; None without one.
    """

    lock: JsonObject = field(repr=False)
    files: int
    description: str
    composition: Composition | None
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    pods: tuple[Attached, ...]
    contracts: tuple[JsonObject, ...]
    bill: Bill
    changes: Changes | None = None

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What says that this is not the bundle it claims to be, or that it measures something else."""
        return tuple(finding for finding in gravest_first(self.findings) if finding.severity is Severity.ERROR)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """All other findings."""
        return tuple(finding for finding in gravest_first(self.findings) if finding.severity is not Severity.ERROR)

    @property
    def assigned(self) -> Mapping[str, tuple[Assignment, ...]]:
        """Label of a layer → what it set."""
        found: dict[str, list[Assignment]] = {}
        for made in self.composition.trace.assignments.values() if self.composition is not None else ():
            for assignment in made:
                found.setdefault(assignment.layer, []).append(assignment)
        return {label: tuple(sorted(made, key=lambda one: one.location)) for label, made in found.items()}

    @property
    def stated(self) -> JsonObject:
        """What was stated besides the recipe and its profiles."""
        return {name: self.lock[name] for name in STATED if name in self.lock}


def write_page(page: Page) -> str:
    """The page as HTML. The same bundle gives the same bytes."""
    style = Markup((_TEMPLATE / "page.css").read_text(encoding="utf-8"))  # noqa: S704  (our own file)
    changes = Markup(changes_section(page.changes)) if page.changes is not None else None  # noqa: S704  (it escapes its values)
    return _environment().get_template("page.html.j2").render(page=page, style=style, changes=changes, Role=Role)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters |= {"yaml": _yaml, "plural": plural, "count": count, "is_address": _is_address}
    environment.globals |= {"wide": drawing.wide, "narrow": drawing.narrow}
    return environment


def _shown(value: Any) -> Any:
    """A value as it is put on the page, before it is escaped. Markup is what our macros made of values that were here before."""
    if isinstance(value, Markup):
        return value
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return printable("\n".join(map(redacted, text.split("\n"))), keep="\n")


def _yaml(data: Any) -> str:
    return dump(without_secrets(data)).removesuffix("\n")


def _is_address(text: str) -> bool:
    """Whether a source can be linked to: a browser follows no other scheme from this page."""
    return text.startswith("https://")
