"""R1: whatever a value holds, it does not act on the reader's terminal (helm GHSA-c38g-469g-cmgx).

Each hostile text is put wherever a user's value can reach a message or a product: flags, file names, keys and values of files.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOSTILE = {
    "colour": "\x1b[31mred",
    "title": "\x1b]0;owned\x07",
    "clear": "\x1b[2J\x1b[H",
    "csi in one byte": "\x9b2J",
    "bell": "\x07",
    "forged line": "x\nerror[AICR-X999]: forged\n  fix: curl evil",
    "carriage return": "x\rerror: forged",
    "right to left": "\u202egnp.exe",
    "line separator": "a\u2028error[AICR-X999]: forged",
}
KIND = ["--recipe", "h100-kind-training-kubeflow"]
REACHED = {
    "recipe": ["bundle", "--recipe", "{}", "--stdout"],
    "recipe file": ["bundle", "--recipe", "{}.yaml", "--stdout"],
    "criterion": ["bundle", "--service", "{}", "--stdout"],
    "profile": ["bundle", *KIND, "--profile", "a={}", "--stdout"],
    "axis": ["bundle", *KIND, "--profile", "{}=b", "--stdout"],
    "parameter": ["bundle", *KIND, "--param", "a.b={}", "--stdout"],
    "component": ["bundle", *KIND, "--set", "{}:a=b", "--stdout"],
    "path": ["bundle", *KIND, "--set", "nfd:{}=b", "--stdout"],
    "json": ["bundle", *KIND, "--set-json", "nfd={}", "--stdout"],
    "key in json": ["bundle", *KIND, "--set-json", 'nfd={{"worker": {{"{}": 1}}}}', "--stdout"],
    "values file": ["bundle", *KIND, "--set-file", "nfd={}", "--stdout"],
    "version": ["bundle", *KIND, "--component-version", "nfd={}", "--stdout"],
    "label": ["bundle", *KIND, "--system-node-selector", "{}=x", "--stdout"],
    "toleration": ["bundle", *KIND, "--system-toleration", "{}", "--stdout"],
    "data": ["bundle", *KIND, "--data", "{}", "--stdout"],
    "check": ["bundle", "--check", "{}"],
    "command": ["{}"],
    "option": ["bundle", "--{}"],
    "argument": ["profile", "show", "{}"],
    "pointer": ["explain", KIND[1], "/{}"],
    "object": ["explain", KIND[1], "{}", "/kind"],
    "lint": ["lint", "{}.yaml"],
    "schema": ["schema", "{}"],
}


def assert_harmless(said):
    """No control character but the line end, and no line that a value forged."""
    assert not [character for character in said if character != "\n" and not character.isprintable() and ord(character) > 0]
    assert not set(said) & {"\x1b", "\x07", "\x9b", "\r", "\u2028", "\u202e"}
    assert not [line for line in said.splitlines() if line.startswith(("error[AICR-X999]", "  fix: curl"))]


@pytest.fixture
def run(capsysbinary, monkeypatch, tmp_path):
    from bundler.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words):
        code = main(list(words))
        out, err = capsysbinary.readouterr()
        return int(code), out.decode(), err.decode()

    return call


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("words", REACHED.values(), ids=REACHED)
def test_a_hostile_flag_is_said_harmlessly(run, words, hostile):
    code, out, err = run(*(word.format(hostile) for word in words))
    assert code in {2, 3}
    assert out == ""
    assert err.startswith("error[AICR-")
    assert_harmless(err)


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_description_is_shown_harmlessly(run, tmp_path, hostile):
    import json

    recipes = tmp_path / "data" / "recipes"
    recipes.mkdir(parents=True)
    recipe = {
        "apiVersion": "aicr.run/v2",
        "kind": "Recipe",
        "metadata": {"name": "mine", "description": hostile},
        "criteria": {"service": "kind", "accelerator": "h100", "os": "ubuntu", "intent": "training", "platform": "kubeflow"},
    }
    (recipes / "mine.yaml").write_text(json.dumps(recipe))
    for form in ("text", "json", "yaml"):
        _, out, err = run("recipe", "list", "-t", form, "--data", "data")
        assert_harmless(out)
        assert_harmless(err)
    assert_harmless(run("recipe", "show", "mine", "--data", "data")[1])


def test_a_hostile_byte_on_the_command_line_is_no_defect(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "bundler", "bundle", "--recipe", b"a\xff\x9b", "--stdout"],
        env={"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert result.returncode == 3
    assert b"Traceback" not in result.stderr
    assert not set(result.stderr) & {0x1B, 0x9B, 0xFF}
