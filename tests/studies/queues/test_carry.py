"""Months whose waiting and running jobs are carried over to the next month."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw
from slotwise.advice.queue_design.history import Month, months_of
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.strategies import Decision
from slotwise.site.build import build
from slotwise.studies import run_study
from slotwise.studies.queues.carry import replay_carrying
from slotwise.studies.queues.replays import evaluate_carrying
from slotwise.studies.queues.sites import DECIDED, table_i
from slotwise.studies.queues.workloads import Workload

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def static_for_all(workload: Workload, *_others: Any) -> dict[str, Any]:
    """Return the static partitions, whatever the strategy and the month."""
    first = workload.months[0].of(workload.trace)
    layout = Decision.of(workload.base, first).layout("proportional")
    sizes = {p.name: p.size for p in layout.partitions}
    one = {"site": layout.site().to_dict(), "partitions": sizes, "common": 0}
    program = {"r2": [], "r2_left_out": [], "predicted": 1.0, "replayed": 1.0, "best_sampled": 1.0}
    return {**dict.fromkeys(DECIDED, one), "program": program, "notes": []}


def test_months_under_one_site_are_one_replay_job_by_job(serc: sw.Trace) -> None:
    first, *others = months_of(serc)[:4]
    site = Decision.of(table_i(), first.of(serc)).layout("proportional").site()
    trace = Month("all", others[0].begin, others[-1].end).of(serc)
    start, end = replay_carrying(trace, others, [site] * 3)
    whole = sw.simulate(trace, site)
    assert start.tolist() == whole.start.tolist()
    assert end.tolist() == whole.end.tolist()


def test_the_carried_waits_of_static_partitions_are_those_of_one_replay(serc: sw.Trace) -> None:
    months = months_of(serc)[:4]
    workload = Workload(serc, table_i(), months)
    every = static_for_all(workload)
    found = evaluate_carrying(workload, [every] * 3, Parameters(), "static")
    trace = Month("all", months[1].begin, months[-1].end).of(serc)
    wait = sw.simulate(trace, build(every["nlp"]["site"])).wait
    own = [(trace.submit >= m.begin) & (trace.submit < m.end) for m in months[1:]]
    assert [f["wait"] for f in found] == [float(wait[of_month].mean()) for of_month in own]


def test_a_job_that_waits_at_the_end_of_a_month_starts_under_the_next_site() -> None:
    """Replay on 100 processors, in order of arrival, with months of 1000 s.

    ======  ======  ====  ====  =====  ===
    job     submit  runs  size  start  end
    ======  ======  ====  ====  =====  ===
    first   800     400   100   800    1200, 200 s into the second month
    second  900     300   60    1200   1500
    third   950     100   60    1500   1600: the first month alone would also start it at 1500
    fourth  1100    50    40    1200   1250: beside the second
    ======  ======  ====  ====  =====  ===

    The second month has pools of 60 and 40 processors, for jobs above 40 and for the others.
    """
    trace = sw.Trace.from_columns(
        [800, 900, 950, 1100], [400, 300, 100, 50], [100, 60, 60, 40], max_processors=100
    )
    shared = sw.Site(100, queues=[sw.Queue("all")])
    apart = sw.Site(
        100,
        pools=[sw.Pool("few", 40), sw.Pool("many", 60)],
        queues=[
            sw.Queue("few", processors=(1, 40), pools=["few"]),
            sw.Queue("many", processors=(41, 100), pools=["many"]),
        ],
    )
    months = [Month("first", 0, 1000), Month("second", 1000, 2000)]
    start, end = replay_carrying(trace, months, [shared, apart])
    assert start.tolist() == [800, 1200, 1500, 1200]
    assert end.tolist() == [1200, 1500, 1600, 1250]


def test_arrivals_of_the_next_month_delay_those_that_wait() -> None:
    # The second job waits for the first until 1200; by then, a job of higher priority has arrived.
    queues = [
        sw.Queue("short", walltime=(0, 100), priority=2),
        sw.Queue("long", walltime=(100, None), priority=1),
    ]
    trace = sw.Trace.from_columns(
        [800, 900, 1100], [400, 300, 50], [100] * 3, [400, 300, 50], max_processors=100
    )
    months = [Month("first", 0, 1000), Month("second", 1000, 2000)]
    sites = [sw.Site(100, queues=queues), sw.Site(100, sw.Policy(backfill="none"), queues=queues)]
    start, _end = replay_carrying(trace, months, sites)
    assert np.subtract(start, trace.submit).tolist() == [0, 350, 100]


def test_the_sensitivity_of_carried_months_compares_carried_months(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only replays on the shared machine have limits on running jobs, so the other results are
    # unchanged.
    twice = {"running": {"idqueue": 40, "small": 48, "small72": 28, "medium": 10, "large": 2}}
    study = import_module("slotwise.studies.queues.study")
    monkeypatch.setattr(study, "decide", static_for_all)
    monkeypatch.setattr(study, "variations_for", lambda _queues: {"twice": twice})
    result = run_study("queues", quick=True, months=2, carry=True, sensitivity=True, cache=tmp_path)
    found = {r.keys["strategy"]: (r.ours, r.more["usual"]) for r in result.table("sensitivity")}
    changed, usual = found.pop("nonpartitioned")
    assert changed < usual
    assert all(changed == usual for changed, usual in found.values())
