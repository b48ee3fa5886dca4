"""Requirements on durations: what Go's time.Duration prints."""

import pytest

from bundler.certify.durations import go_duration, seconds


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1h", "1h0m0s"),
        ("2h", "2h0m0s"),
        ("24h", "24h0m0s"),
        ("30s", "30s"),
        ("90m", "1h30m0s"),
        ("15m", "15m0s"),
        ("1h30m15s", "1h30m15s"),
        ("1500ms", "1.5s"),
        ("10ms", "10ms"),
        ("0s", "0s"),
    ],
)
def test_a_duration_is_printed_as_go_prints_it(text, printed):
    assert go_duration(text) == printed


def test_a_printed_duration_lasts_as_long():
    assert seconds(go_duration("1h2m3s")) == seconds("1h2m3s") == 3723
