"""The engine's side of the task, as one process: `python -m tests.bench.engine DATA COUNT [--checked]` prints the runtimes."""

from __future__ import annotations

import sys
from pathlib import Path

from bundler.catalog.catalog import Catalog
from bundler.pipeline import compose, render
from bundler.render.render import render_resources
from bundler.yamlio.writer import dump_all
from tests.bench.task import request


def main(data: str, count: str, *, checked: bool) -> None:
    """Compose and render base and overlay, `count` times; with `checked`, hold every object against every rule as well."""
    catalog = Catalog.load(Path(data))
    runtimes = []
    for number in range(int(count)):
        composition = compose(catalog, request(number))
        resources = render(catalog, composition)[0] if checked else render_resources(catalog, composition)
        runtimes.extend(resource.data for resource in resources)
    sys.stdout.write(dump_all(runtimes))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], checked="--checked" in sys.argv[3:])
