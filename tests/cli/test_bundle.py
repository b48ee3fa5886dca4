"""Requirements on `aicr bundle`: one destination, a short word on stderr, the product on stdout, a check that says what to run."""

import pytest
import yaml

KIND = ("--recipe", "h100-kind-training-kubeflow")
GKE = ("--recipe", "h100-gke-cos-training-kubeflow")
INTERFACES = ",".join(f"eth{number}=vpc{number}" for number in range(1, 9))
TCPXO = (
    *GKE,
    *("--profile", "fabricAttachment=gke-tcpxo-multinetwork"),
    *("--param", f"fabricAttachment.interfaces={INTERFACES}"),
)
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed.yaml"


def files(directory):
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def _in_an_empty_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_bundle_is_written_with_one_line_on_stderr(run, tmp_path):
    code, out, err = run("bundle", *KIND, "-o", "out")
    written = files(tmp_path / "out")
    assert (code, out) == (0, "")
    assert err == f"out: {len(written)} files, 1 runtime (torch-distributed); {len(written)} added\n"
    assert {"README.md", "recipe.yaml", "bundle.lock.yaml", "checksums.txt", RUNTIME} <= written.keys()


def test_writing_again_changes_nothing(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    code, _, err = run("bundle", *KIND, "-o", "out")
    assert code == 0
    assert err.endswith("; already up to date\n")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == before


def test_criteria_choose_the_recipe(run, tmp_path):
    run("bundle", *KIND, "-o", "by-name")
    assert run("bundle", "--service", "kind", "-o", "by-criteria").code == 0
    assert files(tmp_path / "by-name") == files(tmp_path / "by-criteria")


def test_the_fabric_of_a3_mega_is_attached_in_one_command(run, tmp_path):
    code, _, err = run("bundle", *TCPXO, "-o", "out")
    assert code == 0, err
    runtime = yaml.safe_load((tmp_path / "out/runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml").read_text())
    pod = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    attached = yaml.safe_load(pod["metadata"]["annotations"]["networking.gke.io/interfaces"])
    assert [entry["network"] for entry in attached] == ["default", *(f"vpc{number}" for number in range(1, 9))]


def test_a_bundles_recipe_makes_it_again_byte_for_byte(run, tmp_path):
    placement = ("--accelerated-node-selector", "pool=gpu", "--accelerated-toleration", "nvidia.com/gpu:NoSchedule")
    values = ("--set", "gpu-operator:driver.rdma.enabled=true", "--set-json", 'nfd={"worker": {"config": {"core": {"x": 1}}}}')
    assert run("bundle", *TCPXO, *placement, *values[:2], "-o", "one").code == 0
    assert run("bundle", "--recipe", "one/recipe.yaml", "-o", "two").code == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_the_last_of_several_sets_survives_the_round_trip(run, tmp_path):
    sets = ("--set", "gpu-operator:driver.rdma.enabled=true", "--set", "gpu-operator:driver.rdma.enabled=false")
    assert run("bundle", *KIND, *sets, "-o", "one").code == 0
    values = yaml.safe_load((tmp_path / "one/components/gpu-operator/values.yaml").read_text())
    assert values["driver"]["rdma"]["enabled"] is False
    assert run("bundle", "--check", "one").code == 0


def test_check_alone_needs_the_directory_and_nothing_else(run):
    run("bundle", *TCPXO, "-o", "out")
    code, out, err = run("bundle", "--check", "out")
    assert (code, out) == (0, "")
    assert err.startswith("out: ")
    assert err.endswith("; current\n")


def test_drift_is_a_diff_a_count_and_the_command_that_mends_it(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    runtime = tmp_path / "out" / RUNTIME
    runtime.write_text(runtime.read_text().replace("numNodes: 1", "numNodes: 3"))
    (tmp_path / "out" / "README.md").unlink()
    (tmp_path / "out" / "stray.txt").write_text("x")
    before = files(tmp_path)
    code, out, err = run("bundle", "--check", "out")
    assert (code, out) == (1, "")
    assert "\n-    numNodes: 3\n+    numNodes: 1\n" in err
    assert "only in the directory: stray.txt\n" in err
    assert err.endswith(
        "error[AICR-U020]: 'out' is not what its recipe renders to: 1 changed, 1 extra, 1 missing\n"
        "  --> out\n"
        "  fix: run aicr bundle --recipe out/recipe.yaml -o out --force\n"
    )
    assert files(tmp_path) == before, "a check writes nothing"


def test_the_command_that_mends_drift_mends_it(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    (tmp_path / "out" / "README.md").unlink()
    command = run("bundle", "--check", "out").err.splitlines()[-1].removeprefix("  fix: run aicr ").split()
    assert command == ["bundle", "--recipe", "out/recipe.yaml", "-o", "out"]
    assert run(*command).code == 0
    assert run("bundle", "--check", "out").code == 0


def test_the_command_that_mends_drift_repeats_the_flags_that_were_given(run):
    run("bundle", *KIND, "-o", "out")
    err = run("bundle", "--service", "kind", "--set", "gpu-operator:driver.rdma.enabled=true", "--check=out").err
    assert err.splitlines()[-1] == (
        "  fix: run aicr bundle --service kind --set gpu-operator:driver.rdma.enabled=true -o out"
    )  # fmt: skip


def test_drift_can_be_reported_without_failing(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    (tmp_path / "out" / "README.md").unlink()
    code, _, err = run("bundle", "--check", "out", "--exit-zero")
    assert (code, "AICR-U020" in err) == (0, True)


def test_drift_of_a_hostile_file_does_not_act_on_the_terminal(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    with (tmp_path / "out" / RUNTIME).open("a") as file:
        file.write("# \x1b]0;owned\x07\u202e\n")
    (tmp_path / "out" / "a\x1b[2Jb").write_text("")
    err = run("bundle", "--check", "out").err
    assert not set(err) & set("\x1b\x07\u202e")
    assert r"-# \x1b]0;owned\x07\u202e" in err


def test_check_of_a_missing_directory_is_not_found(run):
    code, _, err = run("bundle", "--check", "nowhere")
    assert code == 3
    assert err.startswith("error[AICR-O021]: bundle directory does not exist: 'nowhere'\n")


def test_a_check_of_a_directory_checks_every_bundle_below_it_and_says_of_each(run, tmp_path):
    for name in ("a/one", "a/two", ".hidden/three"):
        assert run("bundle", *KIND, "-o", name).code == 0
    code, out, err = run("bundle", "--check", ".")
    assert (code, out) == (0, "")
    assert [line.partition(":")[0] for line in err.splitlines()] == ["a/one", "a/two"]
    (tmp_path / "a/one/extra.yaml").write_text("a: 1\n")
    code, _, err = run("bundle", "--check", "a", "--report", "json=report.json")
    assert code == 1
    assert "error[AICR-U020]: 'a/one' is not what its recipe renders to: 1 extra" in err
    assert err.splitlines()[-1].startswith("a/two: ")
    assert "fix: run aicr bundle --recipe a/one/recipe.yaml -o a/one" in err


def test_a_bundle_that_cannot_be_rendered_keeps_no_other_from_its_check(run, tmp_path):
    for name in ("a", "b"):
        assert run("bundle", *KIND, "-o", name).code == 0
    (tmp_path / "a/recipe.yaml").write_text("apiVersion: aicr.run/v2\nkind: BundleRecipe\nrecipe: gone\n")
    code, _, err = run("bundle", "--check", ".")
    assert code in {2, 3}
    assert err.splitlines()[-1].startswith("b: ")


def test_a_directory_without_a_bundle_is_never_current(run, tmp_path):
    code, _, err = run("bundle", "--check", ".")
    assert code == 3
    assert err.startswith("error[AICR-O021]: no bundle in '.'\n")


def test_a_dry_run_lists_sizes_and_writes_nothing(run, tmp_path):
    code, out, err = run("bundle", *KIND, "--dry-run")
    assert code == 0
    assert out.startswith("BYTES  PATH\n")
    assert RUNTIME in out
    assert err.endswith("; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_for_a_directory_says_what_would_become_of_each_file(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    (tmp_path / "out" / "README.md").unlink()
    before = files(tmp_path)
    code, out, _ = run("bundle", *KIND, "--dry-run", "-o", "out")
    states = {line.split()[2]: line.split()[0] for line in out.splitlines()[1:]}
    assert code == 0
    assert {path for path, state in states.items() if state == "new"} == {"README.md"}
    assert states["recipe.yaml"] == "unchanged"
    assert files(tmp_path) == before


def test_stdout_is_one_stream_of_every_yaml_file(run, tmp_path):
    run("bundle", *KIND, "-o", "out")
    code, out, err = run("bundle", *KIND, "--stdout")
    assert (code, err) == (0, "")
    named = [line.removeprefix("# ") for line in out.splitlines() if line.startswith("# ")]
    assert named == sorted(path for path in files(tmp_path / "out") if path.endswith(".yaml"))
    documents = list(yaml.safe_load_all(out))
    assert documents[named.index(RUNTIME)] == yaml.safe_load((tmp_path / "out" / RUNTIME).read_text())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing says where the bundle goes"),
        (("--stdout", "--dry-run"), "--stdout and --dry-run cannot stand together"),
        (("-o", "a", "--check", "b"), "-o and --check cannot stand together"),
        (("-o", "a", "--stdout", "--check", "b"), "-o and --stdout and --check cannot stand together"),
        (("--stdout", "--force"), "--force means nothing without -o"),
        (("-o", "a", "--exit-zero"), "--exit-zero means nothing without --check"),
    ],
)
def test_a_bundle_has_one_destination(run, tmp_path, words, message):
    code, out, err = run("bundle", *KIND, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error[AICR-U014]: {message}\n  --> aicr bundle\n  fix: ")
    assert list(tmp_path.iterdir()) == []


MISTAKES = {
    "required profile": ((*GKE,), 2, "AICR-P002"),
    "required parameter": ((*GKE, "--profile", "fabricAttachment=gke-tcpxo-multinetwork"), 2, "AICR-P006"),
    "wrong count": ((*TCPXO[:4], "--param", "fabricAttachment.interfaces=eth1=a,eth2=b"), 2, "AICR-P008"),
    "unknown recipe": (("--recipe", "h100-gke-cos-training-kubeflo"), 3, "AICR-C001"),
    "unknown axis": ((*KIND, "--profile", "gpuStak=x"), 2, "AICR-P001"),
    "unknown value": ((*GKE, "--profile", "fabricAttachment=nne"), 2, "AICR-P003"),
    "changed case": ((*GKE, "--profile", "fabricAttachment=None"), 2, "AICR-P003"),
    "value of another cloud": ((*TCPXO, "--profile", "gpuStack=azure-managed"), 2, "AICR-P004"),
    "unknown component": ((*KIND, "--set", "gpu-operatr:driver.enabled=true"), 2, "AICR-C051"),
    "unknown path": ((*KIND, "--set", "gpu-operator:driver.enbled=true"), 2, "AICR-C053"),
    "owned path": ((*TCPXO, "--set", "gpu-operator:devicePlugin.enabled=true"), 2, "AICR-P015"),
    "criteria nobody has": (("--service", "gek"), 2, "AICR-C002"),
    "missing file": ((*KIND, "--set-file", "nfd=nowhere.yaml"), 3, "AICR-S014"),
    "missing data": ((*KIND, "--data", "nowhere"), 3, "AICR-S010"),
}


@pytest.mark.parametrize(("words", "exit_code", "rule"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_writes_nothing_and_names_its_rule(run, tmp_path, words, exit_code, rule):
    code, out, err = run("bundle", *words, "-o", "out")
    assert (code, out) == (exit_code, "")
    assert err.startswith(f"error[{rule}]: ")
    assert "\n  fix: " in err
    assert list(tmp_path.iterdir()) == []


def test_an_upstream_recipe_is_bundled_with_one_finding_for_each_part_left_out(run, tmp_path):
    interfaces = "".join(f"\n    - interfaceName: eth{number}\n      network: gpu-nic-{number}" for number in range(1, 9))
    (tmp_path / "upstream.yaml").write_text(
        "apiVersion: aicr.run/v1beta2\nkind: RecipeResult\n"
        "metadata:\n  version: v1.0.0\n  selectedProfile: {name: gpuStack, value: gke-default}\n"
        "criteria: {service: gke, accelerator: h100, os: cos, intent: training, platform: kubeflow}\n"
        f"configuration:\n  gke:\n    tcpxoInterfaces:{interfaces}\n"
        "componentRefs:\n- name: cert-manager\n"
    )
    code, _, err = run("bundle", "--recipe", "upstream.yaml", "-o", "out")
    assert code == 0, err
    assert [line for line in err.splitlines() if "AICR-X" in line] == [
        "warning[AICR-X003]: upstream recipe's componentRefs is not carried over",
        "note[AICR-X003]: upstream recipe's metadata.version is not carried over",
    ]
    assert (tmp_path / "out/runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml").is_file()


def test_it_runs_as_a_module_with_the_same_bytes_in_another_locale(run, process, tmp_path):
    run("bundle", *KIND, "-o", "one")
    foreign = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    assert process("bundle", *KIND, "-o", "two", **foreign).code == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert process("bundle", *KIND, "--stdout", **foreign).out == run("bundle", *KIND, "--stdout").out
