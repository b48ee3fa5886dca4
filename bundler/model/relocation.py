"""Where images are pulled from instead of where their vendors publish them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Relocation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relocation:
    """Registries by which others are replaced; tag and digest of an image never change.

    Attributes:
        to: the registry, with a path or without, for every image that nothing below is for; None refuses such an image.
        registries: registry host → the registry that replaces it.
        images: reference as published → reference in the mirror, for single images.
    """

    to: str | None = None
    registries: Mapping[str, str] = field(default_factory=dict)
    images: Mapping[str, str] = field(default_factory=dict)
