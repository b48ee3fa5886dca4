"""Requirements on growth: a job costs what it costs, however many were checked before it."""

import pytest

from bundler.model.document import Document
from tests.growth import calls
from tests.unit.trainer.made import BOTH, submitted, wired
from tests.unit.trainer.recorded import checker


@pytest.mark.parametrize("version", BOTH)
def test_each_job_costs_the_same(version):
    judge = checker(version, wired())
    jobs = [
        Document(file="job.yaml", data=submitted({"image": f"user:{number}", "numNodes": number + 2}), positions={})
        for number in range(102)
    ]

    def check(some):
        for job in some:
            judge.check(job)

    check(jobs[:2])
    few, many = calls(lambda: check(jobs[2:12])), calls(lambda: check(jobs[2:]))
    assert abs(many / few - 10) < 0.1
