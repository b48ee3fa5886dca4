"""Facts of the component values, and the traps of the charts. Source: NVIDIA/aicr recipes/components and the charts themselves."""

import hashlib

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.validation import check

CATALOG = Catalog.load()
LAYERS = {document.name: document for document in (CATALOG.base, *CATALOG.overlays, *CATALOG.recipes.values())}


def stated(layer, component):
    """The values a layer gives a component."""
    components = LAYERS[layer].data.get("components", ())
    return next((each.get("values", {}) for each in components if each["name"] == component), {})


def at(values, path):
    for key in path.split("."):
        values = values[key]
    return values


def everywhere(component):
    entry = CATALOG.registry[component]
    return entry.values.data if entry.values else {}


@pytest.mark.parametrize("component", sorted(CATALOG.registry))
def test_a_component_has_a_values_schema_and_keeps_it(component):
    schema = CATALOG.values_schema(component)
    assert schema is not None
    assert check(everywhere(component), schema) == ()


def assigned():
    for name, document in LAYERS.items():
        for component in document.data.get("components", ()):
            yield name, component
    for axis, profile in CATALOG.profiles.items():
        for name, value in profile.data["values"].items():
            for component in value.get("components", ()):
                yield f"{axis}={name}", component


@pytest.mark.parametrize(
    ("layer", "component"), list(assigned()), ids=lambda value: value if isinstance(value, str) else value["name"]
)
def test_values_of_a_layer_are_values_that_the_chart_reads(layer, component):
    assert check(component.get("values", {}), CATALOG.values_schema(component["name"])) == (), layer


@pytest.mark.parametrize(
    ("component", "path", "value"),
    [
        ("gpu-operator", "nfd.enabled", False),
        ("gpu-operator", "driver.enabled", True),
        ("gpu-operator", "driver.rdma.enabled", False),
        ("gpu-operator", "driver.upgradePolicy.maxParallelUpgrades", 5),
        ("gpu-operator", "hostPaths.driverInstallDir", "/run/nvidia/driver"),
        ("gpu-operator", "toolkit.enabled", True),
        ("gpu-operator", "devicePlugin.enabled", True),
        ("gpu-operator", "operator.resources.limits.memory", "700Mi"),
        ("gpu-operator", "dcgm.enabled", True),
        ("gpu-operator", "ccManager.enabled", False),
        ("gpu-operator", "kataSandboxDevicePlugin.enabled", False),
        ("gpu-operator", "validator.plugin.env", [{"name": "WITH_WORKLOAD", "value": "false"}]),
        ("kubeflow-trainer", "fullnameOverride", "kubeflow-trainer"),
        ("kubeflow-trainer", "runtimes.defaultEnabled", False),
        ("cert-manager", "crds.enabled", True),
        ("nfd", "topologyUpdater.createCRDs", True),
        ("nfd", "topologyUpdater.resources.limits.memory", "256Mi"),
        ("network-operator", "nfd.enabled", False),
        ("network-operator", "nfd.deployNodeFeatureRules", False),
        ("nvidia-dra-driver-gpu", "nameOverride", "nvidia-dra-driver-gpu"),
        ("nvidia-dra-driver-gpu", "controller.priorityClassName", ""),
        ("nvidia-dra-driver-gpu", "kubeletPlugin.priorityClassName", ""),
        ("aws-efa", "fullnameOverride", "aws-efa-k8s-device-plugin"),
        ("nvcre", "fullnameOverride", "nvcre"),
    ],
)
def test_a_value_that_holds_on_every_cluster(component, path, value):
    assert at(everywhere(component), path) == value


@pytest.mark.parametrize(
    ("layer", "component", "path", "value"),
    [
        ("os-cos", "gpu-operator", "hostPaths.driverInstallDir", "/home/kubernetes/bin/nvidia"),
        ("os-cos", "gpu-operator", "toolkit.installDir", "/home/kubernetes/bin/nvidia"),
        ("os-cos", "gpu-operator", "gdrcopy.enabled", False),
        ("service-gke", "gpu-operator", "toolkit.env", [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}]),
        ("service-aks", "gpu-operator", "driver.rdma", {"enabled": True, "useHostMofed": False}),
        ("service-aks", "gpu-operator", "gdrcopy.enabled", False),
        ("service-kind", "gpu-operator", "driver.enabled", False),
        ("service-kind", "gpu-operator", "toolkit.enabled", False),
        ("service-kind", "gpu-operator", "dcgm.enabled", False),
        ("service-kind", "gpu-operator", "migManager.enabled", False),
        ("service-kind", "gpu-operator", "devicePlugin.env", []),
        ("service-kind", "gpu-operator", "operator.resources.requests", {"cpu": "100m", "memory": "200Mi"}),
        ("service-bcm", "gpu-operator", "gds.enabled", True),
        ("h200-k0s", "gpu-operator", "driver.enabled", False),
        ("h200-k0s", "gpu-operator", "migManager.enabled", False),
        ("h200-k0s", "nvidia-dra-driver-gpu", "nvidiaDriverRoot", "/"),
        ("gb200-oke", "network-operator", "operator.resources.requests", {"cpu": "500m", "memory": "2Gi"}),
        ("gb200-oke", "network-operator", "operator.resources.limits", {"cpu": "1", "memory": "2Gi"}),
        ("intent-training", "nfd", "topologyUpdater.enable", True),
    ],
)
def test_a_value_that_differs_with_the_cloud_or_the_system(layer, component, path, value):
    assert at(stated(layer, component), path) == value


@pytest.mark.parametrize(
    ("layer", "health", "mofed"),
    [("service-gke", "x", None), ("service-oke", "109", "false"), ("service-bcm", "109", "false"), ("base", "109", None)],
)
def test_the_device_plugin_of_each_cloud(layer, health, mofed):
    values = everywhere("gpu-operator") if layer == "base" else stated(layer, "gpu-operator")
    env = {each["name"]: each["value"] for each in values["devicePlugin"]["env"]}
    assert env["DP_DISABLE_HEALTHCHECKS"] == health
    assert env["DEVICE_LIST_STRATEGY"] == "cdi-cri,cdi-annotations,volume-mounts"
    assert env.get("MOFED_ENABLED") == mofed


def test_the_toolkit_on_k0s_configures_the_containerd_that_runs():
    # NVIDIA/aicr recipes/overlays/k0s.yaml: without these it configures another and reports success.
    assert {each["name"]: each["value"] for each in stated("service-k0s", "gpu-operator")["toolkit"]["env"]} == {
        "CONTAINERD_CONFIG": "/etc/k0s/containerd.d/nvidia.toml",
        "CONTAINERD_SOCKET": "/run/k0s/containerd.sock",
        "CONTAINERD_RUNTIME_CLASS": "nvidia",
    }


def test_the_dra_driver_on_bcm_tolerates_both_names_of_the_control_plane_and_still_gpu_nodes():
    values = stated("service-bcm", "nvidia-dra-driver-gpu")
    control_plane = {"node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"}
    assert {each["key"] for each in values["controller"]["tolerations"]} == control_plane
    assert {each["key"] for each in values["kubeletPlugin"]["tolerations"]} == control_plane | {"nvidia.com/gpu"}


def test_gpus_are_advertised_once():
    values = everywhere("nvidia-dra-driver-gpu")
    assert values["resources"] == {"gpus": {"enabled": False}, "computeDomains": {"enabled": True}}
    assert "gpuResourcesEnabledOverride" not in values
    assert not any(stated(layer, "nvidia-dra-driver-gpu").keys() & {"resources", "gpuResourcesEnabledOverride"} for layer in LAYERS)


def test_the_driver_is_pinned_by_the_accelerator():
    # R595 removed NVreg_GrdmaPciTopoCheckOverride, without which RDMA on Grace falls back to sockets.
    assert at(stated("accelerator-h100", "gpu-operator"), "driver.version") == "595.91.07"
    assert at(stated("accelerator-gb200", "gpu-operator"), "driver.version") == "580.173.02"
    assert at(stated("accelerator-gb300", "gpu-operator"), "driver.version") == "580.173.02"
    assert "version" not in everywhere("gpu-operator")["driver"]


@pytest.mark.parametrize(
    ("component", "inert"),
    [
        ("gpu-operator", {"driver": {"useOpenKernelModules": True}}),
        ("gpu-operator", {"driver": {"maxParallelUpgrades": 5}}),
        ("gpu-operator", {"daemonsets": {"nodeSelector": {}}}),
        ("gpu-operator", {"cdi": {"default": True}}),
        ("kubeflow-trainer", {"manager": {"leaderElection": {"enabled": True}}}),
        ("kubeflow-trainer", {"manager": {"podSecurityContext": {}}}),
        ("kubeflow-trainer", {"manager": {"metrics": {}}}),
        ("kubeflow-trainer", {"crds": {"install": True}}),
        ("kubeflow-trainer", {"jobset": {"enabled": True}}),
        ("kubeflow-trainer", {"webhook": {"port": 9443}}),
        ("kubeflow-trainer", {"tcpxoInterfaces": []}),
        ("network-operator", {"deployCR": True}),
        ("network-operator", {"nvIpam": {"enabled": True}}),
        ("network-operator", {"secondaryNetwork": {"deploy": True}}),
        ("aws-efa", {"affinity": {}}),
        ("nvcre", {"manager": {"nodeSelector": {}}}),
    ],
    ids=str,
)
def test_a_key_that_the_chart_ignores_is_refused(component, inert):
    assert [finding.rule for finding in check(inert, CATALOG.values_schema(component))] == ["AICR-S001"]


@pytest.mark.parametrize(
    ("component", "live"),
    [
        ("gpu-operator", {"driver": {"kernelModuleType": "open"}}),
        (
            "kubeflow-trainer",
            {"manager": {"config": {"leaderElection": {"leaderElect": True}, "metrics": {"secureServing": True}}}},
        ),
        ("kubeflow-trainer", {"jobset": {"install": False, "fullnameOverride": "jobset"}, "webhook": {"failurePolicy": "Fail"}}),
        ("kubeflow-trainer", {"manager": {"nodeSelector": {"pool": "system"}}, "jobset": {"controller": {"tolerations": []}}}),
        ("nvidia-dra-driver-gpu", {"resources": {"computeDomains": {"imex": {"mode": "driverManaged"}}}}),
        ("aws-efa", {"supportedInstanceLabels": {"keys": ["node.kubernetes.io/instance-type"], "values": ["p5.48xlarge"]}}),
    ],
    ids=str,
)
def test_the_key_that_works_is_accepted(component, live):
    assert check(live, CATALOG.values_schema(component)) == ()


def test_the_efa_plugin_keeps_the_charts_privileges_and_instances():
    # Helm merges maps: allowPrivilegeEscalation false beside the chart's privileged true is refused by the API server.
    assert everywhere("aws-efa").keys() == {"fullnameOverride"}


def test_nothing_needs_the_prometheus_operator():
    assert at(everywhere("gpu-operator"), "dcgmExporter.serviceMonitor.enabled") is False
    assert at(everywhere("cert-manager"), "prometheus.servicemonitor.enabled") is False
    assert at(everywhere("nvcre"), "metrics.serviceMonitor.enabled") is False


@pytest.mark.parametrize(("layer", "devices"), [("service-aks", {"101c", "101e"}), ("gb200-oke", set())])
def test_infiniband_nodes_are_labelled_on_the_node(layer, devices):
    # The worker publishes no pci features, so a cluster-wide NodeFeatureRule over pci.device would match nothing.
    assert "pci.*" in at(everywhere("nfd"), "worker.config.core.noPublishFeatures")
    (rule,) = at(stated(layer, "nfd"), "worker.config.sources.custom")
    assert rule["labels"] == {"feature.node.kubernetes.io/pci-15b3.present": "true"}
    (feature,) = rule["matchFeatures"]
    assert feature["matchExpressions"]["vendor"]["value"] == ["15b3"]
    assert set(feature["matchExpressions"].get("device", {"value": ()})["value"]) == devices


def test_other_module_parameters_bear_another_name_so_that_the_driver_is_reloaded():
    # k8s-driver-manager looks at the operator's configuration, not at the ConfigMap's content.
    params = CATALOG.fragment("kernel-module-params")
    digest = hashlib.sha256(params["nvidia.conf"].encode()).hexdigest()
    assert params == {
        "name": f"nvidia-kernel-module-params-{digest[:10]}",
        "nvidia.conf": "options nvidia NVreg_GrdmaPciTopoCheckOverride=1\n",
    }
    for layer in ("gb200-oke", "gb200-eks", "gb300-eks"):
        assert at(stated(layer, "gpu-operator"), "driver.kernelModuleConfig.name") == params["name"]
