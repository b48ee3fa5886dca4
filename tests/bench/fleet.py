"""Many whole bundles in one process: `python -m tests.bench.fleet COUNT`. The TCPXO recipe, with other networks for each."""

from __future__ import annotations

import sys

from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.pipeline import bundle


def main(count: str) -> None:
    """Bundle `count` times and drop each bundle."""
    catalog = Catalog.load()
    for number in range(int(count)):
        interfaces = {f"eth{nic}": f"net-{number}-{nic}" for nic in range(1, 9)}
        bundle(
            catalog,
            Request(
                recipe="h100-gke-cos-training-kubeflow",
                profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
                parameters={"fabricAttachment": {"interfaces": interfaces}},
            ),
        )


if __name__ == "__main__":
    main(sys.argv[1])
