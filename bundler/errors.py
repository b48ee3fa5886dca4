"""The errors a user can cause. Each carries findings and the exit code it ends the process with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from bundler.exitcodes import ExitCode
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.location import Location

__all__ = ["AicrError", "InvalidInput", "NotFound", "TimedOut", "Unavailable"]


class AicrError(Exception):
    """Root of the errors that are reported as findings, never as a traceback."""

    exit_code: ClassVar[ExitCode] = ExitCode.INVALID

    def __init__(
        self,
        rule: str,
        message: str,
        *,
        location: Location | None = None,
        pointer: str = "",
        subject: str = "",
        fix: str = "",
    ) -> None:
        finding = Finding(rule=rule, message=message, location=location, pointer=pointer, subject=subject, fix=fix)
        super().__init__(f"{rule}: {message}")
        self.findings: tuple[Finding, ...] = (finding,)

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> AicrError:
        """The error that carries several findings at once.

        Args:
            findings: at least one finding.
        """
        every = tuple(findings)
        first = every[0]
        error = cls(first.rule, first.message)
        error.findings = every
        return error


class InvalidInput(AicrError):
    """Bad usage or bad input: exit 2."""


class NotFound(AicrError):
    """A file or name that was given does not exist: exit 3."""

    exit_code = ExitCode.NOT_FOUND


class Unavailable(AicrError):
    """Something is busy, locked or out of reach: exit 6."""

    exit_code = ExitCode.UNAVAILABLE


class TimedOut(AicrError):
    """Something took longer than it may: exit 5."""

    exit_code = ExitCode.TIMEOUT
