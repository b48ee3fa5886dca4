"""Requirements on the public API, `from bundler import …`."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bundler

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", bundler.__all__)
def test_a_public_name_is_there_documented_and_no_module(name):
    member = getattr(bundler, name)
    assert not isinstance(member, ModuleType)
    assert isinstance(member, str) or member.__doc__


@pytest.mark.parametrize("first", ["bundler.compose.merge", "bundler.render.render", "bundler.pipeline", "bundler.cli"])
def test_a_public_name_is_the_same_whatever_was_imported_before(first):
    program = f"import {first}\nfrom bundler import compose, render\nprint(compose.__qualname__, render.__qualname__)"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "compose render\n"


def test_importing_the_package_imports_no_stage():
    program = "import sys, bundler\nprint(sorted(name for name in sys.modules if name.startswith('bundler')))"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "['bundler']\n"


def test_a_name_that_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'bundler' has no attribute 'nothing'"):
        bundler.nothing  # noqa: B018  (reading it is the test)
