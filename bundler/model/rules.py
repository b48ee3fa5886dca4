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
    ("AICR-S001", "unknown field", "A field that nothing reads is a typo; accepting it would drop the author's intent in silence."),
    ("AICR-S002", "wrong type", "A value of another type than the schema's would be read differently by each tool that follows."),
    ("AICR-S003", "unusable schema", "A schema that is malformed or refers outside the catalogue cannot be trusted, and is never fetched."),
    ("AICR-S004", "required field missing", "A fact that is required has no default."),
    ("AICR-S005", "value not in the list", "Only the listed values have a meaning."),
    ("AICR-S006", "value breaks its schema", "The schema states a limit or a form that the value does not keep."),
    ("AICR-S007", "wrong kind", "Each folder holds one kind; a document of another kind would never be found."),
    ("AICR-S008", "file name is not the document's name", "Documents are found by file name and cited by name, so both must agree."),
    ("AICR-S009", "schema is not JSON", "Schemas are JSON files."),
    ("AICR-S010", "no such data directory", "`--data` names the directory that extends the packaged data."),
    ("AICR-S011", "too many data files", "A bounded number of files keeps every command's time bounded."),
    ("AICR-S012", "unreadable file", "Only regular, readable files are authored data: a pipe or a device is never opened."),
    ("AICR-S013", "file too large", "A bounded size keeps every command's time and memory bounded."),
    ("AICR-S014", "no such file", "A file named by the user must exist."),
    ("AICR-S015", "symbolic link out of the data", "Data is confined to its directory, so that a bundle depends on nothing else."),
    ("AICR-S016", "folder that is not read", "A misspelt folder would be ignored in silence."),
    ("AICR-S017", "no such release table", "A release parameter draws its rows from `bom/releases/`."),
    ("AICR-S018", "no such authored file", "Templates, fragments and schemas are cited by name and must exist."),
    ("AICR-S019", "template is not UTF-8", "All authored text is UTF-8."),
    ("AICR-S020", "replacement drops a profile", "A recipe from `--data` that hides a packaged choice would turn a required decision into silence."),
    ("AICR-S021", "packaged document replaced", "What `--data` replaces is always said."),
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
