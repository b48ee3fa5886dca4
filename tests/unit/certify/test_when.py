"""Requirements on conditions of overrides. Source: WhenSpec of nvcre.nvidia.com/v1alpha1."""

import pytest

from bundler.certify.when import Situation, applies, summary
from bundler.errors import InvalidInput

AWS = Situation(platform="aws", architecture="h100", config={"workload": {"trainJob": {"numNodes": 2}}, "stallMultiplier": 3})
RACKS = Situation(platform="nscale", architecture="gb300", topology_mode="topology", domain_count=4)


@pytest.mark.parametrize(
    ("when", "situation", "holds"),
    [
        ({}, AWS, True),
        ({"platform": {"equals": "aws"}}, AWS, True),
        ({"platform": {"equals": "gcp"}}, AWS, False),
        ({"platform": {"in": ["gcp", "aws"]}}, AWS, True),
        ({"platform": {"in": ["gcp"]}}, AWS, False),
        ({"gpuArchitecture": {"notIn": ["gb200", "gb300"]}}, AWS, True),
        ({"gpuArchitecture": {"notIn": ["h100"]}}, AWS, False),
        ({"gpuArchitecture": {"in": ["h100", "h200"], "notIn": ["h100"]}}, AWS, False),
        ({"platform": {"equals": "aws"}, "gpuArchitecture": {"equals": "gb200"}}, AWS, False),
        ({"workloadKind": "TrainJob"}, AWS, True),
        ({"workloadKind": "Job"}, AWS, False),
        ({"topology": {"mode": "topology"}}, AWS, False),
        ({"topology": {"mode": "topology"}}, RACKS, True),
        ({"topology": {"domainCount": {"greaterThan": 3, "lessThan": 5}}}, RACKS, True),
        ({"topology": {"domainCount": {"greaterThan": 4}}}, RACKS, False),
        ({"topology": {"domainCount": {"equals": 4}}}, RACKS, True),
        ({"topology": {"domainCount": {"greaterThan": 0}}}, AWS, False),  # no cluster was asked
        ({"config": {"workload": {"trainJob": {"numNodes": 2}}}}, AWS, True),
        ({"config": {"workload": {"trainJob": {"numNodes": 3}}}}, AWS, False),
        ({"config": {"absent": {}}}, AWS, False),
        ({"expression": "platform == 'aws' && gpuArchitecture in ['h100', 'h200']"}, AWS, True),
        ({"expression": "topologyMode == 'topology' && domainCount > 3"}, RACKS, True),
        ({"expression": "workloadKind.startsWith('Job')"}, AWS, False),
    ],
)
def test_every_part_that_is_stated_must_hold(when, situation, holds):
    assert applies(when, situation) is holds


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("platform ==", "it cannot be parsed at column"),
        ("cloud == 'aws'", "undeclared reference to 'cloud'"),
        ("platform", "it yields no true or false"),
        ("platform + 1", "found no matching overload"),
    ],
)
def test_an_expression_that_cannot_be_used_is_an_error_and_never_false(expression, reason):
    with pytest.raises(InvalidInput) as caught:
        applies({"expression": expression}, AWS)
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-R012"
    assert reason in finding.message
    assert finding.fix == "write a condition over platform, gpuArchitecture, workloadKind, topologyMode, domainCount"


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({}, "<always>"),
        ({"platform": {"equals": "aws"}}, "platform=aws"),
        ({"gpuArchitecture": {"in": ["gb200", "gb300"]}}, "gpuArchitecture=in [gb200,gb300]"),
        ({"platform": {"equals": "aws"}, "gpuArchitecture": {"equals": "h100"}}, "gpuArchitecture=h100, platform=aws"),
        ({"gpuArchitecture": {"notIn": ["a100"]}}, "gpuArchitecture=notIn [a100]"),
        (
            {"topology": {"mode": "topology", "domainCount": {"greaterThan": 1}}, "workloadKind": "TrainJob", "config": {"a": 1}},
            "workloadKind=TrainJob, topology.mode=topology, topology.domainCount>1, config",
        ),
    ],
)
def test_a_condition_is_said_in_the_words_of_the_controller(when, said):
    assert summary(when) == said
