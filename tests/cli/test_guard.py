"""Requirements on `aicr guard`: exit 0 when what is measured is what ships, 1 with both files named when not, 2 for a misuse."""

import json
import re
import shutil
from pathlib import Path

import pytest

GKE = "h100-gke-cos-training-kubeflow"
NETWORKS = "fabricAttachment.interfaces=" + ",".join(f"eth{number}=vpc{number}" for number in range(1, 9))
CHOICES = ["--profile", "gpuStack=gke-default", "--profile", "fabricAttachment=gke-tcpxo-multinetwork", "--param", NETWORKS]
FOREIGN = Path(__file__).parents[1] / "unit/guard/foreign/h100-gke.yaml"
BASE = Path(__file__).parents[2] / "recipes/base.yaml"
FIXTURE = "validators/trainingruntime-nccl-all-reduce-tcpxo.yaml"
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle, made once."""
    from bundler.cli import main

    out = tmp_path_factory.mktemp("bundle") / "out"
    assert main(["bundle", "--recipe", GKE, *CHOICES, "-o", str(out)]) == 0
    return out


@pytest.fixture
def bundle(made, tmp_path):
    return shutil.copytree(made, tmp_path / "out")


def edit(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_the_catalogue_measures_what_it_ships(run):
    code, out, err = run("guard")
    assert (code, err) == (0, "no findings\n")
    head, *rows = out.splitlines()
    assert head.split() == ["RUNTIME", "FIXTURE", "FIELDS", "RESULT", "FOR"]
    assert {row.split()[3] for row in rows} == {"equal"}
    fixtures = {row.split()[1] for row in rows}
    tests = {name for name in fixtures if name.startswith("nodes-")}
    assert len(tests) == 7  # the tests of the certification catalogue that use a fabric
    assert {name.removeprefix("nccl-all-reduce-") for name in fixtures - tests} == {
        *("tcpxo", "tcpx", "gib", "dranet", "nvls-gib"),
        *("efa", "nvls-efa", "nvls", "rdma", "rdma-vf"),
    }


def test_a_recipe_is_taken_with_each_of_its_choices(run):
    code, out, err = run("guard", GKE, "-t", "json")
    assert (code, err) == (0, "no findings\n")
    compared = json.loads(out)["comparisons"]
    assert [one["fixture"]["name"] for one in compared if not one["fixture"]["name"].startswith("nodes-")] == [
        "nccl-all-reduce-tcpxo",
        "nccl-all-reduce-tcpx",
    ]
    assert (len(compared), any(one["diverges"] for one in compared)) == (2 + 7, False)


def test_a_recipe_with_choices_is_one_comparison_with_equal_digests(run):
    code, out, err = run("guard", GKE, *CHOICES, "-t", "json")
    assert (code, err) == (0, "no findings\n")
    (one,) = json.loads(out)["comparisons"]
    assert one["for"] == f"{GKE} fabricAttachment=gke-tcpxo-multinetwork"
    assert one["runtime"]["projection"] == one["fixture"]["projection"]


def test_a_choice_that_the_recipe_asks_for_is_never_guessed(run):
    code, out, err = run("guard", GKE, "--fixture", FOREIGN)
    assert (code, out) == (2, "")
    assert err.startswith(f"error[AICR-P002]: recipe '{GKE}' leaves fabricAttachment to you")


@pytest.mark.parametrize("words", [("h100-kind-training-kubeflow",), (GKE, "--profile", "fabricAttachment=none")])
def test_what_attaches_no_fabric_has_nothing_to_compare(run, words):
    code, out, err = run("guard", *words)
    assert (code, out) == (0, "")
    assert err.startswith(f"note[AICR-G010]: nothing to compare: {words[0]} attaches no fabric\n")
    assert err.endswith("1 note\n")


def test_a_bundle_is_compared_as_it_stands(run, bundle):
    code, out, err = run("guard", bundle)
    assert (code, err) == (0, "no findings\n")
    assert out.splitlines()[1].split() == ["torch-distributed-tcpxo", "nccl-all-reduce-tcpxo", "89", "equal", str(bundle)]


def test_a_bundle_that_diverges_ends_with_1_and_names_both_files_with_their_lines(run, bundle):
    edit(bundle / FIXTURE, "--num_hops=2", "--num_hops=4")
    code, out, err = run("guard", bundle)
    assert code == 1
    assert out.splitlines()[1].split()[3] == "diverges"
    blocks = err.split("error[")
    assert len(blocks) == 2
    first, second = (line.split()[1] for line in err.splitlines() if line.startswith("  --> "))
    assert first.startswith(f"{bundle / FIXTURE}:")
    assert second.startswith(f"{bundle / RUNTIME}:")
    assert run("guard", bundle, "--exit-zero").code == 0


def test_findings_are_data_too(run, bundle):
    edit(bundle / FIXTURE, "--num_hops=2", "--num_hops=4")
    code, out, _ = run("guard", bundle, "-t", "json")
    assert code == 1
    (one,) = json.loads(out)["comparisons"]
    assert one["diverges"]
    assert one["runtime"]["projection"] != one["fixture"]["projection"]
    (finding,) = one["findings"]
    assert (finding["rule"], finding["severity"], len(finding["places"])) == ("AICR-G001", "error", 2)
    assert [place["object"] for place in finding["places"]] == [
        "TrainingRuntime/nccl-all-reduce-tcpxo",
        "ClusterTrainingRuntime/torch-distributed-tcpxo",
    ]


@pytest.mark.parametrize(("file", "said"), [(FIXTURE, "nccl-all-reduce-tcpxo"), (RUNTIME, "torch-distributed-tcpxo")])
def test_a_bundle_without_one_of_the_two_is_refused(run, bundle, file, said):
    (bundle / file).unlink()
    code, out, err = run("guard", bundle)
    assert (code, out) == (2, "")
    assert err == (
        f"error[AICR-G010]: the bundle has no {said} in {file.partition('/')[0]}/\n"
        f"  --> {bundle}\n"
        "  fix: render the bundle again\n"
    )  # fmt: skip


def test_a_directory_that_is_no_bundle_is_refused(run, tmp_path):
    code, _, err = run("guard", tmp_path)
    assert code == 3
    assert err.startswith(f"error[AICR-O021]: no bundle in '{tmp_path}'\n")


def test_a_warning_ends_with_1_when_strict(run, bundle):
    for file in (FIXTURE, RUNTIME):
        indent = re.search(r"\n( *)- name: NCCL_DEBUG_SUBSYS\n", (bundle / file).read_text())[1]
        last = f"{indent}- name: NCCL_DEBUG_SUBSYS\n"
        edit(bundle / file, last, f"{indent}- {{name: NCCL_MINE, value: x}}\n{last}")
    code, _, err = run("guard", bundle)
    assert code == 0, err
    assert err.startswith("warning[AICR-F012]: in both, NCCL_MINE is no variable of release v1.0.15\n")
    assert run("guard", bundle, "--strict").code == 1


def test_a_fixture_from_elsewhere_is_compared_with_what_a_bundle_ships(run, bundle):
    code, out, err = run("guard", bundle, "--fixture", FOREIGN)
    assert code == 1
    assert out.splitlines()[1].split()[3] == "diverges"
    assert err.endswith("8 errors, 5 notes\n")
    assert f"  --> {FOREIGN}:" in err


def test_two_files_are_compared_with_each_other_alone_and_that_is_said(run, bundle):
    code, out, err = run("guard", "--runtime", bundle / RUNTIME, "--fixture", bundle / FIXTURE)
    assert code == 0
    assert out.splitlines()[1].split()[3] == "equal"
    assert err.startswith(
        "note[AICR-G009]: the two are compared with each other and not held against a release, since no recipe is named\n"
    )


def test_a_runtime_of_ones_own_is_compared_with_the_packaged_fixture(run, bundle):
    edit(bundle / RUNTIME, "--num_hops=2", "--num_hops=4")
    code, _, err = run("guard", GKE, *CHOICES, "--runtime", bundle / RUNTIME)
    assert code == 1
    assert f"  --> {bundle / RUNTIME}:" in err
    assert "  fix: in the runtime, add --num_hops=2 to its command\n" in err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("no-such-recipe",), 3, "error[AICR-C001]: no recipe is named 'no-such-recipe'"),
        (("--fixture", FOREIGN), 2, "error[AICR-U003]: one file alone is compared with nothing"),
        (("--runtime", FOREIGN), 2, "error[AICR-U003]: one file alone is compared with nothing"),
        (("--profile", "a=b"), 2, "error[AICR-U003]: flags choose for a recipe, and none is named"),
        (("--fixture", FOREIGN, "--runtime", "no-such.yaml"), 3, "file does not exist: 'no-such.yaml'"),
        (
            ("--fixture", FOREIGN, "--runtime", Path(__file__).parents[2] / "recipes/base.yaml"),
            2,
            "holds no runtimes, where one is",
        ),
        (("--fixture", FOREIGN, "--runtime", Path(__file__)), 2, "error[AICR-Y"),
    ],
    ids=str,
)
def test_a_misuse_is_refused(run, words, code, said):
    outcome = run("guard", *words)
    assert outcome.code == code
    assert outcome.out == ""
    assert said in outcome.err


def test_every_bundle_of_a_directory_is_compared(run, made, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(made, tmp_path / "all" / name)
    edit(tmp_path / "all/b" / FIXTURE, "vpc3", "vpc9")
    code, out, err = run("guard", tmp_path / "all")
    assert code == 1
    assert [row.split()[3] for row in out.splitlines()[1:]] == ["equal", "diverges"]
    assert str(tmp_path / "all/b") in err
