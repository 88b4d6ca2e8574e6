"""The whole Lublin model: load, machine, calendar, determinism, and a trace from its authors."""

from __future__ import annotations

import gzip
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from slotwise.generators import lublin

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

YEAR = 365 * 86400


def offered_load(trace: sw.Trace) -> float:
    assert trace.max_processors is not None
    span = int(trace.submit[-1] - trace.submit[0])
    return int(np.dot(trace.run_time, trace.processors)) / (trace.max_processors * span)


def distance(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the Kolmogorov-Smirnov distance between two samples."""
    at = np.unique(np.concatenate([a, b]))
    left, right = (np.searchsorted(np.sort(x), at, side="right") / len(x) for x in (a, b))
    return float(np.abs(left - right).max())


@pytest.fixture(scope="module")
def default() -> sw.Trace:
    return lublin()


def test_the_default_is_about_a_year_of_a_busy_large_machine(default: sw.Trace) -> None:
    assert len(default) == 100_000
    assert default.max_processors == 35_232
    assert 0.85 * YEAR < default.submit[-1] < 1.15 * YEAR
    assert offered_load(default) == pytest.approx(0.85, rel=1e-4)


@pytest.mark.parametrize("kind", ["batch", "interactive", "all"])
@pytest.mark.parametrize("load", [0.7, 1.2, 5.0])
def test_the_load_is_met_by_the_arrivals(kind: str, load: float) -> None:
    trace = lublin(5000, 4096, load=load, kind=kind)
    assert offered_load(trace) == pytest.approx(load, rel=0.01)


@pytest.mark.parametrize("duration", ["30d", 30 * 86400, 30.0 * 86400])
@pytest.mark.parametrize("load", [0.2, 0.85, 2.0])
def test_a_given_duration_is_kept_and_the_run_times_meet_the_load(
    duration: float | str, load: float
) -> None:
    trace = lublin(5000, 1000, load=load, duration=duration)
    assert abs(int(trace.submit[-1] - trace.submit[0]) - 30 * 86400) <= 1
    assert offered_load(trace) == pytest.approx(load, rel=0.01)


def test_one_factor_on_the_run_times_meets_the_load_of_a_duration() -> None:
    free, bound = lublin(2000, 64, load=None), lublin(2000, 64, load=0.5, duration="100d")
    long = free.run_time > 1000
    factor = bound.run_time[long] / free.run_time[long]
    # These run times are above 1000 s and rounded to seconds, so each ratio is within 1/1000 of the
    # factor.
    assert factor.max() / factor.min() < 1.005


def test_stretching_arrivals_leaves_sizes_run_times_and_users_alone() -> None:
    slow, fast = lublin(3000, load=0.5), lublin(3000, load=1.5)
    for name in ("processors", "run_time", "requested_time", "user", "executable", "queue"):
        assert np.array_equal(getattr(slow, name), getattr(fast, name)), name


def test_without_a_load_the_arrivals_follow_the_model() -> None:
    # lublin99.c draws log seconds from gamma(6.0415 · 1.0519, 0.8531), and redraws those above 13.
    trace = lublin(20_000, load=None, seed=5)
    log_gaps = np.log(np.random.default_rng(1).gamma(6.0415 * 1.0519, 0.8531, 200_000))
    gaps = np.exp(np.exp(log_gaps))
    gaps = gaps[gaps < math.exp(13)]
    mean, error = gaps.mean(), gaps.std() / math.sqrt(len(trace))
    assert abs(trace.submit[-1] / len(trace) - mean) < 4 * error


def test_same_seed_same_trace_and_another_seed_another(default: sw.Trace) -> None:
    assert lublin().content_hash == default.content_hash
    assert lublin(seed=1).content_hash != default.content_hash


def test_the_draws_of_a_seed_are_pinned() -> None:
    # These values are not derived; they were drawn by version 0.1. A change to them alters users'
    # traces and must be noted in the changelog.
    trace = lublin(1000, 256, seed=42)
    assert trace.content_hash[:16] == "77e2f0e3b17de7ef"


def test_a_longer_trace_begins_with_the_jobs_of_a_shorter_one() -> None:
    short, long = lublin(500, users=20), lublin(5000, users=20)
    for name in ("processors", "run_time", "requested_time", "user"):
        assert np.array_equal(getattr(short, name), getattr(long, name)[:500]), name


@pytest.mark.parametrize("start", ["2024-03-04T08:00:00+09:00", "2024-03-04T17:30:00-05:30"])
def test_arrivals_peak_in_the_local_working_day(start: str) -> None:
    trace = lublin(50_000, 1024, start=start, seed=3)
    assert trace.unix_start_time is not None
    zone = int(trace.header["TimeZone"])
    hour = (trace.submit + trace.unix_start_time + zone) // 3600 % 24
    jobs = np.bincount(hour, minlength=24)
    # Under the batch parameters, the arrival rate peaks between 11:00 and 15:00, at 1.7 times the
    # mean, and falls to 0.25 times the mean before 5:00.
    assert 10 <= int(jobs.argmax()) <= 16
    assert 2 <= int(jobs.argmin()) <= 6
    assert jobs.max() > 4 * jobs.min()


def test_a_quiet_weekend_has_its_share_of_the_arrivals() -> None:
    trace = lublin(50_000, 1024, weekend=0.25, start="2024-01-03", seed=2)  # a Wednesday
    assert trace.unix_start_time is not None
    day = (trace.submit + trace.unix_start_time) // 86400 % 7  # 1970-01-01 was a Thursday
    weekend = np.isin(day, (2, 3)).mean()
    # Weekend days have a quarter of the arrivals, so their share is 2 · 0.25 / (5 + 2 · 0.25).
    # Arrivals cluster, so the tolerance is ten times the error of independent ones, sqrt(0.09 ·
    # 0.91 / 50,000).
    assert weekend == pytest.approx(0.5 / 5.5, abs=10 * 0.0013)


def test_wide_jobs_run_longer() -> None:
    trace = lublin(50_000, 512, sessions=0, seed=4)
    wide = trace.processors > 128
    assert trace.run_time[wide].mean() > 1.3 * trace.run_time[~wide].mean()


def test_serial_jobs_and_powers_of_two_have_the_papers_shares() -> None:
    n = 50_000
    trace = lublin(n, 35_232, sessions=0, seed=6)
    serial = float((trace.processors == 1).mean())
    two = float((np.log2(trace.processors) % 1 == 0).mean()) - serial
    # In the model, 29.27 % of batch jobs are serial, and the sizes of 66.86 % are powers of two.
    # The tolerance is 4 standard errors. Some other sizes happen to be powers of two as well.
    assert serial == pytest.approx(0.2927, abs=4 * math.sqrt(0.2927 * 0.7073 / n))
    assert 0.6686 - 4 * math.sqrt(0.6686 * 0.3314 / n) < two < 0.6686 + 0.02


def test_powers_of_two_do_not_pile_up_at_other_sizes() -> None:
    # The base-2 logarithm of 48,000 is 15.55, so rounding it up would exceed the machine.
    trace = lublin(50_000, 48_000, sessions=0)
    sizes = Counter(trace.processors.tolist())
    assert max(sizes) <= 48_000
    assert sizes[48_000] < 20 < sizes[32_768]


def test_the_authors_own_trace_is_reproduced(shared_traces: Path) -> None:
    """Compare the authors' 10,000 jobs on 256 nodes with the distributions of generated jobs."""
    with gzip.open(shared_traces / "lublin_256.swf.gz", "rt") as file:
        rows = np.array([line.split()[:5] for line in file if not line.startswith(";")], np.int64)
    submit, run_time, size = rows[:, 1], rows[:, 3], rows[:, 4]
    trace = lublin(200_000, 256, load=None, kind="all", scaled=False, sessions=0)
    # Kolmogorov-Smirnov bound at 1 %: 1.63 · sqrt(1/10,000 + 1/200,000).
    bound = 1.63 * math.sqrt(1 / len(rows) + 1 / len(trace))
    assert distance(size, trace.processors) < bound
    assert distance(run_time, trace.run_time) < bound
    assert distance(np.diff(submit), np.diff(trace.submit)) < bound
    for wide in (size > 32, size <= 32):
        ours = trace.run_time[(trace.processors > 32) == (size[wide][0] > 32)]
        assert distance(run_time[wide], ours) < bound * math.sqrt(len(rows) / wide.sum())
    theirs, ours = (np.bincount(s // 1800 % 48, minlength=48) for s in (submit, trace.submit))
    # Arrivals cluster, and 10,000 jobs give noisy counts per half hour, so only the shapes of the
    # two cycles are compared.
    assert np.corrcoef(theirs, ours)[0, 1] > 0.9


def test_sessions_do_not_change_the_distribution_of_a_job() -> None:
    alone, grouped = lublin(100_000, 512, sessions=0), lublin(100_000, 512, sessions=0.5, seed=1)
    # Half the jobs repeat an earlier one, so the sample counts as only a third as many independent
    # draws: (1 - 0.5) / (1 + 0.5).
    bound = 1.95 * math.sqrt(1 / 100_000 + 3 / 100_000)  # Kolmogorov-Smirnov bound at 0.1 %
    assert distance(alone.processors, grouped.processors) < bound
    assert distance(alone.run_time, grouped.run_time) < bound
    same = (grouped.executable[1:] == grouped.executable[:-1]).mean()
    assert same > 0.5


def test_few_users_submit_most_jobs(default: sw.Trace) -> None:
    jobs = np.bincount(default.user)
    assert jobs[0] == 0
    assert len(jobs) - 1 <= math.isqrt(len(default))
    # User 1 submits log(1 + 1/1) / log(317) = 12 % of the jobs. Sessions triple the variance.
    share = math.log(2) / math.log(317)
    error = math.sqrt(3 * share * (1 - share) / len(default))
    assert jobs[1] / len(default) == pytest.approx(share, abs=4 * error)


def test_the_header_has_the_command_that_draws_the_trace_again() -> None:
    trace = lublin(300, 64, duration="9d", seed=7, kind="all", weekend=0.5, start="2025-02-03")
    assert trace.header["Version"] == "2.2"
    assert trace.header["MaxProcs"] == "64"
    assert "Lublin" in trace.header["Acknowledge"]
    again = eval(trace.header["Note"], {"slotwise": sw})
    assert again == trace


def test_the_engine_replays_a_generated_trace_unchanged() -> None:
    trace = lublin(2000, 512, load=0.7)
    result = sw.simulate(trace)
    assert result.metrics()["n_rejected"] == 0
    # Only jobs that cannot end within their request are killed.
    assert np.array_equal(result.state == sw.State.KILLED, trace.status == 0)


@settings(max_examples=60, deadline=None)
@given(
    n_jobs=st.integers(1, 500),
    processors=st.one_of(st.integers(1, 40), st.integers(1, 2**31 - 1)),
    load=st.one_of(st.none(), st.floats(0.01, 10)),
    seed=st.integers(0, 2**63 - 1),
    kind=st.sampled_from(["batch", "interactive", "all"]),
    scaled=st.booleans(),
    weekend=st.sampled_from([1.0, 0.1, 3.0]),
    sessions=st.sampled_from([0.0, 0.5, 0.99]),
    killed=st.sampled_from([0.0, 0.02, 1.0]),
)
def test_every_choice_of_options_gives_a_valid_trace(**options: Any) -> None:
    trace = lublin(**options)
    assert len(trace) == options["n_jobs"]
    assert trace.report.total_dropped == 0
    assert not trace.report.repaired
    assert trace.submit[0] == 0
    assert (np.diff(trace.submit) >= 0).all()
    assert (trace.run_time >= 1).all()
    assert (trace.processors >= 1).all()
    assert (trace.processors <= options["processors"]).all()
    assert (trace.requested_time >= 60).all()
    if not options["killed"]:
        assert (trace.requested_time >= trace.run_time).all()
    span = int(trace.submit[-1])
    if options["load"] and span > 1000:
        assert offered_load(trace) == pytest.approx(options["load"], rel=0.01)


@settings(max_examples=60, deadline=None)
@given(
    n_jobs=st.integers(2, 500),
    processors=st.integers(1, 100_000),
    load=st.floats(0.01, 10),
    days=st.integers(1, 10_000),
    seed=st.integers(0, 100),
)
def test_a_duration_and_a_load_are_both_met_or_refused(
    n_jobs: int, processors: int, load: float, days: int, seed: int
) -> None:
    trace, refusal = None, ""
    try:
        trace = lublin(n_jobs, processors, load=load, duration=f"{days}d", seed=seed)
    except ValueError as error:
        refusal = str(error)
    if trace is None:
        # lublin() refuses a load that needs run times below a second, or too long for a trace.
        assert "; use " in refusal or "; set " in refusal
        return
    assert abs(int(trace.submit[-1]) - days * 86400) <= 1
    wanted = load * processors * int(trace.submit[-1])
    made = int(np.dot(trace.run_time, trace.processors))
    # Each run time is rounded by at most half a second.
    assert abs(made - wanted) <= 0.01 * wanted + 0.5 * int(trace.processors.sum())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"load": -0.5}, r"load=-0\.5: .* from 1e-09 to 10; 0\.85 means a busy machine"),
        ({"load": 11}, r"load=11: .*to 10; .*overloaded"),
        ({"load": math.nan}, r"load=nan: "),
        ({"load": "high"}, r"load='high': it must be a number"),
        ({"processors": 0}, r"processors=0: .*whole number from 1 .*use, for example"),
        ({"n_jobs": 0}, r"n_jobs=0: .*from 1"),
        ({"n_jobs": 1.5}, r"n_jobs=1\.5: .*whole number"),
        ({"seed": -1}, r"seed=-1: .*from 0"),
        ({"users": 0}, r"users=0: "),
        ({"kind": "batches"}, r"kind='batches': .*batch, interactive, all"),
        ({"duration": "a year"}, r"duration='a year': .*duration=\"365d\""),
        ({"duration": [5]}, r"duration=\[5\]: "),
        ({"duration": 0}, r"duration=0: .*at least one second"),
        ({"start": "monday"}, r"start='monday': .*ISO form"),
        ({"start": "1960-01-01"}, r"start='1960-01-01': .*after the beginning of 1970"),
        ({"start": 5}, r"start=5: "),
        ({"weekend": 0}, r"weekend=0: .*1 makes weekends like other days"),
        ({"sessions": 1}, r"sessions=1: .*0 makes all jobs independent"),
        ({"killed": 1.1}, r"killed=1\.1: "),
        (
            {"duration": "1s"},
            r"of one second already amount to a load of .* over 1 seconds; use fewer",
        ),
        (
            {"n_jobs": 1, "duration": "9999d"},
            r"run times of up to .*but a job can run for at most",
        ),
        ({"n_jobs": 10**5, "load": 1e-9, "processors": 1}, r"set a larger load"),
    ],
)
def test_a_bad_option_is_refused_with_its_value_the_rule_and_a_remedy(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        lublin(**({"n_jobs": 100} | options))


def test_header_lines_are_those_of_swf() -> None:
    trace = lublin(10, 64, start="2024-01-01T06:00:00+05:30")
    assert trace.header["UnixStartTime"] == "1704069000"  # 00:30 UTC
    assert trace.header["TimeZone"] == "19800"
    assert trace.header["TimeZoneString"] == "UTC+05:30"
    assert trace.header["StartTime"] == "Mon Jan  1 06:00:00 2024"
    assert trace.header["Queue"].splitlines()[0] == "1 requested times up to 3600 s"
    assert all(re.fullmatch(r"; \w+: \S.*", line) for line in trace.header_lines)


def test_a_generated_trace_survives_a_file(tmp_path: Path) -> None:
    trace = lublin(500, 64)
    sw.write_swf(trace, tmp_path / "drawn.swf")
    again = sw.read_swf(tmp_path / "drawn.swf")
    assert again == trace
    assert again.header_lines == trace.header_lines


def test_a_share_of_the_jobs_requests_gpus_by_their_processors() -> None:
    plain = sw.generate("lublin", n_jobs=4000, processors=384, seed=3)
    trace = sw.generate(
        "lublin", n_jobs=4000, processors=384, seed=3, gpus=24, gpu_share=0.25, cores_per_gpu=4
    )
    for name in ("submit", "run_time", "processors", "requested_time", "user"):
        assert np.array_equal(getattr(trace, name), getattr(plain, name))
    # One GPU per 4 processors: a job on 96 processors has 24 GPUs, and wider jobs have none.
    narrow = trace.processors <= 96
    has = trace.gpus > 0
    assert (trace.gpus[has] == -(-trace.processors[has] // 4)).all()
    assert not has[~narrow].any()
    # Five standard deviations of a share of 0.25 among about 3,600 jobs are 0.036.
    assert abs(has[narrow].mean() - 0.25) < 0.036
    assert (plain.gpus == -1).all()


@pytest.mark.parametrize(
    ("option", "value"), [("gpus", -1), ("gpu_share", 1.5), ("cores_per_gpu", 0)]
)
def test_a_bad_number_of_gpus_is_refused(option: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{option}={value}: it must be"):
        sw.generate("lublin", n_jobs=10, processors=8, **{option: value})
