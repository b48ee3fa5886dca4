"""Requirements on objects from a file of the user's: each with its places, and nothing that is no object."""

import pytest

from bundler.catalog.manifests import read_objects
from bundler.errors import InvalidInput, NotFound

STREAM = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: a}
---
just: data
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: two
"""


def test_every_object_of_a_stream_has_the_places_of_its_values(tmp_path):
    path = tmp_path / "some.yaml"
    path.write_text(STREAM)
    one, two = read_objects(path)
    assert [resource.subject for resource in (one, two)] == ["ConfigMap/one", "ConfigMap/two"]
    assert str(two.locate("/metadata/name")) == f"{path}:10:3"


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFound):
        read_objects(tmp_path / "none.yaml")


def test_a_value_that_readers_take_differently_is_refused(tmp_path):
    path = tmp_path / "some.yaml"
    path.write_text("kind: A\nkind: B\n")
    with pytest.raises(InvalidInput):
        read_objects(path)
