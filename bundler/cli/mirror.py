"""`aicr mirror`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Flag, Input
from bundler.cli.flags import DATA, PLACEMENT, PROFILES, VALUES, Flags, completion, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle
    from bundler.model.document import JsonObject
    from bundler.model.relocation import Relocation
    from bundler.model.request import Request

__all__ = ["command"]

_WHERE = "Where to"
_PLACE = Location(file="aicr mirror")


@click.command("mirror", cls=Command)
@click.argument("recipe", metavar="RECIPE|BUNDLE", shell_complete=completion("recipe"))
@click.option(
    "--to", cls=Flag, section=_WHERE, metavar="REGISTRY", help="The registry, with a path or without, that holds every image."
)
@click.option(
    "--map", "mapping", cls=Flag, section=_WHERE, metavar="FILE", type=Input(), help="A relocation: registries and single images."
)
@click.option(
    "-o", "--output", cls=Flag, section=_WHERE, metavar="DIR", type=Directory(), help="Write the relocated bundle to DIR."
)
@click.option("--force", cls=Flag, section=_WHERE, is_flag=True, help="Write although DIR is no bundle, or its files were edited.")
@takes(PROFILES, VALUES, PLACEMENT, DATA)
@report_flag
def command(*, to: str | None, mapping: Path | None, output: Path | None, force: bool, flags: Flags) -> None:
    """Relocate a bundle to a registry of your own.

    BUNDLE is a directory; of a RECIPE, what it renders to is relocated. Every image in every object is replaced, and every value of
    a chart that names one; tags and digests stay. What cannot be replaced is refused. Printed is the map from each reference to the
    mirror's, for what copies the images. recipe.yaml records the relocation, so that 'aicr bundle --check' and 'aicr verify' hold
    for the relocated bundle too.

      aicr mirror out --to registry.example.com/aicr > map.yaml
      aicr mirror out --to registry.example.com/aicr -o mirrored
    """
    if (to is None) == (mapping is None):
        message = "--to and --map cannot stand together" if to else "nothing says where the images are mirrored"
        raise InvalidInput("AICR-U014", message, location=_PLACE, fix="give one of --to REGISTRY or --map FILE")
    if force and output is None:
        raise InvalidInput("AICR-U014", "--force means nothing without -o", location=_PLACE, fix="add -o DIR, or leave --force out")
    from bundler import pipeline
    from bundler.catalog.catalog import Catalog

    catalog = Catalog.load(flags.data)
    relocation = _relocation(to, mapping, catalog)
    request = replace(_request(flags, catalog), relocation=relocation)
    bundle = pipeline.bundle(catalog, request)
    say(bundle.warnings)
    if output is None:
        from bundler.yamlio.writer import dump

        emit(dump(_map(bundle)))
        return
    _write(bundle, output, catalog, force=force)


def _relocation(to: str | None, mapping: Path | None, catalog: Catalog) -> Relocation:
    from bundler.bom.relocation import read_relocation

    if mapping is None:
        return read_relocation({"to": to}, lambda _pointer: Location(file=f"--to {to}"))
    document = catalog.open(mapping, kinds=("Relocation",))
    say(document.notes)
    return read_relocation(document.data, document.locate)


def _request(flags: Flags, catalog: Catalog) -> Request:
    """What is relocated: a recipe with its flags, or what a bundle's `recipe.yaml` records, if the bundle is what it renders to."""
    from bundler.cli.request import read_request

    directory = Path(flags.recipe or "")
    if directory.is_dir():
        from bundler.audit.verification import verify

        found = verify(directory, catalog)
        if not found.rendered or found.faults:
            raise InvalidInput.of(found.findings)
        flags = replace(flags, recipe=str(directory / "recipe.yaml"))
    request, notes = read_request(flags, catalog)
    say(notes)
    return request


def _map(bundle: Bundle) -> JsonObject:
    """Every image that moves: a document of kind Relocation, which `--map` takes."""
    moved = [{"from": image["image"], "to": image["at"]} for image in bundle.lock["images"] if "at" in image]
    return {"apiVersion": "aicr.run/v2", "kind": "Relocation", "images": moved}


def _write(bundle: Bundle, output: Path, catalog: Catalog, *, force: bool) -> None:
    from bundler.publish.target import protected_by
    from bundler.publish.write import write
    from bundler.report.summary import write_summary

    report = write(bundle, output, force=force, protected=protected_by(catalog))
    remark(write_summary(bundle, report))
