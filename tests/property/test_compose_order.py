"""Installation order on any graph: a topological order, the least by name at every step, or a circle that is really one."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from bundler.compose.dependencies import in_order
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.model.trace import Assignment

NAMES = "abcdef"
GRAPHS = st.fixed_dictionaries({name: st.sets(st.sampled_from(NAMES), max_size=2) for name in NAMES})


def edge(name, other):
    return Assignment(pointer=f"/{name}/{other}", value=other, action="add", layer="x", location=Location(file="x"))


@given(GRAPHS)
def test_an_order_respects_every_edge_and_a_circle_follows_edges(graph):
    needs = {name: {other: edge(name, other) for other in sorted(others)} for name, others in graph.items()}
    try:
        order = in_order(needs)
    except InvalidInput as error:
        chain = error.findings[0].message.removeprefix("components depend on each other: ").partition(" (")[0].split(" -> ")
        assert chain[0] == chain[-1]
        assert len(set(chain)) == len(chain) - 1
        assert all(other in graph[name] for name, other in itertools.pairwise(chain))
        return
    placed: set[str] = set()
    for name in order:
        ready = {each for each in graph if each not in placed and graph[each] <= placed}
        assert name == min(ready)
        placed.add(name)
    assert placed == set(NAMES)
