"""Requirements on a side: which pods are compared, and which settings their processes really get."""

import pytest

from bundler.errors import InvalidInput
from bundler.guard.side import Role, Side
from bundler.kube.resource import Resource


def runtime(*jobs, kind="TrainingRuntime", **spec):
    data = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": kind, "metadata": {"name": "r"}}
    data["spec"] = {"template": {"spec": {"replicatedJobs": list(jobs)}}, **spec}
    return Resource(data=data, template="r.yaml", positions={}, owner="")


def job(name, **container):
    return {"name": name, "template": {"spec": {"template": {"spec": {"containers": [{"name": "node", **container}]}}}}}


def settings(*jobs):
    side = Side.of(runtime(*jobs), Role.FIXTURE)
    return [(entry["name"], entry.get("value")) for _, entry in side.settings()]


NODE = job("node", env=[{"name": "A", "value": "1"}, {"name": "B", "value": "2"}])


@pytest.mark.parametrize(
    ("launcher", "expected"),
    [
        ({"command": ["mpirun"], "args": ["-np", "8", "./x"]}, [("A", "1"), ("B", "2")]),
        ({"command": ["mpirun", "-x", "A=3"]}, [("A", "3"), ("B", "2")]),
        ({"args": ["-x", "C=3", "-x", "A=4"]}, [("A", "4"), ("B", "2"), ("C", "3")]),
        ({"args": ["set -e\nmpirun -x A=3 -x C='x y' ./perf -b 8\n"]}, [("A", "3"), ("B", "2"), ("C", "x y")]),
        ({"args": ['mpirun -x D="a,b" \\\n  -x E=/x:/y ./perf']}, [("A", "1"), ("B", "2"), ("D", "a,b"), ("E", "/x:/y")]),
        # A name alone passes on what the launcher has.
        ({"args": ["-x", "A"], "env": [{"name": "A", "value": "9"}]}, [("A", "9"), ("B", "2")]),
        ({"args": ["-x", "PATH"]}, [("A", "1"), ("B", "2"), ("PATH", "${PATH}")]),
        ({"args": ["mpirun -x A=$LEVEL"]}, [("A", "${A}"), ("B", "2")]),
        # No setting: another flag, a word that only looks like one.
        ({"args": ["-xA=3", "--x", "A=3", "max -xy A=1"]}, [("A", "1"), ("B", "2")]),
        ({"args": "-x A=3"}, [("A", "1"), ("B", "2")]),
        ({"args": ["-x", 3], "env": "x"}, [("A", "1"), ("B", "2")]),
    ],
)
def test_the_launcher_gives_settings_over_those_of_the_container(launcher, expected):
    assert settings(NODE, job("launcher", **launcher)) == expected
    assert settings(job("launcher", **launcher), NODE) == expected


def test_a_given_setting_points_at_the_word_of_the_launcher():
    side = Side.of(runtime(NODE, job("launcher", args=["-x", "A=3"])), Role.FIXTURE)
    launcher = "/spec/template/spec/replicatedJobs/1/template/spec/template/spec/containers/0"
    assert [pointer for pointer, _ in side.settings()] == [f"{launcher}/args/1", f"{side.at}/env/1"]


def test_settings_of_another_job_are_no_business_of_the_nodes():
    assert settings(NODE, job("other", args=["-x", "A=3"])) == [("A", "1"), ("B", "2")]


@pytest.mark.parametrize(
    ("script", "sourced"),
    [
        ("LIB=/x . /usr/local/lib/profile.sh && run", "/usr/local/lib/profile.sh"),
        ("set -e; source /x/y.sh", "/x/y.sh"),
        ("a && source /x/y.sh; b", "/x/y.sh"),
        (". ./env", "./env"),
        ("cp a.sh b.sh", ""),
        ("resource x", ""),
        ("cd .. && ls", ""),
    ],
)
def test_knows_a_script_that_the_container_sources(script, sourced):
    assert Side.of(runtime(job("node", command=["sh", "-c"], args=[script])), Role.FIXTURE).sourced == sourced


@pytest.mark.parametrize(
    "broken",
    [
        runtime(),
        runtime(job("launcher")),
        runtime({"name": "node"}),
        runtime({"name": "node", "template": {"spec": {"template": {"spec": {"containers": [{"image": "x"}]}}}}}),
        runtime({"name": "node", "template": {"spec": {"template": {"spec": {"containers": [{"name": "other"}]}}}}}),
        runtime({"name": "node", "template": {"spec": {"template": {"spec": {"containers": "x"}}}}}),
        runtime({"name": "node", "template": "x"}),
        runtime("node"),
        runtime(job("node"), kind="JobSet"),
        Resource(
            data={"kind": "TrainingRuntime", "metadata": {"name": "r"}, "spec": "x"}, template="r.yaml", positions={}, owner=""
        ),
    ],
)
def test_an_object_without_the_pods_is_refused(broken):
    with pytest.raises(InvalidInput) as caught:
        Side.of(broken, Role.FIXTURE)
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-G010"
    assert finding.message == f"{broken.kind} 'r' has no replicated job 'node' with a container 'node'"
    assert finding.location.file == "r.yaml"
