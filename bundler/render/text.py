"""Renders plain-text documents, such as a bundle's README, in the sandbox of manifests.

Texts, numbers and booleans are written as they are, wherever they stand; what must not break the document's own syntax is for the
caller to see to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bundler.errors import InvalidInput
from bundler.render.renderer import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.catalog.catalog import TemplateSource

__all__ = ["TextTemplate", "render_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTemplate:
    """A template of plain text, to be rendered more than once."""

    name: str
    renderer: Renderer

    @classmethod
    def of(cls, source: TemplateSource, names: Iterable[str]) -> TextTemplate:
        """The template.

        Args:
            source: its text; it includes no other.
            names: the variables it has.
        """

        def fetch(name: str) -> TemplateSource:
            if name != source.name:
                raise InvalidInput("AICR-T008", f"a text template includes {name!r}", fix="write the text into the template")
            return source

        return cls(name=source.name, renderer=Renderer.plain(fetch, names=names))

    def render(self, context: Mapping[str, Any]) -> str:
        """The text.

        Args:
            context: plain data by variable.

        Raises:
            InvalidInput: the template uses what templates do not have, or an expression fails; located in the template.
        """
        return self.renderer.text(self.name, context)


def render_text(source: TemplateSource, context: Mapping[str, Any]) -> str:
    """The text of a template that is rendered once.

    Raises:
        InvalidInput: as `TextTemplate.render`.
    """
    return TextTemplate.of(source, context).render(context)
