"""Thresholds: a condition on each metric that a run measures.

None ship by default: what a fabric reaches depends on the machines. A missing measurement fails the run that has a threshold on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.certify.cel import problem
from bundler.model.finding import Finding
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import Document, JsonObject

__all__ = ["METRICS", "check_thresholds"]

METRICS = ("busBandwidthGBps", "algBandwidthGBps", "goodputRatio", "avgTFLOPsPerGPU", "avgStepTimeSec")
"""What runs measure; bandwidths are the largest over all message sizes."""


def check_thresholds(thresholds: JsonObject, document: Document, pointer: str) -> Iterator[Finding]:
    """Unknown metrics, and conditions that cannot be evaluated.

    Args:
        thresholds: metric → condition.
        document: where they stand.
        pointer: of `thresholds` in it.
    """
    for metric, condition in thresholds.items():
        at = child(pointer, metric)
        if metric not in METRICS:
            yield Finding(
                rule="AICR-R009",
                message=f"no metric is named {metric!r}",
                location=document.locate(at),
                pointer=at,
                fix=nearest(metric, METRICS),
            )
        elif why := problem(condition, {"value": 1.5}):
            yield Finding(
                rule="AICR-R010",
                message=f"the threshold {condition!r} cannot be used: {why}",
                location=document.locate(at),
                pointer=at,
                fix="write a condition on the measured number, such as value >= 300",
            )
