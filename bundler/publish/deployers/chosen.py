"""The deployer that a request asks for, with all its settings: whatever is wrong with them is refused at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.origins import stated
from bundler.compose.wording import listed, nearest, shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.deployers.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.publish.deployers.deployer import Deployer, Settings

__all__ = ["Chosen", "choose"]

_FLAG = "--deployer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A deployer with what it is told, defaults filled in."""

    deployer: Deployer
    settings: Settings


def choose(request: Request) -> Chosen:
    """The deployer that is asked for.

    Raises:
        InvalidInput: there is none of that name, or its settings do not fit; every finding, those that are missing as one.
    """
    name = request.delivery.deployer
    deployer = DEPLOYERS.get(name)
    if deployer is None:
        place = stated(request, "/delivery/deployer", _FLAG)
        raise InvalidInput(
            "AICR-A001", f"no deployer {shown(name)}", location=place, fix=nearest(name, DEPLOYERS, label="deployers")
        )
    given = request.delivery.settings
    findings = [*_missing(deployer, request), *_wrong(deployer, request), *_values(deployer, request)]
    if findings:
        raise InvalidInput.of(findings)
    settings = {key: given.get(key, deployer.settings[key]) for key in SETTINGS if key in deployer.settings}
    return Chosen(deployer=deployer, settings={key: value for key, value in settings.items() if value})


def _missing(deployer: Deployer, request: Request) -> Iterator[Finding]:
    given = request.delivery.settings
    missing = [SETTINGS[key] for key, default in deployer.settings.items() if default is None and key not in given]
    if missing:
        yield Finding(
            rule="AICR-A002",
            message=f"{deployer.name} has to be told {' and '.join(setting.flag for setting in missing)}",
            location=stated(request, "/delivery/deployer", _FLAG),
            fix=f"add {' '.join(f'{setting.flag} {setting.metavar}' for setting in missing)}",
        )


def _wrong(deployer: Deployer, request: Request) -> Iterator[Finding]:
    for key, value in request.delivery.settings.items():
        if key not in SETTINGS:
            place = stated(request, f"/delivery/{key}", _FLAG)
            fix = nearest(key, SETTINGS, label="settings")
            yield Finding(rule="AICR-A003", message=f"no setting {shown(key)}", location=place, fix=fix)
            continue
        setting = SETTINGS[key]
        place = _place(request, key)
        if key not in deployer.settings:
            taken = [SETTINGS[other].flag for other in deployer.settings]
            fix = f"leave it out; {deployer.name} takes {listed(taken) if taken else 'no settings'}"
            yield Finding(rule="AICR-A003", message=f"{deployer.name} takes no {setting.flag}", location=place, fix=fix)
        elif not setting.accepts(value):
            # What stands before the host of an address may be a password, which no message repeats.
            text = "the value" if "@" in value else shown(value)
            message = f"{setting.flag}: {text} has not the form of one"
            yield Finding(rule="AICR-A004", message=message, location=place, fix=f"write {setting.form}")


def _values(deployer: Deployer, request: Request) -> Iterator[Finding]:
    """Values of a cluster's own must have a way in, outside the bundle, and without any the way leads nowhere."""
    settings = request.delivery.settings
    wanted = "clusterValues" in deployer.settings
    directory = settings.get("clusterValues", "")
    if request.install_time and not deployer.takes_values:
        message = f"{deployer.name} takes no values at install time"
        fix = "leave --dynamic out, or choose another deployer"
        yield Finding(rule="AICR-A006", message=message, location=request.install_time[0].location, fix=fix)
    elif request.install_time and wanted and not directory:
        message = f"{deployer.name} reads a cluster's own values from files, and nothing says where these are"
        fix = f"add {SETTINGS['clusterValues'].flag} PATH, a directory of the repository"
        yield Finding(rule="AICR-A002", message=message, location=request.install_time[0].location, fix=fix)
    elif directory and wanted and not request.install_time:
        message = "without --dynamic no value is left to a cluster"
        place = _place(request, "clusterValues")
        yield Finding(rule="AICR-A003", message=message, location=place, fix=f"leave {SETTINGS['clusterValues'].flag} out")
    elif directory and wanted and _within(directory, settings.get("path", ".")):
        message = f"{shown(directory)} is inside the bundle, which holds no file but its own"
        fix = f"keep the bundle in a directory of its own ({SETTINGS['path'].flag}), and the values beside it"
        yield Finding(rule="AICR-A004", message=message, location=_place(request, "clusterValues"), fix=fix)


def _within(directory: str, bundle: str) -> bool:
    return bundle == "." or f"{directory}/".startswith(f"{bundle}/")


def _place(request: Request, key: str) -> Location:
    return stated(request, f"/delivery/{key}", SETTINGS[key].flag)
