"""Requirements on claims: both halves are there, and the template is made where its pods are."""

import copy

import pytest

POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
SPEC = f"{POD}/spec"
CLAIM = f"{SPEC}/resourceClaims/0"


@pytest.fixture
def claiming(runtime):
    """A runtime of a namespace whose training container uses a claim of the pod."""

    def build(template="channel", namespace="team-a"):
        data = copy.deepcopy(runtime)
        if namespace:
            data["kind"] = "TrainingRuntime"
            data["metadata"]["namespace"] = namespace
        pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
        pod["resourceClaims"] = [{"name": "imex", "resourceClaimTemplateName": template}]
        pod["containers"][0]["resources"]["claims"] = [{"name": "imex"}]
        return data

    return build


def compute_domain(template="channel", namespace="team-a"):
    return {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": {"name": "domain", "namespace": namespace},
        "spec": {"channel": {"resourceClaimTemplate": {"name": template}}},
    }


def claim_template(name="channel", namespace="team-a"):
    request = {"name": "nics", "exactly": {"deviceClassName": "nics.example.com"}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }


@pytest.mark.parametrize("maker", [compute_domain, claim_template])
def test_a_claim_with_both_halves_and_a_template_beside_it_passes(maker, claiming, judge):
    assert judge(claiming(), maker()) == ()


def test_a_claim_that_no_container_uses_is_found(claiming, judge):
    data = claiming()
    containers = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"]
    del containers[0]["resources"]["claims"]
    (finding,) = judge(data, compute_domain())
    assert (finding.rule, finding.pointer) == ("AICR-K045", f"{CLAIM}/name")
    assert finding.message == "no container uses the claim 'imex': its device is allocated, and appears in none of them"
    assert finding.fix == "add it to resources.claims of the container that needs it"


def test_a_runtime_of_the_whole_cluster_has_no_claim_template(claiming, judge):
    (finding,) = judge(claiming(namespace=""))
    assert (finding.rule, finding.pointer) == ("AICR-K046", f"{CLAIM}/resourceClaimTemplateName")
    assert finding.message == "the claim template 'channel' lives in one namespace, and the runtime serves the jobs of all"
    assert finding.fix == "render a TrainingRuntime in the namespace of the template"


@pytest.mark.parametrize(
    "other", [[], [compute_domain(namespace="team-b")], [compute_domain(template="other")], [claim_template(name="other")]]
)
def test_a_template_that_nothing_makes_in_the_namespace_is_said(other, claiming, judge):
    (finding,) = judge(claiming(), *other)
    assert (finding.rule, finding.pointer, finding.severity) == ("AICR-K047", f"{CLAIM}/resourceClaimTemplateName", "warning")
    assert finding.message == "no object of the bundle makes the claim template 'channel' in namespace 'team-a'"
