"""Row T3: an include stays below manifests/, whatever it names and whatever stands on the disk."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.render.renderer import Renderer

SECRET = "top: secret\n"


def write(root, name, text):
    path = root / "data/manifests/runtimes" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def refused(root, text):
    (root / "outside").mkdir()
    (root / "outside/secret.yaml.j2").write_text(SECRET)
    (root / "data/secret.yaml.j2").parent.mkdir(parents=True, exist_ok=True)
    (root / "data/secret.yaml.j2").write_text(SECRET)
    write(root, "t.yaml.j2", text)
    with pytest.raises(InvalidInput) as caught:
        Renderer.of(Catalog.load(root / "data")).documents("runtimes/t.yaml.j2", {})
    [found] = caught.value.findings
    return found


@pytest.mark.parametrize(
    "name",
    [
        "../secret.yaml.j2",
        "../../outside/secret.yaml.j2",
        "runtimes/../../secret.yaml.j2",
        "runtimes/../t.yaml.j2",
        "/etc/passwd",
        "//etc/passwd",
        "./runtimes/t.yaml.j2",
        "runtimes//t.yaml.j2",
        "..\\\\secret.yaml.j2",
        "runtimes/t.yaml.j2\\u0000",
        "",
    ],
)
def test_a_name_that_leads_out_is_refused_at_load(tmp_path, name):
    found = refused(tmp_path, f"a: 1\n{{% include '{name}' %}}\n")
    assert (found.rule, found.location.line) == ("AICR-T008", 2)
    assert found.message.startswith("an include leads out of manifests/: ")


@pytest.mark.parametrize("target", ["('run' + 'times/t.yaml.j2')", "profiles.name", "['a', 'b']", "none", "1"])
def test_a_name_that_is_computed_is_refused_at_load(tmp_path, target):
    found = refused(tmp_path, f"a: 1\n{{% include {target} %}}\n")
    assert (found.rule, found.location.line) == ("AICR-T008", 2)
    assert found.message == "an include does not name its template as a text"


@pytest.mark.parametrize(
    "name", ["runtimes/absent.yaml.j2", "runtimes/T.yaml.j2", "Runtimes/t.yaml.j2", "t.yaml.j2", "recipes/base.yaml", "~/x"]
)
def test_a_name_that_is_missing_or_differs_in_case_is_refused_where_it_is_written(tmp_path, name):
    found = refused(tmp_path, f"a: 1\n{{% include '{name}' %}}\n")
    assert (found.rule, found.location.line) == ("AICR-S018", 2)
    assert name in found.message


@pytest.mark.parametrize("target", ["../../../outside/secret.yaml.j2", "{root}/outside/secret.yaml.j2"])
def test_a_symbolic_link_out_is_refused(tmp_path, target):
    write(tmp_path, "t.yaml.j2", "a: 1\n")
    (tmp_path / "data/manifests/runtimes/link.yaml.j2").symlink_to(target.format(root=tmp_path))
    found = refused(tmp_path, "{% include 'runtimes/link.yaml.j2' %}\n")
    assert found.rule == "AICR-S015"


def test_a_symbolic_link_to_a_directory_is_refused(tmp_path):
    write(tmp_path, "t.yaml.j2", "a: 1\n")
    (tmp_path / "data/manifests/linked").symlink_to(tmp_path / "outside")
    found = refused(tmp_path, "{% include 'linked/secret.yaml.j2' %}\n")
    assert found.rule == "AICR-S015"
