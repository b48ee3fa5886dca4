"""Requirements on the GitLab template: its jobs, run as written, fail with a reason, and tell a merge request what changes."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.ci.kit import ROOT

TEMPLATE = yaml.safe_load((ROOT / "docs/how-to/ci/aicr.gitlab-ci.yml").read_text())
JOBS = {name: job for name, job in TEMPLATE.items() if name != "variables" and not name.startswith(".")}


def job(repository, name, code=0, **variables):
    """A job's script, whose lines are one shell's. `before_script` installs aicr, which is on PATH here."""
    given = {key: str(value) for key, value in TEMPLATE["variables"].items()} | {"AICR_DATA": "data"} | variables
    return repository.bash("\n".join(JOBS[name]["script"]), code=code, **given)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_has_an_image_and_a_script_and_keeps_its_reports(name):
    assert JOBS[name]["extends"] == ".aicr"
    assert JOBS[name]["artifacts"]["when"] == "always"
    written = "\n".join(JOBS[name]["script"])
    assert all(report in written for report in JOBS[name]["artifacts"]["reports"].values())


def test_a_repository_in_order_passes_and_one_that_drifted_fails_with_the_reason(repository):
    for name in ("aicr-check", "aicr-guard"):
        job(repository, name)
    repository.replicas(2)
    assert "fix: run aicr bundle --recipe clusters/a/recipe.yaml --data data -o clusters/a" in job(repository, "aicr-check", code=1)
    (failure,) = ET.parse(repository.path / "aicr-check.xml").getroot().iter("failure")
    assert failure.get("message").startswith("'clusters/a' is not what its recipe renders to")


@pytest.fixture
def forge():
    """The part of GitLab's API that takes a note."""
    notes = []

    class Notes(BaseHTTPRequestHandler):
        def do_POST(self):
            body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            notes.append((self.path, self.headers["PRIVATE-TOKEN"], body["body"][0]))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Notes)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/v4", notes
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_merge_request_is_told_what_changes(repository, forge):
    url, notes = forge
    base = repository.run("git", "rev-parse", "HEAD").strip()
    repository.replicas(3)
    repository.bundle()
    repository.commit("three")
    repository.run("git", "remote", "add", "origin", str(repository.path))
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "9", "CI_API_V4_URL": url}
    job(repository, "aicr-diff", **variables, AICR_TOKEN="t")
    ((path, token, body),) = notes
    assert (path, token) == ("/api/v4/projects/5/merge_requests/9/notes", "t")
    assert "@@ ± /manager/replicas [resources, medium] @@\n- 1\n+ 3\n" in body
    places = {one["location"]["path"] for one in json.loads((repository.path / "aicr-diff.json").read_text())}
    assert places >= {"clusters/a/components/kubeflow-trainer/values.yaml", "data/overlays/service/site.yaml"}


def test_without_a_token_nothing_is_sent(repository, forge):
    url, notes = forge
    base = repository.run("git", "rev-parse", "HEAD").strip()
    repository.run("git", "remote", "add", "origin", str(repository.path))
    job(repository, "aicr-diff", CI_MERGE_REQUEST_DIFF_BASE_SHA=base, CI_API_V4_URL=url)
    assert notes == []
    assert (repository.path / "aicr-diff.md").read_text().startswith("### ")
