"""The flags that choose what applies a bundle. Their names, forms and defaults are those of the deployers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Flag
from bundler.cli.flags import SETTING, completion
from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.deployers.settings import SETTINGS

if TYPE_CHECKING:
    from bundler.cli.flags import Decorator
    from bundler.publish.deployers.settings import Setting

__all__ = ["DELIVERY"]

_SECTION = "How it is deployed"


def _help(setting: Setting) -> str:
    """What a setting means, who takes it, and what holds without it."""
    takers = {name: deployer.settings[setting.key] for name, deployer in DEPLOYERS.items() if setting.key in deployer.settings}
    defaults = {name: default for name, default in takers.items() if default}
    text = f"{', '.join(takers)}: {setting.help}"
    if not defaults:
        return text
    words = ", ".join(dict.fromkeys(defaults.values()))
    return f"{text} Without it {words}."


DELIVERY: tuple[Decorator, ...] = (
    click.option(
        "--deployer",
        cls=Flag,
        section=_SECTION,
        metavar="NAME",
        shell_complete=completion("deployer"),
        help=f"What applies the bundle: {', '.join(DEPLOYERS)}. It adds files below deploy/ and changes nothing that is applied.",
    ),
    *(
        click.option(setting.flag, f"{SETTING}{key}", cls=Flag, section=_SECTION, metavar=setting.metavar, help=_help(setting))
        for key, setting in SETTINGS.items()
    ),
    click.option(
        "--dynamic",
        cls=Flag,
        section=_SECTION,
        multiple=True,
        metavar="COMPONENT:PATH",
        shell_complete=completion("component"),
        help="Leave a component value to install time; the bundle says what holds without one. Repeatable.",
    ),
)
