"""`aicr bom`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.flags import DATA, PLACEMENT, PROFILES, VALUES, Flags, completion, takes
from bundler.cli.printing import emit_form
from bundler.cli.progress import watching
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.bom.bill import Bill
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]

_FORMATS = ("table", "json", "yaml", "cyclonedx", "images", "hauler", "imgpkg")
_PAGE = "docs/reference/images.md"


@click.command("bom", cls=Command)
@click.argument("recipe", required=False, metavar="[RECIPE|BUNDLE]", shell_complete=completion("recipe"))
@click.option(
    "-t", "--format", "form", type=click.Choice(_FORMATS), default="table", show_default=True, help="How to print the product."
)
@click.option("--check", is_flag=True, help=f"Compare {_PAGE} of the checkout with the catalogue; exit 1 when it is not current.")
@takes(PROFILES, VALUES, PLACEMENT, DATA)
@report_flag
def command(*, form: str, check: bool, flags: Flags) -> None:
    """List every image and chart: of a recipe, a bundle or the catalogue.

    BUNDLE is a directory. Without either, the whole catalogue is listed, with every choice, release and version. A list that is
    known to lack something ends with exit code 1.

      aicr bom
      aicr bom out --format cyclonedx
      aicr bom h100-kind-training-kubeflow --format images
    """
    from bundler.catalog.catalog import Catalog

    catalog = Catalog.load(flags.data)
    if check:
        _check(catalog, flags, form)
        return
    bill = _bill(catalog, flags)
    findings = _print(bill, form)
    say(findings)
    if any(finding.severity is Severity.ERROR for finding in findings):
        click.get_current_context().exit(ExitCode.FOUND)


def _bill(catalog: Catalog, flags: Flags) -> Bill:
    from bundler.bom.bill import bill_of

    if flags.recipe is None:
        from bundler.audit import every_bundle

        return every_bundle.bill(catalog, watching("recipes"))
    if Path(flags.recipe).is_dir():
        from bundler.audit.verification import verify

        found = verify(Path(flags.recipe), catalog, render=False)
        if found.findings:
            raise InvalidInput.of(found.findings)
        return bill_of(found.lock["recipe"], [found.lock])
    from bundler import pipeline
    from bundler.cli.request import read_request

    request, notes = read_request(flags, catalog)
    bundle = pipeline.bundle(catalog, request)
    say([*notes, *bundle.warnings])
    return bill_of(bundle.lock["recipe"], [bundle.lock])


def _print(bill: Bill, form: str) -> list[Finding]:
    """Print the bill; what it lacks in that form."""
    from bundler.bom import lists
    from bundler.report.bom import bill_data, bill_table

    match form:
        case "cyclonedx":
            from bundler.bom.cyclonedx import cyclonedx

            emit(cyclonedx(bill))
        case "images":
            emit(lists.image_list(bill))
        case "hauler":
            emit(lists.hauler(bill))
        case "imgpkg":
            emit(lists.imgpkg(bill))
        case _:
            emit_form(form, bill_data(bill), lambda: bill_table(bill))
    return [*lists.incomplete(bill), *(lists.unlisted(bill) if form == "imgpkg" else ())]


def _check(catalog: Catalog, flags: Flags, form: str) -> None:
    from bundler.audit import every_bundle
    from bundler.catalog.files import read_file
    from bundler.report.bom import bill_page

    place = Location(file="aicr bom --check")
    if flags.recipe is not None or form != "table":
        fix = "leave the recipe and the format out"
        raise InvalidInput("AICR-U003", "--check is about the page of the whole catalogue", location=place, fix=fix)
    path = (catalog.data or catalog.sources[0].root) / _PAGE
    committed = read_file(path, shown=str(path)).decode("utf-8", "replace")
    # A first line that says what made the page is no part of it.
    lines = [line for line in committed.splitlines() if not line.startswith("<!--")]
    if lines != [*bill_page(every_bundle.bill(catalog, watching("recipes")))]:
        fix = "run 'make docs', and read the difference before committing it"
        say([Finding(rule="AICR-U031", message=f"{path} is not what the catalogue pulls", location=place, fix=fix)])
        click.get_current_context().exit(ExitCode.FOUND)
    remark(f"{path}: current")
