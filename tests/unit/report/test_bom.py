"""Requirements on the bill of materials as a person reads it."""

from bundler.bom.bill import Bill, BilledChart, BilledImage, Pinning
from bundler.report.bom import bill_data, bill_page, bill_table

DIGEST = "sha256:" + "0123456789abcdef" * 4
BILL = Bill(
    name="x",
    images=(
        BilledImage(image=f"a.io/b:1@{DIGEST}", pinning=Pinning.PINNED, digest=DIGEST, owners=("Thing/x",)),
        BilledImage(image="a.io/c:1", pinning=Pinning.TAG_ONLY, completed="more", at="m.io/c:1", owners=("chart n 1",)),
        BilledImage(image="d:fixed", pinning=Pinning.PRELOADED, owners=("Thing/x",)),
    ),
    charts=(BilledChart(component="n", version="1", repository="https://c.example.com", chart="nn", complete=False),),
)


def test_the_table_shows_how_each_image_is_named_where_it_is_pulled_and_by_whom():
    assert bill_table(BILL) == (
        "CLASS      IMAGE     DIGEST               NAMED BY\n"
        "pinned     a.io/b:1  sha256:0123456789ab  Thing/x\n"
        "tag only   m.io/c:1  -                    chart n 1\n"
        "preloaded  d:fixed   -                    Thing/x\n"
        "\n"
        "COMPONENT  VERSION  CHART\n"
        "n          1        https://c.example.com nn\n"
    )


def test_as_data_nothing_is_shortened():
    data = bill_data(BILL)
    assert data["images"][0] == {"image": f"a.io/b:1@{DIGEST}", "class": "pinned", "digest": DIGEST, "owners": ["Thing/x"]}
    assert data["images"][1]["completed"] == "more"
    assert data["images"][1]["at"] == "m.io/c:1"
    assert data["charts"] == [
        {"component": "n", "repository": "https://c.example.com", "chart": "nn", "version": "1", "images": "unknown"}
    ]


def test_the_page_lists_every_image_and_chart():
    page = [*bill_page(BILL)]
    assert "3 images from 1 registry: `a.io`." in page
    assert f"| `a.io/b:1` | pinned | `{DIGEST}` | Thing/x |" in page
    assert "| `a.io/c:1` (more) | tag only |  | chart n 1 |" in page
    assert "| n | 1 | `https://c.example.com` | nn |" in page
