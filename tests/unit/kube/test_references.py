"""Requirements on finding image references: every one, at any depth, in objects of any kind."""

import pytest

from bundler.kube.references import Declared, Form, composed, references, words

DIGEST = "sha256:" + "a" * 64
DECLARED = Declared(plain=frozenset({"image pull policy", "image pull secrets"}), named=frozenset({"validator base"}))


def found(data):
    return [(reference.pointer, reference.text, reference.form) for reference in references(data, DECLARED)]


@pytest.mark.parametrize(
    ("data", "pointer", "text", "form"),
    [
        ({"image": "a/b:1"}, "/image", "a/b:1", Form.WHOLE),
        ({"scalingPodImage": "b"}, "/scalingPodImage", "b", Form.WHOLE),
        ({"x/yImage": "d"}, "/x~1yImage", "d", Form.WHOLE),
        ({"pause-image": "e"}, "/pause-image", "e", Form.WHOLE),
        ({"validatorBase": "f"}, "/validatorBase", "f", Form.WHOLE),
        ({"volumes": [{"image": {"reference": "v", "pullPolicy": "Always"}}]}, "/volumes/0/image/reference", "v", Form.WHOLE),
        ({"images": ["a", "b"]}, "/images/1", "b", Form.WHOLE),
        ({"images": {"operator": "a", "daemon": "b"}}, "/images/daemon", "b", Form.WHOLE),
        ({"imageName": "host.io/a/b:1"}, "/imageName", "host.io/a/b:1", Form.WHOLE),
        ({"image": {"repository": "c", "tag": "1"}}, "/image", "c:1", Form.PARTS),
        ({"image": {"repository": "c", "tag": 1.2}}, "/image", "c:1.2", Form.PARTS),
        ({"image": {"registry": "h.io", "repository": "c", "digest": DIGEST}}, "/image", f"h.io/c@{DIGEST}", Form.PARTS),
        ({"manager": {"repository": "h.io/c", "tag": "1"}}, "/manager", "h.io/c:1", Form.PARTS),
        ({"driver": {"repository": "h.io/n", "image": "d", "version": "9"}}, "/driver/image", "h.io/n/d:9", Form.PARTS),
        ({"driver": {"repository": "h.io/n", "image": "d", "version": DIGEST}}, "/driver/image", f"h.io/n/d@{DIGEST}", Form.PARTS),
        ({"env": [{"name": "SIDECAR_IMAGE", "value": "a/b"}]}, "/env/0/value", "a/b", Form.WHOLE),
        ({"env": [{"name": "VALIDATOR_BASE", "value": "a/b"}]}, "/env/0/value", "a/b", Form.WHOLE),
        ({"env": [{"name": "ANY", "value": "h.io/a:1"}]}, "/env/0/value", "h.io/a:1", Form.WHOLE),
        ({"env": [{"name": "IMAGE_NAME", "value": f"a@{DIGEST}"}]}, "/env/0/value", f"a@{DIGEST}", Form.WHOLE),
        ({"args": ["--solver-image=q/a:1"]}, "/args/0", "q/a:1", Form.FLAG),
        ({"command": ["run", "--image", "q/a:1"]}, "/command/2", "q/a:1", Form.WHOLE),
        ({"args": ["--image-name=h.io/a:1"]}, "/args/0", "h.io/a:1", Form.FLAG),
        ({"args": ["-c", "ctr images pull h.io/a:1 && true"]}, "/args/1", "h.io/a:1", Form.TEXT),
        ({"data": {"pod.yaml": "spec:\n  image: busybox:1.36\n"}}, "/data/pod.yaml", "busybox:1.36", Form.TEXT),
        ({"annotations": {"a": '{"image":"busybox:1"}'}}, "/annotations/a", "busybox:1", Form.TEXT),
        ({"anything": [{"deep": f"a/b@{DIGEST}"}]}, "/anything/0/deep", f"a/b@{DIGEST}", Form.WHOLE),
        ({"anything": "localhost.example:5000/a/b:1"}, "/anything", "localhost.example:5000/a/b:1", Form.WHOLE),
    ],
)
def test_a_reference_is_found_by_key_by_parts_by_variable_by_flag_and_by_form(data, pointer, text, form):
    assert (pointer, text, form) in found(data)


@pytest.mark.parametrize(
    ("data", "pointer", "name", "text"),
    [
        ({"image": {"unknown": "shape"}}, "/image", "image", "a map"),
        ({"image": ["a"]}, "/image", "image", "a list"),
        ({"image": True}, "/image", "image", "true or false"),
        ({"image": 7}, "/image", "image", "a number"),
        ({"imageName": "base"}, "/imageName", "imageName", "base"),
        ({"imageSpec": {"base": "ubuntu"}}, "/imageSpec", "imageSpec", "a map"),
        ({"env": [{"name": "IMAGE_TAG", "value": "1"}]}, "/env/0/value", "IMAGE_TAG", "1"),
        ({"args": ["--image-tag=v1"]}, "/args/0", "--image-tag", "v1"),
    ],
)
def test_what_sounds_like_an_image_and_is_not_understood_is_found_as_such(data, pointer, name, text):
    (reference,) = references(data, DECLARED)
    assert (reference.pointer, reference.name, reference.text, reference.form) == (pointer, name, text, Form.UNKNOWN)


@pytest.mark.parametrize(
    "data",
    [
        {
            "imagePullPolicy": "Always",
            "imagePullSecrets": [{"name": "x"}],
            "env": [{"name": "IMAGE_PULL_POLICY", "value": "Always"}],
        },
        {"image": None},
        {"imageGCHighThresholdPercent": 85},
        {"value": "https://host.io/a:1"},
        {"value": "/usr/lib/x86_64-linux-gnu:/usr/local/nvidia/lib64"},
        {"value": "eth1,eth2"},
        {"url": {"repository": "https://example.com/charts", "version": "1"}},
        {"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "x"}}}, {"name": "B"}, "odd"]},
        {"args": ["--image-pull-policy=Always", "--image-count=3", 7]},
        {"text": "the image: missing"},
    ],
)
def test_what_names_no_image_is_not_found(data):
    assert found(data) == []


def test_parts_are_known_by_their_pointers():
    (reference,) = references({"ofedDriver": {"repository": "n", "image": "d", "version": "1"}}, DECLARED)
    assert reference.parts == {"repository": "/ofedDriver/repository", "image": "/ofedDriver/image", "tag": "/ofedDriver/version"}


def test_references_come_in_the_order_of_the_document():
    data = {"spec": {"image": "a", "list": [{"image": "b"}, [{"image": "c"}]], "last": "h.io/d:1"}}
    assert [text for _, text, _ in found(data)] == ["a", "b", "c", "h.io/d:1"]


@pytest.mark.parametrize("name", ["imagePullPolicy", "IMAGE_PULL_POLICY", "image-pull-policy", "ImagePullPolicy"])
def test_names_are_compared_by_their_words(name):
    assert words(name) == ("image", "pull", "policy")


def test_tag_and_digest_beside_each_other_are_both_kept():
    assert composed({"registry": "h", "repository": "a", "tag": "1", "digest": DIGEST}) == f"h/a:1@{DIGEST}"


def test_a_long_text_is_searched_in_bounded_time():
    assert found({"value": "a.b/" * 50_000 + ": image" * 50_000}) == []
