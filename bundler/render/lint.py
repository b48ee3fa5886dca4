"""Checks a manifest template without rendering it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.render.prepared import MANIFEST, prepare

if TYPE_CHECKING:
    from bundler.catalog.catalog import TemplateSource
    from bundler.model.finding import Finding

__all__ = ["lint_template"]


def lint_template(source: TemplateSource) -> tuple[Finding, ...]:
    """Every rule the template breaks, in the order of its lines; rendering it would be refused with the same findings."""
    try:
        return prepare(source, MANIFEST).findings
    except InvalidInput as error:
        return error.findings
