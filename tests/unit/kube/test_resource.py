"""Requirements on an object: what is worked out of it is worked out once, and never of another."""

from dataclasses import replace

from bundler.kube.resource import Resource


def named(name):
    return Resource(data={"kind": "Pod", "metadata": {"name": name}}, template="t.yaml.j2", positions={}, owner="x")


def test_what_is_derived_is_made_once_for_what_is_given():
    made = []

    def build(resource, *given):
        made.append((resource.name, *given))
        return [resource.name, *given]

    pod = named("a")
    assert pod.derived(build) is pod.derived(build)
    assert pod.derived(build, 1) == ["a", 1]
    assert made == [("a",), ("a", 1)]


def test_a_changed_copy_starts_afresh():
    pod = named("a")
    assert pod.derived(lambda each: each.name) == "a"
    other = replace(pod, data=named("b").data)
    assert other._made == {}
    assert other == named("b")
