"""Nothing is added: `helm` and `kubectl` apply the bundle, by hand, in the order that its README states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.request import PLAIN
from bundler.publish.deployers.commands import apply, upgrade
from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import Deployer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.publish.deployers.content import Content
    from bundler.publish.deployers.deployer import Document, Settings

__all__ = ["DEPLOYER"]


def documents(_content: Content, _settings: Settings) -> Iterator[Document]:
    """No document."""
    return iter(())


def commands(content: Content, _settings: Settings) -> list[str]:
    """One command a step."""
    return [apply(step.path) if step.form is Form.OBJECTS else upgrade(step, step.path) for step in content.steps]


DEPLOYER = Deployer(name=PLAIN, help="helm and kubectl, by hand", documents=documents, commands=commands)
