"""Every platform, architecture and entry: each cell renders, keeps the rules, and has a recorded digest.

The digests show what a change touches. The last architecture is one that the table does not have. The golden file is written anew
by `pytest tests/unit/certify/test_matrix.py --update-golden`.
"""

import hashlib
from pathlib import Path

import pytest

from bundler.certify.certification import render_certification
from bundler.certify.entries import entries
from bundler.certify.output import workflows_text
from bundler.certify.site import Site
from bundler.detect.gpus import Gpus
from bundler.detect.platforms import platforms

RECORDED = Path(__file__).with_name("matrix.golden")
NODES = 8


@pytest.fixture(scope="module")
def recorded():
    lines = (line.split() for line in RECORDED.read_text().splitlines() if line) if RECORDED.is_file() else ()
    return {tuple(cell): digest for *cell, digest in lines}


def test_the_matrix_has_nine_platforms_eleven_architectures_and_eight_entries(catalog):
    shape = (len(platforms(catalog)), len(catalog.derived(Gpus.of).architectures) + 1, len(entries(catalog)))
    assert shape == (9, 11, 8)


def test_every_cell_is_the_recorded_one(catalog, certification, recorded, update_golden):
    made = {}
    for architecture in [*catalog.derived(Gpus.of).architectures, "gb10"]:
        for entry in entries(catalog):
            document = certification(entry, product=f"NVIDIA-{architecture.upper()}", name="matrix", nodesPerJob=NODES)
            for platform in platforms(catalog):
                rendering = render_certification(catalog, document, Site(platform=platform))
                (workflow,) = rendering.workflows
                assert catalog.validator("workflow").check(workflow) == ()
                text = workflows_text(rendering.workflows, "yaml")
                made[platform, architecture, entry] = hashlib.sha256(text.encode()).hexdigest()[:16]
    if update_golden:
        RECORDED.write_text("".join(f"{' '.join(cell)} {digest}\n" for cell, digest in sorted(made.items())))
        return
    changed = sorted(" ".join(cell) for cell in made.keys() | recorded.keys() if made.get(cell) != recorded.get(cell))
    assert changed == [], "if it is meant: pytest tests/unit/certify/test_matrix.py --update-golden"
