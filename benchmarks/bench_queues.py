"""Time to design queues from one month of jobs on 35,232 processors, and to study nine months.

On two idle cores, the design must take under ten seconds, and the study under three minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.advice.queue_design.history import months_of
from slotwise.advice.queue_design.strategies import Decision
from slotwise.studies import run_study
from slotwise.studies.queues.workloads import table_i

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

TRACE = sw.generate("serc", seed=1)


@pytest.mark.parametrize("name", ["2015-08", "2015-12"])
def test_a_months_decision(benchmark: BenchmarkFixture, name: str) -> None:
    month = next(m for m in months_of(TRACE) if m.name == name)

    def decide() -> Decision:
        decision = Decision.of(table_i(), month.of(TRACE), begin=month.begin, end=month.end)
        decision.layout("hybrid")
        return decision

    decision = benchmark.pedantic(decide, rounds=1)
    hybrid = decision.layout("hybrid")
    assert sum(hybrid.sizes) + hybrid.common == 35_232
    before = decision.replays.mean(decision.layout("reconfigure"))
    assert before <= decision.replays.mean(hybrid) <= 1.3 * before
    benchmark.extra_info["replays"] = decision.replays.n_replays + decision.program.n_replays


def test_nine_months_of_all_strategies(benchmark: BenchmarkFixture) -> None:
    result = benchmark.pedantic(run_study, ("queues",), {"seeds": 1}, rounds=1)
    reductions = {
        (row.keys["better"], row.keys["than"]): row.ours
        for row in result.table("claims")
        if row.keys["metric"] == "wait" and row.keys["measure"] == "mean"
    }
    assert reductions["hybrid", "static"] > 0
    assert reductions["hybrid", "nonpartitioned"] > 0
