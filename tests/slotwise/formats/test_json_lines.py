"""The common store of JSON lines; runs can resume from files that earlier versions wrote."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import slotwise as sw
from slotwise.formats.json_lines import JsonLines, values_of
from slotwise.studies import StudyInfo
from slotwise.studies.cells import CellStore
from slotwise.sweeps.journal import Journal, read_journal
from slotwise.sweeps.rows import Row

if TYPE_CHECKING:
    from pathlib import Path

SUBJECT = {
    "slotwise sweep journal": 2, "trace": "ab", "sites": "cd", "n_sites": 4, "threshold": 10,
    "trim": [0.0, 0.0],
}  # fmt: skip
# The bytes that version 0.9 wrote for a sweep of four sites, and for shard 1 of 2 of a grid.
OLD_JOURNAL = (
    b'{"slotwise sweep journal": 2, "trace": "ab", "sites": "cd", "n_sites": 4, "threshold": 10, '
    b'"trim": [0.0, 0.0]}\n'
    b'{"site": 0, "seconds": 0.5, "metrics": {"mean_wait": 12.25}}\n'
    b'{"site": 2, "seconds": 0.25, "met'
)
OLD_SHARD = OLD_JOURNAL.replace(b'"trim": [0.0, 0.0]}', b'"trim": [0.0, 0.0], "shard": [1, 2]}')
OLD_CELLS = b'{"key": "k1", "cell": {"n": 1}, "value": [1, 2]}\n{"key": "k2", "cel'


def test_a_journal_of_an_earlier_version_resumes(tmp_path: Path) -> None:
    for old, subject in ((OLD_JOURNAL, SUBJECT), (OLD_SHARD, SUBJECT | {"shard": [1, 2]})):
        path = tmp_path / "old.jsonl"
        path.write_bytes(old)
        with Journal.open(path, subject) as journal:
            assert journal.rows == {0: Row({"mean_wait": 12.25}, 0.5)}
            journal.add({2: Row({"mean_wait": 1.5}, 0.25)})
        whole = old[: old.rindex(b"\n") + 1]
        added = b'{"site": 2, "seconds": 0.25, "metrics": {"mean_wait": 1.5}}\n'
        assert path.read_bytes() == whole + added
        assert read_journal(path)[1].keys() == {0, 2}


def test_cells_of_an_earlier_version_are_found(tmp_path: Path) -> None:
    (tmp_path / "small.jsonl").write_bytes(OLD_CELLS)
    study = StudyInfo("small", "", "", lambda run: [], package=__name__)
    with CellStore.open(tmp_path, study) as cells:
        assert cells["k1"] == [1, 2]
        assert "k2" not in cells
        cells.add("k3", {"n": 3}, 7)
    lines = (tmp_path / "small.jsonl").read_bytes().splitlines()
    assert len(lines) == 3  # the truncated line stays, and gets a line break
    assert json.loads(lines[2]) == {"key": "k3", "cell": {"n": 3}, "value": 7}


def test_writers_that_share_a_file_keep_every_line(tmp_path: Path) -> None:
    path = tmp_path / "shared.jsonl"
    with (
        JsonLines(path, alone=False, sync_seconds=1) as first,
        JsonLines(path, alone=False) as second,
    ):
        for number in range(3):
            first.add([{"n": number}])
            second.add([{"n": -number}])
    assert [entry["n"] for entry in values_of(path.read_bytes())] == [0, 0, 1, -1, 2, -2]


def test_a_sweep_over_an_old_journal_computes_the_missing_rows(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], max_processors=1)
    sites = [sw.Site(policy=sw.Policy(backfill=each)) for each in ("none", "easy")]
    path = tmp_path / "sweep.jsonl"
    sw.sweep(trace, sites, journal=path)
    first, _second, third = path.read_bytes().splitlines(keepends=True)
    # An earlier run has stored only site 1, with a wait that no replay would give.
    kept = json.loads(third) | {"site": 1}
    kept["metrics"]["mean_wait"] = 99.0
    path.write_bytes(first + json.dumps(kept).encode() + b"\n")
    again = sw.sweep(trace, sites, journal=path)
    # Job 1 runs from 0 to 5; job 2 arrives at 1 and waits 4 s: (0 + 4) / 2 = 2.
    assert again["mean_wait"].tolist() == [2.0, 99.0]
