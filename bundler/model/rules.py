"""Every rule a finding can name: one table, from which docs/reference/rules.md and report formats are made.

A test holds the table against the code: no id is raised that is not here, and none is here that nothing raises.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RULES", "Rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule's stable id, its title, and why it exists."""

    id: str
    title: str
    why: str


_TABLE: tuple[tuple[str, str, str], ...] = (
    # Y: reading YAML (bundler/yamlio)
    # S: authored documents against their schema (bundler/catalog)
    # C: criteria, layers, merge, constraints, patches, overrides (bundler/compose)
    # P: profiles and parameters (bundler/profiles)
    # T: templates (bundler/render)
    # K: Kubernetes conformance (bundler/conform, bundler/kube)
    # F: fabric wiring (bundler/conform)
    # I: images (bundler/kube, bundler/conform)
    # O: output (bundler/publish)
    # U: usage of the command line (bundler/cli)
)

RULES: dict[str, Rule] = {key: Rule(id=key, title=title, why=why) for key, title, why in _TABLE}
