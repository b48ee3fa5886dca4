"""Requirements on references between authored files: a computed name counts for every name it may become."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.lint.references import check_references

TEMPLATE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n  namespace: default\ndata:\n  key: %s\n"
IMAGES = (
    "apiVersion: aicr.run/v2\nkind: ImageTable\nmetadata: {name: images, description: Mine.}\nimages:\n"
    "  - {name: spare-one, repository: example/one, tag: v1, source: none}\n"
    "  - {name: spare-two, repository: example/two, tag: v1, source: none}\n"
)


def findings(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [(finding.rule, finding.message) for finding in check_references(Catalog.load(tmp_path))]


def test_the_packaged_data_refers_to_all_of_itself():
    assert list(check_references(Catalog.load())) == []


@pytest.mark.parametrize(
    ("expression", "unused"),
    [
        ('"x"', ["spare-one", "spare-two"]),
        ('image("spare-one")', ["spare-two"]),
        ('image("spare-" + criteria.service)', []),
        ('image("spare-" ~ criteria.service)', []),
        ("image(criteria.service)", []),
    ],
)
def test_an_image_is_used_when_a_template_may_name_it(tmp_path, expression, unused):
    template = TEMPLATE % f"{{{{ {expression} | quote }}}}"
    found = findings(tmp_path, {"bom/images.yaml": IMAGES, "manifests/components/mine/x.yaml.j2": template})
    assert [message for _, message in found if "image" in message] == [f"nothing uses the image {name!r}" for name in unused]


def test_a_computed_name_that_can_become_nothing_is_dangling(tmp_path):
    found = findings(tmp_path, {"manifests/components/mine/x.yaml.j2": TEMPLATE % '{{ image("no-such-" + criteria.os) | quote }}'})
    assert ("AICR-S031", "no image is named 'no-such-'") in found


def test_a_part_is_used_by_the_template_that_includes_it(tmp_path):
    files = {
        "manifests/components/mine/_part.yaml.j2": "  part: {{ criteria.os | quote }}\n",
        "manifests/components/mine/x.yaml.j2": TEMPLATE % '"v"' + '{% include "components/mine/_part.yaml.j2" %}\n',
    }
    unused = [message for rule, message in findings(tmp_path, files) if rule == "AICR-S032"]
    assert unused == ["nothing uses the template 'components/mine/x.yaml.j2'"]


def test_a_list_of_accepted_values_names_values_that_exist(tmp_path):
    recipe = (
        "apiVersion: aicr.run/v2\nkind: Recipe\nmetadata: {name: mine, description: Mine.}\n"
        "criteria: {service: kind, accelerator: h100, os: ubuntu, intent: training, platform: kubeflow}\n"
        "profiles:\n  fabricAttachment: {required: true, values: [none, nothing]}\n"
    )
    assert findings(tmp_path, {"recipes/mine.yaml": recipe}) == [("AICR-S031", "no value of fabricAttachment is named 'nothing'")]
