"""Requirements on what is said of comparisons: a row for each, and data with both sides and every place."""

from bundler.guard.side import Role
from bundler.model.finding import Finding
from bundler.report.divergence import comparisons_data, comparisons_table
from tests.unit.guard.kit import TCPXO, case


def changed():
    data = case(TCPXO).data(Role.FIXTURE)
    data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["initContainers"][0]["name"] = (
        "other"
    )
    return case(TCPXO).held(fixture=data)


def test_nothing_compared_is_no_table():
    assert comparisons_table([]) == ""


def test_a_row_says_what_came_of_it():
    rows = comparisons_table([("one", case(TCPXO).held()), ("two", changed())]).splitlines()
    assert [row.split()[-2:] for row in rows] == [["RESULT", "FOR"], ["equal", "one"], ["diverges", "two"]]


def test_data_has_both_sides_and_every_place():
    rest = Finding(rule="AICR-G010", message="nothing")
    data = comparisons_data([("two", changed())], [rest])
    (one,) = data["comparisons"]
    assert (one["for"], one["diverges"], one["unknown"]) == ("two", True, 0)
    assert one["runtime"]["projection"] != one["fixture"]["projection"]
    assert {len(finding["places"]) for finding in one["findings"]} == {2}
    assert {place["location"] for finding in one["findings"] for place in finding["places"]} == {
        "fixture.yaml:1:1",
        "runtime.yaml:1:1",
    }
    assert data["findings"] == [
        {
            "rule": "AICR-G010",
            "severity": "error",
            "message": "nothing",
            "fix": "",
            "places": [{"location": "", "pointer": "", "object": ""}],
        }
    ]
