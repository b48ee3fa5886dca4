"""Requirements on quantities. Source: k8s.io/apimachinery/pkg/api/resource and recorded verdicts of an API server."""

from decimal import Decimal

import pytest

from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("8", "8"),
        (8, "8"),
        ("1000m", "1"),
        ("150m", "0.15"),
        ("64Gi", "68719476736"),
        ("1k", "1000"),
        ("1E", "1000000000000000000"),
        ("1E3", "1000"),
        ("1e3", "1000"),
        ("1e-3", "0.001"),
        ("+1", "1"),
        ("-1", "-1"),
        (".5", "0.5"),
        ("5.", "5"),
        ("100u", "0.0001"),
        # Below a nano unit a server rounds up.
        ("0.1n", "0.000000001"),
    ],
)
def test_reads_the_value_of_every_spelling(written, value):
    assert Quantity.parse(written).value == Decimal(value)


@pytest.mark.parametrize(
    "written", ["", "eight", "1.5.5", "512GiB", "1 Gi", "64GB", "1e", "1e1.5", "e3", "٣", "1\n", "1Gi1", "1e9999", "1" * 65, True]
)
def test_refuses_what_is_no_quantity(written):
    with pytest.raises(InvalidInput, match=r"AICR-K041: .* is not a quantity"):
        Quantity.parse(written)


def test_spellings_of_one_value_are_equal_and_stay_as_written():
    one, also_one, milli = Quantity.parse(1), Quantity.parse("1"), Quantity.parse("1000m")
    assert one == also_one == milli
    assert len({one, also_one, milli}) == 1
    assert str(milli) == "1000m"


def test_orders_by_value():
    assert Quantity.parse("1Gi") > Quantity.parse("1G") > Quantity.parse("999M")


def test_tells_whole_numbers_from_fractions():
    assert Quantity.parse("2000m").whole
    assert not Quantity.parse("2500m").whole


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("10Gi", "10Gi"),
        ("10240Mi", "10Gi"),
        ("5120Mi", "5Gi"),
        ("1536Mi", "1536Mi"),
        ("1024", "1024"),
        ("8", "8"),
        ("500m", "0.5"),
        ("1500M", "1500000000"),
        ("0", "0"),
        ("-2Gi", "-2Gi"),
    ],
)
def test_a_value_is_shown_as_people_read_it(written, shown):
    assert Quantity.shown(Quantity.parse(written).value) == shown
