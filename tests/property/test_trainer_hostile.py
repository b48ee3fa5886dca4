"""Whatever somebody writes into a TrainJob or a runtime, the check ends with findings and never with a traceback."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundler.model.finding import Severity
from tests.unit.trainer.recorded import cases, check

RUNS = list(cases("materialise").values())
WRONG = [None, "", 0, -1, True, [], {}, "x", 1.5, [None], {"a": None}, "auto", 10**12, [[]], {"name": {}}]


def places(data, path=()):
    if path:
        yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from places(value, (*path, index))


@st.composite
def spoilt(draw, data, times):
    """The data with some places removed, doubled, extended or holding something else."""
    data = deepcopy(data)
    for _ in range(draw(times)):
        *above, last = draw(st.sampled_from(list(places(data))))
        owner = data
        for step in above:
            owner = owner[step]
        match draw(st.sampled_from(["remove", "replace", "double"])):
            case "remove":
                owner.pop(last)
            case "replace":
                owner[last] = deepcopy(draw(st.sampled_from(WRONG)))
            case "double" if isinstance(owner, list):
                owner.append(deepcopy(owner[last]))
            case _:
                owner["extra"] = 1
        if not data:
            break
    return data


@pytest.mark.parametrize("version", ["2.2", "2.3", "2.4-preview"])
@settings(max_examples=150)
@given(data=st.data(), run=st.sampled_from(RUNS))
def test_a_spoilt_job_or_runtime_ends_with_findings(version, data, run):
    job = data.draw(spoilt(run["trainJob"], st.integers(0, 3)))
    runtime = data.draw(spoilt(run["runtime"], st.integers(0, 3)))
    verdict = check(version, job, runtime)
    assert verdict.admitted or any(finding.severity is Severity.ERROR for finding in verdict.findings)
    assert verdict.jobset is not None or not verdict.admitted
