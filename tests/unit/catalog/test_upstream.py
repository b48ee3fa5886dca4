"""Requirements on reading a resolved recipe of upstream AICR: what means the same is carried over, everything else is said.

Shape of the documents: NVIDIA/aicr v1.0.0, docs/user/cli-reference.md and pkg/recipe (kind RecipeResult).
"""

import pytest

from bundler.catalog.upstream import read_recipe_result
from bundler.errors import InvalidInput
from bundler.model.criteria import Criteria
from bundler.model.finding import Severity
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

CRITERIA = {"service": "gke", "accelerator": "h100", "os": "cos", "intent": "training", "platform": "kubeflow"}
INTERFACES = [{"interfaceName": f"eth{number}", "network": f"gpu-nic-{number - 1}"} for number in range(1, 9)]


def document(**parts):
    data = {"apiVersion": "aicr.run/v1beta2", "kind": "RecipeResult", "criteria": CRITERIA, **parts}
    return read(dump({key: value for key, value in data.items() if value is not None}).encode(), "recipe.yaml")


def refused(**parts):
    with pytest.raises(InvalidInput) as caught:
        read_recipe_result(document(**parts))
    (finding,) = caught.value.findings
    return finding


@pytest.mark.parametrize("version", ["aicr.run/v1", "aicr.run/v1beta1", "aicr.run/v1beta2"])
def test_criteria_are_carried_over_and_located(version):
    request, findings = read_recipe_result(document(apiVersion=version))
    assert (request.criteria, findings) == (Criteria(**CRITERIA), ())
    assert (request.recipe, request.document, request.profiles) == (None, None, {})
    assert str(request.origins["/criteria/service"]).startswith("recipe.yaml:")


@pytest.mark.parametrize("version", ["aicr.nvidia.com/v1alpha1", "aicr.run/v1alpha2", "aicr.run/v2", None])
def test_another_version_is_refused(version):
    finding = refused(apiVersion=version)
    assert (finding.rule, finding.message) == ("AICR-X001", f"upstream recipe has apiVersion {version!r}")


def test_any_is_not_a_criterion():
    request, _ = read_recipe_result(document(criteria={**CRITERIA, "os": "any"}))
    assert request.criteria.os is None


@pytest.mark.parametrize("criteria", [None, {}, {"service": "any"}])
def test_a_recipe_without_criteria_is_refused(criteria):
    assert refused(criteria=criteria).message == "upstream recipe's criteria states no criteria"


@pytest.mark.parametrize("value", ["gke-default", "azure-managed", "operator-managed", "oci-managed"])
def test_the_selected_profile_is_carried_over(value):
    request, findings = read_recipe_result(document(metadata={"selectedProfile": {"name": "gpuStack", "value": value}}))
    assert (request.profiles, findings) == ({"gpuStack": value}, ())


@pytest.mark.parametrize(
    ("value", "severity"), [("bundle-installer", Severity.NOTE), ("driver-installer", Severity.WARNING)], ids=["new", "old"]
)
def test_a_profile_value_is_carried_over_by_what_it_does(value, severity):
    request, (finding,) = read_recipe_result(document(metadata={"selectedProfile": {"name": "gpuStack", "value": value}}))
    assert request.profiles == {"gpuStack": "driver-installer"}
    assert (finding.rule, finding.severity, finding.pointer) == ("AICR-X005", severity, "/metadata/selectedProfile/value")


def test_the_interface_map_chooses_tcpxo_and_keeps_its_order():
    shuffled = [*INTERFACES[4:], *INTERFACES[:4]]
    request, findings = read_recipe_result(document(configuration={"gke": {"tcpxoInterfaces": shuffled}}))
    assert findings == ()
    assert request.profiles == {"fabricAttachment": "gke-tcpxo-multinetwork"}
    interfaces = request.parameters["fabricAttachment"]["interfaces"]
    assert list(interfaces) == [entry["interfaceName"] for entry in shuffled]
    assert interfaces["eth8"] == "gpu-nic-7"


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ("eth1", "configuration.gke.tcpxoInterfaces is not a list"),
        (["eth1"], "configuration.gke.tcpxoInterfaces.0 is not a map of interfaceName and network"),
        ([{"interfaceName": "eth1"}], "configuration.gke.tcpxoInterfaces.0 is not a map of interfaceName and network"),
        ([{"interfaceName": 1, "network": "a"}], "configuration.gke.tcpxoInterfaces.0.interfaceName is not a string"),
        ([INTERFACES[0], INTERFACES[0]], "configuration.gke.tcpxoInterfaces.1 names 'eth1' a second time"),
    ],
)
def test_a_malformed_interface_map_is_refused(items, problem):
    finding = refused(configuration={"gke": {"tcpxoInterfaces": items}})
    assert (finding.rule, finding.message) == ("AICR-X002", f"upstream recipe's {problem}")


def trainer(interfaces):
    return [{"name": "cert-manager"}, {"name": "kubeflow-trainer", "overrides": {"tcpxoInterfaces": interfaces}}]


def test_an_interface_map_that_disagrees_with_its_copy_is_refused():
    other = [*INTERFACES[:7], {"interfaceName": "eth8", "network": "elsewhere"}]
    finding = refused(configuration={"gke": {"tcpxoInterfaces": INTERFACES}}, componentRefs=trainer(other))
    assert (finding.rule, finding.pointer) == ("AICR-X004", "/componentRefs/1/overrides/tcpxoInterfaces")


def test_every_part_that_is_not_carried_over_is_said_once():
    whole = document(
        metadata={
            "version": "v1.0.0",
            "appliedOverlays": ["base", "h100-gke-cos-training-kubeflow"],
            "excludedOverlays": [],
            "constraintWarnings": [],
            "gpuDriverState": "managed",
            "selectedProfile": {"name": "gpuStack", "value": "gke-default", "advertiser": "external", "ownedPaths": {}},
        },
        criteria={**CRITERIA, "nodes": 8},
        configuration={
            "gke": {"tcpxoInterfaces": INTERFACES},
            "slurm": {"accounting": {"mode": "disabled"}},
            "runtimeInventory": [],
        },
        componentRefs=trainer(INTERFACES),
        deploymentOrder=["cert-manager", "kubeflow-trainer"],
        constraints=[{"name": "K8s.server.version", "value": ">= 1.32"}],
        validation={"performance": {}},
        surprise={"a": 1},
    )
    _, findings = read_recipe_result(whole)
    assert {finding.rule for finding in findings} == {"AICR-X003"}
    said = {finding.pointer: finding.severity for finding in findings}
    assert len(said) == len(findings)
    assert {pointer for pointer, severity in said.items() if severity is Severity.WARNING} == {
        "/componentRefs",
        "/configuration/runtimeInventory",
        "/configuration/slurm",
        "/constraints",
        "/criteria/nodes",
        "/surprise",
        "/validation",
    }
    assert {pointer for pointer, severity in said.items() if severity is Severity.NOTE} == {
        "/deploymentOrder",
        "/metadata/appliedOverlays",
        "/metadata/constraintWarnings",
        "/metadata/excludedOverlays",
        "/metadata/gpuDriverState",
        "/metadata/selectedProfile/advertiser",
        "/metadata/selectedProfile/ownedPaths",
        "/metadata/version",
    }


@pytest.mark.parametrize("value", ["text", 1, ["list"], True])
def test_criteria_of_another_shape_are_refused(value):
    assert refused(criteria=value).rule == "AICR-X002"


@pytest.mark.parametrize("part", ["metadata", "configuration"])
@pytest.mark.parametrize("value", ["text", 1, ["list"], True])
def test_a_part_of_another_shape_is_said(part, value):
    _, findings = read_recipe_result(document(**{part: value}))
    assert [finding.pointer for finding in findings] == [f"/{part}"]
