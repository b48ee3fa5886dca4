"""Requirements on the record of authored files: what the renderer loaded, by the names that stand in its templates."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.composition import Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.request import Request
from bundler.model.trace import Trace
from bundler.publish.sources import sources


@pytest.fixture
def recorded(tmp_path):
    """The templates and fragments that are recorded for one component whose template is given, beside a part and fragments."""

    def record(text):
        manifests = tmp_path / "manifests"
        (manifests / "fragments").mkdir(parents=True)
        for name in ("data", "arch-amd64", "arch-arm64"):
            (manifests / f"fragments/{name}.yaml").write_text("a: 1\n")
        (manifests / "_part.yaml.j2").write_text('a: {{ fragment( "data" ) | to_json }}\n')
        (manifests / "one.yaml.j2").write_text(text)
        component = Component(name="x", version="", namespace="x", chart=None, values={}, manifests=("one.yaml.j2",))
        composition = Composition(
            recipe="r",
            criteria=Criteria(),
            layers=(),
            components=(component,),
            runtimes=(),
            constraints=(),
            selections=(),
            trace=Trace(assignments={}),
        )
        inputs = sources(composition, Request(recipe="r"), Catalog.load(tmp_path), texts={})
        return list(inputs["templates"]), list(inputs["fragments"])

    return record


def test_a_template_is_recorded_with_the_parts_it_includes_and_the_fragments_of_all(recorded):
    templates, fragments = recorded('{% include "_part.yaml.j2" %}\n')
    assert sorted(templates) == ["manifests/_part.yaml.j2", "manifests/one.yaml.j2"]
    assert fragments == ["manifests/fragments/data.yaml"]


def test_a_mention_in_a_comment_or_a_text_is_none(recorded):
    assert recorded('# fragment("data")\n{# include "_part.yaml.j2" #}\na: fragment("data")\n') == (["manifests/one.yaml.j2"], [])


def test_a_computed_name_stands_for_every_fragment_that_begins_like_it(recorded):
    _, fragments = recorded('a: {{ fragment("arch-" + criteria.service) | to_json }}\n')
    assert fragments == ["manifests/fragments/arch-amd64.yaml", "manifests/fragments/arch-arm64.yaml"]


def test_what_was_rendered_is_read_from_disk_no_second_time(recorded, monkeypatch):
    read = []
    fetch = Catalog.template
    monkeypatch.setattr(Catalog, "template", lambda self, name: read.append(name) or fetch(self, name))
    recorded('{% include "_part.yaml.j2" %}\n')
    assert sorted(read) == ["_part.yaml.j2", "one.yaml.j2"]
