"""Requirements on redaction: what looks like a secret is hidden, what a finding is about stays."""

import time

import pytest

from bundler.report.redaction import redacted, secrets_in, telling

# Made up: the form is each issuer's, the characters are nobody's. Joined here, so that no scanner takes this file for a leak.
A = "aB3" * 20
TOKENS = [
    "ghp" + f"_{A[:36]}",
    "github" + f"_pat_{A}",
    "glpat" + f"-{A[:20]}",
    "xoxb" + f"-{A[:24]}",
    "nvapi" + f"-{A}",
    "hf" + f"_{A[:34]}",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "AIza" + A[:35],
    "eyJ" + f"hbGciOiJ.eyJ{A[:20]}.{A[:20]}",
]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_hidden_by_its_form(token):
    assert redacted(f"'{token}' is not an integer") == "'[redacted]' is not an integer"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("https://user:hunter2@example.com/x", "https://[redacted]@example.com/x"),
        ("Authorization: Bearer abcdefgh.ijkl", "Authorization: Bearer [redacted]"),
        ("--set nfd:master.token=hunter2, and more", "--set nfd:master.token=[redacted]"),
        ("run aicr bundle --set nfd:apiKey=hunter2 -o out", "run aicr bundle --set nfd:apiKey=[redacted] -o out"),
        ('{"password": "hunter2", "user": "x"}', '{"password": [redacted], "user": "x"}'),
        ("password: hunter2", "password: [redacted]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----.", "[redacted]."),
        ("-----BEGIN PRIVATE KEY-----\\nAA…", "[redacted]"),
    ],
)
def test_the_value_of_a_telling_key_is_hidden(text, left):
    assert redacted(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "sha256:" + "a" * 64,
        "secretName=registry",
        "imagePullSecrets: [registry]",
        "tokenizer=fast",
        "https://example.com:8080/x",
        "nvcr.io/nvidia/pytorch:25.06-py3@sha256:" + "0" * 64,
        "0123456789abcdef0123456789abcdef01234567",
    ],
)
def test_what_is_no_secret_stays(text):
    assert redacted(text) == text


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--set", "nfd:master.token=hunter2"], {"hunter2"}),
        (["--set=nfd:auth.password=my pass, word"], {"my pass, word"}),
        (["--set-json", 'nfd={"auth": {"token": "hunter2"}}'], {"hunter2"}),
        (["--set", "nfd:automountServiceAccountToken=false", "--set", "nfd:token=abc"], set()),
        (["--set", "nfd:worker.name=hunter2"], set()),
    ],
)
def test_secrets_are_found_in_the_words_of_the_command(words, found):
    assert secrets_in(words) == found


def test_a_known_secret_is_hidden_wherever_it_stands():
    assert redacted("'hunter2' is not an integer", {"hunter2"}) == "'[redacted]' is not an integer"


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [("/auth/token", True), ("/auth/apiKey", True), ("/secretName", False), ("/tokens/0", False), ("", False)],
)
def test_a_pointer_tells_a_secret_by_its_last_key(pointer, expected):
    assert telling(pointer) is expected


@pytest.mark.parametrize("piece", ["eyJ-", "token", "token=", "'\"", "://a:", "-----BEGIN PRIVATE KEY-----", "ghp_", "--set a="])
def test_a_long_text_costs_little(piece):
    started = time.process_time()
    redacted(piece * 50_000, secrets_in([piece * 50_000]))
    assert time.process_time() - started < 2
