"""The page of what a certification tests, with which defaults, on which nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.catalog.catalog import Catalog
from bundler.certify.entries import entries, overlays
from bundler.certify.images import tagged
from bundler.certify.options import DEFAULTS, OF_DIAGNOSE, OF_RESOURCES
from bundler.certify.parallelism import split_of
from bundler.certify.thresholds import METRICS
from bundler.certify.when import summary
from bundler.detect.gpus import Gpus
from bundler.detect.platforms import platforms
from generator.text import code, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["certification"]

_BY_NODE = {
    "nodesPerJob": "1 without a cluster; with nodes, the most that can hold the test",
    "gpusPerNode": "of the architecture, see Nodes",
    "mlnxPerNode": "of the architecture, see Nodes",
    "nicResourceName": "what the nodes advertise, else none",
    "enableMNNVL": "true where NVLink joins nodes, see Nodes",
    "measurementTimeout": "the controller waits 5m for a measurement, and fails a test that has a threshold on it",
    "storageClassName": "that of the cluster",
    "image": "that of the test, or of the platform's override",
    "sourceRepo": "that of the test",
    "maxConcurrent": "0, no limit",
    "saveTopK": "1; it is of NeMo 4, and no test reads it",
    "timeoutPerJob": "1h, or that of the test; 24h for a WorkloadRun",
}


def certification() -> Iterator[str]:
    """The page `certification.md`."""
    catalog = Catalog.load()
    yield "# Certification"
    yield ""
    yield "What can be tested, and what stands where nothing is stated. How to: [certify nodes](../how-to/certify-nodes.md)."
    yield "Fields and their forms: [documents](schemas.md). Sources: `recipes/certification`, `overlays/certification`,"
    yield "`bom/releases/tcpxo.yaml`."
    yield from _section("Tests", ("test", "image", "measured as", "timeout", "GPUs at least", "tensor x pipeline"), _tests(catalog))
    yield from _section("Options", ("option", "default"), _options())
    yield ""
    otherwise = ", ".join(f"{code(name)} {value}" for name, value in OF_DIAGNOSE.items())
    yield f"With `testScale: diagnose`: {otherwise}. `intra-node` makes `nodesPerJob` 1; other scales are of tests between nodes."
    yield f"Thresholds are conditions on {', '.join(map(code, METRICS))}; none ship by default."
    yield from _section("Nodes", ("GPU architecture", "GPUs", "NICs", "NVLink between nodes", "otherwise"), _shapes(catalog))
    yield from _section("Platforms", ("platform", "nodes are recognised by", "racks of a WorkloadRun"), _platforms(catalog))
    yield ""
    yield "A node of no other platform is on `onprem`. Without nodes and without `--platform` it is `onprem`, too."
    yield from _section("Overrides, in their order", ("override", "when", "tests", "what"), _overrides(catalog))
    yield from _section("TCPXO", ("plugin", "NCCL tests", "training", "daemon", "arguments"), _releases(catalog))
    yield ""
    yield "A newer plugin takes the last row, one between two rows the older, and any other the first, each with a warning. A build"
    yield "suffix such as `v1.0.17-1` is a rebuild of the same release."


def _section(title: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield from table(head, rows)


def _tests(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    for key, entry in entries(catalog).items():
        facts = entry.facts
        measured = facts.get("measurement", {})
        splits = [(row["architecture"], split_of(entry, row["architecture"])) for row in facts.get("parallelism", ())]
        yield (
            code(key),
            code(entry.image),
            ", ".join(str(value) for value in measured.values()),
            str(facts.get("options", {}).get("timeoutPerJob", DEFAULTS["timeoutPerJob"])),
            str(facts.get("minimumGPUs", "")),
            ", ".join(f"{name} {split['tensor']} x {split['pipeline']}" for name, split in splits),
        )


def _options() -> Iterator[tuple[str, ...]]:
    every: Mapping[str, Any] = {**DEFAULTS, "gpusPerNode": "", "mlnxPerNode": "", "enableMNNVL": "", "resources": OF_RESOURCES}
    for name in sorted(every):
        value = every[name]
        if name == "resources":
            shown = (
                "; ".join(f"{part} {' and '.join(amounts.values())}" for part, amounts in value.items()) + ", of training workers"
            )
        else:
            shown = _BY_NODE.get(name) or (str(value).lower() if isinstance(value, bool) else str(value) if value else "none")
        yield code(name), shown


def _shapes(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    gpus = catalog.derived(Gpus.of)
    for name, row in gpus.architectures.items():
        otherwise = [
            f"{platform}: {gpus.shape(platform, name).gpus} GPUs, {gpus.shape(platform, name).nics} NICs"
            for platform, architecture in gpus.overrides
            if architecture == name
        ]
        joined = "yes" if gpus.joined_by_nvlink(name) else "no"
        yield code(name), str(row["gpusPerNode"]), str(row["mlnxPerNode"]), joined, "; ".join(otherwise)
    yield "any other, with a warning", str(gpus.fallback["gpusPerNode"]), str(gpus.fallback["mlnxPerNode"]), "no", ""


def _platforms(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    for name, row in platforms(catalog).items():
        yield code(name), "; or ".join(map(_way, row.get("nodes", ()))), code(row["topologyKey"]) if "topologyKey" in row else ""


def _way(way: Mapping[str, str]) -> str:
    prefix, label, part = way.get("providerID"), way.get("label"), way.get("contains")
    said = f"a provider ID {code(f'{prefix}…')}" if prefix else "no provider ID"
    said += f", label {code(label)}" if label else ""
    return f"{said} with {code(part)} in it" if part else said


def _overrides(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    for overlay in overlays(catalog):
        asked = [summary(overlay.when), *(f"{name}={value}" for name, value in overlay.options.items())]
        yield (
            code(overlay.name),
            code(", ".join(asked)),
            ", ".join(sorted(overlay.families)),
            str(overlay.document.data["metadata"]["description"]),
        )


def _releases(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    for row in catalog.release_table("tcpxo").data["releases"]:
        if "certification" in row:
            images = [code(tagged(catalog, row["certification"][use])) for use in ("nccl", "training")]
            yield code(row["name"]), *images, code(row["daemon"]["tag"]), code(" ".join(row["daemon"]["args"]))
