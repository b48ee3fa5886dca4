"""Requirements on parameters: typed by their schema, checked in words, one normal form whatever way they were given."""

import pytest

from bundler.model.location import Location
from tests.unit.compose.catalogues import refused
from tests.unit.profiles.declared import NETWORKS, composed, multi

AT = {"/parameters/fabric/interfaces": Location(file="--param fabric.interfaces")}
FORM = "write --param fabric.interfaces=eth1=net-1,eth2=net-2,eth3=net-3"


@pytest.mark.parametrize(
    "given", ["eth1=net-1,eth2=net-2,eth3=net-3", "eth3=net-3,eth2=net-2,eth1=net-1", NETWORKS, dict(reversed(NETWORKS.items()))]
)
def test_a_map_is_normalised_to_the_order_of_its_schema(tmp_path, given):
    interfaces = multi(tmp_path, given).selection("fabric").parameters["interfaces"]
    assert list(interfaces.items()) == list(NETWORKS.items())


@pytest.mark.parametrize(
    ("given", "findings"),
    [
        (
            "eth1=net-1,eth2=net-2",
            ["AICR-P008: parameter fabric.interfaces has 2 of 3 entries: eth3 is missing|give eth1, eth2, eth3, each once"],
        ),
        (
            "",
            [
                (
                    "AICR-P008: parameter fabric.interfaces has 0 of 3 entries: eth1, eth2, eth3 are missing|"
                    "give eth1, eth2, eth3, each once"
                )
            ],
        ),
        (
            "eth1=net-1,eth2=net-2,eth3=net-3,eth4=net-4",
            ["AICR-P009: parameter fabric.interfaces has no entry 'eth4'|its entries are eth1, eth2, eth3"],
        ),
        (
            "eth1=net-1,eth2=net-2,ETH3=net-3",
            [
                "AICR-P009: parameter fabric.interfaces has no entry 'ETH3'|its entries are eth1, eth2, eth3",
                "AICR-P008: parameter fabric.interfaces has 2 of 3 entries: eth3 is missing|give eth1, eth2, eth3, each once",
            ],
        ),
        ("eth1=net-1,eth1=net-2,eth3=net-3", ["AICR-P010: parameter fabric.interfaces gives 'eth1' twice|give each entry once"]),
        (
            "eth1=net-1,eth2=net-2,eth3=net-1",
            ["AICR-P011: parameter fabric.interfaces gives 'net-1' to eth1, eth3|give every entry a value of its own"],
        ),
        (
            "eth1=net-1,eth2=Net_2,eth3=default",
            [
                "AICR-P012: parameter fabric.interfaces: eth2 is 'Net_2', not the name of a Network|give eth2 another value",
                "AICR-P012: parameter fabric.interfaces: eth3 is 'default', not the name of a Network|give eth3 another value",
            ],
        ),
        (
            {**NETWORKS, "eth2": 'a","interfaceName":"eth9'},
            [
                (
                    'AICR-P012: parameter fabric.interfaces: eth2 is \'a","interfaceName":"eth9\', not the name of a Network|'
                    "give eth2 another value"
                )
            ],
        ),
        (
            {**NETWORKS, "eth2": "net-2\n"},
            [r"AICR-P012: parameter fabric.interfaces: eth2 is 'net-2\n', not the name of a Network|give eth2 another value"],
        ),
        ({**NETWORKS, "eth2": 2}, ["AICR-P013: parameter fabric.interfaces: eth2 is a string, not 2|give eth2 another value"]),
        (
            {**NETWORKS, "eth2": None},
            ["AICR-P013: parameter fabric.interfaces: eth2 is a string, not null|give eth2 another value"],
        ),
        (
            "net-1,net-2",
            [
                f"AICR-P013: parameter fabric.interfaces: 'net-1' is not KEY=VALUE|{FORM}",
                f"AICR-P013: parameter fabric.interfaces: 'net-2' is not KEY=VALUE|{FORM}",
            ],
        ),
        ("eth1=net-1,", [f"AICR-P013: parameter fabric.interfaces: '' is not KEY=VALUE|{FORM}"]),
        (["net-1"], [f'AICR-P013: parameter fabric.interfaces: it is a map, not ["net-1"]|{FORM}']),
    ],
)
def test_a_wrong_map_says_what_is_wrong_with_which_entry(tmp_path, given, findings):
    expected = [f"{text.split('|')[0]}\n  --> --param fabric.interfaces\n  fix: {text.split('|')[1]}" for text in findings]
    assert refused(multi, tmp_path, given, origins=AT) == expected


def test_a_network_needs_no_particular_word_in_its_name(tmp_path):
    # Google's own samples are named vpc1 to vpc8; upstream refuses names without `gpu-nic`.
    networks = {"eth1": "vpc1", "eth2": "vpc2", "eth3": "vpc3"}
    assert multi(tmp_path, networks).selection("fabric").parameters["interfaces"] == networks


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ({}, {"count": 8}),
        ({"count": "32"}, {"count": 32}),
        ({"count": 4}, {"count": 4}),
        ({"nics": "a,b"}, {"count": 8, "nics": ["a", "b"]}),
        ({"nics": ""}, {"count": 8, "nics": []}),
        ({"tuned": "true"}, {"count": 8, "tuned": True}),
    ],
)
def test_text_of_a_flag_is_typed_by_the_schema(tmp_path, given, typed):
    parameters = {"fabric": {"resource": "0123", **given}}
    composition = composed(tmp_path, profiles={"fabric": "counted"}, parameters=parameters)
    assert composition.selection("fabric").parameters == {"resource": "0123", **typed}


@pytest.mark.parametrize(
    ("given", "finding"),
    [
        ({"count": "eight"}, "AICR-P013: parameter fabric.count: it is an integer, not 'eight'|write --param fabric.count=VALUE"),
        ({"count": "1e1"}, "AICR-P013: parameter fabric.count: it is an integer, not '1e1'|write --param fabric.count=VALUE"),
        ({"count": "0"}, "AICR-P012: parameter fabric.count: it is 0, not a count from 1 to 32|write --param fabric.count=VALUE"),
        (
            {"tuned": "yes"},
            "AICR-P013: parameter fabric.tuned: it is a boolean (true or false), not 'yes'|write --param fabric.tuned=VALUE",
        ),
        (
            {"nics": "a,b,c"},
            'AICR-P012: parameter fabric.nics: it: ["a","b","c"] has more than 2 items|write --param fabric.nics=VALUE',
        ),
    ],
)
def test_a_wrong_scalar_or_list_says_what_it_must_be(tmp_path, given, finding):
    message, fix = finding.split("|")
    parameters = {"fabric": {"resource": "a", **given}}
    assert refused(composed, tmp_path, profiles={"fabric": "counted"}, parameters=parameters) == [
        f"{message}\n  --> --param\n  fix: {fix}"
    ]


def test_a_file_types_its_own_values(tmp_path):
    origins = {"/parameters/fabric": Location(file="params.yaml", line=2, column=3)}
    parameters = {"fabric": {"resource": "a", "count": "8"}}
    assert refused(composed, tmp_path, profiles={"fabric": "counted"}, parameters=parameters, origins=origins) == [
        (
            "AICR-P013: parameter fabric.count: it is an integer, not '8'\n"
            "  --> params.yaml:2:3\n  fix: write --param fabric.count=VALUE"
        )
    ]


def test_a_release_is_a_row_of_its_table(tmp_path):
    composition = multi(tmp_path, NETWORKS, more={"release": "v1.0.2"})
    assert composition.selection("fabric").releases["release"]["name"] == "v1.0.2"
    assert refused(multi, tmp_path, NETWORKS, more={"release": "v1.0.9"}) == [
        (
            "AICR-P014: parameter fabric.release: 'v1.0.9' is no release of fabric\n"
            "  --> --param\n  fix: its releases are v1.0.2, v1.0.1"
        )
    ]
    assert refused(multi, tmp_path, NETWORKS, more={"release": ["v1.0.2"]})[0].startswith("AICR-P014: ")
