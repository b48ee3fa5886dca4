"""Text without secrets: what a report carries away is read by more people than the terminal it was made on.

The forms of tokens are those that their issuers document, so that leaked ones can be found: a prefix, then letters and digits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bundler.report.printable import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["HIDDEN", "redacted", "secrets_in", "telling", "without_secrets"]

HIDDEN = "[redacted]"

_NAME = r"(?:password|passwd|passphrase|secret|token|credentials?|(?:api|access|private|secret|auth)[-_]?key)"
_FORMS = {
    "GitHub token": r"\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,})",
    "GitLab token": r"\bglpat-[\w-]{16,}",
    "Slack token": r"\bxox[abeoprs]-[\w-]{10,}",
    "NVIDIA API key": r"\bnvapi-[\w-]{20,}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{20,}",
    "AWS access key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "Google API key": r"\bAIza[\w-]{30,}",
    "JSON Web Token": r"\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
    "password in a URL": r"(?<=://)[^\s/:@'\"]+:[^\s/@'\"]+(?=@)",
    "bearer token": r"(?i:(?<=\bbearer )|(?<=\bbasic ))[\w.~+/-]{8,}=*",
    "value of a telling key in a flag": rf"(?i:(?<=^--)(?P<flag>[\w-]+ [^=]*{_NAME}=)).+",
    "value of a telling key": rf"(?i:(?P<key>{_NAME}[\"']?(?:=|: ?)))(?:\"[^\"]*\"?|'[^']*'?|[^\s\"',;}}\]]+)",
}
_SECRET = re.compile("|".join(f"(?:{form})" for form in _FORMS.values()))
_TELLING = re.compile(rf"(?i){_NAME}\Z")
_ASSIGNED = re.compile(rf"(?is)(?:(?:--[\w-]+=)?[^=]*{_NAME}=(?P<whole>.+)\Z|.*?{_NAME}[\"']?\s*:\s*\"(?P<quoted>[^\"]+)\")")
_SHORTEST = 4
_LIMIT = 4000


def redacted(text: str, known: Iterable[str] = ()) -> str:
    """The text, cut where no message goes on, with everything in it that looks like a secret replaced.

    Args:
        text: one line or several.
        known: secrets that are hidden wherever they stand, however they look.
    """
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    # Some forms take the square of the length to rule out.
    return _SECRET.sub(lambda match: f"{match['flag'] or match['key'] or ''}{HIDDEN}", shortened(text, _LIMIT))


def secrets_in(words: Iterable[str]) -> frozenset[str]:
    """The values that words such as `nfd:auth.token=VALUE` give to a key that tells a secret.

    A message may quote the value without its key, so the words are asked. A value too short to be one would be hidden in every
    other word, and is none.
    """
    found = (match["whole"] or match["quoted"] for match in map(_ASSIGNED.match, words) if match)
    return frozenset(secret for secret in found if len(secret) >= _SHORTEST and secret not in {"true", "false", "null"})


def without_secrets(data: Any) -> Any:
    """Plain data without a text that its key tells to be a secret: its own key, or one that a map names for its `value`."""
    if isinstance(data, list):
        return [without_secrets(item) for item in data]
    if not isinstance(data, dict):
        return data
    path = data.get("path")
    named = [data.get("name"), path[-1] if isinstance(path, list) and path else None]
    tells = any(isinstance(name, str) and telling(name) for name in named)
    return {
        key: HIDDEN if isinstance(value, str) and (telling(key) or (tells and key == "value")) else without_secrets(value)
        for key, value in data.items()
    }


def telling(pointer: str) -> bool:
    """Whether a JSON pointer ends with a key whose value is a secret by its name."""
    return _TELLING.search(pointer) is not None
