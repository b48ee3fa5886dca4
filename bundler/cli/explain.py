"""`aicr explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.flags import DATA, PLACEMENT, PROFILES, SNAPSHOT, VALUES, Flags, completion, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.cli.terminal import say
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]

_PLACE = Location(file="aicr explain")
_MOST = 2


@click.command("explain", cls=Command)
@click.argument("recipe", shell_complete=completion("recipe"))
@click.argument("target", nargs=-1, required=True, metavar="[RESOURCE] POINTER")
@takes(SNAPSHOT, DATA, PROFILES, VALUES, PLACEMENT)
@format_flag("text")
def command(*, target: tuple[str, ...], flags: Flags, form: str) -> None:
    """Show which layer set a value, from which file and line.

    POINTER is a JSON pointer into the composed recipe, or COMPONENT:PATH as --set takes it. With RESOURCE, named KIND/NAME, it
    points into that rendered object. RECIPE is a name or a file; a bundle's recipe.yaml has all its choices made.

      aicr explain h100-kind-training-kubeflow gpu-operator:driver.enabled
      aicr explain out/recipe.yaml /constraints/K8s.server.version
      aicr explain out/recipe.yaml ClusterTrainingRuntime/torch-distributed /spec/mlPolicy
    """
    if len(target) > _MOST:
        raise InvalidInput(
            "AICR-U003", "one resource and one pointer are explained", location=_PLACE, fix="see 'aicr explain --help'"
        )
    from bundler import pipeline
    from bundler.catalog.catalog import Catalog
    from bundler.cli.request import read_request
    from bundler.render.render import render_resources
    from bundler.report.explanation import (
        explain_resource,
        explain_value,
        explanation_data,
        explanation_text,
        find_resource,
    )

    catalog = Catalog.load(flags.data)
    request, notes = read_request(flags, catalog)
    say(notes)
    composition = pipeline.compose(catalog, request)
    pointer = _pointer(target[-1], catalog)
    if len(target) == _MOST:
        resource = find_resource(render_resources(catalog, composition), target[0], place=_PLACE)
        explanation = explain_resource(composition, resource, pointer, place=_PLACE)
    else:
        explanation = explain_value(composition, pointer, place=_PLACE)
    emit_form(form, explanation_data(explanation), lambda: explanation_text(explanation))


def _pointer(text: str, catalog: Catalog) -> str:
    """The JSON pointer that a text means: itself, or the values of a component by dotted path."""
    if not text or text.startswith("/"):
        return text
    from bundler.compose.index import Index
    from bundler.compose.overrides import parse_set
    from bundler.model.pointer import join

    if ":" not in text:
        raise InvalidInput(
            "AICR-U003", f"a pointer starts with '/', or is COMPONENT:PATH: {text!r}", location=_PLACE, fix="write /components/NAME"
        )
    component, path, _ = parse_set(f"{text}=", flag="aicr explain")
    return join(("components", catalog.derived(Index.of).names.get(component, component), "values", *path))
