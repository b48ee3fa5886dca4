"""Image references: parse, format, relocate.

Grammar: OCI distribution reference (github.com/distribution/reference). A registry host is recognised by a dot, a port or
`localhost`; a reference without one means Docker Hub, where a bare name stands below `library/`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput

__all__ = ["Image"]

_LONGEST = 255
_REMEMBERED = 4096
"""References whose parts are kept: a bundle names each of its images many times."""
_HUB = "docker.io"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\Z")
_REGISTRY = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?\Z")
_REPOSITORY = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A container image reference. Identity is repository and digest; the registry is only where it is fetched from."""

    registry: str
    repository: str
    tag: str | None = None
    digest: str | None = None

    @classmethod
    @lru_cache(maxsize=_REMEMBERED)
    def parse(cls, text: str) -> Image:
        """Parse a reference as written in a manifest.

        Raises:
            InvalidInput: the text is not a reference; the message names the part at fault.
        """
        if "://" in text:
            raise InvalidInput("AICR-I002", f"image reference has a scheme: {text[:_LONGEST]!r}", fix="write it without a scheme")
        name, at, digest = text.partition("@")
        if at and not _DIGEST.match(digest):
            message = f"image digest is not sha256 with 64 hex digits: {digest[:_LONGEST]!r}"
            raise InvalidInput("AICR-I001", message, fix="pin the full digest")
        head, slash, rest = name.partition("/")
        has_registry = bool(slash) and ("." in head or ":" in head or head == "localhost")
        registry, path = (head, rest) if has_registry else (_HUB, name)
        if not _REGISTRY.match(registry):
            raise InvalidInput("AICR-I002", f"image registry is not a host: {registry[:_LONGEST]!r}", fix="write host or host:port")
        repository, colon, tag = path.partition(":")
        if len(registry) + 1 + len(repository) > _LONGEST:
            raise InvalidInput("AICR-I002", f"image name has more than {_LONGEST} characters", fix="shorten the repository")
        if not _REPOSITORY.match(repository):
            message = f"image repository is not valid: {repository[:_LONGEST]!r}"
            raise InvalidInput("AICR-I002", message, fix="use lower case, digits and single separators")
        if colon and not _TAG.match(tag):
            message = f"image tag is not valid: {tag[:_LONGEST]!r}"
            raise InvalidInput("AICR-I003", message, fix="use at most 128 letters, digits, '.', '_' or '-'")
        if registry == _HUB and "/" not in repository:
            repository = f"library/{repository}"
        return cls(registry=registry, repository=repository, tag=tag or None, digest=digest or None)

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.registry}/{self.repository}{tag}{digest}"

    @property
    def name(self) -> str:
        """Registry and repository: what a digest or tag is looked up in."""
        return f"{self.registry}/{self.repository}"

    def relocated(self, registry: str) -> Image:
        """The same image fetched from another registry. The digest, and with it the identity, is kept."""
        return replace(self, registry=registry)
