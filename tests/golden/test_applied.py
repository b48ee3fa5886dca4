"""What bundles without a fabric apply, digested when TCPXO was the only fabric: a fabric more changes nothing for anyone else.

Objects, charts and values are digested; the README and the lock also say how a bundle was made. A digest changes only on purpose,
with a changelog fragment of kind `bytes`.
"""

import hashlib
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
APPLIED = ("components/", "runtimes/")
DIGESTS = {
    "gb200-oke-ubuntu-training-kubeflow-none": "35e9f98db073671600c16ccb8fcf9f9cf17b8b027a80370674d088b0af174132",
    "gb200-oke-ubuntu-training-kubeflow-none-operator-managed": "d1e729ad4c0602f53a3f8f7a6418cdbb3bfc0a31db77a6176458e00c243daaae",
    "h100-aks-ubuntu-training-kubeflow-none": "1d045ee838b9f5c7e3c82922969e6c9a3ef30a67900b9954e97976f35d984cb8",
    "h100-aks-ubuntu-training-kubeflow-none-operator-managed": "91837625d6d13fb4e29b45d127913408f4b3803003f092dee2a1de6986cf964d",
    "h100-eks-ubuntu-training-kubeflow-none": "13649e0325a6f812dd0f3d2657d93be170474e9aeb35511db505bf8cf4b1d664",
    "h100-gke-cos-training-kubeflow-none": "208acf502d7b9f9942ea0657f5b80cb9a2dc6bc04d8f1abea176569d80b8b805",
    "h100-gke-cos-training-kubeflow-none-driver-installer": "dfdc0cb9661280ff22680be4cdc58a12f49350cdfba9d177709ad5f4073578a5",
    "h100-kind-training-kubeflow": "3a198877baa9f0e0012892fa74e3de9ae9d5f7f8d765f45bfe42cf15e0ce0911",
}


def applied(folder):
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.yaml")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(APPLIED):
            digest.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n".encode())
    return digest.hexdigest()


@pytest.mark.parametrize("case", DIGESTS)
def test_a_bundle_without_a_fabric_applies_what_it_always_did(case):
    assert applied(CASES / case) == DIGESTS[case]
