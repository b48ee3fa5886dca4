"""What a shell offers while a command is typed: click's completion, with names from the catalogue."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class, shell_complete

from bundler.errors import AicrError
from bundler.model.criteria import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import click

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject

__all__ = ["candidates", "respond", "script"]

_VARIABLE = "_AICR_COMPLETE"


class _Bash(BashComplete):
    """Bash breaks words at `=` and `:`, which stand in the middle of ours: they are joined again before they are completed."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._replaced = ""

    def source(self) -> str:
        """The script, without starting bash to ask its version."""
        return super(BashComplete, self).source()

    def get_completion_args(self) -> tuple[list[str], str]:
        """Whole words before the cursor, and the word at it."""
        words = os.environ["COMP_WORDS"].split("\n")
        current = int(os.environ["COMP_CWORD"])
        joined: list[str] = []
        broken_from = ""
        glued = False
        for word in words[: current + 1]:
            breaks = word in {"=", ":"}
            if joined and (breaks or glued):
                broken_from = joined[-1] if glued and not breaks else joined[-1] + word
                joined[-1] += word
            else:
                joined.append(word)
                broken_from = ""
            glued = breaks
        incomplete = joined.pop() if len(joined) > 1 else ""
        # The value of an option written as one word, --option=VALUE, is completed without the option.
        self._replaced = broken_from.partition("=")[2] if broken_from.startswith("-") else broken_from
        return joined[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Type and the part of the value that bash replaces."""
        return f"{item.type},{item.value.removeprefix(self._replaced)}"


def script(shell: str) -> str:
    """The completion script of a shell."""
    from bundler.cli.commands import root

    add_completion_class(_Bash)
    found = get_completion_class(shell)
    assert found is not None
    return found(root, {}, "aicr", _VARIABLE).source() + "\n"


def respond(root: click.Command, instruction: str) -> int:
    """Answer the shell's script."""
    add_completion_class(_Bash)
    return shell_complete(root, {}, "aicr", _VARIABLE, instruction)


def candidates(kind: str, incomplete: str, *, data: Path | None) -> list[CompletionItem]:
    """Names of a kind that begin as typed. A broken catalogue offers nothing: a completion never shows an error."""
    from bundler.catalog.catalog import Catalog

    try:
        known = dict(_KNOWN[_VALUES.get(kind, kind) if "=" in incomplete else kind](Catalog.load(data)))
    except AicrError:
        return []
    return [CompletionItem(name, help=known[name]) for name in sorted(known) if name.startswith(incomplete)]


def _recipes(catalog: Catalog) -> Iterator[tuple[str, str]]:
    return ((name, document.data["metadata"]["description"]) for name, document in catalog.recipes.items())


def _axes(catalog: Catalog) -> Iterator[tuple[str, str]]:
    return ((axis, document.data["metadata"]["description"]) for axis, document in catalog.profiles.items())


def _values(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for axis, document in catalog.profiles.items():
        yield from ((f"{axis}={value}", declared["description"]) for value, declared in document.data["values"].items())


def _parameters(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for axis, document in catalog.profiles.items():
        for declared in document.data["values"].values():
            for name, parameter in declared.get("parameters", {}).items():
                yield f"{axis}.{name}=", parameter["description"]


def _parameter_values(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What a parameter can be where that is known by name: a release, a machine, a word of its schema."""
    for axis, document in catalog.profiles.items():
        for declared in document.data["values"].values():
            for name, parameter in declared.get("parameters", {}).items():
                yield from ((f"{axis}.{name}={value}", said) for value, said in _named(parameter, catalog))


def _named(parameter: JsonObject, catalog: Catalog) -> Iterator[tuple[str, str]]:
    if "releases" in parameter:
        for row in catalog.release_table(parameter["releases"]).data["releases"]:
            yield row["name"], str(row.get("date", ""))
    elif "machines" in parameter:
        for row in catalog.machine_table(parameter["machines"]).data["machines"]:
            yield row["name"], f"{row['gpus']} x {row['accelerator']}"
    else:
        yield from ((str(value), "") for value in parameter.get("schema", {}).get("enum", ()))


def _components(catalog: Catalog) -> Iterator[tuple[str, str]]:
    return ((f"{name}:", entry.description) for name, entry in catalog.registry.items())


def _versions(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for name, entry in catalog.registry.items():
        yield from ((f"{name}={version}", entry.description) for version in entry.selectable)


def _machines(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for table in catalog.machine_tables:
        for row in catalog.machine_table(table).data["machines"]:
            yield row["name"], f"{row['gpus']} x {row['accelerator']}"


def _platforms(catalog: Catalog) -> Iterator[tuple[str, str]]:
    from bundler.detect.platforms import platforms

    return ((name, platform["description"]) for name, platform in platforms(catalog).items())


def _architectures(catalog: Catalog) -> Iterator[tuple[str, str]]:
    from bundler.detect.gpus import Gpus

    return ((name, "") for name in catalog.derived(Gpus.of).architectures)


def _schemas(catalog: Catalog) -> Iterator[tuple[str, str]]:
    return ((name, str(schema.get("title", ""))) for name, schema in catalog.schemas.items())


def _deployers(_catalog: Catalog) -> Iterator[tuple[str, str]]:
    from bundler.publish.deployers.registry import DEPLOYERS

    return ((name, deployer.help) for name, deployer in DEPLOYERS.items())


def _criterion(dimension: str) -> Callable[[Catalog], Iterator[tuple[str, str]]]:
    def values(catalog: Catalog) -> Iterator[tuple[str, str]]:
        stated = (document.data["criteria"].get(dimension) for document in catalog.recipes.values())
        return ((value, "") for value in stated if value)

    return values


_KNOWN: dict[str, Callable[[Catalog], Iterator[tuple[str, str]]]] = {
    "recipe": _recipes,
    "axis": _axes,
    "profile": _values,
    "parameter": _parameters,
    "parameter value": _parameter_values,
    "component": _components,
    "version": _versions,
    "machine": _machines,
    "schema": _schemas,
    "deployer": _deployers,
    "platform-of-nodes": _platforms,
    "gpu-architecture": _architectures,
    **{dimension: _criterion(dimension) for dimension in DIMENSIONS},
}

_VALUES = {"parameter": "parameter value"}
"""A kind whose names are followed by `=` → the kind of what comes after it."""
