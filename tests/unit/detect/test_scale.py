"""A large cluster: detection is one pass over its nodes, and annotations are read once each."""

import copy
import time

from bundler.certify.certification import render_certification
from bundler.certify.site import Site
from bundler.certify.target import observe
from bundler.detect.fill import fill
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump
from tests.unit.detect.kit import installer, recorded, snapshot_of
from tests.unit.detect.test_fill import A3_MEGA, H100_GKE, TCPXO, request

COUNT = 5000
SECONDS = 2.0
"""Of processor time, for detection and filling together; on an idle core they take about a third of it."""


def large():
    first = recorded("01")[0]
    image = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev:v1.0.15"
    nodes, pods = [], []
    for number in range(COUNT):
        node = copy.deepcopy(first)
        node["metadata"]["name"] = f"node-{number:04}"
        nodes.append(node)
        pods.append(installer(node["metadata"]["name"], image))
    return snapshot_of(*nodes, *pods)


def test_five_thousand_nodes_are_detected_in_a_moment(catalog):
    snapshot = large()
    cert = {
        "apiVersion": "nvcre.nvidia.com/v1alpha1",
        "kind": "Certification",
        "metadata": {"name": "c"},
        "spec": {"target": {}, "categories": [{"domain": "communication", "variant": "nccl-all-reduce"}]},
    }
    document = read(dump(cert).encode(), "cert.yaml")
    fill(catalog, request(H100_GKE), snapshot_of(*recorded("01")))  # the catalogue is read once
    started = time.process_time()
    filled = fill(catalog, request(H100_GKE, profiles=TCPXO), snapshot)
    observed = observe(catalog, snapshot, {})
    site = Site(platform=observed.platform, architecture=observed.architecture, observed=observed)
    rendering = render_certification(catalog, document, site)
    elapsed = time.process_time() - started
    assert filled.request.parameters["fabricAttachment"] == {"interfaces": A3_MEGA, "release": "v1.0.15"}
    assert "Detected platform gcp and GPU architecture h100 on 5000 target nodes" in rendering.notes[0].message
    assert elapsed < SECONDS
