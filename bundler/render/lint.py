"""Checks a manifest template without rendering it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.render.loader import parse_manifest
from bundler.render.renderer import Renderer

if TYPE_CHECKING:
    from jinja2 import nodes

    from bundler.catalog.catalog import TemplateSource
    from bundler.model.finding import Finding
    from bundler.render.loader import Parsed

__all__ = ["lint_template", "parsed_template"]


def lint_template(source: TemplateSource) -> tuple[Finding, ...]:
    """Every rule the template breaks, in the order of its lines; rendering it would be refused with the same findings."""
    try:
        return _parsed(source).findings
    except InvalidInput as error:
        return error.findings


def parsed_template(source: TemplateSource) -> tuple[nodes.Node, ...]:
    """Every node of the template's tree.

    Raises:
        InvalidInput: the template is no valid Jinja.
    """
    return _parsed(source).every


def _parsed(source: TemplateSource) -> Parsed:
    environment = Renderer.manifests(lambda _: source, images={}, fragment=lambda _: None).environment
    return parse_manifest(environment, source)
