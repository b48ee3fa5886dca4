"""What the nodes add to a category's options: how many a job takes, the NIC resource, and on A3 Mega the networks and the release.

What is stated wins over what is found, and nothing is looked for that is stated. Without nodes, what the documentation names as the
defaults of an offline render stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify import tcpxo
from bundler.certify.parallelism import check_parallelism
from bundler.detect import nic_resource
from bundler.detect.event import detected
from bundler.detect.gke_networks import DEFAULTS, detect_networks
from bundler.detect.installed import detect_installed
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.certify.site import Site
    from bundler.certify.target import Observed
    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject

__all__ = ["fitted"]


def fitted(
    catalog: Catalog, entry: Entry, options: JsonObject, site: Site, *, counts_nodes: bool, always_wired: bool = False
) -> tuple[JsonObject, tuple[Finding, ...]]:
    """The options of a category with what its nodes say, and what should be said about them.

    Args:
        catalog: has the release table.
        entry: what runs.
        options: resolved.
        site: what is known of the nodes.
        counts_nodes: whether a job takes as many nodes as there are, because nobody states a number.
        always_wired: whether TCPXO is filled in wherever the nodes are, for overrides that somebody resolves later.

    Raises:
        InvalidInput: no node holds a pod of the category, or the networks that are stated are not eight.
    """
    observed, result = site.observed, dict(options)
    notes: list[Finding] = []
    nodes: tuple[Node, ...] = ()
    if observed is not None:
        nodes, excluded = observed.capable(options["gpusPerNode"])
        notes += excluded
        if counts_nodes and options["testScale"] != "intra-node":
            result["nodesPerJob"] = _most(entry, options, len(nodes))
            taken = f"a job takes {result['nodesPerJob']} of the nodes it fits on ({len(nodes)})"
            notes.append(detected(f"{entry.key}: nodesPerJob is not stated; {taken}"))
        elif result["nodesPerJob"] > len(nodes):
            notes.append(_fewer(entry, result["nodesPerJob"], len(nodes), observed))
            result["nodesPerJob"] = result["nodesPerJob"] if entry.family == "run" else len(nodes)
        if entry.attached and not options["nicResourceName"] and options["mlnxPerNode"] and _concerns_nic(options):
            nic = nic_resource.detect_nic_resource(nodes, options["mlnxPerNode"], location=observed.location)
            result["nicResourceName"] = nic.name or ""
            notes.append(nic.note)
    wired = tcpxo.concerns(options["platform"], options["gpuArchitecture"])
    if entry.attached and (wired or always_wired):
        result["tcpxo"], found = _tcpxo(catalog, site, observed, nodes)
        notes += found if wired else ()
    if not wired and (site.plugin, site.networks) != (None, None) and (site.platform is not None or not always_wired):
        nodes_are = f"platform {options['platform']} with GPU architecture {options['gpuArchitecture']}"
        message = f"a TCPXO plugin or networks are stated, and {nodes_are} is not wired by TCPXO: they are not used"
        fix = "leave them out, or state the platform and architecture of A3 Mega"
        notes.append(
            Finding(
                rule="AICR-R032",
                message=message,
                severity=Severity.WARNING,
                location=site.plugin_location or site.networks_location,
                fix=fix,
            )
        )
    return result, tuple(notes)


def _fewer(entry: Entry, stated: int, there: int, observed: Observed) -> Finding:
    """What is said of fewer nodes than are asked for: a test takes what there is, a workload of the user's own waits."""
    is_own = entry.family == "run"
    what, then = (entry.name, "it waits for the others") if is_own else (entry.key, f"rendering {there}")
    return Finding(
        rule="AICR-R034",
        message=f"{what}: a job of {stated} nodes is stated, and its pods fit on {there}; {then}",
        severity=Severity.WARNING,
        location=observed.location,
        pointer=observed.pointer,
        fix="state at most what there is, or widen the target",
    )


def _concerns_nic(options: JsonObject) -> bool:
    return nic_resource.concerns(options["platform"], options["gpuArchitecture"])


def _tcpxo(
    catalog: Catalog, site: Site, observed: Observed | None, nodes: Sequence[Node]
) -> tuple[JsonObject, tuple[Finding, ...]]:
    notes: list[Finding] = []
    networks = DEFAULTS if site.networks is None else site.networks
    if observed is not None and site.networks is None:
        found = detect_networks(nodes, location=observed.location)
        networks = found.names
        notes.append(found.note)
    if observed is not None and site.plugin is None:
        choice = tcpxo.choose_installed(catalog, detect_installed(nodes, observed.snapshot), location=observed.location)
    else:
        choice = tcpxo.choose_row(catalog, site.plugin, location=site.plugin_location)
    return tcpxo.variables(catalog, choice.row, networks, location=site.networks_location), (*notes, *choice.notes)


def _most(entry: Entry, options: JsonObject, count: int) -> int:
    """The most nodes that can hold the model; all of them where no number can, which is then refused with its reason."""
    valid = (number for number in range(count, 0, -1) if not any(check_parallelism(entry, {**options, "nodesPerJob": number})))
    return next(valid, count)
