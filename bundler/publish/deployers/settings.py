"""What deployers are told: each setting once, with its flag, its form and what it means."""

from __future__ import annotations

import re

from bundler.dataclass import dataclass

__all__ = ["SETTINGS", "Setting"]

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?::[0-9]{1,5})?"
_STEP = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9._][A-Za-z0-9._-]*"
_PATH = rf"(?=.{{1,200}}\Z){_STEP}(?:/{_STEP})*"
_NAMED = "lower-case letters, digits and '-', at most 63 of them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting.

    Attributes:
        key: its name in `recipe.yaml`.
        flag: its name on the command line.
        metavar: what the flag's value is, in one word.
        help: what it means, in one sentence.
        pattern: what its value must match, whole.
        form: the same in words.
    """

    key: str
    flag: str
    metavar: str
    help: str
    pattern: str
    form: str

    def accepts(self, value: str) -> bool:
        """Whether a value has the form."""
        return re.fullmatch(self.pattern, value, re.ASCII) is not None


SETTINGS: dict[str, Setting] = {
    setting.key: setting
    for setting in (
        Setting(
            key="repoURL",
            flag="--repo-url",
            metavar="URL",
            help="The git repository that the bundle is committed to.",
            pattern=rf"(?:https?://{_HOST}|ssh://(?:[A-Za-z0-9._-]{{1,64}}@)?{_HOST})(?:/[A-Za-z0-9._~%+-]+){{1,16}}/?",
            form="https://HOST/PATH or ssh://USER@HOST/PATH, without a password or a token",
        ),
        Setting(
            key="revision",
            flag="--revision",
            metavar="REV",
            help="The branch, the commit (40 hex digits) or the reference (refs/tags/v1) that is deployed.",
            pattern=r"(?!.*(?:\.\.|//|/\.))[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}(?<![./])",
            form="a branch, a commit or a reference such as refs/tags/v1",
        ),
        Setting(
            key="path",
            flag="--repo-path",
            metavar="PATH",
            help="Where in the repository the bundle is.",
            pattern=rf"\.|{_PATH}",
            form="a path from the root of the repository, such as clusters/a",
        ),
        Setting(
            key="clusterValues",
            flag="--cluster-values",
            metavar="PATH",
            help="Where in the repository a cluster's own COMPONENT.yaml files are, for values of --dynamic.",
            pattern=_PATH,
            form="a path from the root of the repository, such as values/a",
        ),
        Setting(
            key="name",
            flag="--app-name",
            metavar="NAME",
            help="What the names of the deployer's objects begin with.",
            pattern=r"[a-z](?:[a-z0-9-]{0,22}[a-z0-9])?",
            form="lower-case letters, digits and '-', at most 24 of them, a letter first",
        ),
        Setting(
            key="namespace",
            flag="--deployer-namespace",
            metavar="NAME",
            help="The namespace of the deployer's objects.",
            pattern=_LABEL,
            form=_NAMED,
        ),
        Setting(
            key="project",
            flag="--project",
            metavar="NAME",
            help="The project that Applications belong to.",
            pattern=_LABEL,
            form=_NAMED,
        ),
        Setting(
            key="server",
            flag="--destination-server",
            metavar="URL",
            help="The API server of the cluster that the bundle is for.",
            pattern=rf"https://{_HOST}(?:/[A-Za-z0-9._~-]+){{0,16}}",
            form="https://HOST or https://HOST:PORT",
        ),
    )
}
"""By key, in the order in which they are written."""
