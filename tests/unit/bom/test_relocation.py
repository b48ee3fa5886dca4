"""Requirements on relocations: another name, the same image, one place for each."""

import pytest

from bundler.bom.known import Known
from bundler.bom.relocation import read_relocation, refuse_collisions, relocated, write_relocation
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.model.location import Location
from bundler.model.relocation import Relocation

DIGEST = "sha256:" + "a" * 64
OTHER = "sha256:" + "b" * 64
KNOWN = Known(tagged={(Image.parse("cos-nvidia-installer").name, "fixed"): {"preloaded": True}})


def relocation(**data):
    return read_relocation(data, lambda pointer: Location(file=f"map{pointer}"))


@pytest.mark.parametrize(
    ("text", "data", "expected"),
    [
        (f"nvcr.io/a/b:1@{DIGEST}", {"to": "m.io"}, f"m.io/a/b:1@{DIGEST}"),
        ("a/b:1", {"to": "m.io:5000/x"}, "m.io:5000/x/a/b:1"),
        ("busybox", {"to": "m.io"}, "m.io/library/busybox"),
        ("nvcr.io/a/b:1", {"registries": {"nvcr.io": "ngc.io"}, "to": "m.io"}, "ngc.io/a/b:1"),
        ("gcr.io/a/b:1", {"registries": {"nvcr.io": "ngc.io"}, "to": "m.io"}, "m.io/a/b:1"),
        ("nvcr.io/a/b:1", {"images": [{"from": "nvcr.io/a/b:1", "to": "m.io/z:1"}], "to": "m.io"}, "m.io/z:1"),
        ("a/b:1", {"images": [{"from": "docker.io/a/b:1", "to": "m.io/z:1"}]}, "m.io/z:1"),
        ("m.io/a/b:1", {"to": "m.io"}, "m.io/a/b:1"),
        ("cos-nvidia-installer:fixed", {"to": "m.io"}, "cos-nvidia-installer:fixed"),
    ],
)
def test_the_most_particular_word_says_where_an_image_is(text, data, expected):
    assert relocated(text, relocation(**data), KNOWN) == expected


def test_without_a_relocation_every_image_stays():
    assert relocated("nvcr.io/a/b:1", None, KNOWN) == "nvcr.io/a/b:1"


def test_an_image_of_a_registry_that_the_map_does_not_name_is_refused():
    with pytest.raises(InvalidInput) as caught:
        relocated("gcr.io/a/b:1", relocation(registries={"nvcr.io": "m.io"}), KNOWN)
    (finding,) = caught.value.findings
    assert finding.message == "the relocation names no registry for 'gcr.io', from which 'gcr.io/a/b:1' is pulled"
    assert (finding.rule, finding.fix) == ("AICR-I011", "add gcr.io to registries, or state `to`")


@pytest.mark.parametrize(
    ("data", "rule", "pointer"),
    [
        ({"to": "https://m.io"}, "AICR-I013", "/to"),
        ({"to": "plainname/x"}, "AICR-I013", "/to"),
        ({"registries": {"a.io": "M.io/UPPER"}}, "AICR-I013", "/registries/a.io"),
        ({"registries": {"a.io": "b.io", "b.io": "a.io"}}, "AICR-I014", "/registries/a.io"),
        ({"registries": {"a.io": "b.io", "b.io": "c.io"}}, "AICR-I014", "/registries/a.io"),
        ({"to": "a.io/x", "registries": {"a.io": "b.io"}}, "AICR-I014", "/to"),
        ({"images": [{"from": f"a.io/x@{DIGEST}", "to": f"m.io/x@{OTHER}"}]}, "AICR-I015", "/images/0"),
        ({"images": [{"from": f"a.io/x@{DIGEST}", "to": "m.io/x"}]}, "AICR-I015", "/images/0"),
        ({"images": [{"from": "a.io/x:1", "to": f"m.io/x:1@{DIGEST}"}]}, "AICR-I015", "/images/0"),
        ({"images": [{"from": "a.io/x:1", "to": "m.io/x:2"}]}, "AICR-I015", "/images/0"),
        ({"images": [{"from": "a.io/x:1", "to": "b.io/x:1"}, {"from": "b.io/x:1", "to": "a.io/x:1"}]}, "AICR-I014", "/images/0"),
        ({"images": [{"from": "not an image", "to": "m.io/x"}]}, "AICR-I002", "/images/0"),
    ],
)
def test_a_map_that_loops_changes_an_image_or_names_no_registry_is_refused(data, rule, pointer):
    with pytest.raises(InvalidInput) as caught:
        relocation(**data)
    finding = caught.value.findings[0]
    assert (finding.rule, finding.pointer) == (rule, pointer)
    assert str(finding.location) == f"map{pointer}"


def test_a_registry_may_be_replaced_by_a_path_below_itself():
    inner = relocation(registries={"a.io": "a.io/mirror"})
    once = relocated("a.io/x:1", inner, KNOWN)
    assert (once, relocated(once, inner, KNOWN)) == ("a.io/mirror/x:1", "a.io/mirror/x:1")


def test_a_relocation_is_written_as_it_is_read():
    data = {"to": "m.io", "registries": {"a.io": "b.io"}, "images": [{"from": "a.io/x:1", "to": "m.io/y:1"}]}
    assert write_relocation(relocation(**data)) == data
    assert write_relocation(Relocation()) == {}


def image(text, digest, at):
    return {"image": text, "digest": digest, "at": at}


def test_two_images_never_have_one_name():
    images = [image("a.io/x:1", "tag only", "m.io/x:1"), image("b.io/x:1", "tag only", "m.io/x:1")]
    with pytest.raises(InvalidInput) as caught:
        refuse_collisions(images)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message) == ("AICR-I012", "'a.io/x:1' and 'b.io/x:1' would both be 'm.io/x:1'")


@pytest.mark.parametrize(
    "images",
    [
        [image(f"a.io/x:1@{DIGEST}", DIGEST, f"m.io/x:1@{DIGEST}"), image(f"b.io/x:1@{DIGEST}", DIGEST, f"m.io/x:1@{DIGEST}")],
        [image("a/x:1", "tag only", "m.io/a/x:1"), image("docker.io/a/x:1", "tag only", "m.io/a/x:1")],
        [image("a.io/x:1", "tag only", "m.io/x:1"), image("a.io/x:2", "tag only", "m.io/x:2")],
    ],
)
def test_one_image_may_have_two_names(images):
    refuse_collisions(images)
