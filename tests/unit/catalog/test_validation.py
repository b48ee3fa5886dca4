"""Requirements on schema findings: exact path, exact location, nearest name, no network."""

import pytest

from bundler.catalog.validation import Validator, check
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.yamlio.reader import read

SCHEMA = {
    "$id": "https://aicr.run/schemas/sample.json",
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$", "description": "lower-case letters"},
        "replicas": {"type": "integer"},
        "mode": {"enum": ["fast", "safe"]},
        "kind": {"const": "A"},
        "nested": {"$ref": "#/$defs/nested"},
        "shared": {"$ref": "https://aicr.run/schemas/other.json#/$defs/shared"},
    },
    "$defs": {"nested": {"type": "object", "additionalProperties": False, "properties": {"interfaces": {"type": "array"}}}},
}
OTHER = {
    "$id": "https://aicr.run/schemas/other.json",
    "$defs": {"shared": {"type": "object", "additionalProperties": False, "properties": {"network": {"type": "string"}}}},
}


def findings(text: str):
    document = read(text.encode(), "sample.yaml")
    validator = Validator.of(SCHEMA, siblings={OTHER["$id"]: OTHER})
    return validator.check(document.data, document=document)


def test_valid_data_has_no_findings():
    assert findings("name: abc\nreplicas: 2\nmode: fast\nnested: {interfaces: []}\nshared: {network: a}\n") == ()


@pytest.mark.parametrize(
    ("text", "rule", "message", "location", "pointer", "fix"),
    [
        ("name: a\nreplics: 1\n", "AICR-S001", "unknown field 'replics'", "2:1", "/replics", "did you mean 'replicas'?"),
        (
            "name: a\nnested: {interface: []}\n",
            "AICR-S001",
            "unknown field 'interface'",
            "2:10",
            "/nested/interface",
            "did you mean 'interfaces'?",
        ),
        (
            "name: a\nshared: {networks: b}\n",
            "AICR-S001",
            "unknown field 'networks'",
            "2:10",
            "/shared/networks",
            "did you mean 'network'?",
        ),
        ("name: a\nnested: {zzz: []}\n", "AICR-S001", "unknown field 'zzz'", "2:10", "/nested/zzz", "known here: interfaces"),
        ("replicas: 1\n", "AICR-S004", "required field 'name' is missing", "1:1", "", "add 'name'"),
        ("name: a\nreplicas: '2'\n", "AICR-S002", "'2' is a string, not an integer", "2:1", "/replicas", "write it without quotes"),
        (
            "name: a\nreplicas: null\n",
            "AICR-S002",
            "the value is null, not an integer",
            "2:1",
            "/replicas",
            "give a value, or leave the field out",
        ),
        (
            f"name: {'A' * 999}\n",
            "AICR-S006",
            f'"{"A" * 58}… does not match "^[a-z]+$"',
            "1:1",
            "/name",
            "expected: lower-case letters",
        ),
        ("name: a\nkind: B\n", "AICR-S006", "'B' is not 'A'", "2:1", "/kind", "write A"),
        ("name: true\n", "AICR-S002", "True is a boolean, not a string", "1:1", "/name", "quote the value"),
        ("name: a\nmode: fst\n", "AICR-S005", "'fst' is not one of fast, safe", "2:1", "/mode", "did you mean 'fast'?"),
        ("name: A\n", "AICR-S006", '"A" does not match "^[a-z]+$"', "1:1", "/name", "expected: lower-case letters"),
        ('name: "abc\\n"\n', "AICR-S006", '"abc\\n" does not match "^[a-z]+$"', "1:1", "/name", "expected: lower-case letters"),
    ],
)
def test_one_finding_a_cause_with_place_and_fix(text, rule, message, location, pointer, fix):
    (finding,) = findings(text)
    line, column = map(int, location.split(":"))
    assert (finding.rule, finding.message, finding.pointer, finding.fix) == (rule, message, pointer, fix)
    assert finding.location == Location(file="sample.yaml", line=line, column=column)


def test_every_unknown_field_is_its_own_finding():
    assert [finding.pointer for finding in findings("name: a\nleft: 1\nright: 2\n")] == ["/left", "/right"]


@pytest.mark.parametrize(
    "reference", ["http://registry.example/x.json", "https://aicr.run/schemas/none.json", "file:///etc/hostname"]
)
def test_a_schema_that_refers_elsewhere_is_refused_without_a_request(reference):
    with pytest.raises(InvalidInput) as caught:
        check({}, {"$ref": reference})
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-S003"
    assert reference in finding.message


def test_a_malformed_schema_is_refused():
    with pytest.raises(InvalidInput) as caught:
        check({}, {"type": "strin"})
    assert caught.value.findings[0].rule == "AICR-S003"
