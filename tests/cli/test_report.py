"""`aicr report`: the page goes to stdout or a file, what was found to stderr, and the exit code says whether it is in order."""

import pytest

RECIPE = "h100-kind-training-kubeflow"


@pytest.fixture
def bundle(run, tmp_path):
    assert run("bundle", "--recipe", RECIPE, "-o", tmp_path / "out").code == 0
    return tmp_path / "out"


def test_the_page_goes_to_a_file(run, bundle, tmp_path):
    page = tmp_path / "out.html"
    assert run("report", bundle, "-o", page) == run("report", bundle, "-o", page)
    code, out, err = run("report", bundle, "-o", page)
    assert (code, out) == (0, "")
    assert err.startswith(f"{page}: 1 runtime drawn, ")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>\n")


def test_the_page_goes_to_stdout(run, bundle):
    code, out, err = run("report", bundle)
    assert (code, err) == (0, "")
    assert out.startswith("<!doctype html>\n")
    assert out.endswith("</html>\n")


def test_with_another_bundle_the_page_says_what_changes(run, bundle, tmp_path):
    words = ("--recipe", RECIPE, "--set", "gpu-operator:driver.version=580.105.08")
    assert run("bundle", *words, "-o", tmp_path / "changed").code == 0
    page = tmp_path / "out.html"
    assert run("report", tmp_path / "changed", "--against", bundle, "-o", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert '<h2 id="changes">What changes</h2>\n<p>From <code>out</code> to <code>changed</code>.</p>' in html
    assert "components/gpu-operator/values.yaml" in html
    assert str(tmp_path) not in html
    assert run("report", bundle, "--against", RECIPE, "-o", page).code == 0
    assert "no difference" in page.read_text(encoding="utf-8")
    assert run("report", bundle, "--against", tmp_path / "nowhere").code == 3


def test_a_bundle_that_is_not_in_order_has_a_page_that_says_so(run, bundle, tmp_path):
    (bundle / "README.md").write_text("mine\n")
    page = tmp_path / "out.html"
    code, _, err = run("report", bundle, "-o", page)
    assert code == 1
    assert "error[AICR-O032]: README.md is not the file that checksums.txt lists" in err
    assert "Not in order." in page.read_text(encoding="utf-8")
    assert run("report", bundle, "-o", page, "--exit-zero").code == 0


def test_what_is_no_bundle_has_no_page(run, tmp_path):
    (tmp_path / "empty").mkdir()
    code, out, err = run("report", tmp_path / "empty")
    assert (code, out) == (2, "")
    assert "error[AICR-O030]" in err


def test_what_is_not_there_is_named(run, tmp_path):
    code, out, err = run("report", tmp_path / "nowhere")
    assert (code, out) == (3, "")
    assert "nowhere" in err
