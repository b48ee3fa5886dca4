"""S8: unknown axis or value, an empty one, `A=B=C`, a trailing space, another letter case; each with what is allowed."""

import pytest

from tests.unit.compose.catalogues import refused
from tests.unit.profiles.declared import composed

ALLOWED = "recipe 'mega' accepts none, multi, counted"


@pytest.mark.parametrize(
    ("profiles", "rule"),
    [
        ({"fabric": "none", "gpu": "x"}, "AICR-P001"),
        ({"fabric": "none", "Stack": "managed"}, "AICR-P001"),
        ({"fabric": "none", "": "x"}, "AICR-P001"),
        ({"fabric": "nonesuch"}, "AICR-P003"),
        ({"fabric": ""}, "AICR-P003"),
        ({"fabric": "none=multi"}, "AICR-P003"),
        ({"fabric": "none "}, "AICR-P003"),
        ({"fabric": "None"}, "AICR-P003"),
        ({"fabric": "none\x1b[31m"}, "AICR-P003"),
        ({"fabric": "x" * 100_000}, "AICR-P003"),
    ],
)
def test_a_choice_that_is_not_exactly_one_of_the_allowed_is_refused(tmp_path, profiles, rule):
    [finding] = refused(composed, tmp_path, profiles=profiles)
    assert finding.startswith(rule)
    assert len(finding) < 300
    assert "\x1b" not in finding
    assert (ALLOWED if rule == "AICR-P003" else "stack") in finding


def test_nothing_is_chosen_for_the_user(tmp_path):
    assert [finding[:9] for finding in refused(composed, tmp_path, profiles={})] == ["AICR-P002"]
