"""Requirements on a diff: objects by identity, renames by likeness, each change with class and risk, what is left out counted."""

import textwrap

import pytest

from bundler.catalog.catalog import Catalog
from bundler.diff.classes import Classes
from bundler.diff.diff import Ignore, diff
from bundler.diff.side import Tree
from bundler.errors import InvalidInput

CLASSES = Catalog.load().derived(Classes.of)


def compared(before, after, ignore=()):
    before, after = (Tree(label="s", files={k: textwrap.dedent(v).encode() for k, v in files.items()}) for files in (before, after))
    return diff(before, after, CLASSES, ignore=[Ignore.of(text) for text in ignore])


def rows(changes):
    return [
        (str(change.how), change.item.title, [(str(edit.how), edit.path, edit.category, str(edit.risk)) for edit in change.edits])
        for change in changes.changes
    ]


def daemon(name="d", image="r.example/a:1", **more):
    return f"""\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {name}
  namespace: ns
  labels:
    app: {name}
spec:
  template:
    spec:
      nodeSelector:
        pool: {more.get("pool", "a")}
      containers:
      - name: c
        image: "{image}"
        command: ["x"]
        args: ["--one", "--two", "--three"]
        securityContext:
          privileged: {more.get("privileged", "false")}
        resources:
          limits:
            memory: "{more.get("memory", "1Gi")}"
"""


def test_the_same_bytes_are_no_difference():
    assert rows(compared({"a.yaml": daemon()}, {"a.yaml": daemon()})) == []


def test_notation_is_no_difference():
    assert rows(compared({"a.yaml": "a: {b: 1}\n"}, {"a.yaml": "# said\na:\n  b: 1\n"})) == []


@pytest.mark.parametrize(
    ("change", "path", "category", "risk"),
    [
        ({"image": "r.example/a:2"}, "containers/c/image", "image", "medium"),
        ({"pool": "b"}, "nodeSelector/pool", "scheduling", "medium"),
        ({"privileged": "true"}, "containers/c/securityContext/privileged", "security", "high"),
        ({"memory": "2Gi"}, "containers/c/resources/limits/memory", "resources", "medium"),
        ({"memory": "1024Mi"}, "containers/c/resources/limits/memory", "resources", "low"),
    ],
)
def test_a_change_of_an_object_has_a_class_and_a_risk(change, path, category, risk):
    found = rows(compared({"a.yaml": daemon()}, {"a.yaml": daemon(**change)}))
    assert found == [("changed", "DaemonSet/ns/d", [("changed", f"/spec/template/spec/{path}", category, risk)])]


def test_an_object_in_another_file_is_moved_and_not_removed_and_added():
    found = rows(compared({"a.yaml": daemon()}, {"b/c.yaml": daemon(pool="b")}))
    edits = [("changed", "/spec/template/spec/nodeSelector/pool", "scheduling", "medium"), ("moved", "", "record", "none")]
    assert found == [("moved", "DaemonSet/ns/d", edits)]


def test_an_object_under_another_name_is_renamed_where_it_is_alike():
    found = rows(compared({"a.yaml": daemon()}, {"a.yaml": daemon(name="e")}))
    assert found == [
        (
            "renamed",
            "DaemonSet/ns/e",
            [("renamed", "", "workload", "medium"), ("changed", "/metadata/labels/app", "metadata", "low")],
        )
    ]


def test_an_object_of_another_kind_or_content_is_removed_and_added():
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d, namespace: ns}\ndata: {a: b}\n"
    found = rows(compared({"a.yaml": daemon()}, {"a.yaml": other}))
    assert found == [
        ("removed", "DaemonSet/ns/d", [("removed", "", "workload", "high")]),
        ("added", "ConfigMap/ns/d", [("added", "", "values", "medium")]),
    ]


def test_the_most_alike_are_paired_whatever_their_order():
    before = {"a.yaml": daemon("a"), "b.yaml": daemon("b", image="r.example/b:1", memory="9Gi")}
    after = {"a.yaml": daemon("z", image="r.example/b:1", memory="9Gi"), "b.yaml": daemon("x")}
    assert [(change.before.title, change.after.title) for change in compared(before, after).changes] == [
        ("DaemonSet/ns/a", "DaemonSet/ns/x"),
        ("DaemonSet/ns/b", "DaemonSet/ns/z"),
    ]


def test_another_version_of_an_api_is_the_same_object():
    before, after = (f"apiVersion: x.io/{version}\nkind: K\nmetadata: {{name: a}}\n" for version in ("v1", "v2"))
    assert rows(compared({"a.yaml": before}, {"a.yaml": after})) == [
        ("changed", "K/a", [("changed", "/apiVersion", "api", "high")])
    ]


def test_a_name_that_the_server_makes_up_is_told_by_its_beginning():
    before, after = (f"apiVersion: v1\nkind: Pod\nmetadata: {{generateName: a-}}\nspec: {{x: {x}}}\n" for x in (1, 2))
    assert rows(compared({"a.yaml": before}, {"a.yaml": after})) == [
        ("changed", "Pod/a-*", [("changed", "/spec/x", "workload", "medium")])
    ]


def test_the_objects_of_a_list_and_of_a_stream_are_objects():
    one, two = (f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n" for name in "ab")
    listed = "apiVersion: v1\nkind: List\nitems:\n" + "".join(
        textwrap.indent(text, "  ").replace("  ", "- ", 1) for text in (one, two)
    )
    assert rows(compared({"a.yaml": f"{one}---\n{two}"}, {"a.yaml": listed})) == []


def test_files_as_kubectl_names_them_are_objects():
    name = "apps.v1.DaemonSet.ns.d"
    assert rows(compared({name: daemon()}, {name: daemon(pool="b")}))[0][:2] == ("changed", "DaemonSet/ns/d")


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ("# a\n", "# b\n", ("changed", "", "docs", "none")),
        ("a\n", None, ("removed", "", "docs", "none")),
        (None, "a\n", ("added", "", "docs", "none")),
    ],
)
def test_a_text_is_one_value(before, after, edit):
    files = [{} if text is None else {"README.md": text} for text in (before, after)]
    assert [row[2] for row in rows(compared(*files))] == [[edit]]


def test_what_is_no_strict_yaml_is_compared_as_text_on_both_sides_and_said():
    changes = compared({"a.yaml": "mode: 0755\n"}, {"a.yaml": "mode: 493\n"})
    assert rows(changes) == [("changed", "a.yaml", [("changed", "", "values", "medium")])]
    (note,) = changes.notes
    assert note.startswith("a.yaml is compared as text: ")


def test_what_is_no_text_is_compared_by_its_bytes():
    changes = diff(Tree(label="a", files={"x": b"\xff\x00"}), Tree(label="b", files={"x": b"\xff\x01"}), CLASSES)
    assert changes.changes[0].edits[0].before.startswith("2 bytes, sha256:")


def test_a_link_in_the_place_of_a_file_is_a_change_although_it_says_the_same():
    files = {"x": b"-> y\n"}
    changes = diff(Tree(label="a", files=files), Tree(label="b", files=files, notes={"x": "a link"}), CLASSES)
    assert [(edit.before, edit.after) for edit in changes.changes[0].edits] == [("a regular file", "a link")]


@pytest.mark.parametrize(
    ("ignore", "left", "ignored"),
    [
        ("/spec/**/image", 1, 1),
        ("/spec", 0, 2),
        ("DaemonSet/ns/d:/spec/**/image", 1, 1),
        ("DaemonSet/**:", 0, 2),
        ("a.yaml:/spec", 0, 2),
        ("ConfigMap/**:/spec", 2, 0),
    ],
)
def test_what_is_left_out_is_counted(ignore, left, ignored):
    changes = compared({"a.yaml": daemon()}, {"a.yaml": daemon(image="r.example/b:1", pool="b")}, [ignore])
    assert (sum(len(change.edits) for change in changes.changes), changes.ignored) == (left, ignored)


def test_the_gravest_change_comes_first():
    before = {"a.yaml": daemon("a"), "b.yaml": daemon("b"), "README.md": "a"}
    after = {"a.yaml": daemon("a", pool="x"), "b.yaml": daemon("b", privileged="true"), "README.md": "b"}
    changes = compared(before, after)
    assert [str(change.risk) for change in changes.changes] == ["high", "medium", "none"]
    assert dict(changes.by_class) == {"security": 1, "scheduling": 1, "docs": 1}
    assert str(changes.risk) == "high"


def runtime(**more):
    env = more.get("env", [("NCCL_ALGO", "Ring"), ("LD_LIBRARY_PATH", "/a:$(OLD)")])
    return f"""\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: {more.get("kind", "ClusterTrainingRuntime")}
metadata: {{name: r}}
spec:
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          spec:
            template:
              metadata:
                annotations: {{networking.gke.io/default-interface: {more.get("interface", "eth0")}}}
              spec:
                nodeSelector: {{pool: {more.get("pool", "a")}}}
                initContainers:
                - {{name: daemon, image: {more.get("daemon", "r.example/d:1")}}}
                containers:
                - name: node
                  image: {more.get("image", "r.example/t:1")}
                  command: {more.get("command", "[train]")}
                  env: [{", ".join(f"{{name: {name}, value: {value!r}}}" for name, value in env)}]
                volumes: {more.get("volumes", "[{name: a, emptyDir: {}}, {name: b, emptyDir: {}}]")}
"""


POD = "/spec/template/spec/replicatedJobs/node/template/spec/template"


@pytest.mark.parametrize(
    ("change", "path", "category", "risk"),
    [
        ({"interface": "eth1"}, "/metadata/annotations/networking.gke.io~1default-interface", "fabric", "high"),
        ({"daemon": "r.example/d:2"}, "/spec/initContainers/daemon/image", "fabric", "high"),
        ({"pool": "b"}, "/spec/nodeSelector/pool", "fabric", "high"),
        ({"image": "r.example/t:2"}, "/spec/containers/node/image", "image", "medium"),
        ({"command": "[other]"}, "/spec/containers/node/command/0", "workload", "medium"),
        ({"volumes": "[{name: b, emptyDir: {}}, {name: a, emptyDir: {}}]"}, "/spec/volumes", "fabric", "low"),
    ],
)
def test_the_contract_says_what_is_the_fabrics_in_a_runtime(change, path, category, risk):
    found = rows(compared({"a.yaml": runtime()}, {"a.yaml": runtime(**change)}))
    assert [[edit[1:] for edit in edits] for _, _, edits in found] == [[(POD + path, category, risk)]]


@pytest.mark.parametrize("turned", [False, True])
def test_a_runtime_that_is_new_or_gone_is_the_fabrics_if_it_attaches_to_one(turned):
    attached, plain = (
        {"a.yaml": runtime()},
        {"a.yaml": runtime(env=[("A", "1")]).replace("networking.gke.io/default-interface", "x")},
    )
    for files, category in ((attached, "fabric"), (plain, "workload")):
        sides = ({}, files) if turned else (files, {})
        assert [edit[2] for _, _, edits in rows(compared(*sides)) for edit in edits] == [category]


def test_a_change_of_the_fabric_has_the_reason_of_the_contract():
    (change,) = compared({"a.yaml": runtime()}, {"a.yaml": runtime(daemon="r.example/d:2")}).changes
    assert change.edits[0].why == "The daemon is one half of a release; its digest says which."


@pytest.mark.parametrize(
    ("before", "after", "note", "risk"),
    [
        ([("A", "1"), ("B", "2")], [("B", "2"), ("A", "1")], "no variable refers to one below it", "low"),
        (
            [("A", "1"), ("B", "$(A)")],
            [("B", "$(A)"), ("A", "1")],
            "B refers to A, which stands below it and is not expanded",
            "high",
        ),
    ],
)
def test_the_order_of_variables_matters_where_one_refers_to_another(before, after, note, risk):
    # Kubernetes API, EnvVar.value: references are expanded from the variables defined before.
    (change,) = compared({"a.yaml": runtime(env=before)}, {"a.yaml": runtime(env=after)}).changes
    assert [(str(edit.how), edit.note, str(edit.risk)) for edit in change.edits] == [("reordered", note, risk)]


A, B = ("sha256:" + digit * 64 for digit in "ab")


@pytest.mark.parametrize(
    ("before", "after", "note", "risk"),
    [
        (f"r.example/a:1@{A}", f"r.example/a:2@{A}", "the same image by its digest", "low"),
        (f"r.example/a:1@{A}", f"m.example/a:1@{A}", "the same image by its digest, from another place", "low"),
        (f"r.example/a:1@{A}", f"r.example/a:1@{B}", "the same tag, another digest", "medium"),
        ("r.example/a:1", "r.example/b:1", "another repository", "medium"),
        ("r.example/a:1", "r.example/a:2", "", "medium"),
        ("r.example/a:1", "not an image", "", "medium"),
    ],
)
def test_what_another_image_is(before, after, note, risk):
    (change,) = compared({"a.yaml": daemon(image=before)}, {"a.yaml": daemon(image=after)}).changes
    assert [(edit.note, str(edit.risk)) for edit in change.edits] == [(note, risk)]


def test_a_number_that_became_a_text_is_said():
    (change,) = compared({"values.yaml": "a: 1\n"}, {"values.yaml": 'a: "1"\n'}).changes
    assert change.edits[0].note == "a number became a text"


def table(line):
    """A table of the user's, with the packaged classes and one line."""
    classes = "".join(
        f"- {{name: {name}, risk: {one.risk}, title: {one.title}, why: So.}}\n" for name, one in CLASSES.known.items()
    )
    head = "apiVersion: aicr.run/v2\nkind: ChangeTable\nmetadata: {name: changes, description: Ours.}\n"
    return f"{head}classes:\n{classes}lines:\n- {line}\n"


def catalog(folder, text):
    (folder / "manifests").mkdir()
    (folder / "manifests/changes.yaml").write_text(text)
    return Catalog.load(folder)


def test_a_line_of_the_users_data_wins_over_the_packaged_ones(tmp_path):
    classes = Classes.of(catalog(tmp_path, table("{path: /Widget/spec, class: security}")))
    trees = [
        Tree(label="", files={"a.yaml": f"apiVersion: v1\nkind: Widget\nmetadata: {{name: a}}\nspec: {x}\n".encode()})
        for x in (1, 2)
    ]
    assert rows(diff(*trees, classes)) == [("changed", "Widget/a", [("changed", "/spec", "security", "high")])]


def test_a_line_of_a_class_that_is_none_is_refused_where_it_stands(tmp_path):
    with pytest.raises(InvalidInput, match="AICR-D001: no class of changes 'valuez'") as refused:
        Classes.of(catalog(tmp_path, table("{path: /Widget/spec, class: valuez}")))
    assert refused.value.findings[0].pointer.endswith("/class")


@pytest.mark.parametrize("path", [line.pattern.text for line in CLASSES.lines])
def test_every_line_of_the_packaged_table_is_the_one_that_holds_for_something(path):
    example = path.replace("/**", "/x").replace("*", "y")
    found = next(line for line in CLASSES.lines if line.pattern.covers(example))
    assert found.pattern.text == path
