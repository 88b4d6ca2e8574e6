"""The job list of Intrepid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.cli import main

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "Job_name Submit Runtime Nodes Comment Perc\n"


@pytest.fixture
def job_list(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text(HEAD + "1 0 7560 512 1 90\n3 1590 0 2048 1 50\n\n2 7 60 64 0 10\n")
    return path


def test_a_list_becomes_a_trace_in_nodes_sorted_by_submit(job_list: Path) -> None:
    trace = sw.read_intrepid(job_list)
    assert trace.job_id.tolist() == [1, 2, 3]
    assert trace.submit.tolist() == [0, 7, 1590]
    assert trace.run_time.tolist() == [7560, 60, 0]
    assert trace.requested_time.tolist() == [7560, 60, 0]
    assert trace.processors.tolist() == [512, 64, 2048]
    assert trace.max_processors == 40_960
    assert trace.source == str(job_list)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 0 1 1\n", "does not begin with Job_name Submit Runtime Nodes"),
        (HEAD, "contains no job"),
        (HEAD + "1 0 7560\n", r":2: '1 0 7560' does not begin with 4 whole numbers"),
        (HEAD + "1 0 1 1\nx 0 1 1 1 90\n", r":3: 'x 0 1 1 1 90' does not begin with 4 whole"),
        (
            HEAD + "1 0 1 0 1 90\n",
            r":2: submit 0, run time 1, 0 nodes: a job must have from 1 to",
        ),
        (HEAD + "1 -1 1 1 1 90\n", ":2: submit -1"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text)
    with pytest.raises(sw.TraceError, match=message):
        sw.read_intrepid(path)


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sw.TraceError, match="cannot be read"):
        sw.read_intrepid(tmp_path / "none.txt")


def test_commands_take_the_list_as_they_take_a_log(
    job_list: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", str(job_list), str(tmp_path / "list.swf")]) == 0
    assert main(["run", str(job_list), "--json"]) == 0
    assert '"processors": 40960' in capsys.readouterr().out
    assert sw.read_swf(tmp_path / "list.swf") == sw.read_intrepid(job_list)


def test_the_published_list_has_3000_jobs(shared_traces: Path) -> None:
    trace = sw.read_intrepid(shared_traces / "anl-intrepid-3000jobs.txt")
    assert len(trace) == 3000
    assert trace.processors.max() == 32_768
    assert trace[:2612].submit[-1] == 1_687_794  # line 2613 of the file
