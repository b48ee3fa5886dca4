"""The GitOps story of a fleet of 200: bundled, committed, changed, refused by CI with the reason, reviewed, rendered, accepted."""

from concurrent.futures import ThreadPoolExecutor

import yaml

from bundler.report.markdown import LIMIT

NUMBER = 200
FLEET = ("fleet.yaml", "--data", "data", "-o", "clusters")
DOCUMENT = {
    "apiVersion": "aicr.run/v2",
    "kind": "Fleet",
    "metadata": {"name": "labs"},
    "defaults": {"recipe": "h100-kind-training-kubeflow"},
    "clusters": [{"name": f"lab-{number:03}"} for number in range(NUMBER)],
}


def test_a_change_of_200_clusters_from_an_overlay_to_what_is_merged(repository):
    repo = repository
    (repo.path / "fleet.yaml").write_text(yaml.safe_dump(DOCUMENT))
    (repo.path / ".gitattributes").write_text("clusters/** -text linguist-generated\n")
    repo.replicas(1)
    assert repo.run("aicr", "fleet", "bundle", *FLEET).endswith(f"{NUMBER} clusters: {NUMBER} written\n")
    repo.commit("labs: bundles")
    assert repo.run("aicr", "fleet", "bundle", *FLEET, "--check").endswith(f"{NUMBER} clusters: {NUMBER} current\n")

    repo.replicas(2)
    head = repo.commit("site: two managers")

    def check(index):
        shard = ("--shard", f"{index}/2", "--summary", f"../shard-{index}.json")
        return repo.run("aicr", "fleet", "bundle", *FLEET, "--check", *shard, code=1)

    with ThreadPoolExecutor(2) as machines:
        said = [*machines.map(check, (1, 2))]
    assert all(
        text.endswith(f"{NUMBER // 2} clusters: {NUMBER // 2} drifted (shard {index}/2)\n") for index, text in enumerate(said, 1)
    )
    assert "error[AICR-U020]: 'lab-000' is not what its recipe renders to: " in said[0]
    assert "components/kubeflow-trainer/values.yaml" in said[0]
    whole = repo.run("aicr", "fleet", "merge", "../shard-1.json", "../shard-2.json", "--report", "junit=../fleet.xml", code=1)
    assert whole.endswith(f"{NUMBER} clusters: {NUMBER} drifted\n")
    comment = repo.bash(f"aicr fleet diff {' '.join(FLEET)} --format markdown 2>/dev/null", code=1)
    assert len(comment.encode()) <= LIMIT
    assert comment.startswith("## lab-000\n")
    assert "more clusters with differences." in comment or "## lab-199\n" in comment
    assert repo.run("git", "status", "--short") == ""

    assert repo.run("aicr", "fleet", "bundle", *FLEET).endswith(f"{NUMBER} clusters: {NUMBER} written\n")
    assert repo.commit("labs: two managers") != head
    changed = repo.run("git", "diff", "--name-only", "HEAD~1").splitlines()
    assert len({path.split("/")[1] for path in changed}) == NUMBER
    assert {path.split("/", 2)[2] for path in changed} == {
        "bundle.lock.yaml",
        "checksums.txt",
        "components/kubeflow-trainer/values.yaml",
    }
    assert repo.run("aicr", "fleet", "bundle", *FLEET, "--check").endswith(f"{NUMBER} clusters: {NUMBER} current\n")
