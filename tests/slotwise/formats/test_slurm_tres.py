"""Features, GPU types and memory of jobs in sacct's output, and the column ``constraint``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.formats.job_files import write_trace
from slotwise.formats.text.slurm_tres import constraint_with_type
from slotwise.trace.labels import anonymous

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000
ROW = "2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T00:01:05|COMPLETED|4"


def read(tmp_path: Path, names: str, *cells: str) -> sw.Trace:
    """Read a sacct log of jobs with 4 processors each."""
    lines = [f"JobID|Submit|Start|End|State|NCPUS|{names}"]
    lines += [f"{number}|{ROW}|{cell}" for number, cell in enumerate(cells, 1)]
    (tmp_path / "jobs.txt").write_text("\n".join(lines) + "\n")
    return sw.read_trace(tmp_path / "jobs.txt")


def constraints(tmp_path: Path, names: str, *cells: str) -> list[str]:
    return read(tmp_path, names, *cells).names("constraint")


def test_sacct_gives_constraints(tmp_path: Path) -> None:
    assert constraints(tmp_path, "Constraints", "a100&ib", "") == ["a100&ib", ""]


def test_alternatives_contain_the_delimiter_so_constraints_must_be_last(tmp_path: Path) -> None:
    assert constraints(tmp_path, "QOS|CONSTRAINTS", "x|a|b", "x|c") == ["a|b", "c"]
    moved = read(tmp_path, "Constraints|QOS", "a|b|x", "c|x")
    assert moved.names("constraint") == ["c"]
    assert moved.report.dropped == {"other_field_count": 1}


def test_the_gpu_type_that_a_job_requested_is_a_feature(tmp_path: Path) -> None:
    cells = ["cpu=4,gres/gpu:h100=2,gres/gpu=2", "cpu=4,gres/gpu=2", "", "gres/gpu:h100=0"]
    assert constraints(tmp_path, "ReqTRES", *cells) == ["h100", "", "", ""]


def test_a_job_of_two_gpu_types_has_no_constraint(tmp_path: Path) -> None:
    # One node may have the a100 and another the h100, so no feature is common to all nodes.
    cells = ["cpu=4,gres/gpu:a100=1,gres/gpu:h100=1,gres/gpu=2", "cpu=1,gres/gpu:a100=1"]
    assert constraints(tmp_path, "ReqTRES", *cells) == ["", "a100"]


def test_a_constraint_is_combined_with_the_gpu_type(tmp_path: Path) -> None:
    tres = "cpu=4,gres/gpu:h100=2,gres/gpu=2"
    cells = [f"{tres}|a&b", f"{tres}|", "cpu=4|ib", f"{tres}|h100&ib"]
    found = constraints(tmp_path, "ReqTRES|Constraints", *cells)
    assert found == ["a&b&h100", "h100", "ib", "h100&ib"]
    assert constraint_with_type("a|b", "h100") == "a&h100|b&h100"
    assert constraint_with_type("[a|b]", "h100") == "[a|b]&h100"


def test_the_gpu_type_that_a_job_got_is_no_constraint(tmp_path: Path) -> None:
    cells = ["cpu=4,gres/gpu=2|cpu=4,gres/gpu:h100=2,gres/gpu=2"]
    assert constraints(tmp_path, "ReqTRES|AllocTRES", *cells) == [""]


def test_logs_without_a_header_give_gpu_types_and_memory(tmp_path: Path) -> None:
    start = "7|7|c|gpu|normal|a|g|100|ann|1000|2024-01-01T00:00:00|2024-01-01T00:00:00"
    times = "2024-01-01T00:00:05|2024-01-01T00:01:05|00:01:00|0:0|COMPLETED|1|4|4|0n"
    tres = "cpu=4,gres/gpu:h100=2,gres/gpu=2,node=1|cpu=4,gres/gpu:h100=2,mem=8G,node=1"
    (tmp_path / "jobs.log").write_text(f"{start}|{times}|{tres}|01:00:00|n1|name\n")
    trace = sw.read_trace(tmp_path / "jobs.log")
    assert trace.names("constraint") == ["h100"]
    assert trace.requested_memory.tolist() == [2 * 1024**2]


@pytest.mark.parametrize(
    ("requested", "constraint", "memory"),
    [
        ([], "ib", 2048 * 1024),
        ([{"type": "mem", "count": 4096}], "ib", 1024 * 1024),
        ([{"type": "gres", "name": "gpu:h100", "count": 2}], "ib&h100", 2048 * 1024),
    ],
)
def test_json_gives_features_and_memory(
    tmp_path: Path, requested: list[dict[str, Any]], constraint: str, memory: int
) -> None:
    allocated = [
        {"type": "cpu", "count": 4},
        {"type": "mem", "count": 8192},
        {"type": "gres", "name": "gpu:a100", "count": 2},
    ]
    job = {
        "job_id": 7,
        "constraints": "ib",
        "state": {"current": ["COMPLETED"]},
        "time": {"submission": NOW, "start": NOW + 5, "end": NOW + 65, "elapsed": 60},
        "tres": {"allocated": allocated, "requested": requested},
    }
    (tmp_path / "jobs.json").write_text(json.dumps({"jobs": [job]}))
    trace = sw.read_trace(tmp_path / "jobs.json")
    assert trace.names("constraint") == [constraint]
    assert trace.requested_memory.tolist() == [memory]


@pytest.mark.parametrize(
    ("cell", "kilobytes"),
    [
        # ReqMem gives the memory.
        ("8G|cpu=4,mem=1G|cpu=4,mem=64G", 2 * 1024**2),
        ("2Gc|cpu=4|cpu=4,mem=64G", 2 * 1024**2),
        # ReqMem is empty or 0, so the memory is read from AllocTRES or, if missing there, from
        # ReqTRES.
        ("|cpu=4,mem=1G|cpu=4,mem=64G,node=1", 16 * 1024**2),
        ("0|cpu=4|billing=4,cpu=4,mem=64000M", 16000 * 1024),
        ("0n||mem=64000M", 16000 * 1024),
        ("|cpu=4,mem=1G|cpu=4", 1024**2 // 4),
        ("||mem=0,cpu=4", -1),
        ("||", -1),
        # 62.50G stands for at least 62.495G.
        ("||mem=62.50G", int(62.495 * 1024**2) // 4),
    ],
)
def test_memory_of_a_job_without_a_request_is_what_it_got(
    tmp_path: Path, cell: str, kilobytes: int
) -> None:
    trace = read(tmp_path, "ReqMem|ReqTRES|AllocTRES", cell)
    assert trace.requested_memory.tolist() == [kilobytes]


def test_memory_comes_from_alloctres_in_a_log_without_reqmem(tmp_path: Path) -> None:
    assert read(tmp_path, "AllocTRES", "cpu=4,mem=4G").requested_memory.tolist() == [1024**2]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_keep_the_constraints(tmp_path: Path, suffix: str) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    words = ["a100&ib", "", "a|b", "a100&ib"]
    trace = sw.Trace.from_columns([0] * 4, [60] * 4, [4] * 4, constraint=words)
    assert trace.names("constraint") == words
    write_trace(trace, tmp_path / f"jobs.{suffix}")
    back = sw.read_trace(tmp_path / f"jobs.{suffix}")
    assert back == trace
    assert back.names("constraint") == words
    assert back.demands is None


def test_constraints_name_hardware_and_stay_in_anonymous_logs() -> None:
    labels = {"constraint": {1: "a100"}, "user": {1: "ann"}}
    assert anonymous(labels) == {"constraint": {1: "a100"}, "user": {1: "user1"}}


def test_constraints_count_in_the_hash_of_a_replay() -> None:
    def hashed(word: str) -> str:
        return sw.Trace.from_columns([0], [60], [4], constraint=[word]).replay_hash

    assert len({hashed("a"), hashed("b"), hashed("")}) == 3


def test_a_job_that_got_all_memory_of_a_node_shares_it_with_no_other(tmp_path: Path) -> None:
    """Two jobs of 4 cores share a node of 8 cores, unless each gets all the memory of the node."""
    site = sw.Site(machine=sw.Nodes([sw.NodeType(count=1, cores=8, memory="16GB")]))

    def time_between_starts(cell: str) -> int:
        result = sw.simulate(read(tmp_path, "ReqMem|AllocTRES", cell, cell), site)
        return int(result.start[1] - result.start[0])

    assert time_between_starts("|cpu=4,mem=16G") == 60
    assert time_between_starts("8G|cpu=4,mem=8G") == 0
