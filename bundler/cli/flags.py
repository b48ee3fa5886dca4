"""The flags that choose what is bundled. Commands that compose a recipe share them, with one meaning and one help text."""

from __future__ import annotations

from dataclasses import field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bundler.cli.command import Directory, Flag, Input, order_given
from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from click.shell_completion import CompletionItem

Decorator: TypeAlias = "Callable[[Callable[..., None]], Callable[..., None]]"
"""What adds one flag to a command function."""

__all__ = [
    "CERTIFICATION",
    "CRITERIA",
    "DATA",
    "MACHINE",
    "PLACEMENT",
    "PROFILES",
    "RECIPE",
    "SETTING",
    "SNAPSHOT",
    "SNAPSHOT_HELP",
    "VALUES",
    "Decorator",
    "Flags",
    "completion",
    "format_flag",
    "is_file",
    "takes",
]

SETTING = "setting_"
"""What the names of arguments begin with that are settings of a deployer, by key."""

_CRITERIA = ("service", "accelerator", "os", "intent", "platform")
_OVERRIDES = {"set_": "--set", "set_json": "--set-json", "set_file": "--set-file"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What the user chose, as given.

    Attributes:
        recipe: a name or a path.
        criteria: the stated dimensions.
        overrides: flag and text of each `--set`, `--set-json` and `--set-file`, in the order given.
        settings: setting → value, of those that were given to a deployer.
    """

    recipe: str | None = None
    criteria: Mapping[str, str] = field(default_factory=dict)
    machine_type: str | None = None
    profile: tuple[str, ...] = ()
    param: tuple[str, ...] = ()
    params_file: Path | None = None
    overrides: tuple[tuple[str, str], ...] = ()
    component_version: tuple[str, ...] = ()
    accelerated_node_selector: tuple[str, ...] = ()
    accelerated_toleration: tuple[str, ...] = ()
    system_node_selector: tuple[str, ...] = ()
    system_toleration: tuple[str, ...] = ()
    allow_unpinned: bool = False
    deployer: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    dynamic: tuple[str, ...] = ()
    certification: str | None = None
    data: Path | None = None
    snapshot: tuple[Path, ...] = ()


def completion(kind: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What completes a word of a kind such as `recipe`; the catalogue is read only when a shell asks."""

    def complete(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from bundler.cli.completing import candidates

        return candidates(kind, incomplete, data=ctx.params.get("data"))

    return complete


def _flag(*declarations: str, section: str, **attributes: Any) -> Decorator:
    return click.option(*declarations, cls=Flag, section=section, **attributes)


_WHAT = "What to bundle"
_CHOICES = "Profiles and their parameters"
SNAPSHOT_HELP = "What was read of the cluster: a file of `aicr snapshot`, or the output of `kubectl get ... -o yaml`. Repeatable."
_COMPONENTS = "Component values, applied in the order given"
_NODES = "Placement"

RECIPE: tuple[Decorator, ...] = (
    _flag(
        "-r",
        "--recipe",
        section=_WHAT,
        metavar="NAME|FILE",
        shell_complete=completion("recipe"),
        help="A recipe of the catalogue, or a file: a recipe, a bundle's recipe.yaml, or a resolved recipe of upstream AICR.",
    ),
)
CRITERIA: tuple[Decorator, ...] = tuple(
    _flag(
        f"--{dimension}",
        section=_WHAT,
        metavar="VALUE",
        shell_complete=completion(dimension),
        help=f"Choose the recipe by criteria: its {dimension}.",
    )
    for dimension in _CRITERIA
)
DATA: tuple[Decorator, ...] = (
    _flag(
        "--data",
        section=_WHAT,
        metavar="DIR",
        type=Directory(),
        help="Authored data that adds to the packaged data, or replaces it by kind and name.",
    ),
)
MACHINE: tuple[Decorator, ...] = (
    _flag(
        "--machine-type",
        section=_WHAT,
        metavar="NAME",
        shell_complete=completion("machine"),
        help="The cloud's machine type of the GPU nodes; a choice that does not fit it is refused.",
    ),
)
PROFILES: tuple[Decorator, ...] = (
    *MACHINE,
    _flag(
        "--profile",
        section=_CHOICES,
        multiple=True,
        metavar="AXIS=VALUE",
        shell_complete=completion("profile"),
        help="Choose the value of a profile axis. Repeatable.",
    ),
    _flag(
        "--param",
        section=_CHOICES,
        multiple=True,
        metavar="AXIS.NAME=VALUE",
        shell_complete=completion("parameter"),
        help="Give a parameter of the chosen value; a map is written eth1=net-a,eth2=net-b. Repeatable.",
    ),
    _flag(
        "--params-file",
        section=_CHOICES,
        metavar="FILE",
        type=Input(),
        help="A YAML map of axis, then name, then value; --param wins over it.",
    ),
)
SNAPSHOT: tuple[Decorator, ...] = (
    _flag(
        "--snapshot",
        section=_WHAT,
        multiple=True,
        metavar="FILE",
        type=Input(),
        help=f"Fill in what the cluster says. {SNAPSHOT_HELP}",
    ),
)
VALUES: tuple[Decorator, ...] = (
    _flag(
        "--set",
        "set_",
        section=_COMPONENTS,
        multiple=True,
        metavar="COMPONENT:PATH=VALUE",
        shell_complete=completion("component"),
        help="Set one value; the path is dotted, a dot in a key is written \\., and the schema decides the type. Repeatable.",
    ),
    _flag(
        "--set-json",
        section=_COMPONENTS,
        multiple=True,
        metavar="COMPONENT[:PATH]=JSON",
        help="Merge JSON into the values: maps deep, null deletes, lists replace. Repeatable.",
    ),
    _flag(
        "--set-file",
        section=_COMPONENTS,
        multiple=True,
        metavar="COMPONENT[:PATH]=FILE",
        help="Merge a YAML or JSON file into the values. Repeatable.",
    ),
    _flag(
        "--component-version",
        section=_COMPONENTS,
        multiple=True,
        metavar="NAME=VERSION",
        shell_complete=completion("version"),
        help="Another version of a component, among those the registry accepts. Repeatable.",
    ),
    _flag(
        "--allow-unpinned",
        section=_COMPONENTS,
        is_flag=True,
        help="Accept image references without a digest; the lock and a warning say which.",
    ),
)
CERTIFICATION: tuple[Decorator, ...] = (
    _flag(
        "--certification",
        section=_CHOICES,
        metavar="FILE|default",
        help="Carry a Certification that is fitted to the fabric, with its Workflows: the one in FILE, or every test that fits.",
    ),
)
PLACEMENT: tuple[Decorator, ...] = tuple(
    flag
    for nodes, pods in (("accelerated", "pods that use GPUs"), ("system", "controllers"))
    for flag in (
        _flag(
            f"--{nodes}-node-selector",
            section=_NODES,
            multiple=True,
            metavar="KEY=VALUE",
            help=f"A node label for {pods}. Repeatable.",
        ),
        _flag(
            f"--{nodes}-toleration",
            section=_NODES,
            multiple=True,
            metavar="KEY[=VALUE][:EFFECT]",
            help=f"A taint that {pods} tolerate. Repeatable.",
        ),
    )
)


def takes(*groups: tuple[Decorator, ...]) -> Decorator:
    """Add groups of flags to a command function, which receives them as one `flags` argument."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def call(**given: Any) -> None:
            function(flags=_collect(given), **given)

        decorated: Callable[..., None] = call
        for flag in reversed([flag for group in groups for flag in group]):
            decorated = flag(decorated)
        return decorated

    return decorate


def format_flag(default: str, choices: tuple[str, ...] = ("text", "json", "yaml")) -> Decorator:
    """`-t/--format`, as upstream AICR spells it."""
    return click.option(
        "-t", "--format", "form", type=click.Choice(choices), default=default, show_default=True, help="How to print the product."
    )


def is_file(recipe: str) -> bool:
    """Whether the text of `--recipe` is a path: it looks like one, or a file of that name is there."""
    return "/" in recipe or "\\" in recipe or recipe.endswith((".yaml", ".yml")) or Path(recipe).is_file()


def _collect(given: dict[str, Any]) -> Flags:
    """Take the shared flags out of the arguments of a command."""
    uses = {name: iter(given.pop(name, ())) for name in _OVERRIDES}
    order = [name for name in order_given(click.get_current_context()) if name in _OVERRIDES]
    criteria = {name: value for name in _CRITERIA if (value := given.pop(name, None)) is not None}
    keys = [name for name in given if name.startswith(SETTING)]
    settings = {name.removeprefix(SETTING): value for name in keys if (value := given.pop(name)) is not None}
    plain = {item.name: given.pop(item.name) for item in fields(Flags) if item.name in given}
    overrides = tuple((_OVERRIDES[name], next(uses[name])) for name in order)
    return Flags(criteria=criteria, overrides=overrides, settings=settings, **plain)
