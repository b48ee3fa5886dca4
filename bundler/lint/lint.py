"""Everything that is wrong with authored data, found without a user's choices.

In this order, since each step reads what the one before it found sound: every file by its schema; every template; the profile
declarations; references between files; every recipe bundled with every combination of its choices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.catalog import KINDS, Catalog, TemplateSource
from bundler.catalog.files import read_file
from bundler.catalog.root import packaged_root
from bundler.errors import AicrError, InvalidInput
from bundler.lint.certification import check_certification
from bundler.lint.documents import check_files, check_json
from bundler.lint.references import check_layer, check_references
from bundler.lint.trial import try_recipes
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.watch import unwatched
from bundler.profiles.declarations import check_declarations
from bundler.render.lint import lint_template

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bundler.model.watch import Watch

__all__ = ["lint_catalog", "lint_path"]


def lint_catalog(catalog: Catalog, watch: Watch = unwatched) -> tuple[Finding, ...]:
    """Everything wrong with the packaged data and the data laid over it.

    Templates and references are judged once every document is sound, since a document that cannot be read names nothing.
    """
    try:
        found = [*check_files(catalog), *_templates(catalog)]
        if not _errors(found):
            found += [*catalog.notes, *check_declarations(catalog), *check_references(catalog), *check_certification(catalog)]
        if not _errors(found):
            found += try_recipes(catalog, watch)
    except AicrError as error:
        return error.findings
    return tuple(dict.fromkeys(found))


def lint_path(path: Path, watch: Watch = unwatched) -> tuple[Finding, ...]:
    """Everything wrong with a data directory laid over the packaged data, or with one file beside it.

    Raises:
        NotFound: nothing is there.
        InvalidInput: the file is of no kind that is authored.
    """
    if path.is_dir():
        return lint_catalog(Catalog.load() if path.resolve() == packaged_root() else Catalog.load(path), watch)
    raw = read_file(path, shown=str(path))
    location = Location(file=str(path))
    match "".join(path.suffixes[-1:]):
        case ".j2":
            return lint_template(TemplateSource(name=path.name, file=str(path), text=_text(raw, location)))
        case ".json":
            return tuple(check_json(raw, str(path)))
        case ".yaml" | ".yml":
            return _document(path)
        case suffix:
            message = f"no authored file ends in {suffix!r}"
            raise InvalidInput("AICR-U003", message, location=location, fix="give a directory, or a .yaml, .json or .j2 file")


def _templates(catalog: Catalog) -> Iterable[Finding]:
    """What is wrong with the templates of Kubernetes objects; a template of plain text is only rendered."""
    return [finding for name in catalog.templates if name.endswith(".yaml.j2") for finding in lint_template(catalog.template(name))]


def _document(path: Path) -> tuple[Finding, ...]:
    catalog = Catalog.load()
    try:
        document = catalog.open(path, kinds=(*KINDS, "BundleRecipe"))
    except InvalidInput as error:
        return error.findings
    layered = document.kind in {"Base", "Overlay", "Recipe"}
    return (*document.notes, *(check_layer(catalog, document) if layered else ()))


def _text(raw: bytes, location: Location) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("AICR-S019", "template is not UTF-8", location=location, fix="save it as UTF-8") from None


def _errors(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)
