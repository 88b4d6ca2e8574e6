"""Format of figures: consistent units, useful digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise import text
from slotwise.replay.metric_format import MetricFormat, best_of, format_of, label_of
from slotwise.text import jobs_a_second

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0.0, "0:00:00"),
        (12.4, "0:00:12"),
        (59.7, "0:01:00"),
        (6837.2, "1:53:57"),
        (86_399.5, "1d 00:00:00"),
        # 27 days, 15 h, 37 min and 37 s is 2,332,800 + 54,000 + 2,220 + 37 seconds.
        (2_389_057.0, "27d 15:37:37"),
        (86_400_000.0, "1,000d 00:00:00"),
        (-90.0, "-0:01:30"),
        (-0.2, "0:00:00"),
        (float("nan"), "-"),
    ],
)
def test_a_duration_in_a_table_has_one_form(seconds: float, written: str) -> None:
    assert text.clock(seconds) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0 s"),
        (0.25, "0.2 s"),
        (59, "59 s"),
        (90, "0:01:30"),
        (100_000, "1d 03:46:40"),
        (28_763_776, "332.9 days"),
        (float("nan"), "-"),
    ],
)
def test_a_duration_in_a_sentence_has_the_necessary_digits(seconds: float, written: str) -> None:
    assert text.duration(seconds) == written


def test_the_durations_of_a_comparison_have_one_form(slotwise: Any, tmp_path: Path) -> None:
    # The first two jobs take the whole machine for 50 days each. The waits are 0 s, 50 days less 10
    # s, and 100 days less 20 s.
    (tmp_path / "log.csv").write_text(
        "submit,run_time,processors\n0,4320000,4\n10,4320000,4\n20,5,1\n"
    )
    out = slotwise("compare", "log.csv", "--processors", "4", "--backfill", "none,easy").out
    longest = next(line for line in out.splitlines() if "max wait" in line)
    assert longest.split()[2:] == ["99d", "23:59:40", "99d", "23:59:40"]
    assert re.search(r"median wait +49d 23:59:50 +49d 23:59:50", out)
    assert " days" not in out[: out.index("* best")]


@pytest.mark.parametrize(
    ("name", "value", "label", "written"),
    [
        ("utilisation", 0.697121, "utilisation", "69.71 %"),
        ("mean_bounded_slowdown", 92.7299, "mean bounded slowdown", "92.73"),
        ("max_slowdown", 12345.6, "max slowdown", "12,346"),
        (
            "p95_per_processor_bounded_slowdown", 1.5,
            "p95 per-processor bounded slowdown", "1.50",
        ),
        ("n_started", 28476.0, "jobs started", "28,476"),
        ("mean_wait", 90.0, "mean wait", "0:01:30"),
        ("area_weighted_response", 3600.0, "area-weighted response", "1:00:00"),
        ("throughput", 3.5638, "throughput", "3.56 jobs/h"),
        ("lost_processor_hours", 12.0, "lost processor-hours", "12.00"),
        ("energy_use", 5.0, "energy use", "5.00"),
    ],
)  # fmt: skip
def test_a_metric_is_named_as_its_key_and_shown_in_its_unit(
    name: str, value: float, label: str, written: str
) -> None:
    shown = format_of(name)
    assert (shown.label, shown.write(value)) == (label, written)


def test_every_metric_of_a_replay_is_described() -> None:
    trace = sw.Trace.from_columns([0, 5], [10, 10], [1, 4], max_processors=4)
    plain = sw.simulate(trace)
    crashing = sw.simulate(trace, sw.Site(crashes=sw.Crashes(times=(7,))))
    torus = sw.simulate(trace, sw.Site(machine=sw.Torus((2, 2))))
    said = {"processors", "threshold", "window_begin", "window_end"}  # The notes show these values.
    said.add("refunded_processor_hours")  # Neither a higher nor a lower value is better.
    known = {
        key
        for result in (plain, crashing, torus)
        for key in result.metrics(fair_start=result.fair_start() if result is plain else None)
    }
    undescribed = {
        key for key in known - said if format_of(key) == MetricFormat(label_of(key), text.ratio)
    }
    assert undescribed == set()


def test_the_best_duration_is_marked_by_its_shown_value() -> None:
    # Both 12.1 s and 12.4 s are shown as 0:00:12.
    assert best_of("mean_wait", [12.1, 3600.0, 12.4]) is None
    assert best_of("mean_wait", [12.1, 3600.0, 13.4]) == 0


@pytest.mark.parametrize(
    ("jobs", "seconds", "written"),
    [
        (437, 0.0002, "2.2 million jobs/s"),
        (2_000, 0.1, "20,000 jobs/s"),
        (1_234, 100, "12 jobs/s"),
        (5, 10, "0.5 jobs/s"),
        (10**9, 2, "500 million jobs/s"),
        (1, 0, "-"),
    ],
)
def test_a_speed_has_two_digits_and_the_unit_it_needs(
    jobs: int, seconds: float, written: str
) -> None:
    assert jobs_a_second(jobs, seconds) == written


def test_no_best_is_marked_if_columns_are_of_different_jobs(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(
        "submit,run_time,processors\n0,10,4\n1,10,4\n2,10,8\n3,900,2\n"
    )
    for processors in (4, 8):
        (tmp_path / f"of{processors}.toml").write_text(f"[machine]\nprocessors = {processors}\n")
    out = slotwise("compare", "log.csv", "of4.toml", "of8.toml").out
    assert "*" not in out
    assert (
        "No best values are marked, because the same jobs did not start in all columns."
        in " ".join(out.split())
    )
    same = slotwise("compare", "log.csv", "--processors", "8", "--backfill", "none,easy").out
    assert "* best in its row" in same


def test_a_log_of_nodes_is_shown_to_need_nodes(slotwise: Any, tmp_path: Path) -> None:
    slotwise("generate", "eurora", "batch.csv", "--jobs", "20")
    for verb in (("run", "batch.csv"), ("explain", "batch.csv", "3")):
        ended = slotwise(*verb)
        assert ended.code == 2
        told = " ".join(ended.err.split())
        assert (
            "batch.csv is from a machine with nodes: its jobs request units of cores, memory"
            in told
        )
        assert "[machine] nodes = [{ count = 32, cores = 16" in told
        assert "Describe the nodes in a site file" in told
    assert "nodes; describe them in a site file" in slotwise("info", "batch.csv").out
    for verb in (("run", "batch.csv"), ("compare", "batch.csv", "--backfill", "none,easy")):
        out = " ".join(slotwise(*verb, "--processors", "1024").out.split())
        assert "The jobs also request memory, gpus, mics;" in out


def test_an_swf_file_that_loses_requests_for_nodes_gives_a_warning(
    slotwise: Any, tmp_path: Path
) -> None:
    kept = slotwise("generate", "eurora", "batch.csv", "--jobs", "20")
    assert (kept.code, kept.err) == (0, "")
    for verb in (
        ("generate", "eurora", "b.swf", "--jobs", "20"),
        ("convert", "batch.csv", "b.swf"),
    ):
        ended = slotwise(*verb)
        assert ended.code == 0
        assert ended.err.startswith(
            "slotwise: warning: b.swf does not contain the jobs' requests for nodes"
        )
        assert "(units of cores, memory, gpus, mics)" in ended.err
        assert "write b.csv or b.parquet to keep them" in ended.err
        assert sw.read_swf(tmp_path / "b.swf").demands is None
    assert slotwise("generate", "lublin", "l.swf", "--jobs", "20").err == ""


def test_a_job_that_fits_no_node_is_left_out_with_the_reason(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "eurora.toml").write_text(
        "[machine]\nnodes = [{ count = 32, cores = 16, gpus = 2 }, "
        "{ count = 32, cores = 16, mics = 2 }]\n"
    )
    # Job 8 requests a GPU and a MIC, but no node has both.
    (tmp_path / "log.csv").write_text(
        "job_id,submit,run_time,processors,units,unit_cores,unit_gpus,unit_mics\n"
        "7,0,10,4,1,4,1,0\n8,0,10,4,1,4,1,1\n"
    )
    ended = slotwise("run", "log.csv", "--site", "eurora.toml")
    assert ended.code == 0
    told = " ".join(ended.out.split())
    assert "jobs started 1" in told
    assert (
        "1 job rejected as too large for the nodes (job 8: a unit requests 4 cores, 1 gpu, "
        "1 mic, and no single node has all of that)"
    ) in told
    (tmp_path / "wide.csv").write_text(
        "job_id,submit,run_time,processors,units,unit_cores\n7,0,10,17,1,17\n"
    )
    ended = slotwise("run", "wide.csv", "--site", "eurora.toml")
    assert ended.code == 3
    told = " ".join(ended.err.split())
    assert "the nodes (a unit requests 17 cores, and no node has more than 16); correct" in told


def test_jobs_that_no_queue_takes_or_whose_queue_is_too_small_are_named_as_such(
    slotwise: Any, tmp_path: Path
) -> None:
    """Job 2 is too long for its queue; job 3 fits the machine, but not its queue's only node."""
    (tmp_path / "two.toml").write_text(
        "[machine]\nnodes = [{ name = 'a', hosts = 'a', cores = 4 }, "
        "{ name = 'b', hosts = 'b', cores = 4 }]\n"
        "[[queue]]\nname = 'q'\nnodes = ['b']\nwalltime = ['0', '1h']\n"
    )
    (tmp_path / "log.csv").write_text(
        "job_id,submit,run_time,requested_time,processors\n1,0,10,10,4\n2,0,10,7200,4\n3,0,10,10,8\n"
    )
    ended = slotwise("run", "log.csv", "--site", "two.toml")
    told = " ".join(ended.out.split())
    assert "1 job rejected as too large for the nodes of their queue (the first is job 3)" in told
    assert "1 job rejected as not accepted by any queue" in told


def test_the_busy_share_of_a_resource_may_be_chosen_as_a_column(
    slotwise: Any, tmp_path: Path
) -> None:
    """One job keeps 1 of 2 GPUs busy for the whole span of 10 s, so the share is 50 %."""
    (tmp_path / "g.toml").write_text("[machine]\nnodes = [{ count = 1, cores = 4, gpus = 2 }]\n")
    (tmp_path / "log.csv").write_text(
        "submit,run_time,processors,units,unit_cores,unit_gpus\n0,10,1,1,1,1\n"
    )
    chosen = "utilisation_of_gpus,utilisation_of_mics"
    ended = slotwise("run", "log.csv", "--site", "g.toml", "--columns", chosen)
    told = " ".join(ended.out.split())
    assert "utilisation of gpus 50.00 %" in told
    assert "utilisation of mics -" in told
    change = ("--with", "policy.backfill=none")
    both = slotwise("compare", "log.csv", "g.toml", *change, "--columns", chosen)
    assert " ".join(both.out.split()).count("50.00 %") == 2
