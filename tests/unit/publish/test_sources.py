"""Requirements on the record of authored files."""

import re

from bundler.catalog.catalog import Catalog
from bundler.publish.sources import _Templates


def test_packaged_templates_name_fragments_and_parts_as_texts():
    """The record is made from the text of a template, so a computed name would be missed."""
    catalog = Catalog.load()
    for name in catalog.templates:
        text = catalog.template(name).text
        assert not re.search(r"\bfragment\(\s*(?![\"'\s])", text), name
        assert not re.search(r"\{%-?\s*include\s+(?![\"'])", text), name


def test_a_template_is_recorded_with_the_parts_and_fragments_it_names(tmp_path):
    manifests = tmp_path / "manifests"
    (manifests / "fragments").mkdir(parents=True)
    (manifests / "fragments/data.yaml").write_text("a: 1\n")
    (manifests / "one.yaml.j2").write_text('{# fragment("none") #}\n{% include "_part.yaml.j2" %}\n')
    (manifests / "_part.yaml.j2").write_text('a: {{ fragment( "data" ) | to_json }}\n')
    templates = _Templates(Catalog.load(tmp_path))
    assert templates["one.yaml.j2"].includes == ("_part.yaml.j2",)
    assert templates["one.yaml.j2"].fragments == ()
    assert [fragment.file for fragment in templates["_part.yaml.j2"].fragments] == [f"{tmp_path}/manifests/fragments/data.yaml"]
