"""Requirements on agreements: what components share has one owner and one place, and a disagreement names both."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.location import Location
from bundler.model.request import Override, Request
from bundler.pipeline import compose
from tests.unit.compose.catalogues import FILES, composed, refused, set_, values

BASE = """\
apiVersion: aicr.run/v2
kind: Base
metadata: {name: base, description: B.}
components:
  - name: operator
    values: {driver: {root: /a}}
  - name: plugin
    values: {root: /a}
"""
AGREEMENTS = """\
        agreements:
          - name: one-root
            when: {"operator:driver.enabled": true}
            same: ["operator:driver.root", "plugin:root"]
            reason: both look there
          - name: no-root
            when: {"operator:driver.enabled": false}
            never: {"plugin:root": /a}
            reason: nothing is there
"""
WITH = {"recipes/base.yaml": BASE, "recipes/registry.yaml": FILES["recipes/registry.yaml"].rstrip(" ") + AGREEMENTS}


def test_what_agrees_passes(tmp_path):
    assert values(composed(tmp_path, WITH), "plugin") == {"root": "/a"}


def test_values_that_must_be_equal_are_named_with_who_set_them(tmp_path):
    assert refused(composed, tmp_path, WITH, overrides=(set_("plugin", "root", "/b"),)) == [
        (
            "AICR-C015: while operator:driver.enabled is true (component operator, recipes/components/operator/values.yaml:2:3), "
            "operator:driver.root is '/a' (base, recipes/base.yaml:6:23) but plugin:root is '/b' (flags, --set): both look there\n"
            "  --> --set\n"
            "  fix: make operator:driver.root and plugin:root equal"
        )
    ]


def test_a_value_that_must_not_be_is_named_with_who_set_it(tmp_path):
    override = Override(component="operator", path=("driver", "enabled"), value=False, location=Location(file="--set a"))
    assert refused(composed, tmp_path, WITH, overrides=(override,)) == [
        (
            "AICR-C015: while operator:driver.enabled is false (flags, --set a), "
            "plugin:root is '/a' (base, recipes/base.yaml:8:14): nothing is there\n"
            "  --> recipes/base.yaml:8:14\n"
            "  fix: give plugin:root another value"
        )
    ]


def test_a_value_that_nothing_sets_is_the_charts(tmp_path):
    base = BASE.replace("values: {root: /a}", "values: {other: 1}")
    assert refused(composed, tmp_path, {**WITH, "recipes/base.yaml": base}) == [
        (
            "AICR-C015: while operator:driver.enabled is true (component operator, recipes/components/operator/values.yaml:2:3), "
            "operator:driver.root is '/a' (base, recipes/base.yaml:6:23) but plugin:root is absent "
            "(by the chart): both look there\n"
            "  --> recipes/base.yaml:6:23\n"
            "  fix: make operator:driver.root and plugin:root equal"
        )
    ]


def test_components_that_are_not_both_there_need_not_agree(tmp_path):
    base = "apiVersion: aicr.run/v2\nkind: Base\nmetadata: {name: base, description: B.}\ncomponents:\n  - name: operator\n"
    assert composed(tmp_path, {**WITH, "recipes/base.yaml": base}).component("plugin") is None


# The driver. Source: NVIDIA/aicr, the bundle-time check CheckDriverOwnershipCoherence of gpu-operator.

CATALOG = Catalog.load()
DRIVER, DIRECTORY = "gpu-operator:driver.enabled", "gpu-operator:hostPaths.driverInstallDir"
ROOT = "nvidia-dra-driver-gpu:nvidiaDriverRoot"


def with_flags(**flags):
    names = {"driver": DRIVER, "directory": DIRECTORY, "root": ROOT}
    overrides = []
    for flag, value in flags.items():
        component, _, path = names[flag].partition(":")
        place = Location(file=f"--set {names[flag]}")
        overrides.append(Override(component=component, path=tuple(path.split(".")), value=value, location=place))
    request = Request(recipe="h100-eks-ubuntu-training-kubeflow", profiles={"fabricAttachment": "none"}, overrides=tuple(overrides))
    return compose(CATALOG, request)


@pytest.mark.parametrize(
    "flags",
    [
        {},
        {"directory": "/opt/driver", "root": "/opt/driver"},
        {"driver": False, "root": "/"},
        {"driver": False, "root": "/home/kubernetes/bin/nvidia", "directory": "/home/kubernetes/bin/nvidia"},
    ],
)
def test_one_owner_of_the_driver_passes(flags):
    assert with_flags(**flags).component("gpu-operator") is not None


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ({"root": "/"}, [DRIVER, DIRECTORY, ROOT]),
        ({"directory": "/opt/driver"}, [DRIVER, DIRECTORY, ROOT]),
        ({"driver": False}, [DRIVER, ROOT]),
        ({"directory": "/", "root": "/"}, [DIRECTORY]),
        ({"directory": "/", "driver": False, "root": "/"}, [DIRECTORY]),
    ],
)
def test_two_owners_of_the_driver_are_refused_with_both_values(flags, named):
    (text,) = refused(with_flags, **flags)
    assert text.startswith("AICR-C015: ")
    assert all(f"{path} is " in text for path in named)
