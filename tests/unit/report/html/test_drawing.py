"""A drawing keeps its texts inside of what they stand in, whatever their length, in both layouts and for every fabric value."""

import re
from dataclasses import replace

import pytest

from bundler.report.html.attachment import Link, Way
from bundler.report.html.drawing import broken, narrow, wide

ADVANCE = 0.605 * 12.5
"""Of one character of a fixed-width face such as DejaVu Sans Mono at the size of the style sheet."""


def texts(drawing):
    return [shape for shape in drawing.shapes if shape.tag == "text"]


def end_of(shape):
    return shape.x + len(shape.text) * (0 if "middle" in shape.look else ADVANCE)


@pytest.mark.parametrize("layout", [wide, narrow])
def test_everything_drawn_is_inside_for_every_fabric_value(first_of_each_value, layout):
    for page in first_of_each_value.values():
        for pods in page.pods:
            drawing = layout(pods)
            for shape in drawing.shapes:
                assert shape.x + shape.width <= drawing.width
                assert shape.y + shape.height <= drawing.height + 0.5
            assert all(end_of(shape) <= drawing.width for shape in texts(drawing))


@pytest.mark.parametrize("layout", [wide, narrow])
def test_every_name_is_written_out_however_long(first_of_each_value, layout):
    pods = first_of_each_value["gke-tcpxo-multinetwork"].pods[0]
    name = "a-very-long-name/" * 12
    drawing = layout(replace(pods, links=(Link(way=Way.NETWORK, name=name, network=name),)))
    written = "".join(shape.text for shape in texts(drawing))
    assert written.count(name) == 2
    assert all(end_of(shape) <= drawing.width for shape in texts(drawing))


def test_boxes_of_one_drawing_that_are_beside_each_other_do_not_overlap(first_of_each_value):
    for page in first_of_each_value.values():
        for layout in (wide, narrow):
            ends = [shape for shape in layout(page.pods[0]).shapes if shape.look.startswith("end ")]
            for one, other in zip(ends[::2], ends[2::2], strict=False):
                assert one.y + one.height <= other.y


@pytest.mark.parametrize(
    ("text", "characters", "lines"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("rdma/hca_shared_devices_a", 18, ["rdma/hca_shared_", "devices_a"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        ("a\x1b[31m", 20, [r"a\x1b[31m"]),
    ],
)
def test_a_text_is_broken_after_a_separator_or_where_it_has_to_be(text, characters, lines):
    assert broken(text, characters * 7.6 + 1) == lines


def test_numbers_in_a_drawing_are_short(first_of_each_value):
    drawing = wide(first_of_each_value["aks-rdma-shared"].pods[0])
    for shape in drawing.shapes:
        for number in re.findall(r"[\d.]+", shape.text if shape.tag == "path" else ""):
            assert len(number) <= 6
