"""Job arrays and dependencies as Slurm's logs record them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_arrays import tasks_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "JobID|JobIDRaw|User|Submit|Start|End|State|NCPUS|Dependency\n"


def row(job: str, raw: int, state: str = "COMPLETED", dependency: str = "") -> str:
    times = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00"
    if state == "CANCELLED":
        times = "2024-01-01T00:00:00|Unknown|2024-01-01T00:02:00"
    return f"{job}|{raw}|ann|{times}|{state}|1|{dependency}\n"


def read(tmp_path: Path, text: str, name: str) -> sw.Trace:
    path = tmp_path / "log"
    path.write_text(text)
    return sw.read_trace(path, name)


def test_tasks_of_sacct_have_array_and_task_and_the_limit_of_the_rest(tmp_path: Path) -> None:
    # The tasks that never started share one row, which gives the array's limit on running tasks.
    text = HEAD + row("11", 11) + row("12_1", 13) + row("12_2", 14)
    text += row("12_[3-9%2]", 12, "CANCELLED") + row("20_[1-3]", 20, "CANCELLED")
    trace = read(tmp_path, text, "sacct")
    assert trace.job_id.tolist() == [11, 13, 14]
    assert trace.array_id.tolist() == [-1, 12, 12]
    assert trace.array_task.tolist() == [-1, 1, 2]
    assert trace.array_limit.tolist() == [-1, 2, 2]


def test_a_log_without_arrays_has_no_such_columns(tmp_path: Path) -> None:
    trace = read(tmp_path, HEAD + row("11", 11), "sacct")
    assert not {"array_id", "array_task", "array_limit", "dependency"} & {*trace._jobs.columns()}


def test_a_column_of_dependencies_is_read_and_other_kinds_are_counted(tmp_path: Path) -> None:
    text = HEAD + row("11", 11) + row("12", 12, dependency="afterok:11(unfulfilled)")
    text += row("13", 13, dependency="(null)") + row("14", 14, dependency="after:11+5")
    trace = read(tmp_path, text, "sacct")
    assert trace.names("dependency") == ["", "afterok:11(unfulfilled)", "", ""]
    assert trace.report.repaired["cell_unreadable"] == 1
    # Each job runs for 60 s. All start when submitted, except job 12, which waits for job 11.
    starts = sw.simulate(trace, sw.Site(4, dependencies=True)).start - trace.submit
    assert starts.tolist() == [0, 60, 0, 0]


def test_the_job_table_of_slurmdbd_has_arrays_as_numbers(tmp_path: Path) -> None:
    names = "id_job,id_array_job,id_array_task,array_max_tasks,time_submit,time_start,time_end,"
    times = ",1700000100,1700000110,1700000120,1,3\n"
    rows = "".join(job + times for job in ("61,0,4294967294,0", "63,62,1,4", "62,62,2,4"))
    trace = read(tmp_path, names + "cpus_req,state\n" + rows, "slurmdbd")
    assert trace.array_id.tolist() == [-1, 62, 62]
    assert trace.array_task.tolist() == [-1, 1, 2]
    assert trace.array_limit.tolist() == [-1, 4, 4]


def test_json_of_slurm_has_arrays_limits_and_dependencies(tmp_path: Path) -> None:
    def job(number: int, **more: object) -> dict[str, object]:
        times = {"submission": 1700000000, "start": 1700000010, "end": 1700000020}
        allocated = [{"type": "cpu", "name": "", "count": 1}]
        return {
            "job_id": number, "user": "ann", "name": "step", "state": {"current": ["COMPLETED"]},
            "time": times, "tres": {"allocated": allocated},
        } | more  # fmt: skip

    limits = {"max": {"running": {"tasks": 3}}}
    jobs = [
        job(70, array={"job_id": 0, "task_id": {"set": False, "number": 0}, "limits": limits}),
        job(72, array={"job_id": 71, "task_id": {"set": True, "number": 5}, "limits": limits}),
        job(73, array={"job_id": 0}, dependency="afterok:71_5"),
    ]
    trace = read(tmp_path, json.dumps({"meta": {"slurm": {}}, "jobs": jobs}), "sacct-json")
    assert trace.array_id.tolist() == [-1, 71, -1]
    assert trace.array_task.tolist() == [-1, 5, -1]
    assert trace.array_limit.tolist() == [-1, 3, -1]
    assert trace.names("dependency") == ["", "", "afterok:71_5"]
    assert trace.names("executable") == ["step"] * 3


def test_events_of_the_slurm_simulator_have_arrays_and_dependencies(tmp_path: Path) -> None:
    line = (
        "-dt {} -e submit_batch_job | -sim-walltime 10 --uid=ann -J jobid_{} -n 1 -t 1 {} x.job\n"
    )
    path = tmp_path / "x.events"
    path.write_text(line.format(0, 7, "--array=1-3%1") + line.format(1, 8, "-d afterany:7"))
    nodes = sw.Nodes([sw.NodeType(count=4, cores=1, memory=1 << 30)])
    trace = sw.read_slurm_events(path, nodes)
    assert trace.job_id.tolist() == [7, 9, 10, 8]
    assert trace.array_id.tolist() == [7, 7, 7, -1]
    assert trace.array_task.tolist() == [1, 2, 3, -1]
    assert trace.names("dependency") == ["", "", "", "afterany:7"]
    # The tasks run one at a time, for 10 s each, and job 8 starts after the third.
    result = sw.simulate(trace, sw.Site(nodes, dependencies=True))
    assert result.start.tolist() == [0, 10, 20, 30]
    path.write_text(line.format(0, 7, "-d after:3"))
    with pytest.raises(sw.TraceError, match="'after:3' in 'after:3' is not a condition"):
        sw.read_slurm_events(path, nodes)


def test_tasks_are_listed_as_sbatch_lists_them() -> None:
    assert tasks_of("0-15:4%2") == ([0, 4, 8, 12], 2)
    assert tasks_of("3,1,3") == ([1, 3], -1)
    for text in ("", "a", "5-1", "1-3%0", "1-3%x", "1-999999", "1-5:0"):
        with pytest.raises(ValueError, match="--array"):
            tasks_of(text)
