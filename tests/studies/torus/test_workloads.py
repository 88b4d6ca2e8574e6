"""Cuts and scaled copies of the logs of the torus study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.studies.torus.paper import SDSC_JOBS
from slotwise.studies.torus.workloads import (
    Workload,
    anl_intrepid,
    first_jobs_of,
    sdsc_blue,
    stretches_of,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def small() -> Workload:
    """Return three jobs on 1, 2 and 4 nodes of 8 processors; the machine has 8 nodes."""
    trace = sw.Trace.from_columns([100, 150, 300], [80, 100, 50], [3, 16, 25], max_processors=64)
    return Workload("small", trace, (4, 2), 8)


def test_a_job_takes_whole_nodes(small: Workload) -> None:
    assert small.nodes.tolist() == [1, 2, 4]
    assert small.n_nodes == 8


def test_load_is_node_seconds_over_the_machine_between_first_and_last_submit(
    small: Workload,
) -> None:
    # The jobs take 80·1 + 100·2 + 50·4 = 480 of 8·200 node-seconds.
    assert small.load == 0.3


def test_scaling_to_a_load_only_multiplies_the_gaps(small: Workload) -> None:
    # At twice the load, the gaps between submissions are half as long.
    scaled = small.at_load(0.6)
    assert scaled.trace.submit.tolist() == [0, 25, 100]
    assert scaled.load == pytest.approx(0.6)
    for name in ("run_time", "requested_time", "processors"):
        assert np.array_equal(getattr(scaled.trace, name), getattr(small.trace, name))


def test_a_log_shorter_than_a_stretch_is_one(small: Workload) -> None:
    assert [len(stretch.trace) for stretch in stretches_of(small)] == [3]


def test_sdsc_blue_has_48_stretches_of_4830_jobs(shared_traces: Path) -> None:
    whole = sdsc_blue(str(shared_traces))
    stretches = stretches_of(whole)
    assert [len(stretch.trace) for stretch in stretches] == [SDSC_JOBS] * 48
    assert stretches[0].trace.job_id[0] == whole.trace.job_id[0]
    assert stretches[1].trace.submit[0] == whole.trace.submit[4830]
    assert whole.n_nodes * whole.processors_per_node == 1152
    assert whole.nodes.max() == 144


def test_intrepid_is_the_first_2612_jobs_and_2101_of_them_have_the_sizes_of_the_paper(
    shared_traces: Path,
) -> None:
    # Counted in the file with awk: NR > 1 && NR <= 2613 && $4 >= 256 && $4 <= 8192.
    whole = anl_intrepid(str(shared_traces))
    assert len(first_jobs_of(whole).trace) == 2612
    sized = first_jobs_of(whole, sizes_of_paper=True)
    assert len(sized.trace) == 2101
    assert whole.n_nodes == 40_960
    assert first_jobs_of(whole).load == pytest.approx(0.3314, abs=1e-4)
