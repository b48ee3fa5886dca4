"""Requirements on growth, counted in function calls, which no busy machine can change.

Loading is linear in the catalogue; a composition depends only on the overlays that apply to it, and is linear in these.
"""

from bundler.pipeline import compose
from tests.growth import calls
from tests.unit.compose.catalogues import catalogue, overlay, request


def overlays(count, criteria):
    """Overlays that each set a value of their own, and one in common."""
    body = """\
        components:
          - {{name: operator, values: {{own: {{k{0}: {0}}}, common: {{a: 1}}}}, dependencies: [network]}}
          - name: network
        """
    return {f"overlays/o{number}.yaml": overlay(f"o{number}", criteria, body.format(number)) for number in range(count)}


def composing(directory, count, criteria):
    """The calls of one composition from a catalogue that has served one before."""
    catalog = catalogue(directory, overlays(count, criteria))
    compose(catalog, request())
    return calls(lambda: compose(catalog, request()))


def test_overlays_that_do_not_apply_cost_nothing(tmp_path):
    few, many = (composing(tmp_path / str(count), count, "{service: eks}") for count in (10, 200))
    assert many == few


def test_a_composition_is_linear_in_the_overlays_that_apply(tmp_path):
    one, two, four = (composing(tmp_path / str(count), count, "{service: gke}") for count in (25, 50, 100))
    assert abs((four - two) / (two - one) - 2) < 0.1


def test_composing_again_repeats_no_reading(tmp_path):
    catalog = catalogue(tmp_path, overlays(50, "{service: gke}"))
    first = calls(lambda: compose(catalog, request()))
    second = calls(lambda: compose(catalog, request()))
    assert second < first / 5
