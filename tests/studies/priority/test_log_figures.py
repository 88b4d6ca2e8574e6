"""Columns of the thesis's figures 2, 4, 5, 12 and 13."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw
from slotwise.studies.priority.log_figures import (
    classes,
    core_bounds,
    errors_by_run_time,
    figures_of,
    has_logged_schedule,
    usage_of,
    waits_by_cores,
)
from slotwise.studies.priority.sites import study_site


def test_classes_include_their_upper_bound() -> None:
    found = classes(np.array([0.0, 24, 25, 48, 99]), np.array([1.0, 3, 5, 9, 7]), [24, 48])
    assert [(c.label, c.jobs, c.mean, c.median) for c in found] == [
        ("0–24", 2, 2, 2),
        ("24–48", 2, 7, 7),
        ("48–99", 1, 7, 7),
    ]


def test_krakens_classes_of_cores_start_as_in_the_thesis() -> None:
    bounds = core_bounds(98_976)
    assert bounds[:3] == [24, 48, 96]
    assert bounds[-2:] == [49_152, 98_976]


def test_errors_against_manual_results() -> None:
    # Three jobs of one hour request two hours, a hundred hours, and half an hour. The last is
    # killed.
    trace = sw.Trace.from_columns([0] * 3, [3600] * 3, [1] * 3, [7200, 360_000, 1800])
    by_class = {c.label: c for c in errors_by_run_time(trace)}
    assert by_class["30 min–1 h"].mean == pytest.approx((50 + 99) / 2)
    assert by_class["10–30 min"].mean == 0


def test_usage_is_the_busy_cores_over_time() -> None:
    trace = sw.Trace.from_columns([100, 100], [3600, 7200], [4, 2], max_processors=8)
    usage = usage_of(sw.simulate(trace, sw.Site()))
    assert usage.hourly(0, 3, 3).tolist() == [6, 2, 0]
    assert usage.mean(0, 2) == 4
    assert usage.hourly(0.5, 1.5, 1).tolist() == [4]


def test_krakens_figure_2_is_as_in_the_thesis() -> None:
    # The second class (small jobs, submitted in bursts by the same users) waits longer than the
    # third. Jobs on nearly the whole machine wait less than other large jobs, because they are
    # submitted at the end of the maintenance.
    trace = sw.generate("kraken", n_jobs=32_000, seed=1)
    found = waits_by_cores(sw.simulate(trace, study_site("kraken", trace)))
    mean = {c.label: c.mean for c in found}
    assert mean["24–48"] > mean["48–96"]
    assert mean["49,152–98,976"] < mean["3,072–6,144"]
    assert all(c.median < c.mean for c in found)


def test_a_log_with_starts_is_drawn_as_logged() -> None:
    trace = sw.Trace.from_columns(
        [0, 0], [86_400, 3600], [4, 4], max_processors=4, wait=[0, 90_000]
    )
    assert has_logged_schedule(trace)
    figures = figures_of(trace)
    assert figures.logged
    assert max(c.mean for c in figures.by_cores if c.jobs) == 12.5  # the mean of 0 and 25 h
    assert not has_logged_schedule(sw.generate("kraken", n_jobs=10))
