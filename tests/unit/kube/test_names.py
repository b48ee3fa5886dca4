"""Requirements on names. Source: k8s.io/apimachinery/pkg/util/validation and recorded verdicts of an API server."""

import pytest

from bundler.kube import names


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (names.dns_label, "tcpxo-daemon"),
        (names.dns_label, "a" * 63),
        (names.dns_subdomain, "torch.distributed-tcpxo"),
        (names.dns_subdomain, "n" * 253),
        (names.service_label, "node"),
        (names.label_value, ""),
        (names.label_value, "a_b.C-1"),
        (names.qualified_name, "devices.gke.io/container.tcpxo-daemon"),
        (names.qualified_name, "app"),
        (names.resource_name, "cpu"),
        (names.resource_name, "hugepages-2Mi"),
        (names.resource_name, "nvidia.com/gpu"),
        (names.environment_name, "NCCL_FASTRAK_IFNAME"),
        (names.environment_name, "a.b-c"),
        (names.port_name, "metrics-1"),
        (names.config_key, "nvidia.conf"),
    ],
)
def test_accepts_what_a_server_accepts(form, text):
    assert form(text) is None


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        (names.dns_label, "a" * 64, "64 characters"),
        (names.dns_label, "gpu.operator", "RFC 1123 label"),
        (names.dns_label, "Node", "RFC 1123 label"),
        (names.dns_label, "node\n", "RFC 1123 label"),
        (names.dns_label, "", "RFC 1123 label"),
        (names.dns_subdomain, "n" * 254, "254 characters"),
        (names.dns_subdomain, "torch_distributed", "RFC 1123 subdomain"),
        (names.dns_subdomain, "torch-", "RFC 1123 subdomain"),
        (names.dns_subdomain, "a..b", "RFC 1123 subdomain"),
        (names.service_label, "1node", "RFC 1035"),
        (names.label_value, "v" * 64, "64 characters"),
        (names.label_value, "-x", "inner"),
        (names.qualified_name, "-bad-", "name part"),
        (names.qualified_name, "devices.gke.io/container.tcpxo daemon", "name part"),
        (names.qualified_name, "example.com/" + "k" * 64, "64 characters"),
        (names.qualified_name, "/a", "prefix"),
        (names.qualified_name, "a/b/c", "prefix"),
        (names.resource_name, "gpu", "prefixed by a domain"),
        (names.environment_name, "", "empty"),
        (names.environment_name, "1A", "no digit first"),
        (names.environment_name, "A=B", "no digit first"),
        (names.port_name, "a" * 16, "16 characters"),
        (names.port_name, "8080", "no letter"),
        (names.port_name, "a--b", "single inner"),
        (names.config_key, "a b", "letters"),
        (names.config_key, "..", "path step"),
    ],
)
def test_says_why_a_text_is_refused(form, text, reason):
    assert reason in form(text)


@pytest.mark.parametrize(
    "form", [names.dns_label, names.dns_subdomain, names.label_value, names.qualified_name, names.environment_name]
)
@pytest.mark.parametrize("text", ["ä", "a\u0661", "a\u200b", "a\x00b"])
def test_only_ascii_is_a_name(form, text):
    assert form(text) is not None
