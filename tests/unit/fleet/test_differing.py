"""Requirements on the differences of a fleet."""

from dataclasses import replace

import pytest

from bundler.catalog.catalog import Catalog
from bundler.compose.wording import plural
from bundler.fleet.cluster import Cluster
from bundler.fleet.differing import difference, differences_text
from bundler.model.location import Location
from bundler.model.request import Request

CATALOG = Catalog.load()
CLUSTER = Cluster(name="a", request=Request(recipe="h100-kind-training-kubeflow"), output="a", location=Location(file="fleet.yaml"))


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    return difference(CATALOG, CLUSTER, tmp_path_factory.mktemp("nothing"))


@pytest.mark.parametrize("clusters", [1, 5, 40, 400])
def test_a_comment_has_a_section_for_each_cluster_as_long_as_there_is_room(changes, clusters):
    limit = 30_000
    differing = [(replace(CLUSTER, name=f"cluster-{number:03}"), changes) for number in range(clusters)]
    text = differences_text(differing, "markdown", limit=limit)
    assert len(text.encode()) <= limit
    sections = text.count("\n## cluster-") + text.startswith("## cluster-")
    assert sections == clusters or f"{plural(clusters - sections, 'more cluster')} with differences." in text
    assert sections >= min(clusters, 20)
