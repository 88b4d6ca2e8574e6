"""Fixtures: small logs under the names of the two logs that the study reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.studies.torus.workloads import INTREPID, SDSC

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def small_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log of 120 jobs for 144 nodes of 8 processors, and another for 40,960 nodes."""
    folder = tmp_path_factory.mktemp("logs")
    trace = sw.generate("lublin", n_jobs=120, processors=1152, load=0.9, seed=1)
    sw.write_swf(trace, folder / SDSC)
    rng = np.random.default_rng(1)
    submit = np.cumsum(rng.integers(0, 900, 120))
    nodes = 2 ** rng.integers(8, 14, 120)
    run_time = rng.integers(60, 7200, 120)
    rows = [
        f"{number} {when} {length} {width} 1 90\n"
        for number, (when, length, width) in enumerate(zip(submit, run_time, nodes, strict=True), 1)
    ]
    (folder / INTREPID).write_text("Job_name Submit Runtime Nodes Comment Perc\n" + "".join(rows))
    return folder
