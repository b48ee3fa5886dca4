"""Row I4, without the guard's half: a row of a release matrix has its source, and its images move together."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.pipeline import compose

TABLE = """\
apiVersion: aicr.run/v2
kind: ReleaseTable
metadata: {name: tcpxo, description: A test., source: "https://example.com"}
default: v1
releases:
  - name: v1
    source: "https://example.com/v1"
    plugin: {repository: a.io/plugin, tag: v1}
    daemon: {repository: a.io/daemon, tag: v2, args: ["--num_hops=2"]}
"""


def table(tmp_path, text):
    path = tmp_path / "bom/releases/tcpxo.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return Catalog.load(tmp_path).release_table("tcpxo")


def test_a_row_with_its_source_is_read(tmp_path):
    assert table(tmp_path, TABLE).data["default"] == "v1"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('    source: "https://example.com/v1"\n', ""),
        ('    source: "https://example.com/v1"\n', '    source: ""\n'),
        ("    plugin: {repository: a.io/plugin, tag: v1}\n", ""),
        ("tag: v2", "tag: 'not a tag'"),
    ],
)
def test_a_row_without_a_source_or_without_its_plugin_is_refused(tmp_path, before, after):
    with pytest.raises(InvalidInput):
        table(tmp_path, TABLE.replace(before, after))


def test_a_release_that_is_not_in_the_matrix_is_refused_with_the_nearest():
    request = Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={
            "fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}, "release": "v1.0.51"}
        },
    )
    with pytest.raises(InvalidInput) as caught:
        compose(Catalog.load(), request)
    (finding,) = caught.value.findings
    assert "v1.0.51" in finding.message
    assert "v1.0.15" in finding.fix
