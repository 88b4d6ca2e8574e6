"""Recommendations for an administrator."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.random import PCG64, Generator

import slotwise as sw
from slotwise.advice.queue_design.history import History
from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.parameters import DAY, Parameters
from slotwise.advice.queue_design.recommend import (
    Change,
    Recommendation,
    best_of_steps,
    bootstrap,
    compare,
    recommend,
    user_classes,
)
from slotwise.advice.queue_design.strategies import Decision
from slotwise.cli import main
from slotwise.formats.job_files import write_trace
from slotwise.studies.queues.workloads import table_i

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.advice.queue_design.base import Base

FEW = Parameters(samples=20, starts=3, chunk=500)


def test_the_bootstrap_draws_whole_days() -> None:
    # Two days of 100 jobs each: waits change by −10 on one day, by +2 on the other. The mean change
    # of two resampled days is −10, −4 or +2 with probabilities 1/4, 1/2, 1/4, so the mean wait
    # falls in 3/4 of the resamples.
    day = np.repeat([0, 1], 100)
    low, high, sure = bootstrap(
        np.full(200, 50), np.where(day == 0, 40, 52), day, Generator(PCG64(1))
    )
    assert (low, high) == (-10, 2)
    assert sure == pytest.approx(0.75, abs=0.03)


def test_users_are_classed_by_their_cpu_time() -> None:
    # If users are sorted by CPU time, those before each user have 0, 60, 85 and 95 % of the total.
    # The second class begins at 50 %, and the third at 90 %.
    trace = sw.Trace.from_columns(
        [0] * 5, [60, 25, 10, 5, 0], [1] * 5, user=[7, 3, 9, 1, -1], max_processors=4
    )
    assert user_classes(trace).tolist() == [0, 1, 1, 2, -1]


def test_every_queue_and_class_is_compared(serc: sw.Trace, base: Base, layout: Layout) -> None:
    month = serc[:3000]
    now = Layout.of_base(base, (256, 9000, 8000, 17_976)).site()
    changes, left_out = compare(month, now, layout.site(), Generator(PCG64(0)))
    assert [c.who for c in changes] == [
        "all jobs", "queue idqueue", "queue small", "queue small72", "queue medium",
        "queue large", "heavy users", "middling users", "light users",
    ]  # fmt: skip
    assert left_out == 0
    queues, users = changes[1:6], changes[6:]
    assert sum(c.n_jobs for c in queues) == sum(c.n_jobs for c in users) == 3000
    wait = sw.simulate(month, now).wait
    assert changes[0].now == pytest.approx(wait.mean())
    assert all(c.low <= c.then - c.now <= c.high for c in changes)


def test_a_recommendation_is_tested_on_a_later_month(serc: sw.Trace) -> None:
    log = serc[serc.submit < 65 * DAY]
    found = recommend(log, table_i(), FEW, strategy="proportional")
    assert found.judged
    assert [c.who for c in found.judged] == [c.who for c in found.changes]
    assert found.changes[0].n_jobs == np.sum(log.submit > log.submit[-1] - 30 * DAY)
    short = recommend(serc[serc.submit < 40 * DAY], table_i(), FEW, strategy="proportional")
    assert short.judged == ()


def test_rules_the_recommended_site_lacks_are_named_and_left_out_of_both_sides() -> None:
    # If only the current site kept its limit of one running job per user in the comparison, its
    # jobs would wait much longer.
    trace = sw.Trace.from_columns(range(50), [600] * 50, [40, 100] * 25, user=[1] * 50)
    queues = [sw.Queue("all", hours=["00:00-24:00"])]
    bare = recommend(trace, sw.Site(100, queues=[sw.Queue("all")]), FEW)
    site = sw.Site(
        100, queues=queues, limits=sw.Limits(running_per_user=1), clock=sw.Clock("2024-01-01")
    )
    ruled = recommend(trace, site, FEW)
    (note,) = (note for note in ruled.notes if "lacks these rules" in note)
    assert "limits, clock, hours of queues; the comparison leaves them out for both sites." in note
    assert ruled.changes[0].now == bare.changes[0].now < sw.simulate(trace, site).wait.mean()


def test_recommending_shows_progress_and_explains_a_missing_common_pool() -> None:
    # A single queue that has the whole machine leaves no processors to give away.
    trace = sw.Trace.from_columns(range(50), [600] * 50, [40, 100] * 25, max_processors=100)
    told: list[float] = []
    found = recommend(trace, sw.Site(100, queues=[sw.Queue("all")]), FEW, progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]
    assert found.layout.sizes == (100,)
    assert found.notes[-2] == "the log covers only 0.0 days, not 30; the decision uses all of them"
    assert found.notes[-1].startswith("no common pool: with 500 fewer processors")
    wide = sw.Site(
        100,
        queues=[
            sw.Queue("half", processors=(1, 50)),
            sw.Queue("whole", processors=(51, 100), spanning=True),
        ],
    )
    assert (
        recommend(trace, wide, FEW)
        .notes[-1]
        .startswith("no common pool: jobs of up to 100 processors")
    )


def test_jobs_that_one_site_cannot_run_are_left_out_and_reported(serc: sw.Trace) -> None:
    # Jobs that request more than a day fit no queue.
    site = sw.Site(
        35_232,
        queues=[
            sw.Queue("few", processors=(1, 240), walltime=(0, DAY)),
            sw.Queue("many", processors=(241, 35_232), walltime=(0, DAY), spanning=True),
        ],
    )
    month = serc[serc.submit < 30 * DAY]
    found = recommend(month, site, FEW, strategy="proportional")
    longer = int(np.sum(month.requested_time > DAY))
    assert found.n_left_out == longer > 0
    assert f"jobs in the month that fit no queue of the current site: {longer}" in found.notes
    (left,) = (note for note in found.notes if "two sites" in note)
    assert left.startswith(f"{longer} jobs in the month cannot run")


def test_the_chunk_is_the_papers_in_proportion() -> None:
    assert Parameters.for_machine(35_232).chunk == 5
    assert Parameters.for_machine(100).chunk == 1
    assert Parameters.for_machine(93_312).chunk == 13


def _headings(printed: str) -> list[str]:
    lines = printed.splitlines()
    return [lines[k - 1] for k, line in enumerate(lines) if line and set(line) == {"-"}]


def test_the_command_prints_site_pbs_slurm_and_changes(
    serc: sw.Trace, base: Base, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, site, out = (tmp_path / name for name in ("log.swf", "site.toml", "new.toml"))
    write_trace(serc[:2000], log)
    # The partition of the `small` queue is exactly as large as its largest job.
    Layout.of_base(base, (256, 1032, 8000, 25_944)).site().to_toml(site)
    arguments = ["study", "queues", "recommend", str(log), "--site", str(site), "--cores", "24",
                 "--strategy", "proportional"]  # fmt: skip
    assert main(arguments) == 0
    summary = capsys.readouterr().out
    assert _headings(summary) == [
        "Recommended site: its queues",
        "Effect on the waits",
        "Notes",
    ]
    for text in (
        "Unsure: the log has no other month",
        "queue",
        "processors",
        "small72",
        "light users",
    ):
        assert text in summary
    assert "qmgr" not in summary
    assert summary.endswith(
        "To print this configuration, use --only site, --only pbs or --only slurm; --all prints "
        "all three.\n"
    )
    assert main([*arguments, "--all", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "Verdict\n\nUnsure: the log has no other month on which to test these queues.\n"
    )
    assert out.read_text() in printed
    assert _headings(printed) == [
        "Recommended site, as a Slotwise site file",
        "Recommended site, for PBS: input for qmgr",
        "Recommended site, for Slurm: lines of slurm.conf",
        "Effect on the waits",
        "Notes",
    ]
    assert printed.endswith(f"The recommended site written to {out}.\n")
    for text in ("input for qmgr", "PartitionName=medium ", "queue small72", "light users"):
        assert text in printed
    recommended = sw.Site.from_toml(out)
    assert sum(pool.processors for pool in recommended.pools) == 35_232
    assert main([*arguments, "--only", "site"]) == 0
    assert capsys.readouterr().out == out.read_text().rstrip() + "\n"
    for wrong in (["--only", "qmgr"], ["--only", "pbs", "--json"], ["--only", "pbs", "--all"]):
        assert main([*arguments, *wrong]) == 2
        assert "--only" in capsys.readouterr().err
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {
        "site",
        "pbs",
        "slurm",
        "changes",
        "judged",
        "left_out",
        "keep",
        "verdict",
        "notes",
    }


def test_advice_to_keep_the_current_site_comes_first_and_the_site_is_written(
    serc: sw.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, site, out = (tmp_path / name for name in ("log.swf", "site.toml", "new.toml"))
    write_trace(serc[:2000], log)
    table_i().to_toml(site)  # all processors are shared
    arguments = ["study", "queues", "recommend", str(log), "--site", str(site), "--out", str(out),
                 "--strategy", "proportional"]  # fmt: skip
    assert main(arguments) == 0
    _verdict, _blank, first, *_rest, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Keep the current queues: ")
    assert last == f"The current site written to {out}."
    assert sw.Site.from_toml(out) == table_i()
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["keep"] is True


def decision_of(layouts: dict[str, Layout], month: sw.Trace) -> Decision:
    """Return a decision whose steps have already produced these layouts."""
    known = next(iter(layouts.values())).base
    return Decision(History.of(month, known), known, FEW, _made=dict(layouts))


def test_the_best_step_is_recommended(serc: sw.Trace, base: Base) -> None:
    month = serc[:2000]
    good = Layout.of_base(base, (1000, 9000, 8000, 17_232))
    bad = Layout.of_base(base, (256, 1032, 8000, 25_944))
    steps = {"proportional": bad, "nlp": good, "reconfigure": bad, "hybrid": bad}
    layout, why = best_of_steps(decision_of(steps, month), "hybrid", lambda _part: None)
    assert layout is good
    waits = [sw.simulate(month, each.site()).metrics()["mean_wait"] / 3600 for each in (good, bad)]
    assert why == [
        "the site is the result of step nlp (sizes of partitions from a nonlinear program), with "
        f"a mean wait of {waits[0]:.2f} h over all jobs; the later step hybrid (a common pool) "
        f"would result in {waits[1]:.2f} h"
    ]
    # If several steps are equally good, the last of them is chosen.
    layout, why = best_of_steps(
        decision_of(steps | {"nlp": bad}, month), "hybrid", lambda _part: None
    )
    assert (layout is steps["hybrid"], why) == (True, [])


def test_one_partition_alone_gets_no_common_pool(serc: sw.Trace, base: Base) -> None:
    parts = tuple(Part.whole(base, k) for k in base.owners)
    one = Layout(base, (Partition("all", parts, 35_232),))
    carved = replace(one.resized([34_000]), hybrid=True, threshold=2.0)
    steps = {"proportional": Layout.of_base(base, (256, 1032, 8000, 25_944)), "nlp": one,
             "reconfigure": one, "hybrid": carved}  # fmt: skip
    layout, why = best_of_steps(decision_of(steps, serc[:2000]), "hybrid", lambda _part: None)
    assert layout == one
    assert why == ["no common pool: only one partition is left, so no other could use the pool"]


@pytest.mark.parametrize(
    ("decided", "judged", "begins"),
    [
        ((10, 11, 0.1), None, "Keep the current queues: the best queues found do not"),
        ((10, 10, 0.0), (10, 9, 1.0), "Keep the current queues: the best queues found do not"),
        ((10, 9, 1.0), None, "Unsure: the log has no other month"),
        (
            (10, 9, 1.0),
            (10, 12, 0.0),
            "Keep the current queues: queues chosen in the same way a month earlier",
        ),
        ((10, 9, 1.0), (10, 9, 0.8), "Unsure: queues chosen in the same way a month earlier"),
        ((10, 9, 1.0), (10, 9, 0.99), "Adopt the recommended queues: "),
    ],
)
def test_the_verdict_comes_from_a_later_month(
    layout: Layout,
    decided: tuple[float, float, float],
    judged: tuple[float, float, float] | None,
    begins: str,
) -> None:
    def change(now: float, then: float, sure: float) -> Change:
        return Change("all jobs", 5, now, then, then - now - 1, then - now + 1, sure)

    found = Recommendation(
        layout, layout.site(), (change(*decided),), (change(*judged),) if judged else (), 0, ()
    )
    assert found.verdict.startswith(begins)
    assert found.keep == begins.startswith("Keep")


def test_an_unknown_strategy_lists_the_known(
    serc: sw.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "queues", "recommend", "log.swf", "--site", "s.toml",
                 "--strategy", "best"]) == 2  # fmt: skip
    assert (
        "choose one of: proportional, nlp, reconfigure, hybrid, search" in capsys.readouterr().err
    )
