"""The functions that templates call: `image`, `fragment` and `range`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2.utils import pass_context

from bundler.render.budget import LARGEST_RANGE, budget_of
from bundler.render.names import suggestion
from bundler.render.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2.runtime import Context

    from bundler.model.document import JsonObject

__all__ = ["bounded_range", "functions", "reference"]


def functions(*, images: Mapping[str, JsonObject], fragment: Callable[[str], Any]) -> dict[str, Callable[..., Any]]:
    """The functions by name.

    Args:
        images: the image table by name.
        fragment: gives the data of a fragment.
    """

    def image(name: str) -> str:
        if name not in images:
            raise Refusal(
                "AICR-T011",
                f"no image is named {name!r} in bom/images.yaml",
                fix=suggestion(name, images) or "declare it there",
                word=name,
            )
        return reference(images[name])

    return {"image": image, "fragment": fragment, "range": bounded_range}


def reference(entry: JsonObject) -> str:
    """An entry of the image table as a manifest writes it: `repository:tag@digest`, with what the entry knows of it."""
    host = f"{entry['registry']}/" if "registry" in entry else ""
    tag = f":{entry['tag']}" if "tag" in entry else ""
    digest = f"@{entry['digest']}" if "digest" in entry else ""
    return f"{host}{entry['repository']}{tag}{digest}"


@pass_context
def bounded_range(context: Context, *bounds: int) -> list[int]:
    """The numbers of Python's `range`, as a list of bounded length.

    Raises:
        Refusal: there are too many.
    """
    numbers = range(*bounds)
    # The length of a range may exceed what len() can say; its ends always compare.
    if len(numbers[: LARGEST_RANGE + 1]) > LARGEST_RANGE:
        raise Refusal("AICR-T009", f"a range is longer than {LARGEST_RANGE}", fix="loop over data", word="range")
    budget_of(context).pay(len(numbers) + 1)
    return list(numbers)
