"""Result files: written completely or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

import slotwise as sw
from slotwise.formats.job_files import whole_file
from slotwise.result import job_files


@pytest.fixture
def result() -> sw.Result:
    return sw.simulate(sw.Trace.from_columns([0, 5], [10, 10], [4, 4], max_processors=4))


def test_a_file_appears_whole_and_replaces_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with whole_file(target) as beside:
        assert beside.parent == tmp_path
        beside.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_no_other(
    tmp_path: Path, fault: type[BaseException]
) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def fail() -> None:
        with whole_file(target) as beside:
            beside.write_text("half")
            raise fault

    with pytest.raises(fault):
        fail()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_temporary_name_keeps_the_suffixes(tmp_path: Path) -> None:
    with whole_file(tmp_path / "a.b.swf.gz") as beside:
        assert beside.name.endswith(".swf.gz")
        beside.touch()


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "real" / "file.csv")
    with whole_file(link) as beside:
        beside.write_text("new")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file.csv").read_text() == "new"


def test_another_suffix_is_refused(result: sw.Result, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.csv, \.parquet, \.swf, \.swf\.gz"):
        job_files.write_jobs(result, tmp_path / "jobs.json")
    assert list(tmp_path.iterdir()) == []


def test_stretch_and_times_are_those_of_the_schedule(result: sw.Result) -> None:
    columns = job_files.job_columns(result)
    # Job 2, submitted at 5, starts when job 1 ends, at 10, and ends at 20. Its turnaround time is
    # 15 s, for 10 s of work.
    assert columns["starting_time"].tolist() == [0, 10]
    assert columns["turnaround_time"].tolist() == [10, 15]
    assert columns["stretch"].tolist() == [1.0, 1.5]
    assert columns["allocated_resources"].tolist() == ["0-3", "0-3"]
    assert {len(column) for column in columns.values()} == {2}


def test_resources_on_nodes_are_the_nodes_of_each_job() -> None:
    # By first fit on six nodes, job 1 takes node 0, and job 2 nodes 1 and 2. Job 3 waits, because
    # it requests 8 cores and nodes 3 to 5 have only 6. Job 4 takes node 3.
    asked = sw.Demands([1, 2, 4, 1], cores=[2, 2, 2, 1])
    trace = sw.Trace.from_columns([0, 0, 0, 0], [10, 10, 10, 5], asked.processors)
    machine = sw.Nodes([sw.NodeType(count=6, cores=2)], "first-fit")
    site = sw.Site(machine=machine, policy=sw.Policy(backfill="first-fit"))
    columns = job_files.job_columns(sw.simulate(trace.with_demands(asked), site))
    # Job 3 starts at 10, on nodes 0 to 3.
    assert columns["allocated_resources"].tolist() == ["0", "1-2", "0-3", "3"]


def test_partitions_accounts_tasks_and_node_names_come_last_if_they_are_known() -> None:
    asked = sw.Demands([1, 2, 2], cores=[2, 2, 3])
    trace = sw.Trace.from_columns(
        [0, 0, 0], [10, 10, 10], asked.processors, account=["bio", "", "chem"],
        qos=["high", "low", "low"], partition=["cpu", "cpu", "gpu"], array_id=[-1, 9, 9],
        array_task=[-1, 0, 3],
    ).with_demands(asked)  # fmt: skip
    site = sw.Site(machine=sw.Nodes([sw.NodeType(hosts="n[08-10],m1", cores=2)], "first-fit"))
    columns = job_files.job_columns(sw.simulate(trace, site))
    last = ["partition", "account", "qos", "array_id", "array_task", "allocated_nodes"]
    assert list(columns)[-7:] == ["reject_reason", *last]
    assert [columns[name].tolist() for name in last] == [
        ["cpu", "cpu", "gpu"],
        ["bio", "", "chem"],
        ["high", "low", "low"],
        [-1, 9, 9],
        [-1, 0, 3],
        ["n08", "n[09-10]", ""],
    ]
    assert columns["allocated_resources"].tolist() == ["0", "1-2", ""]


def test_resources_on_nodes_are_empty_if_a_job_never_starts() -> None:
    asked = sw.Demands([1, 1, 1], cores=[3, 1, 3])
    trace = sw.Trace.from_columns([0, 0, 0], [10, 10, 10], asked.processors).with_demands(asked)
    result = sw.simulate(trace, sw.Site(machine=sw.Nodes([sw.NodeType(count=2, cores=2)])))
    assert job_files.job_columns(result)["allocated_resources"].tolist() == ["", "0", ""]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that takes no file")
def test_an_error_of_writing_names_the_requested_file() -> None:
    with (
        pytest.raises(OSError, match=r"/proc/x\.csv'$"),
        whole_file("/proc/x.csv") as beside,
    ):
        beside.open("x")
