"""Versions of Kubeflow Trainer by the names that users and bundles give them."""

import pytest

from bundler.errors import InvalidInput
from bundler.trainer.versions import VERSIONS, trainer_version


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2.2", "2.2.0"),
        ("2.2.0", "2.2.0"),
        ("2.2.1", "2.2.1"),
        ("2.3", "2.3.0"),
        ("v2.3.0", "2.3.0"),
        ("2.4-preview", "2.4-preview"),
    ],
)
def test_finds_a_version(text, name):
    assert trainer_version(text).name == name


@pytest.mark.parametrize("text", ["2.1.0", "latest", "", "2"])
def test_guesses_no_version(text):
    with pytest.raises(InvalidInput, match="AICR-J001") as caught:
        trainer_version(text)
    assert caught.value.findings[0].fix == "known versions: 2.2.0, 2.2.1, 2.3.0, 2.4-preview"


def test_only_a_plan_is_a_preview():
    assert [name for name, version in VERSIONS.items() if version.preview] == ["2.4-preview"]
