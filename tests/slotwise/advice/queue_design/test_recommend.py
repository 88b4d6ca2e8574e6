"""Recommendations for an administrator."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.random import PCG64, Generator

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.batch_lines import (
    d_hms,
    hms,
    qmgr_lines,
    slurm_lines,
    unique_words,
)
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

FEW = Parameters(samples=20, starts=3, chunk=500)


@pytest.fixture(scope="module")
def base(serc: sw.Trace) -> Base:
    return Base.of(table_i(), serc)


def layout_of(base: Base) -> Layout:
    """Return a layout: small split by size, idqueue and small72 merged, a common pool of 3232."""
    return Layout(
        base,
        (
            Partition("mixed", (Part.whole(base, 0), Part.whole(base, 2)), 8000),
            Partition("small.1", (Part(1, 24, 240, 0, DAY),), 4000),
            Partition("small.2", (Part(1, 241, 1032, 0, DAY),), 4000),
            Partition("medium", (Part.whole(base, 3),), 16_000),
        ),
        hybrid=True,
        threshold=2.0,
    )


def test_walltimes_are_written_in_the_form_of_each_system() -> None:
    assert hms(3 * DAY + 61) == "72:01:01"
    assert d_hms(3 * DAY + 61) == "3-00:01:01"
    assert d_hms(7200) == "02:00:00"


def test_qmgr_has_a_routing_queue_for_a_split_queue(base: Base) -> None:
    lines = qmgr_lines(layout_of(base))
    assert "create queue small queue_type = Route" in lines
    assert 'set queue small route_destinations = "small_1,small_2"' in lines
    assert "set queue small_2 resources_min.ncpus = 241" in lines
    assert "set queue small72 resources_min.walltime = 24:00:01" in lines
    assert "set queue small72 resources_max.walltime = 72:00:00" in lines
    # The soft limit is the queue's own processors; the hard one adds the common pool.
    assert 'set queue medium max_run_res_soft.ncpus = "[o:PBS_ALL=16000]"' in lines
    assert 'set queue medium max_run_res.ncpus = "[o:PBS_ALL=19232]"' in lines
    assert 'set queue large max_run_res.ncpus = "[o:PBS_ALL=32000]"' in lines
    made = [line.split()[2] for line in lines if line.startswith("create queue")]
    assert len(made) == len(set(made)) == 7
    # idqueue has priority 1, small72 3; the merged queue has the higher.
    assert "set queue idqueue Priority = 3" in lines
    assert "set queue small72 Priority = 3" in lines


def test_no_two_names_are_written_the_same() -> None:
    assert unique_words(["a", "a-1", "a_1", "a.1"]) == ["a", "a_1_2", "a_1", "a_1_3"]
    # The written name of the second equals the first.
    assert unique_words(["small~2", "small.2", "small_2_2"]) == [
        "small_2",
        "small_2_3",
        "small_2_2",
    ]
    assert unique_words(["x", "x"]) == ["x", "x_2"]


def test_names_of_queues_and_parts_that_would_collide_are_numbered(serc: sw.Trace) -> None:
    # The parts of small would be small_1 and small_2, which other queues are named.
    site = sw.Site(
        35_232,
        queues=[
            sw.Queue("small", processors=(1, 240), walltime=(0, DAY), priority=1),
            sw.Queue("small_1", processors=(1, 240), walltime=(DAY, 2 * DAY), priority=2),
            sw.Queue("small-1", processors=(241, 8208), walltime=(0, DAY), priority=3),
        ],
    )
    known = Base.of(site, serc)
    layout = Layout(
        known,
        (
            Partition("small~2", (Part(0, 1, 120, 0, DAY),), 5000),
            Partition("small.2", (Part(0, 121, 240, 0, DAY),), 5000),
            Partition("small_1", (Part.whole(known, 1),), 5000),
            Partition("small-1", (Part.whole(known, 2),), 20_232),
        ),
    )
    lines = qmgr_lines(layout)
    assert [line.split()[2] for line in lines if line.startswith("create queue")] == [
        "small", "small_1_3", "small_2", "small_1", "small_1_2",
    ]  # fmt: skip
    assert 'set queue small route_destinations = "small_1_3,small_2"' in lines
    assert [line for line in lines if line.startswith("# small")] == [
        "# small_1_2 is queue small-1",
        "# small_1_3 is part 1 of queue small",
    ]
    slurm = slurm_lines(layout)
    assert [line.split()[0] for line in slurm if line.startswith("Partition")] == [
        f"PartitionName={name}" for name in ("small_2", "small_2_2", "small_1", "small_1_2")
    ]
    assert slurm[1:4] == [
        "# small_2 is small~2", "# small_2_2 is small.2", "# small_1_2 is small-1",
    ]  # fmt: skip


def test_without_a_common_pool_a_partition_is_a_hard_limit(base: Base) -> None:
    lines = qmgr_lines(replace(layout_of(base), hybrid=False))
    assert 'set queue medium max_run_res.ncpus = "[o:PBS_ALL=16000]"' in lines
    assert not any("soft" in line for line in lines)


def test_a_bound_that_no_job_requests_is_not_written(serc: sw.Trace) -> None:
    # Curie's log has requests of 2³¹ − 1 s.
    site = sw.Site(
        35_232,
        queues=[
            sw.Queue("few", processors=(1, 240), walltime=(0, DAY)),
            sw.Queue("many", processors=(241, 8208), walltime=(0, 2**31 - 1)),
        ],
    )
    open_ended = Base.of(site, serc)
    layout = Layout.of_base(open_ended, (17_000, 18_232))
    assert [line for line in qmgr_lines(layout) if "resources_max.walltime" in line] == [
        "set queue few resources_max.walltime = 24:00:00"
    ]
    few, many = (line for line in slurm_lines(layout) if line.startswith("PartitionName"))
    assert " MaxTime=1-00:00:00 " in few
    assert " MaxTime=UNLIMITED " in many


def test_slurm_partitions_have_their_own_nodes_and_the_common_ones(base: Base) -> None:
    head, unsaid, *lines = slurm_lines(layout_of(base), 32)
    assert unsaid.startswith("# not in these lines: starvation of ")
    lines = [head, *lines]
    assert lines[2:4] == [
        "# idqueue: 8 to 256 processors, up to 02:00:00",
        "# small72: 24 to 1032 processors, above 1-00:00:00 up to 3-00:00:00",
    ]
    # 8000, 4000, 4000, 16000 and 3232 processors of 32: 250, 125, 125, 500 and 101 nodes.
    assert lines[4] == (
        "PartitionName=mixed Nodes=node[1-250],node[1001-1101] MinNodes=1 MaxNodes=33 "
        "MaxTime=3-00:00:00 PriorityTier=3 State=UP"
    )
    assert lines[-1] == (
        "PartitionName=large Nodes=node[1-250],node[251-375],node[376-500],node[501-1000] "
        "MinNodes=257 MaxNodes=713 MaxTime=1-00:00:00 PriorityTier=5 State=UP"
    )


def test_a_partition_has_whole_nodes_for_its_largest_job(base: Base) -> None:
    # idqueue's 256 processors are 11 nodes of 24, its share 259 · 1468 / 35,232 = 10.8; small's
    # 4320 are 180. Of the 1277 left small72 and medium take 12 and 88 %: 153.2 and 1123.8.
    layout = Layout.of_base(base, (259, 4320, 3676, 26_977))
    nodes = [line.split()[1] for line in slurm_lines(layout, 24) if line.startswith("Partition")]
    assert nodes[:4] == [
        "Nodes=node[1-11]", "Nodes=node[12-191]", "Nodes=node[192-344]", "Nodes=node[345-1468]",
    ]  # fmt: skip


def test_node_sizes_that_do_not_suit_the_machine_are_refused(base: Base) -> None:
    with pytest.raises(
        ValueError, match=r"cores=5000: the machine has 35232 processors; give a divisor"
    ):
        slurm_lines(layout_of(base), 5000)
    # 17,616 is half of the machine: two nodes for four partitions.
    with pytest.raises(ValueError, match="need 4 whole nodes together, but the machine has 2"):
        slurm_lines(layout_of(base), 17_616)


def test_the_bootstrap_draws_whole_days() -> None:
    # Two days of 100 jobs: −10 on one, +2 on the other. A resample of two is −10, −4 or +2 with
    # probabilities 1/4, 1/2, 1/4, so the mean falls in 3/4 of them.
    day = np.repeat([0, 1], 100)
    low, high, sure = bootstrap(
        np.full(200, 50), np.where(day == 0, 40, 52), day, Generator(PCG64(1))
    )
    assert (low, high) == (-10, 2)
    assert sure == pytest.approx(0.75, abs=0.03)


def test_users_are_classed_by_their_cpu_time() -> None:
    # 60, 25, 10 and 5 of 100: the first has half, and the next two begin below nine tenths.
    trace = sw.Trace.from_columns(
        [0] * 5, [60, 25, 10, 5, 0], [1] * 5, user=[7, 3, 9, 1, -1], max_processors=4
    )
    assert user_classes(trace).tolist() == [0, 1, 1, 2, -1]


def test_every_queue_and_class_is_compared(serc: sw.Trace, base: Base) -> None:
    month = serc[:3000]
    now = Layout.of_base(base, (256, 9000, 8000, 17_976)).site()
    changes, left_out = compare(month, now, layout_of(base).site(), Generator(PCG64(0)))
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
    # With one running job per user only the current queues would have long waits.
    trace = sw.Trace.from_columns(range(50), [600] * 50, [40, 100] * 25, user=[1] * 50)
    queues = [sw.Queue("all", hours=["00:00-24:00"])]
    bare = recommend(trace, sw.Site(100, queues=[sw.Queue("all")]), FEW)
    site = sw.Site(
        100, queues=queues, limits=sw.Limits(running_per_user=1), clock=sw.Clock("2024-01-01")
    )
    ruled = recommend(trace, site, FEW)
    (note,) = (note for note in ruled.notes if "lacks these rules" in note)
    assert "limits, clock, hours of queues; waits are compared without the rules" in note
    assert ruled.changes[0].now == bare.changes[0].now < sw.simulate(trace, site).wait.mean()


def test_recommending_shows_progress_and_explains_a_missing_common_pool() -> None:
    # One queue with the whole machine has no processors to give away.
    trace = sw.Trace.from_columns(range(50), [600] * 50, [40, 100] * 25, max_processors=100)
    told: list[float] = []
    found = recommend(trace, sw.Site(100, queues=[sw.Queue("all")]), FEW, progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]
    assert found.layout.sizes == (100,)
    assert found.notes[-2] == "the log covers 0.0 days, not 30; the decision uses these"
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
    assert f"{longer} jobs of the month fit no queue of the current site" in found.notes
    (left,) = (note for note in found.notes if "under both sites" in note)
    assert left.startswith(f"{longer} jobs of the month cannot run")


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
    # small has exactly its largest job.
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
        "Print it with --only site, --only pbs or --only slurm; all of them with --all.\n"
    )
    assert main([*arguments, "--all", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "Verdict\n\nUnsure: the log has no other month to test these queues on.\n"
    )
    assert out.read_text() in printed
    assert _headings(printed) == [
        "Recommended site, as a site file of Slotwise",
        "Recommended site, for PBS: input of qmgr",
        "Recommended site, for Slurm: lines of slurm.conf",
        "Effect on the waits",
        "Notes",
    ]
    assert printed.endswith(f"The recommended site written to {out}.\n")
    for text in ("input of qmgr", "PartitionName=medium ", "queue small72", "light users"):
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
    """Return a decision with these layouts."""
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
        "the site is that of step nlp (sizes of partitions from a nonlinear program): the mean "
        f"wait of all jobs is {waits[0]:.2f} h, and {waits[1]:.2f} h after the later step hybrid "
        "(a common pool)"
    ]
    # Among equals, the last step wins.
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
        ((10, 11, 0.1), None, "Keep the current queues: all jobs together wait no less"),
        ((10, 10, 0.0), (10, 9, 1.0), "Keep the current queues: all jobs together wait no less"),
        ((10, 9, 1.0), None, "Unsure: the log has no other month"),
        ((10, 9, 1.0), (10, 12, 0.0), "Keep the current queues: queues decided a month earlier"),
        ((10, 9, 1.0), (10, 9, 0.8), "Unsure: queues decided a month earlier"),
        ((10, 9, 1.0), (10, 9, 0.99), "Take them: "),
    ],
)
def test_the_verdict_comes_from_a_later_month(
    base: Base,
    decided: tuple[float, float, float],
    judged: tuple[float, float, float] | None,
    begins: str,
) -> None:
    def change(now: float, then: float, sure: float) -> Change:
        return Change("all jobs", 5, now, then, then - now - 1, then - now + 1, sure)

    layout = layout_of(base)
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
    assert "give one of: proportional, nlp, reconfigure, hybrid, search" in capsys.readouterr().err
