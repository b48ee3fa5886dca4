"""A scratch repository with committed bundles, and what runs hooks, actions and jobs in it as their programs do."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
KIND = ("--recipe", "h100-kind-training-kubeflow", "--data", "data")
OVERLAY = """\
# yaml-language-server: $schema=https://aicr.run/schemas/overlay.json
apiVersion: aicr.run/v2
kind: Overlay
metadata: {name: site, description: What our site sets.}
criteria: {service: kind}
components:
- name: kubeflow-trainer
  values: {manager: {replicas: %d}}
"""


class Repository:
    """A git repository with `data/`, authored data, and `clusters/a`, a bundle of it."""

    def __init__(self, path, environment):
        self.path = path
        self.environment = environment

    def run(self, *words, code=0, **environment):
        """A program in the repository; its stdout and stderr in one."""
        result = subprocess.run(
            words,
            cwd=self.path,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode == code, result.stdout
        return result.stdout

    def bash(self, script, code=0, **environment):
        """A script, as the runner of GitHub starts one with `shell: bash`."""
        return self.run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script, code=code, **environment)

    def replicas(self, number):
        """Change the overlay."""
        path = self.path / "data/overlays/service/site.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(OVERLAY % number)

    def bundle(self):
        self.run("aicr", "bundle", *KIND, "-o", "clusters/a")

    def commit(self, message):
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", message)
        return self.run("git", "rev-parse", "HEAD").strip()
