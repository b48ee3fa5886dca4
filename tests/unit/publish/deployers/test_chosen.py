"""Requirements on what a deployer is told: all that is wrong at once, what is missing as one finding, no password shown."""

import pytest

from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.model.request import Delivery, InstallTime, Request
from bundler.publish.deployers.chosen import choose
from bundler.publish.deployers.settings import SETTINGS

GIT = {"repoURL": "https://git.example/a", "revision": "main"}
OPEN = (InstallTime(component="nfd", path=("master",), location=Location(file="--dynamic nfd:master")),)


def refusals(deployer, settings=GIT, **more):
    with pytest.raises(InvalidInput) as refused:
        choose(Request(delivery=Delivery(deployer=deployer, settings=settings), **more))
    return [(each.rule, each.message, each.fix) for each in refused.value.findings]


def test_a_name_that_is_no_deployer_gets_the_nearest():
    assert refusals("argo-cd") == [("AICR-A001", "no deployer 'argo-cd'", "did you mean 'argocd'?")]


@pytest.mark.parametrize("deployer", ["argocd", "flux"])
def test_what_is_missing_is_one_finding(deployer):
    message = f"{deployer} has to be told --repo-url and --revision"
    assert refusals(deployer, {}) == [("AICR-A002", message, "add --repo-url URL --revision REV")]


def test_a_setting_that_the_deployer_does_not_take_is_refused():
    assert refusals("helm", {"project": "x"}) == [("AICR-A003", "helm takes no --project", "leave it out; helm takes no settings")]


def test_a_setting_that_is_none_gets_the_nearest():
    assert refusals("flux", {**GIT, "repoUrl": "x"}) == [("AICR-A003", "no setting 'repoUrl'", "did you mean 'repoURL'?")]


def test_everything_wrong_is_said_at_once():
    found = refusals("flux", {"repoURL": "git.example", "project": "x", "path": "../x"})
    assert [rule for rule, _, _ in found] == ["AICR-A002", "AICR-A004", "AICR-A003", "AICR-A004"]


def test_a_password_is_refused_and_not_shown():
    (found,) = refusals("flux", {**GIT, "repoURL": "https://user:hunter2@example.org/a"})
    assert found == (
        "AICR-A004",
        "--repo-url: the value has not the form of one",
        "write https://HOST/PATH or ssh://USER@HOST/PATH, without a password or a token",
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("repoURL", "https://git.example/org/repository.git"),
        ("repoURL", "https://git.example:8443/org/sub%20group/repository"),
        ("repoURL", "ssh://git@example.org/org/repository"),
        ("repoURL", "http://git.internal.example/a"),
        ("revision", "main"),
        ("revision", "release/1.2"),
        ("revision", "refs/tags/v1.0.0"),
        ("revision", "0123456789abcdef0123456789abcdef01234567"),
        ("path", "."),
        ("path", "clusters/a3-mega.eu"),
        ("clusterValues", "values/a"),
        ("name", "a3mega"),
        ("namespace", "flux-system"),
        ("project", "platform"),
        ("server", "https://10.0.0.1:6443"),
        ("server", "https://kubernetes.default.svc"),
    ],
)
def test_accepts_what_users_write(key, value):
    assert SETTINGS[key].accepts(value)


WORDS = [
    "",
    " ",
    "a b",
    "a\n",
    "a\nkind: Secret",
    "$(id)",
    "`id`",
    "'",
    '"',
    "{{ env }}",
    "-x",
    "../a",
    "a/../b",
    "a//b",
    "\u00e4",
    "a\x00",
]


@pytest.mark.parametrize("key", SETTINGS)
@pytest.mark.parametrize("value", [*WORDS, "x" * 4096])
def test_refuses_what_would_be_read_as_something_else(key, value):
    assert not SETTINGS[key].accepts(value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("repoURL", "git@example.org:org/repository"),
        ("repoURL", "https://token@example.org/a"),
        ("repoURL", "ssh://git:word@example.org/a"),
        ("repoURL", "https://git.example"),
        ("repoURL", "https://git.example/a?token=x"),
        ("repoURL", "https://git.example/a#x"),
        ("repoURL", "file:///etc/passwd"),
        ("repoURL", "ext::sh -c id"),
        ("revision", "main..x"),
        ("revision", "main/"),
        ("path", "/clusters"),
        ("path", "clusters/"),
        ("clusterValues", "."),
        ("name", "9a"),
        ("name", "a" * 25),
        ("name", "a-"),
        ("namespace", "Argo"),
        ("server", "http://kubernetes.default.svc"),
    ],
)
def test_refuses_what_has_another_form(key, value):
    assert not SETTINGS[key].accepts(value)


def test_a_cluster_needs_a_way_to_give_its_values():
    assert refusals("kustomize", {}, install_time=OPEN) == [
        ("AICR-A006", "kustomize takes no values at install time", "leave --dynamic out, or choose another deployer")
    ]
    assert refusals("argocd", install_time=OPEN) == [
        (
            "AICR-A002",
            "argocd reads a cluster's own values from files, and nothing says where these are",
            "add --cluster-values PATH, a directory of the repository",
        )
    ]


def test_a_way_for_values_without_any_value_left_open_is_refused():
    assert refusals("argocd", {**GIT, "clusterValues": "values/a"}) == [
        ("AICR-A003", "without --dynamic no value is left to a cluster", "leave --cluster-values out")
    ]


@pytest.mark.parametrize(("bundle", "values"), [("clusters/a", "clusters/a/values"), (".", "values")])
def test_a_clusters_own_values_stand_outside_the_bundle(bundle, values):
    (found,) = refusals("argocd", {**GIT, "path": bundle, "clusterValues": values}, install_time=OPEN)
    assert found[1] == f"{values!r} is inside the bundle, which holds no file but its own"


def test_a_directory_whose_name_only_begins_like_the_bundles_is_outside_it():
    settings = {**GIT, "path": "clusters/a", "clusterValues": "clusters/a-values"}
    assert (
        choose(Request(delivery=Delivery(deployer="argocd", settings=settings), install_time=OPEN)).settings["path"] == "clusters/a"
    )
