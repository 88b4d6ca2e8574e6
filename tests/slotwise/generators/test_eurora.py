"""Generated batches for EURORA, compared with the figures in the paper."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns
from slotwise.formats.job_files import write_trace

if TYPE_CHECKING:
    from pathlib import Path

# Numbers of jobs in Table 6: all jobs; those in debug, parallel and longpar; jobs with GPUs; jobs
# with MICs; jobs by cores.
TABLE_6 = {
    1: (437, [237, 130, 62], 85, 3, {1: 298, 2: 2, 4: 1, 5: 1, 6: 6, 8: 59, 9: 70}),
    2: (434, [133, 240, 25], 203, 1, {1: 197, 2: 73, 4: 4, 5: 1, 6: 2, 8: 56, 9: 101}),
    3: (619, [127, 415, 12], 224, 1, {1: 258, 2: 38, 4: 7, 5: 0, 6: 3, 8: 187, 9: 126}),
}


@pytest.mark.parametrize("batch", TABLE_6)
def test_a_batch_has_the_counts_of_table_6(batch: int) -> None:
    n_jobs, queues, gpus, mics, cores = TABLE_6[batch]
    trace = sw.generate("eurora", batch=batch, seed=4)
    demands = trace.demands
    assert demands is not None
    assert len(trace) == n_jobs
    assert np.bincount(trace.queue, minlength=5)[1:4].tolist() == queues
    assert np.count_nonzero(demands.each["gpus"]) == gpus
    assert np.count_nonzero(demands.each["mics"]) == mics
    assert not (demands.each["gpus"] * demands.each["mics"]).any()
    by_cores = np.bincount(np.minimum(trace.processors, 9), minlength=10)
    assert {c: int(by_cores[c]) for c in cores} == cores
    assert int(trace.submit.max()) < 7200


@pytest.mark.parametrize("batch", TABLE_6)
def test_jobs_respect_the_limits_of_their_queue(batch: int) -> None:
    # Table 1 limits nodes and time in each queue; minor queues have the limits of parallel.
    trace = sw.generate("eurora", batch=batch, seed=5)
    most_units = np.array([0, 2, 32, 16, 32])[trace.queue]
    longest = np.array([0, 1800, 6 * 3600, 24 * 3600, 6 * 3600])[trace.queue]
    assert (trace.demands.units <= most_units).all()
    assert (trace.requested_time <= longest).all()
    assert (trace.run_time <= trace.requested_time).all()
    assert (trace.demands.each["cores"] <= 16).all()
    assert (trace.demands.each["memory"] <= 16 << 20).all()


def test_fewer_jobs_are_part_of_the_batch_and_more_arrive_in_further_windows() -> None:
    assert len(sw.generate("eurora", n_jobs=40)) == 40
    more = sw.generate("eurora", n_jobs=1000)
    assert len(more) == 1000
    assert 2 * 7200 <= int(more.submit.max()) < 3 * 7200


def test_run_times_are_shortened_except_for_jobs_at_their_limit() -> None:
    # Equal seeds give equal jobs; batch 3 shortens run times to 60 % by default.
    whole = sw.generate("eurora", batch=3, seed=1, run_times=100)
    short = sw.generate("eurora", batch=3, seed=1)
    at_limit = whole.run_time == whole.requested_time
    assert 30 < np.count_nonzero(at_limit) < 90  # about a tenth of 619
    assert (short.run_time[at_limit] == whole.run_time[at_limit]).all()
    others = np.rint(0.6 * whole.run_time[~at_limit])
    assert np.abs(short.run_time[~at_limit] - others).max() <= 1  # `others` is rounded twice
    assert short.requested_time.tolist() == whole.requested_time.tolist()
    assert sw.generate("eurora", batch=1, run_times=100).run_time.tolist() == (
        sw.generate("eurora", batch=1).run_time.tolist()
    )


def test_batch_3_requests_about_as_many_cores_as_the_machine_has() -> None:
    # If all jobs started when submitted, they would use 105 ± 5 % of 1,024 cores over two hours,
    # or 137 ± 8 % with their full run times.
    for run_times, share in ((60, 1.05), (100, 1.37)):
        asked = []
        for seed in range(1, 6):
            trace = sw.generate("eurora", batch=3, seed=seed, run_times=run_times)
            stay = np.minimum(trace.submit + trace.run_time, 7200) - trace.submit
            asked.append((stay * trace.processors).sum() / (1024 * 7200))
        assert np.mean(asked) == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_csv_and_parquet_keep_the_demands(tmp_path: Path, suffix: str) -> None:
    trace = sw.generate("eurora", n_jobs=50)
    write_trace(trace, tmp_path / f"x{suffix}")
    assert read_columns(tmp_path / f"x{suffix}").demands == trace.demands


def test_demands_follow_their_jobs() -> None:
    trace = sw.generate("eurora", n_jobs=50)
    rows = np.array([30, 2, 7])
    chosen = trace[rows]
    order = rows[np.argsort(trace.submit[rows], kind="stable")]
    assert chosen.job_id.tolist() == trace.job_id[order].tolist()
    assert chosen.demands == trace.demands.take(order)
    assert pickle.loads(pickle.dumps(trace)).demands == trace.demands


def test_demands_that_do_not_match_the_trace_are_refused() -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [4, 8])
    with pytest.raises(sw.TraceError, match="demands for 1 jobs, but the trace has 2"):
        trace.with_demands(sw.Demands([1], cores=[4]))
    with pytest.raises(
        sw.TraceError, match="job 1 requests 1 units of 4 cores and has 8 processors"
    ):
        trace.with_demands(sw.Demands([1, 1], cores=[4, 4]))
    with pytest.raises(sw.TraceError, match=r"gpus\[0\] is -1; a demand must not be negative"):
        sw.Demands([1], cores=[4], gpus=[-1])
    with pytest.raises(sw.TraceError, match=r"units\[1\] is 0; a job must have at least one unit"):
        sw.Demands([1, 0], cores=[4, 4])


def test_run_times_of_0_percent_are_refused() -> None:
    with pytest.raises(ValueError, match="run_times=0: it must be a whole number from 1 to 100"):
        sw.generate("eurora", run_times=0)


def test_a_batch_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="batch=4: it must be a whole number from 1 to 3"):
        sw.generate("eurora", batch=4)
