"""Text that is safe on a terminal: what could move the cursor, recolour, reorder or hide is written as an escape.

A value from a file or a flag may hold anything; a message about it must not act on the reader's terminal (GHSA-c38g-469g-cmgx).
"""

from __future__ import annotations

import re

__all__ = ["printable", "shortened"]

# C0 and C1 controls, soft hyphen, bidirectional and zero-width controls, line separators, surrogates, the byte order mark, tag
# characters and what is no character: each is invisible or acts on the terminal. Letters, digits, signs and emoji of every script
# stay as they are.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


def printable(text: str, *, keep: str = "") -> str:
    r"""The text with every unsafe character written as an escape such as `\x1b`.

    Args:
        text: anything.
        keep: characters that stay, such as a newline where a field may have several lines.
    """
    return _UNSAFE.sub(lambda match: match[0] if match[0] in keep else ascii(match[0])[1:-1], text)


def shortened(text: str, limit: int) -> str:
    """The text if it is no longer than `limit`, else its beginning and an ellipsis."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
