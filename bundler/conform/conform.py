"""Rules over the rendered objects: what a server would refuse or drop, what shows when pods are made, how the fabric is wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform import (
    affinity,
    claims,
    containers,
    fabric,
    images,
    mpi,
    objects,
    pod_fields,
    resources,
    runtimes,
    torch,
    volumes,
    wiring,
    workloads,
)
from bundler.conform.context import Context, Rule, found, own
from bundler.conform.structure import faults
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.conform.context import Facts, OwnRule
    from bundler.conform.structure import Fault
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition
    from bundler.model.finding import Finding

__all__ = ["ADMISSION", "FABRIC", "LINT", "OBJECT", "PODS", "check", "check_object", "structure"]

OBJECT: tuple[Rule, ...] = (
    own(objects.metadata),
    objects.namespace,
    objects.identity,
    own(objects.template_text),
    images.digests,
    wiring.release_images,
    fabric.exclusions,
)
"""What holds for every object, of whatever kind."""

ADMISSION: tuple[Rule, ...] = (
    own(
        runtimes.one_policy,
        runtimes.env_injection,
        runtimes.startup_order,
        runtimes.claim_namespace,
        objects.configuration_keys,
        workloads.selector,
    ),
    runtimes.required_containers,
)
"""What a server says of an object whose structure is right."""

PODS: tuple[OwnRule, ...] = (
    workloads.closed_lists,
    workloads.restart_policies,
    workloads.tolerations,
    affinity.terms,
    objects.pod_metadata,
    containers.container_names,
    containers.missing_images,
    containers.environment,
    containers.references,
    containers.container_ports,
    containers.privileges,
    volumes.sources,
    volumes.mounts,
    pod_fields.fields,
    resources.amounts,
    resources.requests_and_limits,
    resources.huge_pages,
    resources.claims,
)
"""What a server refuses of pods, whatever makes them."""

LINT: tuple[Rule, ...] = (
    own(
        torch.labels,
        torch.shape,
        torch.launch,
        torch.native_sidecars,
        torch.ports,
        torch.master_address,
        torch.gpus,
        mpi.shape,
        mpi.end,
        mpi.launch,
        mpi.slots,
        runtimes.known_steps,
        runtimes.ports_taken_for_one,
        workloads.job_names,
        workloads.dependencies,
    ),
    workloads.placement,
    own(*PODS, claims.unused, claims.reach),
    claims.present,
    own(objects.null_values),
    images.understood,
)
"""What no admission says of a custom resource, and what would fail or mislead later."""

FABRIC: tuple[Rule, ...] = (
    wiring.interfaces,
    wiring.devices,
    wiring.daemon,
    wiring.environment,
    wiring.cuda,
    wiring.unprivileged,
    fabric.resources,
    fabric.claims,
    fabric.node_pools,
)
"""Whether an attached runtime is wired as its fabric, the selected release of it and the selected machine want."""


def check(resources: tuple[Resource, ...], composition: Composition, catalog: Catalog) -> tuple[Finding, ...]:
    """Every finding on the objects of one bundle.

    Returns:
        Findings by location; the bundle stands when none is an error.
    """
    context = Context.of(resources, composition, catalog)
    return tuple(sorted((finding for resource in resources for finding in check_object(resource, context)), key=_place))


def check_object(resource: Resource, context: Context) -> Iterator[Finding]:
    """Every finding on one object. Rules on what an object means run only when its structure is right."""
    if refused := [*objects.refused_kinds(resource)] or [*objects.without_metadata(resource)]:
        yield from refused
        return
    broken = list(structure(resource, context))
    yield from broken
    for rule in OBJECT:
        yield from rule(resource, context)
    if not broken:
        for rule in (*ADMISSION, *LINT, *FABRIC):
            yield from rule(resource, context)


def structure(resource: Resource, context: Context) -> Iterator[Finding]:
    """The object against the structural schema of its kind; a kind without one is never called valid."""
    kind = context.kind(resource)
    shown = f"{resource.api_version} {resource.kind}"
    if kind is None:
        message = f"{shown} is not validated: no schema is known for this kind"
        yield found(resource, "AICR-K001", "/kind", message, "add its schema below schemas/kube, or remove the object")
    elif not kind.schema:
        component = context.composition.component(kind.component)
        version = f"{kind.component} {component.version}" if component else f"a bundle without {kind.component}"
        message = f"{shown} is not validated: no schema is known for {version}"
        yield found(resource, "AICR-K001", "/kind", message, f"use {kind.component} {' or '.join(kind.versions)}")
    else:
        for fault in resource.derived(_faults, context.facts, kind.schema):
            yield found(resource, fault.rule, fault.pointer, fault.message, fault.fix)


def _faults(resource: Resource, facts: Facts, schema: str) -> tuple[Fault, ...]:
    return tuple(faults(resource.data, facts.schema(schema)))


def _place(finding: Finding) -> tuple[Location, str, str, str]:
    return finding.location or Location(file=""), finding.pointer, finding.rule, finding.message
