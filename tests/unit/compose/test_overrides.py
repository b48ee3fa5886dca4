"""Requirements on --set: one strict grammar, types from the schema, nothing unknown."""

import pytest

from bundler.compose.overrides import dotted, parse_set
from bundler.model.location import Location
from bundler.model.request import Override
from bundler.pipeline import compose
from tests.unit.compose.catalogues import catalogue, composed, refused, request, set_, values

FORM = "write COMPONENT:PATH=VALUE, such as gpu-operator:driver.enabled=false"
SCHEMA = """\
{"type": "object", "additionalProperties": false, "properties": {
  "driver": {"type": "object", "additionalProperties": false, "properties": {
    "enabled": {"type": "boolean"}, "version": {"type": "string"}, "replicas": {"type": "integer"}}},
  "agents": {"type": "object", "additionalProperties": false, "properties": {
    "tolerations": {"type": "array", "items": {"type": "object"}}}},
  "controller": {"type": "object", "additionalProperties": false, "properties": {
    "nodeSelector": {"type": "object", "additionalProperties": {"type": "string"}}, "tolerations": {"type": "array"}}},
  "labels": {"type": "object", "additionalProperties": {"type": "string"}},
  "size": {"type": ["integer", "string"]}}}
"""
WITH_SCHEMA = {"schemas/values/operator.json": SCHEMA}


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("operator:driver.enabled=true", ("operator", ("driver", "enabled"), "true")),
        ("operator:a=", ("operator", ("a",), "")),
        ("operator:a=b=c,d={e}:f", ("operator", ("a",), "b=c,d={e}:f")),
        (r"op:labels.nvidia\.com/gpu\.present=true", ("op", ("labels", "nvidia.com/gpu.present"), "true")),
        (r"op:a\=b=c", ("op", ("a=b",), "c")),
        (r"op:a\\=c", ("op", ("a\\",), "c")),
        ("op:größe=ü😀\n\t", ("op", ("größe",), "ü😀\n\t")),
        ("op:__proto__.items=x", ("op", ("__proto__", "items"), "x")),
    ],
)
def test_an_assignment_is_component_path_and_the_rest_as_it_stands(text, parsed):
    assert parse_set(text) == parsed


@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("", "has no '=': ''", FORM),
        ("operator", "has no '=': 'operator'", FORM),
        ("a..b=", "names no component: 'a..b='", FORM),
        ("=x", "names no component: '=x'", FORM),
        (":a=x", "names no component: ':a=x'", FORM),
        ("Operator:a=x", "names no component: 'Operator:a=x'", FORM),
        ("operator=x", "names no path: 'operator=x'", FORM),
        ("operator:=x", "names no path: 'operator:=x'", FORM),
        ("operator:a..b=x", "has an empty key in its path: 'a..b'", FORM),
        ("operator:.a=x", "has an empty key in its path: '.a'", FORM),
        ("operator:a.=x", "has an empty key in its path: 'a.'", FORM),
        (r"operator:a\=x", r"has no '=': 'operator:a\\=x'", FORM),
        ("operator:a[999999999]=1", "indexes a list: 'a[999999999]'", "set the whole list with --set-json operator:PATH=[…]"),
        ("operator:a[]=1", "indexes a list: 'a[]'", "set the whole list with --set-json operator:PATH=[…]"),
        ("operator:a=\x00", r"has a character that no value may have: 'operator:a=\x00'", "put binary data elsewhere"),
        ("operator:a\x1b=1", r"has a character that no value may have: 'operator:a\x1b=1'", "put binary data elsewhere"),
        ("operator:a=\ud800", r"has a character that no value may have: 'operator:a=\ud800'", "put binary data elsewhere"),
        ("operator:" + "a." * 40 + "a=1", "has a path of 41 keys, more than 32", FORM),
        ("operator:a=" + "x" * 1_000_000, "has 1,000,011 characters, more than 65,536", "put the value into a file: --set-file"),
    ],
)
def test_what_is_no_assignment_is_refused(text, problem, fix):
    assert refused(parse_set, text) == [f"AICR-C050: --set {problem}\n  --> --set\n  fix: {fix}"]


def test_a_path_is_shown_as_the_flag_takes_it():
    path = ("nodeSelector", "nvidia.com/gpu", "a=b\\")
    assert parse_set(f"op:{dotted(path)}=1") == ("op", path, "1")


@pytest.mark.parametrize(("files", "label"), [({}, True), (WITH_SCHEMA, "true")], ids=["no schema", "schema"])
def test_text_has_the_type_of_the_place_it_is_put(tmp_path, files, label):
    composition = composed(
        tmp_path,
        files,
        overrides=(
            set_("operator", "driver.enabled", "false"),
            set_("op", "driver.version", "0123"),
            set_("op", "labels.team", "true"),
            set_("op", "controller.nodeSelector.pool", "7"),
        ),
    )
    assert values(composition) == {
        "driver": {"enabled": False, "version": "0123"},
        "agents": {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
        "labels": {"team": label},
        "controller": {"nodeSelector": {"pool": "7"}},
    }


@pytest.mark.parametrize(("raw", "typed"), [("8", 8), ("8Gi", "8Gi"), ("1e6", "1e6"), ("010", "010")])
def test_a_place_of_two_types_takes_the_first_that_fits(tmp_path, raw, typed):
    assert values(composed(tmp_path, WITH_SCHEMA, overrides=(set_("op", "size", raw),)))["size"] == typed


def test_the_later_of_two_overrides_wins(tmp_path):
    composition = composed(tmp_path, overrides=(set_("op", "driver.version", "1"), set_("operator", "driver.version", "2")))
    assert values(composition)["driver"]["version"] == "2"
    made = composition.trace.assignments["/components/operator/values/driver/version"]
    assert [(each.layer, each.value) for each in made] == [("component operator", "580.1.0"), ("flags", "1"), ("flags", "2")]
    assert composition.layers[-1].label == "flags"


def test_null_deletes_and_a_list_or_a_map_is_given_as_data(tmp_path):
    at = Location(file="--set-json")
    composition = composed(
        tmp_path,
        WITH_SCHEMA,
        overrides=(
            set_("op", "driver.version", "null"),
            Override(component="op", path=("agents", "tolerations"), value=[{"key": "x"}], location=at),
            Override(component="op", path=("driver",), value={"replicas": 2}, location=at),
            Override(component="op", path=("labels", "a"), value="null", location=at),
        ),
    )
    assert values(composition) == {
        "driver": {"enabled": True, "replicas": 2},
        "agents": {"tolerations": [{"key": "x"}]},
        "labels": {"a": "null"},
    }


def test_a_null_that_deletes_nothing_is_said(tmp_path):
    composition = composed(tmp_path, WITH_SCHEMA, overrides=(set_("op", "driver.replicas", "null"),))
    [warning] = composition.warnings
    assert (warning.rule, warning.severity) == ("AICR-C013", "warning")
    assert warning.message == "null deletes nothing: no layer sets operator:driver.replicas"


@pytest.mark.parametrize(
    ("override", "finding"),
    [
        (set_("opertor", "a", "1"), "AICR-C051: component 'opertor' is not known\n  --> --set\n  fix: did you mean 'operator'?"),
        (
            set_("plugin", "a", "1"),
            "AICR-C052: component 'plugin' is not part of this recipe\n  --> --set\n  fix: its components are operator",
        ),
        (
            set_("op", "driver.enbled", "1"),
            "AICR-C053: operator has no value 'driver.enbled'\n  --> --set\n  fix: did you mean 'operator:driver.enabled'?",
        ),
        (
            set_("op", "drivr.enabled", "1"),
            "AICR-C053: operator has no value 'drivr.enabled'\n  --> --set\n  fix: did you mean 'operator:driver.enabled'?",
        ),
        (
            set_("op", "enabled", "true"),
            "AICR-C053: operator has no value 'enabled'\n  --> --set\n  fix: did you mean 'operator:driver.enabled'?",
        ),
        (
            set_("op", "driver.zzz", "true"),
            (
                "AICR-C053: operator has no value 'driver.zzz'\n"
                "  --> --set\n  fix: known below operator:driver: enabled, version, replicas"
            ),
        ),
        (
            set_("op", "driver.version.major", "1"),
            (
                "AICR-C053: operator has no value 'driver.version.major'\n"
                "  --> --set\n  fix: nothing stands below operator:driver.version"
            ),
        ),
        (
            set_("op", "driver.enabled", "yes"),
            (
                "AICR-C054: operator:driver.enabled is a boolean (true or false), not 'yes'\n"
                "  --> --set\n  fix: give a boolean (true or false)"
            ),
        ),
        (
            set_("op", "driver.replicas", "1e6"),
            "AICR-C054: operator:driver.replicas is an integer, not '1e6'\n  --> --set\n  fix: give an integer",
        ),
        (
            set_("op", "agents.tolerations", "x"),
            (
                "AICR-C054: operator:agents.tolerations is a list, not 'x'\n"
                "  --> --set\n  fix: give it with --set-json operator:agents.tolerations=JSON"
            ),
        ),
        (
            Override(
                component="op", path=("driver",), value={"enbled": True}, location=Location(file="values.yaml", line=2, column=3)
            ),
            (
                "AICR-C053: operator has no value 'driver.enbled'\n"
                "  --> values.yaml:2:3\n  fix: did you mean 'operator:driver.enabled'?"
            ),
        ),
        (
            Override(
                component="op", path=("driver", "version"), value=580, location=Location(file="values.yaml", line=3, column=3)
            ),
            "AICR-S002: 580 is an integer, not a string\n  --> values.yaml:3:3\n  fix: quote the value",
        ),
    ],
)
def test_an_override_that_nothing_reads_is_refused(tmp_path, override, finding):
    assert refused(composed, tmp_path, WITH_SCHEMA, overrides=(override,)) == [finding]


def test_without_a_schema_only_what_layers_set_is_known(tmp_path):
    catalog = catalogue(tmp_path)
    assert refused(compose, catalog, request(overrides=(set_("op", "driver.replicas", "1"),))) == [
        "AICR-C053: operator has no value 'driver.replicas'\n  --> --set\n  fix: known below operator:driver: enabled, version"
    ]
    assert refused(compose, catalog, request(overrides=(set_("op", "driver.enabled", "1"),)))[0].startswith("AICR-C054")


def test_all_wrong_overrides_are_found_at_once(tmp_path):
    overrides = (set_("x", "a", "1"), set_("op", "drivr", "1"), set_("op", "driver.enabled", "2"))
    assert [text[:9] for text in refused(composed, tmp_path, overrides=overrides)] == ["AICR-C051", "AICR-C053", "AICR-C054"]
