"""Forms of names in Kubernetes objects: each check gives the reason why a text is not of the form, or None.

Sources: RFC 1123 and RFC 1035 as k8s.io/apimachinery/pkg/util/validation applies them; recorded verdicts of an API server
(tests/unit/conform/vectors). Every form is ASCII, and none admits a trailing newline.
"""

from __future__ import annotations

import re

__all__ = [
    "config_key",
    "dns_label",
    "dns_subdomain",
    "environment_name",
    "label_value",
    "port_name",
    "qualified_name",
    "resource_name",
    "service_label",
]

_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\Z")
_SUBDOMAIN = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\Z")
_SERVICE_LABEL = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?\Z")
_NAME_PART = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\Z")
_ENVIRONMENT = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*\Z")
_CONFIG_KEY = re.compile(r"[-._a-zA-Z0-9]+\Z")
_PORT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_LABEL_LENGTH = 63
_SUBDOMAIN_LENGTH = 253
_PORT_LENGTH = 15
_NATIVE_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage", "storage"})


def dns_label(text: str) -> str | None:
    """RFC 1123 label: containers, volumes, namespaces."""
    return _formed(text, _LABEL, _LABEL_LENGTH, "is not lower case letters, digits and inner '-' (RFC 1123 label)")


def dns_subdomain(text: str) -> str | None:
    """RFC 1123 subdomain: names of most objects."""
    form = "is not lower case letters, digits, inner '-' and single dots (RFC 1123 subdomain)"
    return _formed(text, _SUBDOMAIN, _SUBDOMAIN_LENGTH, form)


def service_label(text: str) -> str | None:
    """RFC 1035 label: services, TrainJobs and the replicated jobs whose names become host names."""
    form = "is not a letter and then lower case letters, digits and inner '-' (RFC 1035 label)"
    return _formed(text, _SERVICE_LABEL, _LABEL_LENGTH, form)


def label_value(text: str) -> str | None:
    """Value of a label; it may be empty."""
    return _formed(text, _NAME_PART, _LABEL_LENGTH, "is not letters, digits and inner '-', '_' or '.'") if text else None


def qualified_name(text: str) -> str | None:
    """Key of a label or annotation: a name of up to 63 characters, optionally after a DNS prefix and a slash."""
    prefix, slash, name = text.rpartition("/")
    if slash and dns_subdomain(prefix):
        return f"has the prefix {prefix!r}, which is no DNS subdomain"
    reason = _formed(name, _NAME_PART, _LABEL_LENGTH, "is not letters, digits and inner '-', '_' or '.'")
    return f"has a name part that {reason}" if reason else None


def resource_name(text: str) -> str | None:
    """Name of a container resource: a native one, `hugepages-<size>`, or `<domain>/<name>`."""
    if text in _NATIVE_RESOURCES or text.startswith("hugepages-"):
        return None
    if "/" not in text:
        return "is neither a resource of Kubernetes nor prefixed by a domain"
    return qualified_name(text)


def environment_name(text: str) -> str | None:
    """Name of an environment variable."""
    if text in {"", ".", ".."}:
        return "is empty or a path step"
    return None if _ENVIRONMENT.match(text) else "is not letters, digits, '-', '_' and '.', with no digit first"


def port_name(text: str) -> str | None:
    """Name of a container port (IANA service name)."""
    if not re.search("[a-z]", text):
        return "has no letter"
    return _formed(text, _PORT, _PORT_LENGTH, "is not lower case letters, digits and single inner '-'")


def config_key(text: str) -> str | None:
    """Key of a ConfigMap's data."""
    if text == "." or text.startswith(".."):
        return "is a path step"
    return _formed(text, _CONFIG_KEY, _SUBDOMAIN_LENGTH, "is not letters, digits, '-', '_' and '.'")


def _formed(text: str, form: re.Pattern[str], longest: int, otherwise: str) -> str | None:
    if len(text) > longest:
        return f"is {len(text)} characters long, at most {longest} are allowed"
    return None if form.match(text) else otherwise
