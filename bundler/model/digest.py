"""Digests of plain data."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["canonical_digest"]


def canonical_digest(data: Any) -> str:
    """A digest of plain data that neither its notation nor its place changes: of its JSON with sorted keys and no white space."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
