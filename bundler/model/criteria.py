"""Criteria: which hardware, cloud and workload a recipe or overlay is for."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DIMENSIONS", "Criteria"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """A value for each stated dimension; None means any.

    The accepted values are those that authored documents name; there is no closed list in code.
    """

    service: str | None = None
    accelerator: str | None = None
    os: str | None = None
    intent: str | None = None
    platform: str | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Criteria:
        """The criteria a schema-valid mapping states."""
        return cls(**{name: data[name] for name in DIMENSIONS if name in data})

    def stated(self) -> dict[str, str]:
        """Only the dimensions that have a value, in the fixed order of the dimensions."""
        return {name: value for name in DIMENSIONS if (value := getattr(self, name)) is not None}

    def covers(self, other: Criteria) -> bool:
        """Whether every dimension stated here has the same value in `other`."""
        return all(getattr(other, name) == value for name, value in self.stated().items())

    @property
    def specificity(self) -> int:
        """The number of stated dimensions."""
        return len(self.stated())


DIMENSIONS: tuple[str, ...] = tuple(field.name for field in fields(Criteria))
