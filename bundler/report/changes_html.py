"""A diff as one HTML page that loads nothing: dark and light, printable, usable with a keyboard alone."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bundler.diff.change import Risk
from bundler.report.changes import SIGNS, edits_word, lines_of, summary
from bundler.report.changes_text import heading, quiet, where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.diff.change import Change, Changes, Edit

__all__ = ["STYLE", "changes_section", "html"]

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --page: #fff; --quiet: #57606a; --line: #d0d7de; --panel: #f6f8fa;
  --gone: #82071e; --gone-page: #ffebe9; --new: #116329; --new-page: #dafbe1;
  --high: #a40e26; --medium: #7d4e00; --low: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --page: #0d1117; --quiet: #9198a1; --line: #3d444d;
  --panel: #151b23; --gone: #ffc1ba; --gone-page: #3c1618; --new: #a6f0b5; --new-page: #12321b;
  --high: #ff9492; --medium: #f0b72f; --low: #79c0ff; } }
body { color: var(--text); background: var(--page); font: 16px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 76rem; padding: 1rem; }
h1, h1 code { font-size: 1.2rem; }
code, pre { font: 0.85rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
caption { text-align: left; }
th, td { border: 1px solid var(--line); padding: 0.2rem 0.4rem; text-align: left; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.6rem 0; }
summary { background: var(--panel); padding: 0.4rem 0.8rem; cursor: pointer; overflow-wrap: anywhere; }
.edit { padding: 0.2rem 0.8rem; }
.said { color: var(--quiet); margin: 0; }
pre { margin: 0.2rem 0 0.6rem; white-space: pre-wrap; }
pre span { display: block; }
.gone { color: var(--gone); background: var(--gone-page); }
.new { color: var(--new); background: var(--new-page); }
.high { color: var(--high); font-weight: 600; }
.medium { color: var(--medium); }
.low { color: var(--low); }
.none { color: var(--quiet); }
@media print { details::details-content { content-visibility: visible; height: auto; } summary { break-after: avoid; } }
"""

_CLASS = {"-": "gone", "+": "new"}


def html(changes: Changes) -> str:
    """The page of the changes, as `told` gives them."""
    title = f"{escape(changes.before)} → {escape(changes.after)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>aicr diff: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1><code>{escape(changes.before)}</code> → <code>{escape(changes.after)}</code></h1>\n"
        f"{changes_section(changes)}</main>\n</body>\n</html>\n"
    )


def changes_section(changes: Changes) -> str:
    """The changes as a part of a page that has `STYLE`."""
    return "".join(f"{line}\n" for line in _section(changes))


def _section(changes: Changes) -> Iterator[str]:
    yield f"<p>{escape(summary(changes))}</p>"
    yield from (f'<p class="said">{escape(note)}</p>' for note in changes.notes)
    if not changes.changes:
        return
    yield "<table><caption>Changes by class and risk</caption>"
    heads = "".join(f'<th scope="col">{risk}</th>' for risk in ("high", "medium", "low", "no risk"))
    yield f'<thead><tr><th scope="col">class</th>{heads}</tr></thead><tbody>'
    for name in changes.by_class:
        risks = [edit.risk for change in changes.changes for edit in change.edits if edit.category == name]
        cells = "".join(f"<td>{risks.count(risk) or ''}</td>" for risk in Risk)
        yield f'<tr><th scope="row">{escape(changes.classes[name])}</th>{cells}</tr>'
    yield "</tbody></table>"
    for change in changes.changes:
        yield from _item(change)


def _item(change: Change) -> Iterator[str]:
    opened = "" if quiet(change) else " open"
    file = "" if change.item.title == change.item.file else f" <code>{escape(change.item.file)}</code>"
    said = f"{change.how}: {edits_word(len(change.edits))}, {_risk(change.risk)}"
    yield f"<details{opened}><summary><strong>{escape(heading(change))}</strong>{file} {said}</summary>"
    for edit in change.edits:
        yield from _edit(edit)
    yield "</details>"


def _edit(edit: Edit) -> Iterator[str]:
    yield f'<div class="edit"><code>{SIGNS[edit.how]} {escape(where(edit))}</code> {escape(edit.category)}, {_risk(edit.risk)}'
    if said := "; ".join(filter(None, (edit.note, edit.why))):
        yield f'<p class="said">{escape(said)}</p>'
    lines = (f'<span class="{_CLASS.get(line.sign, "same")}">{line.sign} {escape(line.text)}</span>' for line in lines_of(edit))
    yield f"<pre>{''.join(lines)}</pre></div>"


def _risk(risk: Risk) -> str:
    return f'<span class="{risk}">{risk} risk</span>' if risk is not Risk.NONE else '<span class="none">no risk</span>'
