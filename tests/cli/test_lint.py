"""Requirements on `aicr lint`: the packaged data is sound, and each way in which data can be unsound is a finding at its line."""

import pytest

HEADER = "apiVersion: aicr.run/v2\n"
OVERLAY = HEADER + "kind: Overlay\nmetadata: {name: mine, description: Mine.}\ncriteria: {service: kind}\n"
RECIPE = (
    HEADER + "kind: Recipe\nmetadata: {name: mine, description: Mine.}\n"
    "criteria: {service: kind, accelerator: h100, os: ubuntu, intent: training, platform: kubeflow}\n"
)
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n  namespace: default\ndata:\n  key: %s\n"


def tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def found(run, *paths):
    """Exit code, and severity, rule and place of each finding."""
    code, out, err = run("lint", *paths)
    assert out == ""
    heads = [line for line in err.splitlines() if "[AICR-" in line]
    places = [line.split()[1] for line in err.splitlines() if line.startswith("  -->")]
    return code, [(head.split("]")[0].replace("[", " "), place) for head, place in zip(heads, places, strict=True)]


def test_the_packaged_data_is_sound(run):
    code, findings = found(run)
    assert code == 0
    # Operators compose image names from parts, some vendors publish no digest, and gb300 waits for a count of EFA interfaces.
    assert {rule for rule, _ in findings} <= {"warning AICR-I004", "warning AICR-I006", "warning AICR-S034"}


def test_the_checkout_is_the_packaged_data(run):
    from bundler.catalog.root import packaged_root

    assert found(run, packaged_root()) == found(run)


@pytest.mark.parametrize(
    ("files", "finding", "place"),
    [
        ({"overlays/mine.yaml": OVERLAY + "componets: []\n"}, "error AICR-S001", "overlays/mine.yaml:5:1"),
        ({"overlays/mine.yaml": "{"}, "error AICR-Y", "overlays/mine.yaml:"),
        ({"recipes/mine.yaml": OVERLAY}, "error AICR-S007", "recipes/mine.yaml:2:1"),
        ({"recipes/other.yaml": RECIPE}, "error AICR-S008", "recipes/other.yaml:3:12"),
        ({"schemas/mine.json": "{"}, "error AICR-S009", "schemas/mine.json:1:2"),
        ({"schemas/mine.json": '{"type": 1}'}, "error AICR-S003", "schemas/mine.json"),
        ({"schemas/values/mine.json": '{"$ref": "https://example.com/x"}'}, "error AICR-S003", "schemas/values/mine.json"),
        (
            {"overlays/mine.yaml": OVERLAY + "components:\n  - {name: gpu-operator, manifests: [components/no.yaml.j2]}\n"},
            "error AICR-S031",
            "overlays/mine.yaml:6:",
        ),
        ({"overlays/mine.yaml": OVERLAY + "components:\n  - {name: gpu-operatr}\n"}, "error AICR-S031", "overlays/mine.yaml:6:"),
        ({"overlays/mine.yaml": OVERLAY + "runtimes:\n  - {name: torch}\n"}, "error AICR-S031", "overlays/mine.yaml:6:"),
        ({"manifests/components/mine/x.yaml.j2": CONFIG_MAP % "{{ x }}"}, "error AICR-T", "manifests/components/mine/x.yaml.j2:7"),
        (
            {"manifests/components/mine/x.yaml.j2": CONFIG_MAP % '{{ fragment("no") | to_json }}'},
            "error AICR-S031",
            "manifests/components/mine/x.yaml.j2:7",
        ),
        (
            {"manifests/components/mine/x.yaml.j2": CONFIG_MAP % '{{ image("no") | quote }}'},
            "error AICR-S031",
            "manifests/components/mine/x.yaml.j2:7",
        ),
    ],
)
def test_unsound_data_is_a_finding_at_its_line(run, tmp_path, files, finding, place):
    code, findings = found(run, tree(tmp_path / "data", files))
    mine = [(rule, where.removeprefix(f"{tmp_path}/data/")) for rule, where in findings if str(tmp_path) in where]
    assert any(rule.startswith(finding) and where.startswith(place) for rule, where in mine), findings
    assert code == 1


def test_what_only_a_whole_run_finds_is_found_together(run, tmp_path):
    """Warnings and unfit choices keep no recipe from being tried, which takes longest: one run for all of them."""
    recipe = RECIPE.replace("name: mine", "name: %s")
    code, findings = found(
        run,
        tree(
            tmp_path,
            {
                "recipes/mine/mine.yaml": RECIPE,
                "overlays/mine.yml": OVERLAY,
                "manifests/components/mine/x.yaml.j2": CONFIG_MAP % "value",
                "manifests/fragments/mine.yaml": "a: 1\n",
                "recipe/mine.yaml": RECIPE,
                "recipes/axis.yaml": recipe % "axis" + "profiles:\n  fabricAttachmnt: {default: none}\n",
                "recipes/value.yaml": recipe % "value" + "profiles:\n  fabricAttachment: {default: nne}\n",
            },
        ),
    )
    assert code == 1
    assert {(rule, where.removeprefix(f"{tmp_path}/")) for rule, where in findings if str(tmp_path) in where} == {
        ("warning AICR-S030", "recipes/mine/mine.yaml"),
        ("warning AICR-S030", "overlays/mine.yml"),
        ("warning AICR-S032", "manifests/components/mine/x.yaml.j2"),
        ("warning AICR-S032", "manifests/fragments/mine.yaml"),
        ("warning AICR-S016", "recipe"),
        ("error AICR-P019", "recipes/axis.yaml:6:3"),
        ("error AICR-P003", "recipes/value.yaml:6:22"),
    }


def test_a_profile_that_leaves_a_path_out_is_a_finding(run, tmp_path):
    profile = (
        HEADER + "kind: Profile\nmetadata: {name: mine, description: Mine.}\nvalues:\n"
        "  a:\n    description: A.\n    components: [{name: nfd, values: {worker: {tolerations: []}}}]\n  b:\n    description: B.\n"
    )
    code, findings = found(run, tree(tmp_path, {"recipes/profiles/mine.yaml": profile}))
    assert code == 1
    assert ("error AICR-P016", f"{tmp_path}/recipes/profiles/mine.yaml:8:3") in findings


def test_a_required_parameter_without_an_example_is_a_finding(run, tmp_path):
    profile = (
        HEADER + "kind: Profile\nmetadata: {name: mine, description: Mine.}\nvalues:\n"
        "  a:\n    description: A.\n    parameters:\n      p: {description: P., required: true, schema: {type: string}}\n"
    )
    recipe = RECIPE + "profiles:\n  mine: {default: a}\n"
    code, findings = found(run, tree(tmp_path, {"recipes/profiles/mine.yaml": profile, "recipes/mine.yaml": recipe}))
    assert ("warning AICR-S033", f"{tmp_path}/recipes/profiles/mine.yaml:8:7") in findings
    assert code == 0


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("overlay.yaml", OVERLAY, None),
        ("recipe.yaml", RECIPE, None),
        ("overlay.yaml", OVERLAY + "x: 1\n", "error AICR-S001"),
        ("overlay.yaml", OVERLAY + "components:\n  - {name: gpu-operatr}\n", "error AICR-S031"),
        ("overlay.yaml", "kind: Nonsense\n", "error AICR-S007"),
        ("template.yaml.j2", CONFIG_MAP % "{{ values.x | quote }}", None),
        ("template.yaml.j2", CONFIG_MAP % "{{ values.x }}", "error AICR-T"),
        ("schema.json", '{"type": "object"}', None),
        ("schema.json", "[", "error AICR-S009"),
    ],
)
def test_a_single_file_is_judged(run, tmp_path, name, text, rule):
    code, findings = found(run, tree(tmp_path, {name: text}) / name)
    assert code == (0 if rule is None else 1)
    assert [each for each, _ in findings if not each.startswith(rule or "")] == []
    assert bool(findings) == (rule is not None)


@pytest.mark.parametrize(("name", "code"), [("nowhere", 3), ("nowhere.yaml", 3), ("notes.txt", 2)])
def test_what_cannot_be_judged_is_no_success(run, tmp_path, name, code):
    (tmp_path / "notes.txt").write_text("x")
    assert run("lint", tmp_path / name).code == code


def test_sound_data_says_so(run, tmp_path):
    path = tmp_path / "overlay.yaml"
    path.write_text(OVERLAY)
    assert run("lint", path).err == "no findings\n"


def test_a_job_may_fail_on_warnings_or_on_nothing(run, tmp_path):
    warned = tree(tmp_path / "warned", {"manifests/fragments/mine.yaml": "a: 1\n"})
    assert [run("lint", warned).code, run("lint", warned, "--strict").code] == [0, 1]
    broken = tree(tmp_path / "broken", {"overlays/mine.yaml": "{"})
    assert [run("lint", broken).code, run("lint", broken, "--exit-zero").code] == [1, 0]
