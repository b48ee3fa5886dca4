"""Requirements on summaries of a write, of a dry run and of drift."""

from bundler.model.bundle import Bundle
from bundler.publish.drift import Change, ChangeKind
from bundler.publish.plan import WriteReport
from bundler.report.summary import contents, drift_count, plan_table, write_summary, yaml_stream

BUNDLE = Bundle(
    files={
        "README.md": b"# x\n",
        "checksums.txt": b"x\n",
        "recipe.yaml": b"kind: BundleRecipe\n",
        "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml": b"a: 1\n---\nb: 2\n",
        "runtimes/clustertrainingruntime-torch-distributed.yaml": b"---\na: 1\n",
    }
)


def test_names_the_runtimes():
    assert contents(BUNDLE) == "5 files, 2 runtimes (torch-distributed-tcpxo, torch-distributed)"


def test_a_bundle_without_runtimes_counts_its_files():
    assert contents(Bundle(files={"a": b""})) == "1 file"


def test_a_write_says_what_it_did():
    report = WriteReport(directory="out", added=("a", "b"), removed=("c",), kept=("mine.txt",))
    assert write_summary(Bundle(files={"a": b"", "b": b""}), report) == "out: 2 files; 2 added, 1 removed; 1 file of no bundle kept"


def test_a_write_with_nothing_to_do_says_so():
    assert write_summary(Bundle(files={"a": b""}), WriteReport(directory="out")) == "out: 1 file; already up to date"


def test_a_plan_lists_sizes():
    assert plan_table(Bundle(files={"a": b"x" * 1234, "b": b""}), None) == "BYTES  PATH\n1,234  a\n0      b\n"


def test_a_plan_for_a_directory_lists_what_would_become_of_each_file():
    report = WriteReport(directory="out", added=("a",), changed=("b",), removed=("old",))
    assert plan_table(Bundle(files={"a": b"1", "b": b"22", "c": b"333"}), report) == (
        "STATE      BYTES  PATH\n"
        "new        1      a\n"
        "changed    2      b\n"
        "unchanged  3      c\n"
        "removed    -      old\n"
    )  # fmt: skip


def test_drift_is_counted_by_kind():
    changes = [Change(path=path, kind=kind) for path, kind in [("a", ChangeKind.EXTRA), ("b", ChangeKind.CHANGED)]]
    assert drift_count([*changes, Change(path="c", kind=ChangeKind.CHANGED)]) == "2 changed, 1 extra"


def test_the_stream_holds_every_yaml_file_under_its_path():
    assert yaml_stream(BUNDLE) == (
        "---\n# recipe.yaml\nkind: BundleRecipe\n"
        "---\n# runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml\na: 1\n---\nb: 2\n"
        "---\n# runtimes/clustertrainingruntime-torch-distributed.yaml\na: 1\n"
    )
