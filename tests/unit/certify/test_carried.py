"""Requirements on the certification in a bundle: fitted to the fabric, wired as the runtime, refused where it does not fit."""

import copy
from dataclasses import replace

import pytest

from bundler import pipeline
from bundler.catalog.catalog import Catalog
from bundler.certify.carried import carry, held, shipped
from bundler.certify.fit import fit_of
from bundler.conform.context import Context
from bundler.errors import InvalidInput
from bundler.model.document import Document
from bundler.model.finding import Severity
from bundler.model.request import DEFAULT_CERTIFICATION, Request, Scheduling
from bundler.publish.recipe_file import read_request
from bundler.render.render import render_resources
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

A3_MEGA = Request(
    recipe="h100-gke-cos-training-kubeflow",
    profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
    parameters={"fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}}},
    allow_unpinned=True,  # no digest of the DCGM image is published
    certification=DEFAULT_CERTIFICATION,
)
CUDA_12 = "nvcr.io/nvidia/pytorch:25.06-py3@sha256:025d9b102b5436d4af8af58f12c6a46b7e5d16f19543b1d2cc4446bf2650b4f1"
TESTS = [
    *("communication/nccl-all-gather", "communication/nccl-all-reduce", "communication/nccl-alltoall"),
    *("communication/nccl-loopback", "communication/nccl-loopback-nvswitch", "diagnostics/dcgm-level4"),
    *("training/nemotron5-56b", "training/nemotron5-8b"),
]


def eks(recipe, machine):
    return Request(
        recipe=recipe,
        profiles={"fabricAttachment": "eks-efa-device-plugin"},
        parameters={"fabricAttachment": {"instanceType": machine}},
        allow_unpinned=True,
        certification=DEFAULT_CERTIFICATION,
    )


def stated(spec=None, *categories):
    """A Certification as a user gives it."""
    listed = [{"domain": key.partition("/")[0], "variant": key.partition("/")[2], **more} for key, more in categories]
    data = {
        "apiVersion": "nvcre.nvidia.com/v1alpha1",
        "kind": "Certification",
        "metadata": {"name": "mine"},
        "spec": {"target": {"nodeSelector": {"pool": "gpu"}}, **(spec or {}), "categories": listed},
    }
    return Document(file="cert.yaml", data=data, positions={})


def all_reduce(**options):
    return ("communication/nccl-all-reduce", {"options": options} if options else {})


@pytest.fixture(scope="module")
def composition(catalog):
    return pipeline.compose(catalog, A3_MEGA)


@pytest.fixture(scope="module")
def resources(catalog, composition):
    return render_resources(catalog, composition)


@pytest.fixture(scope="module")
def carried(catalog, composition):
    return carry(catalog, composition, A3_MEGA)


@pytest.fixture(scope="module")
def bundle(catalog):
    return pipeline.bundle(catalog, A3_MEGA)


def refused(catalog, composition, document):
    with pytest.raises(InvalidInput) as caught:
        carry(catalog, composition, replace(A3_MEGA, certification=document))
    return [(finding.rule, finding.message, finding.pointer) for finding in caught.value.findings]


def test_a_default_certification_has_every_test_and_states_what_the_fabric_decides(carried):
    spec = carried.certification.data["spec"]
    assert [test.entry.key for test in carried.tests] == TESTS
    assert (spec["gpusPerNode"], spec["nodesPerJob"]) == (8, 2)  # a3-megagpu-8g; as many nodes as the runtime has
    assert spec["target"] == {"nodeSelector": {"nvidia.com/gpu.present": "true"}}
    options = {f"{one['domain']}/{one['variant']}": one.get("options", {}) for one in spec["categories"]}
    assert options["communication/nccl-all-reduce"] == {"image": CUDA_12}  # v1.0.15 is CUDA 12
    assert options["communication/nccl-loopback"] == {"image": CUDA_12, "nodesPerJob": 1}  # a job is one node
    assert options["diagnostics/dcgm-level4"] == {"nodesPerJob": 1}  # keeps its own image, which has dcgmi
    assert options["training/nemotron5-56b"] == {"image": CUDA_12, "nodesPerJob": 4}  # at least 32 GPUs


def test_workflows_name_the_networks_of_the_bundle_and_images_by_digest(carried):
    workflow = next(test.workflow for test in carried.tests if test.entry.variant == "nccl-all-reduce").data
    pod = workflow["spec"]["dependencies"][0]["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    assert '"eth8", "network": "net-8"' in pod["metadata"]["annotations"]["networking.gke.io/interfaces"]
    assert "tcpgpudmarxd-dev:v1.0.21@sha256:" in pod["spec"]["initContainers"][0]["image"]
    assert pod["spec"]["containers"][0]["image"] == CUDA_12


def test_the_bundle_holds_it_apart_from_what_is_applied_and_the_lock_says_what_was_held(bundle):
    paths = [path for path in bundle.files if path.startswith("certification/")]
    assert len(paths) == 1 + len(TESTS)
    assert "certification/" not in bundle.files["kustomization.yaml"].decode()
    assert all(path in bundle.files["checksums.txt"].decode() for path in paths)
    locked = bundle.lock["certification"]
    assert (locked["platform"], locked["architecture"]) == ("gcp", "h100")
    assert [test["entry"] for test in locked["tests"]] == TESTS
    assert [test["entry"] for test in locked["tests"] if "projection" not in test] == ["diagnostics/dcgm-level4"]
    assert "recipes/certification/communication/nccl-all-reduce.yaml" in bundle.lock["inputs"]["certification"]
    assert "overlays/certification/020-gcp-h100.yaml" in bundle.lock["inputs"]["certification"]
    images = {image["image"]: image["digest"] for image in bundle.lock["images"]}
    assert images["nvcr.io/nvidia/cloud-native/dcgm:4.5.2-1-ubuntu22.04"] == "tag only"
    assert images[CUDA_12].startswith("sha256:")


def test_the_recorded_request_makes_the_bundle_again(catalog, bundle):
    document = read(bundle.files["recipe.yaml"], "recipe.yaml")
    assert catalog.validator("bundlerecipe").check(document.data, document=document) == ()
    assert pipeline.bundle(catalog, read_request(document)).files == bundle.files


def test_a_certification_from_a_file_is_recorded_whole(catalog):
    mine = stated({"maxBytes": "8G"}, all_reduce(image=CUDA_12))
    made = pipeline.bundle(catalog, replace(A3_MEGA, allow_unpinned=False, certification=mine))
    document = read(made.files["recipe.yaml"], "recipe.yaml")
    assert document.data["certification"] == mine.data
    again = pipeline.bundle(catalog, read_request(document))
    assert again.files == made.files
    assert "gpusPerNode: 8" in made.files["certification/certification-mine.yaml"].decode()


def test_an_image_without_digest_is_refused_unless_it_is_accepted(catalog):
    with pytest.raises(InvalidInput) as caught:
        pipeline.bundle(catalog, replace(A3_MEGA, allow_unpinned=False))
    (finding,) = caught.value.findings
    assert (finding.rule, finding.subject) == ("AICR-I004", "Workflow/nodes-diagnostics-dcgm-level4")
    assert finding.message == (
        "image 'nvcr.io/nvidia/cloud-native/dcgm:4.5.2-1-ubuntu22.04' is not pinned by digest, and none is known of it"
    )
    assert finding.fix == (
        "record its digest as that of dcgm in bom/images.yaml of a --data directory (`crane digest` prints it), "
        "or accept the tag with --allow-unpinned; "
        "a Certification of your own can state image: NAME:TAG@sha256:… in the options of the category"
    )


def test_a_digest_of_the_users_own_pins_the_image(tmp_path):
    entry = {
        "name": "dcgm",
        "repository": "nvcr.io/nvidia/cloud-native/dcgm",
        "tag": "4.5.2-1-ubuntu22.04",
        "digest": f"sha256:{'1' * 64}",
        "source": "our registry",
    }
    table = {"apiVersion": "aicr.run/v2", "kind": "ImageTable", "metadata": {"name": "images", "description": "Ours."}}
    (tmp_path / "bom").mkdir()
    (tmp_path / "bom/images.yaml").write_text(dump({**table, "images": [entry]}))
    bundle = pipeline.bundle(Catalog.load(tmp_path), replace(A3_MEGA, allow_unpinned=False))
    assert f"dcgm:4.5.2-1-ubuntu22.04@sha256:{'1' * 64}" in bundle.files["certification/certification-nodes.yaml"].decode()


@pytest.mark.parametrize(
    ("spec", "options", "message", "pointer"),
    [
        ({"gpusPerNode": 4}, {}, "gpusPerNode is 4, and fabricAttachment=gke-tcpxo-multinetwork has 8", "/spec/gpusPerNode"),
        (
            {},
            {"gpusPerNode": 2},
            "gpusPerNode is 2, and fabricAttachment=gke-tcpxo-multinetwork has 8",
            "/spec/categories/0/options/gpusPerNode",
        ),
        (
            {"target": {"nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-GB300"}}},
            {},
            "the target has NVIDIA-GB300, and the recipe is for h100",
            "/spec/target/nodeSelector/nvidia.com~1gpu.product",
        ),
    ],
)
def test_what_is_stated_otherwise_than_the_fabric_is_a_finding(catalog, composition, spec, options, message, pointer):
    assert refused(catalog, composition, stated(spec, all_reduce(**options))) == [("AICR-R024", message, pointer)]


def test_only_tests_that_a_value_claims_are_chosen_and_the_others_are_said_with_their_reason(catalog):
    request = eks("h200-eks-ubuntu-training-kubeflow", "p5en.48xlarge")
    carried = carry(catalog, pipeline.compose(catalog, request), request)
    assert [test.entry.key for test in carried.tests] == ["diagnostics/dcgm-level4"]
    (note,) = (note for note in carried.notes if note.rule == "AICR-R025")
    assert note.severity is Severity.NOTE
    assert "training/nemotron5-8b: The controller asks for 32 EFA interfaces whatever the machine has" in note.message
    asked = replace(request, certification=stated({}, all_reduce()))
    with pytest.raises(InvalidInput) as caught:
        carry(catalog, pipeline.compose(catalog, asked), asked)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.pointer) == ("AICR-R025", "/spec/categories/0")
    assert finding.message.startswith("communication/nccl-all-reduce does not measure fabricAttachment=eks-efa-device-plugin: ")


@pytest.mark.parametrize(
    ("recipe", "machine", "count"),
    # NVIDIA/aicr issue 2699: training on H200 gets no EFA and still gives a number.
    [("h100-eks-ubuntu-training-kubeflow", "p5.48xlarge", 8), ("h200-eks-ubuntu-training-kubeflow", "p5e.48xlarge", 6)],
)
def test_tests_on_efa_fit_machines_with_32_interfaces(catalog, recipe, machine, count):
    bundle = pipeline.bundle(catalog, eks(recipe, machine))
    assert len(bundle.lock["certification"]["tests"]) == count
    assert "- `hugepages-2Mi`: The catalogue reserves no huge pages" in bundle.files["README.md"].decode()


def test_on_premises_the_nic_of_the_parameters_is_stated_and_requested(tmp_path):
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes/b200-site.yaml").write_text(
        "apiVersion: aicr.run/v2\nkind: Recipe\nmetadata: {name: b200-site, description: A site.}\n"
        "criteria: {service: generic, accelerator: b200, os: ubuntu, intent: training, platform: kubeflow}\n"
        "profiles: {fabricAttachment: {required: true, values: [onprem-rdma]}}\n"
    )
    given = {"machine": "hgx-b200", "resourceName": "rdma/ib", "count": 1}
    request = Request(
        recipe="b200-site",
        profiles={"fabricAttachment": "onprem-rdma"},
        parameters={"fabricAttachment": given},
        allow_unpinned=True,
        certification=DEFAULT_CERTIFICATION,
    )
    bundle = pipeline.bundle(Catalog.load(tmp_path), request)
    made = read(bundle.files["certification/certification-nodes.yaml"], "c").data["spec"]
    assert (made["gpusPerNode"], made["mlnxPerNode"], made["nicResourceName"]) == (8, 1, "rdma/ib")
    assert [one["entry"] for one in bundle.lock["certification"]["tests"]] == TESTS[:6]
    path = next(path for path in bundle.files if "nccl-9a276" in path)
    assert bundle.files[path].decode().count('rdma/ib: "1"') == 2


def test_taints_that_the_tests_do_not_tolerate_are_said(catalog, composition):
    tolerating = replace(composition, accelerated=Scheduling(tolerations=({"key": "dedicated", "operator": "Exists"},)))
    notes = carry(catalog, tolerating, A3_MEGA).notes
    assert [(note.rule, note.message) for note in notes] == [
        ("AICR-R026", "the pods of the tests do not tolerate the taint dedicated, which those of the bundle do")
    ]


@pytest.mark.parametrize(("service", "platform"), [("eks", "aws"), ("oke", "oci"), ("metal3", "mistral"), ("k0s", "onprem")])
def test_the_platform_follows_from_the_service(catalog, composition, service, platform):
    other = replace(composition, criteria=replace(composition.criteria, service=service))
    assert fit_of(catalog, other, A3_MEGA).site.platform == platform


def other_daemon(pod, args):
    daemon = pod["spec"]["initContainers"][0]
    daemon["image"] = daemon["image"].partition("@")[0].replace("v1.0.21", "v1.0.23") + "@sha256:" + "0" * 64


def other_setting(pod, args):
    args[args.index("NCCL_PROTO=Simple,LL128")] = "NCCL_PROTO=Simple"


def without_setting(pod, args):
    index = args.index("NCCL_CROSS_NIC=0")
    del args[index - 1 : index + 1]


def other_network(pod, args):
    notes = pod["metadata"]["annotations"]
    notes["networking.gke.io/interfaces"] = notes["networking.gke.io/interfaces"].replace("net-8", "net-7")


def without_devices(pod, args):
    del pod["metadata"]["annotations"]["devices.gke.io/container.tcpxo-daemon"]


def without_mount(pod, args):
    mounts = pod["spec"]["containers"][0]["volumeMounts"]
    mounts[:] = [one for one in mounts if one["name"] != "nvtcpxo-aperture-devices"]


def privileged(pod, args):
    pod["spec"]["containers"][0]["securityContext"] = {"privileged": True}


def with_nic(pod, args):
    pod["spec"]["containers"][0]["resources"]["limits"]["rdma/ib"] = "1"


NODE = "spec/containers/node"


@pytest.mark.parametrize(
    ("mutate", "rule", "words"),
    [
        (other_daemon, "AICR-G001", "spec/initContainers/tcpxo-daemon/image is "),
        (other_setting, "AICR-G001", f'{NODE}/env/NCCL_PROTO/value is "Simple,LL128" in the runtime and "Simple" in the fixture'),
        (without_setting, "AICR-G002", f"{NODE}/env/NCCL_CROSS_NIC stands in the runtime and not in the fixture"),
        (other_network, "AICR-G001", "metadata/annotations/networking.gke.io/interfaces is "),
        (without_devices, "AICR-G002", "metadata/annotations/devices.gke.io/container.tcpxo-daemon stands in the runtime"),
        (without_mount, "AICR-G002", f"{NODE}/volumeMounts//dev/aperture_devices stands in the runtime and not in the fixture"),
        (privileged, "AICR-F010", "in the fixture, container 'node' is privileged"),
        (with_nic, "AICR-G002", f"{NODE}/resources/limits/rdma/ib stands in the fixture and not in the runtime"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_workflow_that_is_attached_otherwise_is_a_finding(catalog, composition, resources, carried, mutate, rule, words):
    test = next(test for test in carried.tests if test.entry.variant == "nccl-all-reduce")
    data = copy.deepcopy(test.workflow.data)
    job = data["spec"]["dependencies"][0]["spec"]["template"]["spec"]["replicatedJobs"][0]
    train = data["spec"]["jobTemplate"]["spec"]["workload"]["trainJob"]
    mutate(job["template"]["spec"]["template"], train["trainer"]["args"])
    runtimes = shipped(resources, composition, carried.fit)
    context = Context.of(resources, composition, catalog)
    changed = [(test.entry, replace(test.workflow, data=data))]
    (verdict,) = held(catalog, carried.fit, changed, runtimes, context)
    assert verdict.diverges
    assert any(finding.rule == rule and finding.message.startswith(words) for finding in verdict.findings)
    (whole,) = held(catalog, carried.fit, [(test.entry, test.workflow)], runtimes, context)
    assert whole.findings == ()
