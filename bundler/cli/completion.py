"""`aicr completion`."""

from __future__ import annotations

import click

from bundler.cli.command import Command
from bundler.cli.terminal import emit

__all__ = ["command"]


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    Recipes, profiles, their values and component names are completed too.

    bash:  eval "$(aicr completion bash)"
    zsh:   eval "$(aicr completion zsh)"
    fish:  aicr completion fish | source
    """
    from bundler.cli.completing import script

    emit(script(shell))
