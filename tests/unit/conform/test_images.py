"""Requirements on image references in objects: pinned, recorded, seen wherever they stand."""

import pytest

SPEC = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec"
IMAGE = f"{SPEC}/containers/0/image"
POLICY = "/spec/template/spec/containers/0"
# From bom/images.yaml.
PAUSE = "gke.gcr.io/pause:3.8@sha256:880e63f94b145e46f1b1082bb71b85e21f16b99b180b9996407d61240ceb9830"


def put(path, value):
    return {"op": "add", "path": path, "value": value}


@pytest.mark.parametrize("tag", ["a/b", "a/b:latest", "registry.example.com/a/b:1.0"])
def test_a_tag_alone_is_refused(tag, runtime, after):
    assert after(runtime, put(IMAGE, tag)) == [("AICR-I004", IMAGE)]


def test_an_unpinned_image_is_a_warning_where_the_user_accepts_it(runtime, judge, composed):
    runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]["image"] = (
        "a/b:1"
    )
    (finding,) = judge(runtime, composition=composed(allow_unpinned=True))
    assert (finding.rule, str(finding.severity), finding.message) == (
        "AICR-I004",
        "warning",
        "image 'a/b:1' is not pinned by digest",
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [("a/b@sha256:short", "AICR-I001"), ("HOST/A", "AICR-I002"), ("a/b:", "AICR-I003"), ("docker://a/b", "AICR-I002")],
)
def test_what_is_no_reference_is_refused_where_it_stands(text, rule, runtime, after):
    assert after(runtime, put(IMAGE, text)) == [(rule, IMAGE)]


def test_a_recorded_tag_keeps_its_recorded_digest(daemonset, after):
    assert after(daemonset, put(f"{POLICY}/image", PAUSE)) == []
    moved = PAUSE.replace("@sha256:880e", "@sha256:0000")
    assert after(daemonset, put(f"{POLICY}/image", moved)) == [("AICR-I005", f"{POLICY}/image")]


def test_a_preloaded_image_needs_no_digest_and_is_never_pulled(daemonset, after):
    # Container-Optimized OS brings cos-nvidia-installer:fixed with the node; no registry has it.
    preloaded = put(f"{POLICY}/image", "cos-nvidia-installer:fixed")
    assert after(daemonset, preloaded, put(f"{POLICY}/imagePullPolicy", "Never")) == []
    assert after(daemonset, preloaded) == [("AICR-I007", f"{POLICY}/image")]


def policy(version):
    return {
        "apiVersion": "mellanox.com/v1alpha1",
        "kind": "NicClusterPolicy",
        "metadata": {"name": "nic-cluster-policy"},
        "spec": {"ofedDriver": {"image": "doca-driver", "repository": "nvcr.io/nvidia/mellanox", "version": version}},
    }


def test_an_image_that_an_operator_composes_is_seen(judge):
    (finding,) = judge(policy("doca3.2.0-25.10-1.2.8.0-2"))
    assert (finding.rule, str(finding.severity), finding.pointer) == ("AICR-I006", "warning", "/spec/ofedDriver/image")
    assert finding.message == (
        "an operator composes the image from nvcr.io/nvidia/mellanox, doca-driver, doca3.2.0-25.10-1.2.8.0-2, which pins no digest"
    )


def test_an_image_that_an_operator_composes_by_digest_is_pinned(judge):
    assert judge(policy("sha256:" + "0" * 64)) == ()


def test_an_image_in_an_object_of_unknown_kind_is_still_held_to_its_digest(after):
    custom = {"apiVersion": "x.example.com/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": {"scalingPodImage": "a/b:1"}}
    assert after(custom) == [("AICR-I004", "/spec/scalingPodImage"), ("AICR-K001", "/kind")]


def test_what_sounds_like_an_image_and_is_none_is_a_finding(runtime, judge):
    container = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [{"name": "OPERATOR_IMAGE_NAME", "value": "base"}]
    (finding,) = judge(runtime)
    assert (finding.rule, finding.pointer) == ("AICR-I008", f"{SPEC}/containers/0/env/0/value")
    assert finding.message == "'OPERATOR_IMAGE_NAME' sounds like an image and holds what is no reference: 'base'"
    assert finding.fix == "write a whole reference, or declare the field in bom/image-fields.yaml"


@pytest.mark.parametrize(
    ("name", "value"),
    [("SIDECAR_IMAGE", "a/b:1"), ("ANYTHING", "registry.example.com/a/b:1"), ("IMAGE_NAME", "registry.example.com/a:1")],
)
def test_a_variable_that_holds_an_image_is_held_to_its_digest(name, value, runtime, after):
    variable = [{"name": name, "value": value}]
    assert after(runtime, put(f"{SPEC}/containers/0/env", variable)) == [("AICR-I004", f"{SPEC}/containers/0/env/0/value")]


def test_a_script_that_names_an_image_is_held_to_its_digest(daemonset, after):
    script = ["-c", "ctr images pull registry.example.com/a/b:1"]
    assert after(daemonset, put(f"{POLICY}/args", script)) == [("AICR-I004", f"{POLICY}/args/1")]
