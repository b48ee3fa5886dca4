"""The files that a deployer adds to a bundle, each object held against the schema of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform.structure import faults
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.publish.charts import local_chart
from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import ROOT
from bundler.publish.files import OutputFile
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.publish.deployers.chosen import Chosen
    from bundler.publish.deployers.content import Content

__all__ = ["deployer_files"]


def deployer_files(chosen: Chosen, content: Content, catalog: Catalog) -> Iterator[OutputFile]:
    """Every file below `deploy/`.

    Args:
        chosen: the deployer and its settings.
        content: what there is to deploy.
        catalog: where the schemas are.

    Raises:
        InvalidInput: an object breaks the schema of its kind, as with a component's name that its API does not take.
    """
    directory = f"{ROOT}/{chosen.deployer.name}"
    of = f"deployer {chosen.deployer.name}"
    findings = []
    for document in chosen.deployer.documents(content, chosen.settings):
        path = f"{directory}/{document.path}"
        findings += [
            Finding(rule=fault.rule, message=fault.message, location=Location(file=path), pointer=fault.pointer, fix=fault.fix)
            for fault in faults(document.data, catalog.schema(document.schema))
        ]
        yield OutputFile(path=path, content=dump(document.data).encode(), of=of)
    if findings:
        raise InvalidInput.of(findings)
    if chosen.deployer.charts:
        yield from _charts(f"{directory}/charts", content)


def _charts(directory: str, content: Content) -> Iterator[OutputFile]:
    """A chart around the plain objects of each step that has no chart, the objects as they are."""
    for step in content.steps:
        if step.form is Form.OBJECTS:
            root = f"{directory}/{step.name}"
            chart = local_chart(step.name, "", step.description, step.objects)
            yield OutputFile(path=f"{root}/Chart.yaml", content=dump(chart).encode(), of=f"chart {step.name}")
            for file in step.objects:
                name = file.path.rpartition("/")[2]
                yield OutputFile(path=f"{root}/templates/{name}", content=file.content, of=file.of, location=file.location)
