"""The engine's side of the task, as one process: `python -m tests.bench.engine DATA COUNT [--checked]` prints the runtimes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.catalog.catalog import Catalog
from bundler.composing import compose
from bundler.render.render import render_resources
from bundler.yamlio.writer import dump_all
from tests.bench.task import request

if TYPE_CHECKING:
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition


def main(data: str, count: str, *, checked: bool) -> None:
    """Compose and render base and overlay, `count` times; with `checked`, hold every object against every rule as well."""
    catalog = Catalog.load(Path(data))
    made = _checked if checked else render_resources
    runtimes = []
    for number in range(int(count)):
        runtimes.extend(resource.data for resource in made(catalog, compose(catalog, request(number))))
    sys.stdout.write(dump_all(runtimes))


def _checked(catalog: Catalog, composition: Composition) -> tuple[Resource, ...]:
    from bundler.pipeline import render

    return render(catalog, composition)[0]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], checked="--checked" in sys.argv[3:])
