"""What the Kubernetes client says to the log instead of raising: that a credential plugin failed."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["heard"]


class _Ear(logging.Handler):
    def __init__(self, texts: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.texts = texts

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextmanager
def heard() -> Iterator[list[str]]:
    """Errors that are logged meanwhile, in their order; while someone listens, the log prints none of them by itself."""
    texts: list[str] = []
    ear = _Ear(texts)
    logging.getLogger().addHandler(ear)
    try:
        yield texts
    finally:
        logging.getLogger().removeHandler(ear)
