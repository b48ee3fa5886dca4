"""Objects that are right, to be made wrong one field at a time."""

import copy
from dataclasses import replace

import jsonpatch
import pytest

from bundler.catalog.catalog import Catalog
from bundler.conform.conform import check
from bundler.kube.resource import Resource
from bundler.model.composition import Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.trace import Trace

POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
NODE = f"{POD}/spec/containers/0"
DIGEST = "sha256:eee11b3b3872a8c838e35ef48f08b2d5def2080902c7f666831310ca1a0ef2be"
IMAGE = f"registry.example.com/train/base:1.0@{DIGEST}"


@pytest.fixture(scope="session")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="session")
def composed():
    """A composition with the Trainer of a version, and with whatever else a test states."""

    def build(version="2.3.0", **stated):
        trainer = Component(name="kubeflow-trainer", version=version, namespace="kubeflow", chart=None, values={})
        composition = Composition(
            recipe="test",
            criteria=Criteria(),
            layers=(),
            components=(trainer,),
            runtimes=(),
            constraints=(),
            selections=(),
            trace=Trace(assignments={}),
        )
        return replace(composition, **stated)

    return build


@pytest.fixture(scope="session")
def judge(catalog, composed):
    """Every finding on objects given as plain data."""

    def run(*objects, composition=None):
        resources = tuple(
            Resource(data=data, template=f"manifests/{index}.yaml.j2", positions={}, owner="test")
            for index, data in enumerate(objects)
        )
        return check(resources, composition or composed(), catalog)

    return run


@pytest.fixture(scope="session")
def after(judge):
    """What is found after RFC 6902 operations on an object, as (rule, pointer) pairs in the order of the pointers."""

    def run(data, *operations, **options):
        changed = jsonpatch.apply_patch(data, list(operations))
        return sorted((finding.rule, finding.pointer) for finding in judge(changed, **options))

    return run


@pytest.fixture
def runtime():
    """A torch runtime that is right in every respect."""
    return copy.deepcopy(RUNTIME)


@pytest.fixture
def daemonset():
    """A DaemonSet that is right in every respect."""
    return copy.deepcopy(DAEMONSET)


RUNTIME = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "torch-distributed", "labels": {"trainer.kubeflow.org/framework": "torch"}},
    "spec": {
        "mlPolicy": {"numNodes": 1, "torch": {}},
        "template": {
            "spec": {
                "replicatedJobs": [
                    {
                        "name": "node",
                        "replicas": 1,
                        "template": {
                            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                            "spec": {
                                "template": {
                                    "metadata": {"annotations": {"example.com/note": "text"}},
                                    "spec": {
                                        "nodeSelector": {"pool": "gpu"},
                                        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                                        "initContainers": [
                                            {
                                                "name": "sidecar",
                                                "image": IMAGE,
                                                "restartPolicy": "Always",
                                                "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}},
                                            }
                                        ],
                                        "containers": [
                                            {
                                                "name": "node",
                                                "image": IMAGE,
                                                "imagePullPolicy": "IfNotPresent",
                                                "ports": [{"name": "metrics", "containerPort": 9090}],
                                                "env": [
                                                    {"name": "ROOT", "value": "/data"},
                                                    {"name": "CACHE", "value": "$(ROOT)/cache, costs $$(5)"},
                                                ],
                                                "resources": {
                                                    "requests": {"cpu": "500m", "nvidia.com/gpu": "8"},
                                                    "limits": {"cpu": "1", "nvidia.com/gpu": "8"},
                                                },
                                                "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],
                                            }
                                        ],
                                        "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory"}}],
                                    },
                                }
                            },
                        },
                    }
                ]
            }
        },
    },
}

DAEMONSET = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "installer", "namespace": "kube-system", "labels": {"k8s-app": "installer"}},
    "spec": {
        "selector": {"matchLabels": {"k8s-app": "installer"}},
        "template": {
            "metadata": {"labels": {"k8s-app": "installer"}},
            "spec": {
                "hostNetwork": True,
                "containers": [
                    {
                        "name": "pause",
                        "image": IMAGE,
                        "securityContext": {"privileged": True},
                        "resources": {"requests": {"cpu": "150m"}},
                    }
                ],
                "tolerations": [{"operator": "Exists"}],
            },
        },
    },
}
