"""Whether the nodes run the release of the plugin that the bundle was made for: daemon and settings belong to one release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import each, plural
from bundler.detect.discoveries import DISCOVERIES, Asked
from bundler.detect.nodes import Node
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding
from bundler.profiles.axes import Axes
from bundler.validate.results import failed, passed, skipped, unproven, unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Selection
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["plugin_installed"]

_DISCOVERY = "installed-release"
_PHASE = Phase.DEPLOYMENT


def plugin_installed(catalog: Catalog, snapshot: Snapshot, selection: Selection, nodes: Sequence[JsonObject]) -> Check:
    """Hold the release that runs on every node against the selected one.

    Args:
        catalog: has the parameters of the selected value.
        snapshot: of the cluster.
        selection: of the attachment.
        nodes: that its runtime may run on.
    """
    name = "plugin-installed"
    parameters = catalog.derived(Axes.of)[selection.axis].values[selection.value].parameters
    asked = {key: one for key, one in parameters.items() if one.declaration.get("discovers") == _DISCOVERY}
    if not asked:
        return skipped(_PHASE, name, "the attachment has no plugin on the nodes")
    if gap := unread(_PHASE, name, snapshot, "nodes", "pods"):
        return gap
    if not nodes:
        says = "no node is known that the runtime may run on"
        return unproven(_PHASE, name, says, fix="take the snapshot while the nodes are up")
    looked = [f"installer pods of kube-system on {plural(len(nodes), 'node')}"]
    ((key, parameter),) = asked.items()
    fact = DISCOVERIES[_DISCOVERY](Asked(parameter=parameter, nodes=tuple(map(Node.of, nodes)), snapshot=snapshot))
    wanted = selection.parameters[key]
    if fact.value == wanted:
        return passed(_PHASE, name, f"{each(len(nodes), 'node')} runs the plugin of release {wanted}", looked)
    if fact.value is not None:
        message = f"the nodes run the plugin of release {fact.value}, and the bundle was made for {wanted}"
        fix = f"bundle with --param {selection.axis}.{key}={fact.value}, or install the plugin of {wanted}"
        return failed(_PHASE, name, [Finding(rule="AICR-V060", message=message, fix=fix)], looked)
    message = f"the plugin of release {wanted} is not installed: {fact.refusal or fact.silence}"
    fix = "install the component that the bundle brings, and wait until its pods run on every node"
    return failed(_PHASE, name, [Finding(rule="AICR-V061", message=message, fix=fix)], looked)
