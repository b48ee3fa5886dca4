"""The bundle: a closed set of files, ready to be written or compared."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["Bundle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What one recipe renders to.

    Attributes:
        files: POSIX path relative to the bundle's root → bytes, sorted by path; `checksums.txt` lists all the others.
        lock: what `bundle.lock.yaml` holds, as data.
        warnings: findings that did not stop it.
    """

    files: Mapping[str, bytes] = field(repr=False)
    lock: JsonObject = field(default_factory=dict, repr=False)
    warnings: tuple[Finding, ...] = ()
