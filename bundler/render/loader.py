"""Brings templates from the catalogue into an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2.loaders import BaseLoader

from bundler.errors import InvalidInput
from bundler.render.language import confined
from bundler.render.prepared import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from jinja2.environment import Environment, Template

    from bundler.catalog.catalog import TemplateSource
    from bundler.render.prepared import Dialect, Prepared

__all__ = ["CatalogLoader"]


class CatalogLoader(BaseLoader):
    """Loads by name below `manifests/`, through a function that is given: it opens no file itself."""

    def __init__(self, fetch: Callable[[str], TemplateSource], dialect: Dialect) -> None:
        self.fetch = fetch
        self.dialect = dialect
        self.loaded: dict[str, Prepared] = {}

    def load(self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None) -> Template:  # noqa: A002  (the base class names it)
        """The compiled template.

        Raises:
            InvalidInput: the name leads out of `manifests/`, there is no such template, or it breaks a rule.
        """
        if not confined(name):
            message = f"a template name leads out of manifests/: {name!r}"
            raise InvalidInput("AICR-T008", message, fix="name a template relative to manifests/")
        prepared = prepare(self.fetch(name), self.dialect)
        if prepared.code is None:
            raise InvalidInput.of(prepared.findings)
        self.loaded[name] = prepared
        return environment.template_class.from_code(environment, prepared.code, globals or {}, None)
