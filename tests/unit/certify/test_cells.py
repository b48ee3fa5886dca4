"""Requirements on what a category is on a platform and GPU architecture: each setting, resource, claim and toleration by its value.

Cells and lists are written down from the controller's catalogue and the results of its tests; see the head of each file.
"""

from pathlib import Path

import pytest

from bundler.yamlio.reader import read
from tests.unit.certify.kit import ANY_GPU, ARM64, GPU, SWEEP, handed_over, kinds, node, pod, trainer

HERE = Path(__file__).parent / "cells"
LISTS = read((HERE / "lists.yaml").read_bytes(), "lists.yaml").data
CELLS = read((HERE / "cells.yaml").read_bytes(), "cells.yaml").data
DOMAINS = {"nccl": "communication", "nemotron5": "training"}
TOLERATIONS = {"arm64": ARM64, "gpu": GPU, "any-gpu": ANY_GPU, "any": {"operator": "Exists"}}


def flat(names, gpus):
    """The words of named lists, in order; a map stands for itself."""
    words = []
    for name in names:
        words += [f"{key}={value}" for key, value in name.items()] if isinstance(name, dict) else LISTS[name]
    mnnvl = "1" if gpus == "4" else "0"
    return [gpus if word == "G" else word.replace("NCCL_MNNVL_ENABLE=M", f"NCCL_MNNVL_ENABLE={mnnvl}") for word in words]


def stated(env):
    return [f"{variable['name']}={variable['value']}" for variable in env]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell["cell"])
def test_a_category_is_what_the_controller_makes_of_it(workflow, cell):
    platform, architecture, variant = cell["cell"].split()
    domain = DOMAINS[variant.partition("-")[0]]
    made = workflow(platform, architecture, f"{domain}/{variant}", **cell.get("options", {}))
    gpus = "4" if architecture.startswith("gb") or cell["cell"].startswith("oci l40s") else "8"
    joined = gpus if architecture.startswith("gb") else "8"
    worker = node(made)
    found = {
        "handed": lambda: handed_over(made),
        "trainer": lambda: stated(trainer(made).get("env", ())),
        "worker": lambda: stated(worker["env"]),
        "limits": lambda: worker["resources"]["limits"],
        "requests": lambda: worker["resources"]["requests"],
        "claims": lambda: [claim["name"] for claim in worker["resources"]["claims"]],
        "capabilities": lambda: worker["securityContext"]["capabilities"]["add"],
        "tolerations": lambda: pod(made)["spec"]["tolerations"],
        "kinds": lambda: kinds(made),
        "image": lambda: {trainer(made)["image"], worker["image"]},
        "command": lambda: trainer(made)["command"],
    }
    wanted = {
        **{part: cell[part] for part in ("limits", "requests", "claims", "capabilities", "kinds", "command") if part in cell},
        **{part: flat(cell[part], joined) for part in ("trainer", "worker") if part in cell},
    }
    if "handed" in cell:
        wanted["handed"] = [*flat(cell["handed"], joined), *cell.get("extra", ())]
    if "resources" in cell:
        wanted |= {"limits": cell["resources"], "requests": cell["resources"]}
    if "tolerations" in cell:
        wanted["tolerations"] = [TOLERATIONS[name] for name in cell["tolerations"]]
    if "image" in cell:
        wanted["image"] = {cell["image"]}
    assert {part: found[part]() for part in wanted} == wanted
    if "start" in cell:
        binary = cell.get("binary", f"/usr/local/bin/{variant.replace('nccl-', '').replace('-', '_')}_perf_mpi")
        sweep = (["-d", "uint8"] if variant == "nccl-alltoall" else []) + SWEEP
        args = trainer(made)["args"]
        assert args[: args.index("-x")] == flat(cell["start"], gpus)
        assert args[args.index(binary) :] == [binary, *sweep]
        assert trainer(made)["command"] == ["timeout", "3600", cell.get("mpirun", trainer(made)["command"][-1])]
    networks = pod(made).get("metadata", {}).get("annotations", {}).get("k8s.v1.cni.cncf.io/networks")
    assert networks == (",".join(["network-operator/sriov-net"] * cell["networks"]) if "networks" in cell else None)
    templates = {
        each["metadata"]["name"]: [request["exactly"]["deviceClassName"], request["exactly"]["count"]]
        for each in made["spec"]["dependencies"]
        if each["kind"] == "ResourceClaimTemplate"
        for request in each["spec"]["spec"]["devices"]["requests"]
    }
    assert templates.items() >= cell.get("templates", {}).items()
