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
    ("AICR-Y001", "not UTF-8", "All authored text is UTF-8."),
    ("AICR-Y002", "forbidden character", "YAML 1.1 takes some characters for line breaks, so two readers would see two documents."),
    ("AICR-Y003", "file too large", "A bounded size keeps every command's time and memory bounded."),
    ("AICR-Y004", "not YAML", "A file that cannot be parsed says nothing."),
    ("AICR-Y005", "no document", "An empty file is a mistake more often than a meaning."),
    ("AICR-Y006", "more than one document", "A second document in a file of one would be ignored in silence."),
    ("AICR-Y007", "nested too deep", "A bounded depth keeps every walk over a document safe."),
    ("AICR-Y008", "too many values", "A few lines of aliases can stand for billions of values, so what they expand to is bounded."),
    ("AICR-Y009", "unusable alias", "An alias repeats a finished value written before it; into itself it would have no end."),
    ("AICR-Y010", "directive", "A directive changes how the rest of the file is read."),
    ("AICR-Y011", "tag", "Tags make readers build objects, or types that JSON does not have."),
    ("AICR-Y012", "merge key", "YAML 1.2 has no merge keys, so only some readers would merge."),
    ("AICR-Y013", "duplicate key", "Readers keep the first, the last, or refuse: one of the two values would be lost."),
    ("AICR-Y014", "key is not a string", "Kubernetes and JSON have no other keys."),
    ("AICR-Y015", "ambiguous scalar", "Unquoted, it is another value to each reader, or a number that would be rewritten."),
    ("AICR-Y016", "byte order mark", "Some tools take it for a part of the first key."),
    ("AICR-Y017", "Windows line ends", "The digest of a file changes with its line ends."),
    # S: authored documents against their schema (bundler/catalog)
    ("AICR-S001", "unknown field", "A field that nothing reads is a typo; accepting it would drop the author's intent in silence."),
    ("AICR-S002", "wrong type", "A value of another type than the schema's would be read differently by each tool that follows."),
    (
        "AICR-S003",
        "unusable schema",
        "A schema that is malformed or refers outside the catalogue cannot be trusted, and is never fetched.",
    ),
    ("AICR-S004", "required field missing", "A fact that is required has no default."),
    ("AICR-S005", "value not in the list", "Only the listed values have a meaning."),
    ("AICR-S006", "value breaks its schema", "The schema states a limit or a form that the value does not keep."),
    ("AICR-S007", "wrong kind", "Each folder holds one kind; a document of another kind would never be found."),
    (
        "AICR-S008",
        "file name is not the document's name",
        "Documents are found by file name and cited by name, so both must agree.",
    ),
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
    (
        "AICR-S020",
        "replacement drops a profile",
        "A recipe from `--data` that hides a packaged choice would turn a required decision into silence.",
    ),
    ("AICR-S021", "packaged document replaced", "What `--data` replaces is always said."),
    # C: criteria, layers, merge, constraints, patches, overrides (bundler/compose)
    # P: profiles and parameters (bundler/profiles)
    # T: templates (bundler/render)
    # K: Kubernetes conformance (bundler/conform, bundler/kube)
    # F: fabric wiring (bundler/conform)
    # I: images (bundler/kube, bundler/conform)
    (
        "AICR-I001",
        "image digest is malformed",
        "Only a full sha256 digest names one image; anything else is fetched as something else or not at all.",
    ),
    ("AICR-I002", "image name is malformed", "A reference that is no OCI name cannot be pulled, mirrored or looked up."),
    ("AICR-I003", "image tag is malformed", "A tag outside the OCI grammar cannot be pulled."),
    # O: output (bundler/publish)
    (
        "AICR-O001",
        "no portable file name",
        "A bundle is checked out on many file systems, and each name must mean one file on all of them.",
    ),
    (
        "AICR-O004",
        "malformed inventory",
        "What an inventory lists may be replaced and removed, so it is read in one exact form.",
    ),
    ("AICR-O005", "inventory leads out", "A bundle owns files of its own directory and no others."),
    ("AICR-O006", "bundle is not closed", "A file that the inventory does not list would never be checked or removed."),
    ("AICR-O010", "output is no directory", "A bundle is a directory of files."),
    (
        "AICR-O011",
        "output is a symbolic link",
        "What the link points to may be shared, and replacing it would surprise whoever shares it.",
    ),
    (
        "AICR-O012",
        "output holds more than a bundle",
        "The output directory is replaced whole, so nothing else may live there or above.",
    ),
    ("AICR-O013", "output is not a bundle", "Files of somebody else are not mixed with rendered ones unless that is asked for."),
    ("AICR-O014", "edited file of the bundle", "An edit by hand would be lost, and belongs into the recipe."),
    ("AICR-O015", "file in the way", "A file that the bundle never wrote is never replaced, whatever the flags."),
    ("AICR-O016", "output is busy", "Two runs on one directory would leave a mixture."),
    ("AICR-O017", "output cannot be written", "The disk refused; the previous bundle stands as it was."),
    ("AICR-O018", "files without a place", "A file that no bundle owns is never removed, even when its place was taken meanwhile."),
    ("AICR-O019", "output spans file systems", "Only a tree on one file system can be put in place in one step."),
    ("AICR-O021", "no such bundle directory", "A comparison needs two sides."),
    ("AICR-O022", "no bundle directory", "A bundle is a directory of files."),
    ("AICR-O023", "unreadable bundle", "What cannot be read is never taken for equal."),
    # U: usage of the command line (bundler/cli)
    ("AICR-U001", "no such command", "The nearest name is offered instead of a guess."),
    ("AICR-U002", "no such option", "The nearest name is offered instead of a guess."),
    ("AICR-U003", "wrong usage", "A word that is missing, or one too many, is never guessed."),
    ("AICR-U004", "malformed profile choice", "`--profile` names one axis and one of its values, exactly as declared."),
    ("AICR-U005", "malformed parameter", "`--param` names an axis, a parameter of it, and a value."),
    ("AICR-U006", "malformed override", "An override names a component and a path of keys; a list has no stable index to set."),
    ("AICR-U007", "override is not data", "What is merged into a component's values is one strict JSON or YAML document."),
    ("AICR-U008", "malformed component version", "`--component-version` names a component and one version."),
    ("AICR-U009", "malformed placement", "Node labels and taints follow Kubernetes label syntax, or no pod is ever scheduled."),
    ("AICR-U010", "flag too long", "A bounded length keeps every command's time and memory bounded."),
    ("AICR-U011", "nothing chooses a recipe", "There is no default recipe: hardware and cloud are always stated."),
    (
        "AICR-U012",
        "recipe and criteria together",
        "A recipe states its criteria; a second statement could only repeat or contradict it.",
    ),
    ("AICR-U013", "malformed parameters file", "A parameters file is a map of axis, then parameter name, then value."),
    ("AICR-U014", "named twice", "Of two words on one thing, neither is silently dropped."),
    ("AICR-U015", "no single destination", "A bundle goes to one place, which is always stated."),
    ("AICR-U016", "no such schema", "A name that was given must exist."),
    ("AICR-U017", "no such profile axis", "A name that was given must exist."),
    ("AICR-U018", "no such recipe", "A name that was given must exist."),
    ("AICR-U019", "no such rendered object", "An explanation is of an object that this recipe renders."),
    ("AICR-U020", "nothing at the pointer", "An explanation is of a value that exists or was deleted."),
    ("AICR-U021", "committed bundle is not current", "What is deployed from git must be what the recipe renders today."),
    # X: import of upstream recipes (bundler/catalog/upstream.py)
    ("AICR-X001", "upstream recipe of an unread version", "Earlier versions mean other things by the same names."),
    ("AICR-X002", "malformed upstream recipe", "A part that is carried over must have the shape that upstream writes."),
    ("AICR-X003", "part not carried over", "What an imported recipe says and this bundle does not is said once a part."),
    (
        "AICR-X004",
        "upstream interface map disagrees with its copy",
        "Upstream writes the map twice; whoever edited one copy meant both.",
    ),
    ("AICR-X005", "upstream profile value means something else", "A value is carried over by what it does, not by its name."),
)

RULES: dict[str, Rule] = {key: Rule(id=key, title=title, why=why) for key, title, why in _TABLE}
