"""Which release of GPUDirect-TCPXO the tests are rendered for, and what to say when the installed one is not mapped.

The rows, their images, daemons and settings stand in `bom/releases/tcpxo.yaml`, as those of the shipped runtime. A row that names
images for certification is mapped. A newer plugin keeps at least the CUDA major of the newest mapped row, and an unmapped one
between two rows that of the older, so both take the newest row that is not newer; what is older than the first takes the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler.certify.images import tagged
from bundler.dataclass import dataclass
from bundler.detect.event import Reason, detected, event
from bundler.detect.installed import release_of
from bundler.errors import InvalidInput
from bundler.kube.names import dns_subdomain
from bundler.model.finding import Finding, Severity
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.detect.installed import Installed
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["TcpxoChoice", "choose_installed", "choose_row", "concerns", "variables"]

_NEWER = "if the plugin is v1.0.17 or later, set categories[].options.image to a CUDA 13 image"
_DEBUG = {"name": "NCCL_DEBUG", "value": "INFO"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TcpxoChoice:
    """A row of the release table.

    Attributes:
        row: the release record.
        exact: whether it is the row of the installed plugin.
        notes: what to say when it is not.
    """

    row: JsonObject
    exact: bool
    notes: tuple[Finding, ...] = ()


def concerns(platform: str, architecture: str) -> bool:
    """Whether nodes are wired by TCPXO. A3 High reports the same GPU as A3 Mega and is another fabric: it cannot be told apart."""
    return platform == "gcp" and architecture == "h100"


def choose_row(catalog: Catalog, tag: str | None = None, *, location: Location | None = None) -> TcpxoChoice:
    """The row for an installed plugin.

    Args:
        catalog: has the release table.
        tag: the plugin's image tag; None where no cluster was asked, which takes the first mapped row without a word.
        location: where the tag was given.

    Raises:
        InvalidInput: the table maps no release.
    """
    rows = [(release_of(row["name"]), row) for row in catalog.release_table("tcpxo").data["releases"] if "certification" in row]
    mapped = sorted(((release, row) for release, row in rows if release), key=lambda pair: pair[0])
    if not mapped:
        raise InvalidInput("AICR-R018", "no TCPXO release has images for certification", fix="map one in bom/releases/tcpxo.yaml")
    (oldest, first), (newest, last) = mapped[0], mapped[-1]
    if tag is None:
        return TcpxoChoice(row=first, exact=False)
    found = release_of(tag)
    below = [pair for pair in mapped if found is not None and pair[0] <= found]
    if found is None:
        message = f"found a plugin image with tag {tag!r}, which is not a release version; {_first_row(first)}"
        fix = _NEWER
        return TcpxoChoice(row=first, exact=False, notes=(_note(message, fix, location),))
    if found < oldest:
        message = (
            f"found plugin {tag}, older than the minimum supported release {first['name']}; rendering the {first['name']} images"
        )
        return TcpxoChoice(row=first, exact=False, notes=(_note(message, "upgrade the nccl-tcpxo-installer", location),))
    release, row = below[-1]
    if release == found:
        return TcpxoChoice(row=row, exact=True)
    if found > newest:
        message = f"found plugin {tag}, newer than the latest mapped release {last['name']}; rendering the {last['name']} images"
    else:
        message = f"found plugin {tag}, which has no row of its own; rendering the {row['name']} images"
    message += f" ({_images(catalog, row)}), which are not validated against {tag}"
    return TcpxoChoice(row=row, exact=False, notes=(_note(message, "map the release in bom/releases/tcpxo.yaml", location),))


def choose_installed(catalog: Catalog, installed: Installed, *, location: Location | None = None) -> TcpxoChoice:
    """The row for what the target nodes run, with the event that says so where it is not theirs.

    Raises:
        InvalidInput: the table maps no release.
    """
    if installed.release is None:
        first = choose_row(catalog)
        note = event(Reason.PLUGIN, f"{installed.reason}; {_first_row(first.row)}", fix=_NEWER, location=location)
        return replace(first, notes=(note,))
    choice = choose_row(catalog, installed.release, location=location)
    if choice.exact:
        images = _images(catalog, choice.row)
        message = f"Auto-detected TCPXO plugin {installed.release} on every target node; rendering {images}"
        return replace(choice, notes=(detected(message),))
    return replace(
        choice, notes=tuple(event(Reason.PLUGIN, note.message, fix=note.fix, location=location) for note in choice.notes)
    )


def variables(catalog: Catalog, row: JsonObject, networks: Sequence[str], *, location: Location | None = None) -> JsonObject:
    """What templates see: the release, its settings with a log that names the transport, and the interfaces annotation.

    Args:
        catalog: has the release table.
        row: a release record.
        networks: Network names of eth1 to eth8, in this order.
        location: where they are stated.

    Raises:
        InvalidInput: there are not exactly eight networks.
    """
    wanted = next(variable["value"] for variable in row["env"] if variable["name"] == "NCCL_FASTRAK_IFNAME").split(",")
    if len(networks) != len(wanted):
        message = f"TCPXO needs exactly {len(wanted)} networks, and is given {len(networks)}"
        fix = f"name the networks of {wanted[0]} to {wanted[-1]}, in this order"
        raise InvalidInput("AICR-R023", message, location=location, fix=fix)
    if bad := sorted({name for name in networks if networks.count(name) > 1 or dns_subdomain(name)}):
        message = f"{', '.join(map(repr, bad))} cannot be a network here: each interface has one of its own, by its name"
        fix = f"name the networks of {wanted[0]} to {wanted[-1]}, each once"
        raise InvalidInput("AICR-R023", message, location=location, fix=fix)
    table = catalog.release_table("tcpxo").data
    devices = [{"path": path} for path in table["devices"]]
    primary = table["wiring"]["primary"]
    pairs = [(primary["interfaceName"], primary["network"]), *zip(wanted, networks, strict=True)]
    settings = [{"name": one["name"], "value": one["value"]} for one in row["env"]]
    return {
        "release": row,
        "devices": devices,
        "images": {use: tagged(catalog, name) for use, name in row["certification"].items()},
        "env": [_DEBUG if one["name"] == _DEBUG["name"] else one for one in settings],
        "interfaces": to_json([{"interfaceName": interface, "network": network} for interface, network in pairs]),
    }


def _images(catalog: Catalog, row: JsonObject) -> str:
    return ", ".join(dict.fromkeys(tagged(catalog, name) for name in row["certification"].values()))


def _first_row(row: JsonObject) -> str:
    return f"rendering the images for {row['name']}, the minimum supported release and the one that bundles pin"


def _note(message: str, fix: str, location: Location | None) -> Finding:
    return Finding(rule="AICR-R018", message=message, severity=Severity.WARNING, location=location, fix=fix)
