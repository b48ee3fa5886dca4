"""A TrainJob that states only what every training job states keeps all of every runtime that ships, on every Trainer version."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundler import pipeline
from bundler.catalog.catalog import Catalog
from bundler.conform.pods import is_runtime
from bundler.model.document import Document
from bundler.model.pointer import tokens
from bundler.profiles.trials import trials
from bundler.render.render import render_resources
from bundler.trainer.check import Checker
from bundler.trainer.runtimes import Runtimes
from bundler.trainer.standards import context_of, trainjob_schema
from bundler.trainer.survival import Fate
from bundler.trainer.versions import trainer_version

VERSIONS = ("2.2.0", "2.3.0")


@cache
def shipped():
    """Every runtime of every recipe with every choice, once; fixtures are for measuring, not for jobs."""
    catalog = Catalog.load()
    found = {}
    for recipe in catalog.recipes.values():
        for request in trials(catalog, recipe):
            composition = pipeline.compose(catalog, request)
            names = {runtime.name for runtime in composition.runtimes}
            for resource in render_resources(catalog, composition):
                if is_runtime(resource) and resource.name in names:
                    found.setdefault(json.dumps(resource.data, sort_keys=True), resource)
    return tuple(found.values())


@cache
def checker(version):
    catalog, known = Catalog.load(), trainer_version(version)
    schema, context = trainjob_schema(catalog, known), context_of(catalog, known)

    def judge(resource, **spec):
        runtimes = Runtimes.of([resource], shipped=True)
        reference = {"name": resource.name, "kind": resource.kind}
        data = {
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "TrainJob",
            "metadata": {"name": "job", "namespace": resource.namespace or "team"},
            "spec": {"runtimeRef": reference, **spec},
        }
        document = Document(file="job.yaml", data=data, positions={})
        return Checker(version=known, schema=schema, runtimes=runtimes, context=context).check(document)

    return judge


words = st.lists(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Z")), max_size=20), max_size=4)
names = st.from_regex(r"\AMY_[A-Z0-9_]{1,8}\Z")
variables = st.lists(names, unique=True, max_size=4).map(lambda every: [{"name": name, "value": "1"} for name in every])
usual = st.fixed_dictionaries(
    {},
    optional={
        "image": st.just("registry.example.com/team/train:1"),
        "command": words,
        "args": words,
        "env": variables,
        "numNodes": st.integers(1, 64),
    },
)
runtimes = st.deferred(lambda: st.sampled_from(shipped()))


def test_there_are_runtimes_of_every_kind_to_try():
    assert {resource.kind for resource in shipped()} == {"ClusterTrainingRuntime", "TrainingRuntime"}
    assert len({resource.name for resource in shipped()}) > 5


@pytest.mark.parametrize("version", VERSIONS)
@given(resource=runtimes, trainer=usual)
def test_the_usual_job_keeps_every_part_of_every_shipped_runtime(version, resource, trainer):
    verdict = checker(version)(resource, trainer=trainer)
    assert verdict.admitted, verdict.findings
    assert [one for one in verdict.survivors if one.fate is not Fate.KEPT] == []


@pytest.mark.parametrize("version", VERSIONS)
@given(resource=runtimes, data=st.data())
def test_a_variable_that_the_job_sets_is_the_only_one_that_changes(version, resource, data):
    known = sorted(
        {
            part.name
            for part in Runtimes.of([resource]).by_name.popitem()[1].parts
            if part.kind == "variable" and part.container == "node"
        }
    )
    chosen = data.draw(st.sets(st.sampled_from(known), max_size=3)) if known else set()
    env = [{"name": name, "value": "another value"} for name in sorted(chosen)]
    verdict = checker(version)(resource, trainer={"env": env})
    assert {one.part.name for one in verdict.survivors if one.fate is not Fate.KEPT} == chosen


amounts = st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu", "vpc.amazonaws.com/efa"]), st.just("1"), max_size=2)
resources = st.fixed_dictionaries({}, optional={"limits": amounts, "requests": amounts})
pod_changes = st.fixed_dictionaries(
    {},
    optional={
        "tolerations": st.just([{"key": "example.com/other", "operator": "Exists"}]),
        "nodeSelector": st.just({"example.com/pool": "a"}),
        "volumes": st.just([{"name": "dshm", "hostPath": {"path": "/x"}}]),
        "containers": st.just([{"name": "node", "securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}}}]),
    },
)


@pytest.mark.parametrize("version", VERSIONS)
@given(resource=runtimes, trainer=st.fixed_dictionaries({}, optional={"resourcesPerNode": resources}), change=pod_changes)
def test_without_the_cause_a_part_is_what_it_was(version, resource, trainer, change):
    job = {"name": "node", "template": {"spec": {"template": {"spec": change}}}}
    patch = {"manager": "example.com/try", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [job]}}}}
    spec = {"trainer": trainer, "runtimePatches": [patch]}
    verdict = checker(version)(resource, **spec)
    for lost in (one for one in verdict.survivors if one.fate is not Fate.KEPT):
        mended = checker(version)(resource, **without(spec, tokens(lost.cause)[1:]))
        assert next(one.fate for one in mended.survivors if one.part == lost.part) is Fate.KEPT, lost


def without(data, steps):
    head, *rest = steps
    if isinstance(data, list):
        return [without(item, rest) if at == int(head) else item for at, item in enumerate(data) if rest or at != int(head)]
    return {key: without(value, rest) if key == head else value for key, value in data.items() if rest or key != head}
