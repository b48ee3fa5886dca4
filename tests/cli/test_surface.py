"""The whole surface of the command line is a golden file: a flag, a default or a help line changes only on purpose.

Adding is a matter of `pytest tests/cli --update-golden`. Removing or changing breaks someone's script: it needs a changelog entry.
"""

import os
import subprocess
import sys
from pathlib import Path

import click

from bundler.cli.commands import CONTEXT, root

KEPT_LINES = "\b"  # click's mark of a paragraph that is not filled
GOLDEN = Path(__file__).with_name("surface.golden")


def lines(command, path):
    context = click.Context(command, info_name=path, **CONTEXT)
    yield f"{path}: {' '.join((command.help or '').replace(KEPT_LINES, '').split())}"
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Argument):
            yield f"  {parameter.make_metavar(context)} nargs={parameter.nargs} required={parameter.required}"
        elif not parameter.hidden:
            kind = "flag" if parameter.is_flag else parameter.make_metavar(context)
            many = " multiple" if parameter.multiple else ""
            default = f" default={parameter.default}" if isinstance(parameter.default, str) else ""
            yield f"  {', '.join(parameter.opts)} {kind}{many}{default}: {' '.join((parameter.help or '').split())}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from lines(command.get_command(context, name), f"{path} {name}")


def test_the_surface_is_the_golden_one(update_golden):
    surface = "\n".join(lines(root, "aicr")) + "\n"
    if update_golden:
        GOLDEN.write_text(surface)
    assert GOLDEN.read_text() == surface, "if it is meant: pytest tests/cli --update-golden"


def test_golden_files_are_not_updated_in_ci():
    before = GOLDEN.read_bytes()
    words = [sys.executable, "-m", "pytest", "-q", str(Path(__file__)), "--update-golden", "-k", "is_the_golden_one"]
    result = subprocess.run(words, env={**os.environ, "CI": "true"}, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "golden files are not updated in CI" in result.stdout
    assert GOLDEN.read_bytes() == before
