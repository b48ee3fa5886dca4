"""A fleet of many clusters, bundled on one machine: `python -m tests.bench.clusters COUNT FOLDER`.

Prints as JSON what the first and the last tenth of them took, in seconds of processor time, and the largest resident set in MiB.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bundler.catalog.catalog import Catalog
from bundler.fleet.reading import read_fleet
from bundler.fleet.work import bundle_of
from tests.attacks.peak import peak

_FILE = 2500
"""Clusters in one file, which may have 1 MiB."""


def main(count: str, folder: str) -> None:
    """Write the fleet, read it, and bundle every cluster of it; each bundle is dropped again."""
    number = int(count)
    _write(Path(folder), number)
    catalog = Catalog.load()
    clusters = read_fleet([Path(folder)], catalog).clusters
    tenth = max(1, number // 10)
    marks = [time.process_time()]
    for position, cluster in enumerate(clusters, 1):
        bundle_of(catalog, cluster)
        if position in {tenth, number - tenth, number}:
            marks.append(time.process_time())
    print(json.dumps({"first": marks[1] - marks[0], "last": marks[-1] - marks[-2], "MiB": peak() / 1024**2}))


def _write(folder: Path, number: int) -> None:
    """Clusters of the TCPXO recipe, each with networks of its own, and a small one after every nine."""
    folder.mkdir(parents=True)
    for start in range(0, number, _FILE):
        clusters = [_cluster(index) for index in range(start, min(number, start + _FILE))]
        document = {
            "apiVersion": "aicr.run/v2",
            "kind": "Fleet",
            "metadata": {"name": "bench"},
            "defaults": {
                "recipe": "h100-gke-cos-training-kubeflow",
                "profiles": {"gpuStack": {"value": "gke-default"}, "fabricAttachment": {"value": "gke-tcpxo-multinetwork"}},
            },
            "clusters": clusters,
        }
        (folder / f"{start:06}.yaml").write_text(json.dumps(document), encoding="utf-8")


def _cluster(index: int) -> dict[str, object]:
    name = f"c-{index:06}"
    if index % 10 == 9:
        return {"name": name, "profiles": {"fabricAttachment": {"value": "none"}}}
    interfaces = {f"eth{nic}": f"net-{index}-{nic}" for nic in range(1, 9)}
    return {"name": name, "profiles": {"fabricAttachment": {"parameters": {"interfaces": interfaces}}}}


if __name__ == "__main__":
    main(*sys.argv[1:])
