"""What `aicr report` writes, in a browser: it loads nothing, is legible, is reached by keyboard, and passes axe-core."""

import json

import pytest

from tests.browser.conftest import AXE

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
TCPXO = "gke-tcpxo-multinetwork"

TEXTS = """
[...document.querySelectorAll('svg text')]
  .filter(text => text.closest('svg').getClientRects().length)
  .map(text => ({
    text: text.textContent,
    size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a,
    box: (({x, y, width, height}) => [x, y, x + width, y + height])(text.getBBox()),
    view: (({width, height}) => [width, height])(text.closest('svg').viewBox.baseVal),
  }))
"""
SHOWN = "[...document.querySelectorAll('svg')].filter(svg => svg.getClientRects().length).length"
FOCUSED = """
(() => {
  const element = document.activeElement, style = getComputedStyle(element), place = element.getBoundingClientRect();
  return {tag: element.tagName, href: element.getAttribute('href'), id: element.id, label: element.getAttribute('aria-label'),
          outline: style.outlineStyle != 'none' && parseFloat(style.outlineWidth) >= 2, left: place.left, top: place.top};
})()
"""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_loads_nothing_and_the_console_stays_empty(tab, pages, width, scheme):
    tab.open(pages[TCPXO], width=width, scheme=scheme)
    tab.picture()
    assert tab.console == []
    assert tab.requests == [pages[TCPXO].as_uri()]


def test_every_drawing_is_legible_and_in_one_layout(tab, pages):
    for page in pages.values():
        tab.open(page)
        for width in WIDTHS:
            tab.resize(width)
            texts = tab.run(TEXTS)
            assert min(text["size"] for text in texts) >= 11
            assert [text for text in texts if not inside(text["box"], text["view"])] == []
            assert tab.run(SHOWN) == tab.run("document.querySelectorAll('figure').length")


def inside(box, view):
    left, top, right, bottom = box
    return left >= 0 and top >= 0 and right <= view[0] and bottom <= view[1]


@pytest.mark.parametrize("name", [TCPXO, "changed", "faulty"])
def test_the_page_itself_does_not_scroll_sideways(tab, pages, name):
    tab.open(pages[name])
    tab.run("document.querySelectorAll('details').forEach(details => details.open = true)")
    for width in (*WIDTHS, 320, 800):
        tab.resize(width)
        assert tab.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "width", "scheme"), [(TCPXO, 1280, "light"), (TCPXO, 390, "dark"), ("changed", 390, "light")])
def test_axe_finds_nothing(tab, pages, name, width, scheme):
    tab.open(pages[name], width=width, scheme=scheme)
    tab.run("document.querySelectorAll('figure details').forEach(details => details.open = true)")
    tab.run(AXE.read_text(encoding="utf-8") + "; null")
    found = tab.run("axe.run().then(result => [result.violations, result.passes.length, result.incomplete.map(one => one.id)])")
    violations, passed, incomplete = found
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
    assert passed > 20
    assert set(incomplete) <= {"color-contrast"}, "contrast of text over shapes of a drawing is for people to judge"


def test_the_keyboard_reaches_everything_and_shows_where_it_is(tab, pages):
    tab.open(pages[TCPXO])
    tab.press("Tab")
    skip = tab.run(FOCUSED)
    assert (skip["href"], skip["left"] >= 0, skip["top"] >= 0) == ("#content", True, True)
    tab.press("Enter")
    assert tab.run(FOCUSED)["id"] == "content"
    tab.open(pages[TCPXO])
    wanted = tab.run("[...document.querySelectorAll('a, summary, [tabindex=\"0\"]')].filter(one => one.checkVisibility()).length")
    reached = []
    for _ in range(wanted):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
    assert [one for one in reached if not one["outline"]] == []
    assert len({json.dumps(one) for one in reached}) == wanted
    assert [one["href"] for one in reached if one["tag"] == "A"][:3] == ["#content", "#what", "#fabric"]


def test_a_summary_opens_by_keyboard(tab, pages):
    tab.open(pages[TCPXO])
    tab.run("document.querySelector('summary').focus()")
    tab.press("Enter")
    assert tab.run("document.querySelector('details').open") is True


def test_what_is_printed_is_whole_and_light(tab, pages):
    tab.open(pages[TCPXO], scheme="dark")
    tab.scheme("dark", media="print")
    assert tab.run("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert tab.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.run("document.querySelector('nav').getClientRects().length") == 0
    assert tab.run("document.querySelector('details table').getBoundingClientRect().height") > 20
    assert tab.pdf().startswith(b"%PDF-")
