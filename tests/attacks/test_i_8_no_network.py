"""Row I8: nothing opens a socket. What is not at hand is said to be missing, and no registry is asked."""

import socket

import pytest

from bundler.cli import main

KIND = "h100-kind-training-kubeflow"


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """How often a socket was opened; opening one fails."""
    attempts = []

    def refuse(*arguments, **_named):
        attempts.append(arguments)
        raise OSError("the network is unreachable")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    return attempts


@pytest.mark.parametrize(
    "words",
    [
        ["bom", KIND],
        ["bom", KIND, "--format", "cyclonedx"],
        ["bom", "{out}", "--format", "images"],
        ["verify", "{out}"],
        ["verify", "{out}", "--statement", "{tmp}/statement.json"],
        ["mirror", "{out}", "--to", "registry.invalid"],
        ["mirror", "{out}", "--to", "registry.invalid", "-o", "{tmp}/mirrored"],
        ["releases", "list"],
        ["bundle", "--check", "{out}"],
    ],
    ids=" ".join,
)
def test_no_command_opens_a_socket(words, tmp_path, opened, capsysbinary):
    out = tmp_path / "out"
    assert main(["bundle", "--recipe", KIND, "-o", str(out)]) == 0
    assert main([word.format(out=out, tmp=tmp_path) for word in words]) == 0
    assert opened == []
