"""Losses of a conversion: what is said to be lost is exactly what does not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.cli import main
from slotwise.formats.job_files import TRACE_SUFFIXES, write_trace
from slotwise.formats.losses import lost_in
from slotwise.trace.columns import COLUMNS
from slotwise.trace.labels import LABELLED

if TYPE_CHECKING:
    from pathlib import Path


def full() -> sw.Trace:
    """Make a trace that has every column, names for every code, and a header with a comment."""
    columns: dict[str, Any] = {
        name: [position + 2, position + 3]
        for position, name in enumerate(COLUMNS)
        if name not in ("line", "processors", "requested_processors", "submit", "eligible")
    }
    columns |= {name: [f"{name} ä", f"{name}-b"] for name in LABELLED}
    columns |= {"dependency": ["", "afterok:3,singleton"]}
    # The first job requests no time: its run time stands for it.
    columns |= {"has_request": [0, 1], "run_time": [7, 8], "requested_time": [7, 20]}
    # The state of a log that names states is beside the status of SWF.
    columns |= {"submit": [5, 9], "eligible": [6, 9], "processors": [4, 8]}
    columns |= {"status": [1, 0], "requested_processors": [4, 8]}
    return sw.Trace.from_columns(
        **columns,
        max_processors=64,
        unix_start_time=1_700_000_000,
        header_lines=["; Computer: own", "; Note: a comment"],
    )


def converted(trace: sw.Trace, path: Path) -> sw.Trace:
    write_trace(trace, path)
    return sw.read_trace(path)


def what_is_lost(before: sw.Trace, after: sw.Trace) -> set[str]:
    """Name what differs, in the words of `lost_in`."""
    lost = set()
    for name in COLUMNS:
        was, is_now = before._column(name), after._column(name)
        if name == "line" or (was == -1).all():
            continue
        if name in LABELLED and before.names(name) == after.names(name):
            continue
        if name in LABELLED and np.array_equal(was, is_now):
            lost.add(f"names of {name}")
        elif not np.array_equal(was, is_now):
            lost.add(name)
    if not set(before.header_lines) <= set(after.header_lines):
        lost.add("comments of the header")
    if before.unix_start_time != after.unix_start_time:
        lost.add("the date of time 0")
    return lost


@pytest.mark.parametrize("source", TRACE_SUFFIXES)
@pytest.mark.parametrize("target", TRACE_SUFFIXES)
def test_what_each_pair_of_formats_loses_is_said(tmp_path: Path, source: str, target: str) -> None:
    trace = converted(full(), tmp_path / f"one{source}")
    after = converted(trace, tmp_path / f"two{target}")
    said, lost = set(lost_in(trace, target)), what_is_lost(trace, after)
    # Batsim's profile is read as the executable; one named as its run time comes back by chance.
    assert said - lost <= ({"executable"} if target == ".json" else set())
    assert {each.removeprefix("names of ") for each in lost} <= {
        each.removeprefix("names of ") for each in said
    }
    # A workload of Batsim holds the size of the machine as nb_res; trace.max_processors is of logs.
    if ".json" not in (source, target):
        assert after.max_processors == 64


def test_convert_prints_what_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_trace(full(), tmp_path / "full.csv")
    assert main(["convert", str(tmp_path / "full.csv"), str(tmp_path / "less.swf")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Not kept, because the format cannot store it: eligible, gpus" in said
    assert "soft_walltime" in said
    assert "names of user" in said
