"""Requirements on file names. Reserved names: learn.microsoft.com, "Naming Files, Paths, and Namespaces"; 255 bytes: NAME_MAX."""

import pytest

from bundler.publish.names import key, problem


@pytest.mark.parametrize("path", ["README.md", "components/gpu-operator/Chart.yaml", "runtimes/clustertrainingruntime-a.b-c.yaml"])
def test_ordinary_paths_are_portable(path):
    assert problem(path) is None


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "holds the name '', which is no file name"),
        ("/etc/passwd", "holds the name '', which is no file name"),
        ("a//b", "holds the name '', which is no file name"),
        (".", "holds the name '.', which is no file name"),
        ("a/../b", "holds the name '..', which is no file name"),
        ("a b", "holds the name 'a b', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a\\b", "holds the name 'a\\\\b', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("é", "holds the name '\\xe9', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("e\u0301", "holds the name 'e\\u0301', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a:b", "holds the name 'a:b', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a\n", "holds the name 'a\\n', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        (".git", "holds the name '.git', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("-rf", "holds the name '-rf', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a.", "holds the name 'a.', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("x/con", "holds the name 'con', which Windows reserves"),
        ("NUL.yaml", "holds the name 'NUL.yaml', which Windows reserves"),
        ("a" * 256, "holds a name of 256 bytes, more than the 255 a file system takes"),
    ],
)
def test_names_that_some_file_system_refuses_or_changes_are_named(path, fault):
    assert problem(path) == fault


def test_a_long_name_is_shown_in_part():
    assert len(problem("é" * 5000)) < 400


def test_paths_that_differ_only_in_case_share_a_key():
    assert key("a/Chart.yaml") == key("a/chart.yaml")
