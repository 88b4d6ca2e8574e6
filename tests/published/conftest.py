"""Fixtures: prepared logs, and the starts of their jobs in three published simulators."""

from __future__ import annotations

import gzip
from functools import cache
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def normalised(shared_traces: Path) -> Callable[[str], sw.Trace]:
    """Return a cached function that reads a log in the reference folder, given its name."""

    @cache
    def read(log: str) -> sw.Trace:
        return sw.read_swf(shared_traces / "reference" / f"{log}.normalised.swf.gz", strict=True)

    return read


@pytest.fixture(scope="session")
def published_starts(shared_traces: Path) -> Callable[[str], list[int]]:
    """Read the starts in a reference schedule, such as KTH-SP2.pyss.easy, in order of job ids."""

    def read(name: str) -> list[int]:
        with gzip.open(shared_traces / "reference" / f"{name}.csv.gz", "rt") as lines:
            assert next(lines).strip() == "job_id,start"
            rows = [line.split(",") for line in lines]
        assert [int(job) for job, _ in rows] == list(range(1, len(rows) + 1))
        return [int(start) for _, start in rows]

    return read
