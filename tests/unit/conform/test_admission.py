"""Recorded verdicts of a real API server with the Trainer webhooks: what it refuses or drops is a finding, what it keeps is not.

A case of `vectors/` is one object and what became of it (Kubernetes 1.36, Kubeflow Trainer 2.3, or the CRDs of 2.2). Where this
package is stricter than the server, the case stands in one of the tables below with the rules that speak.
"""

from pathlib import Path

import pytest
import yaml

from bundler.conform.conform import check
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.finding import Severity
from bundler.yamlio.reader import read_stream

CASES = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "vectors").glob("*.yaml"))
}
READ = {name for name, case in CASES.items() if "text" in case}
KEPT = {name for name, case in CASES.items() if case["result"]["accepted"] and not case["result"].get("pruned")}

SERVER = {f"AICR-K{number:03}" for number in (*range(1, 7), *range(10, 14), 16, *range(20, 26), 62)}
"""Rules that speak for a server: structure, object metadata, CEL, webhooks, validation of native kinds."""

UNREADABLE = {
    # The reader refuses what YAML 1.1 and 1.2 read differently, duplicate keys and merge keys, all of which a server may accept.
    "207-text-env-sexagesimal",
    "208-text-env-sexagesimal-short",
    "216-text-env-timestamp",
    "225-text-env-equals",
    "226-text-env-merge-key",
    "228-text-env-ssa-sexagesimal",
    "232-text-annotation-time",
    "234-text-duplicate-key-create",
    "235-text-duplicate-key-ssa",
    "238-text-merge-key",
    "267-core-configmap-duplicate-key-ssa",
    "270-raw-yaml-duplicate-key-create-ignore",
    "274-raw-yaml-env-sexagesimal",
}
STRICTER = {
    "016-null-value-fields": {"AICR-K007"},
    "049-num-nodes-negative": {"AICR-K031"},
    "078-quantity-negative-int": {"AICR-K040", "AICR-K042"},
    "090-quantity-int-ssa": {"AICR-K042"},
    "096-duplicate-container-and-init-name": {"AICR-K051"},
    "108-replicas-two-without-ancestor": {"AICR-K031"},
    "112-webhook-validation-disabled-label": {"AICR-K030"},
    "114-framework-label-missing": {"AICR-K030"},
    "115-restart-policy-nonsense": {"AICR-K060"},
    "117-container-without-image": {"AICR-K052"},
    "124-spec-missing": {"AICR-K031"},
    "126-replicated-jobs-empty": {"AICR-K031"},
    "127-mount-of-missing-volume": {"AICR-K058"},
    "129-volume-with-two-sources": {"AICR-K057"},
    "130-volume-without-source": {"AICR-K057"},
    "132-init-restart-policy-never": {"AICR-K060"},
    "133-env-value-and-value-from": {"AICR-K053"},
    "135-env-name-empty": {"AICR-K053"},
    "136-toleration-operator-bad": {"AICR-K060"},
    "138-port-out-of-range": {"AICR-K034", "AICR-K055"},
    "139-claims-in-runtime": {"AICR-K042", "AICR-K046"},
    "159-replicated-job-name-underscore": {"AICR-K031", "AICR-K063"},
    "160-container-name-underscore": {"AICR-K051"},
    "196-text-env-tilde": {"AICR-K007", "AICR-K030"},
    "198-text-env-empty": {"AICR-K007", "AICR-K030"},
    "217-text-env-version-like": {"AICR-K030"},
    "219-text-env-hash-comment": {"AICR-K030"},
    "220-text-env-colon-space": {"AICR-K030"},
    "223-text-env-single-quoted": {"AICR-K030"},
    "295-claims-in-runtime-2-2": {"AICR-K042", "AICR-K046"},
}
STRICTER_IN_STRUCTURE = {
    # A client fills in the namespace, a create call lets a native list key pass twice, and the items of a list are looked at by no
    # rule.
    "237-text-anchor-and-merge": {"AICR-K013"},
    "246-core-daemonset-duplicate-env": {"AICR-K006"},
    "261-core-list": {"AICR-K010"},
}
BEYOND = {
    # Whether a namespace exists is known to the cluster only.
    "268-core-namespace-missing",
}


def resources_of(case):
    documents = read_stream(case["text"].encode(), "case.yaml") if "text" in case else ()
    every = [document.data for document in documents] or [case["manifest"]]
    return tuple(Resource(data=data, template="case.yaml", positions={}, owner="test") for data in every)


@pytest.fixture(scope="module")
def errors(catalog, composed):
    """The rules that speak on a case as errors. Unpinned images are allowed: no case pins one."""

    def run(name):
        composition = composed(f"{CASES[name]['trainerVersion']}.0", allow_unpinned=True)
        try:
            findings = check(resources_of(CASES[name]), composition, catalog)
        except InvalidInput as error:
            findings = error.findings
        return {finding.rule for finding in findings if finding.severity is Severity.ERROR}

    return run


@pytest.mark.parametrize("name", sorted(CASES.keys() - KEPT - BEYOND))
def test_what_a_server_refuses_or_drops_is_an_error(name, errors):
    assert errors(name)


@pytest.mark.parametrize("name", sorted(KEPT - UNREADABLE))
def test_what_a_server_keeps_is_no_error_of_structure_or_admission(name, errors):
    assert errors(name) & SERVER == STRICTER_IN_STRUCTURE.get(name, set())


@pytest.mark.parametrize("name", sorted(KEPT - UNREADABLE))
def test_what_is_refused_beyond_the_server_is_listed(name, errors):
    assert errors(name) == STRICTER.get(name, set()) | STRICTER_IN_STRUCTURE.get(name, set())


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_ambiguous_text_is_refused_by_the_reader_whatever_a_server_makes_of_it(name, errors):
    assert {rule[:6] for rule in errors(name)} == {"AICR-Y"}


def test_the_tables_name_only_cases_that_a_server_keeps():
    assert UNREADABLE <= KEPT & READ
    assert STRICTER.keys() | STRICTER_IN_STRUCTURE.keys() <= KEPT - UNREADABLE
    assert CASES.keys() - KEPT >= BEYOND


def test_every_runtime_case_is_here():
    runtimes = [case for case in CASES.values() if case["kind"] in {"ClusterTrainingRuntime", "TrainingRuntime"}]
    assert len(runtimes) == 149
