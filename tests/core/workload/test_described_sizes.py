"""Sizes in the 21st field of a line, as in the logs of Frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.job_files import write_trace

if TYPE_CHECKING:
    from pathlib import Path


def line(
    number: int,
    processors: int,
    descriptor: str,
    *,
    requested: int | None = None,
    gpus: str = "-1",
    soft: str = "90",
) -> str:
    """Write a job as 21 fields: the 18 of SWF, then the GPUs used, soft walltime and descriptor."""
    asked = processors if requested is None else requested
    return (
        f"{number} {10 * number} 5 60 {processors} -1 -1 {asked} 120 -1 1 3 4 -1 6 7 -1 -1 "
        f"{gpus} {soft} {descriptor}\n"
    )


def read(path: Path, *lines: str) -> sw.Trace:
    path.write_text("".join(lines))
    return sw.read_swf(path)


def test_nodes_of_the_descriptor_replace_sizes_of_two_units(tmp_path: Path) -> None:
    # In fields 5 and 8, job 1 has nodes, job 2 has cores (2 x 112), and job 3 has neither.
    lines = [
        line(1, 2500, "frontier:excl:2500x112"),
        line(2, 224, "frontier:excl:2x112"),
        line(3, 589_824, "frontier:excl:16x112"),
    ]
    trace = read(tmp_path / "log.swf", *lines)
    assert trace.processors.tolist() == [2500, 2, 16]
    assert trace.requested_processors.tolist() == [2500, 2, 16]
    assert trace.allocated_processors.tolist() == [2500, 224, 589_824]
    assert trace.report.repaired == {"processors_from_descriptor": 2, "fields_ignored": 3}
    (found,) = (f for f in trace.report.faults() if f.reason == "processors_from_descriptor")
    assert found.lines == (2, 3)


def test_the_machine_is_counted_in_nodes_too(tmp_path: Path) -> None:
    header = "; MaxProcs: 1053696\n; MaxNodes: 9408\n"
    sizes = {1: (224, "frontier:excl:2x112"), 2: (5, "frontier:excl:5x112")}
    # The jobs have no soft walltimes, which a file of 18 fields cannot store.
    lines = [line(number, *size, soft="-1") for number, size in sizes.items()]
    trace = read(tmp_path / "log.swf", header, *lines)
    assert trace.max_processors == 9408
    assert trace.report.repaired["machine_from_max_nodes"] == 1
    sw.write_swf(trace, tmp_path / "again.swf")
    assert sw.read_swf(tmp_path / "again.swf") == trace


def test_sizes_are_kept_where_all_agree_with_the_descriptor_in_one_unit(tmp_path: Path) -> None:
    in_cores = line(1, 8, "all:excl:2x4"), line(2, 4, "all:shared:1x4")
    assert read(tmp_path / "a.swf", *in_cores).processors.tolist() == [8, 4]
    in_nodes = line(1, 2, "all:excl:2x4"), line(2, 1, "all:excl:1x4")
    trace = read(tmp_path / "b.swf", *in_nodes)
    assert trace.processors.tolist() == [2, 1]
    assert trace.report.repaired == {"fields_ignored": 2}


def test_lines_without_a_descriptor_keep_their_size(tmp_path: Path) -> None:
    lines = [
        line(1, 7, "-1"),
        line(2, 9, "a:b:3x4", requested=-1),
        "3 30 5 60 6 -1 -1 6 120 -1 1 3 4 -1 6 7 -1 -1\n",
        line(4, -1, "a:b:3x4"),
        line(5, 5, "a:b:5x4"),
    ]
    trace = read(tmp_path / "log.swf", *lines)
    # Job 4 has no size in fields 5 and 8, so it is dropped, like a line without a descriptor.
    assert trace.job_id.tolist() == [1, 2, 3, 5]
    assert trace.processors.tolist() == [7, 3, 6, 5]
    assert trace.report.repaired["processors_from_descriptor"] == 1
    assert trace.report.dropped == {"no_processors": 1}


@pytest.mark.parametrize(
    "descriptor",
    ["3x4", "a:3x4", ":b:3x4", "a:b:c:3x4", "a:b:0x4", "a:b:3x", "a:b:x4", "a:b:3x4x5",
     "a:b:-3x4", "a:b:3.0x4", "a:b:99999999999x4", "a:b:3x99999999999999999999"],
)  # fmt: skip
def test_other_text_is_not_a_descriptor(tmp_path: Path, descriptor: str) -> None:
    trace = read(tmp_path / "log.swf", line(1, 7, descriptor), line(2, 9, descriptor))
    assert trace.processors.tolist() == [7, 9]
    assert trace.report.repaired == {"fields_ignored": 2}


def test_only_lines_of_21_fields_have_a_descriptor(tmp_path: Path) -> None:
    longer = line(1, 7, "a:b:3x4 more"), line(2, 9, "a:b:3x4 more")
    assert read(tmp_path / "log.swf", *longer).processors.tolist() == [7, 9]


def test_unsorted_lines_and_many_blocks_of_rows_keep_their_own_size(tmp_path: Path) -> None:
    # Every line has 1 in field 8. The descriptor of job n gives the size n. The lines are in
    # reverse order.
    lines = [line(n, 1, f"a:b:{n}x4") for n in range(1000, 0, -1)]
    trace = read(tmp_path / "log.swf", *lines)
    assert trace.processors.tolist() == trace.job_id.tolist() == [*range(1, 1001)]
    assert trace.report.repaired["processors_from_descriptor"] == 999


def test_strict_reading_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(line(1, 2, "a:b:2x4") + line(2, 3, "a:b:2x4"))
    with pytest.raises(sw.TraceError, match=r"log\.swf:1: fields_ignored"):
        sw.read_swf(path, strict=True)


def test_gpus_and_soft_walltimes_stand_before_the_descriptor(tmp_path: Path) -> None:
    # Lines are in reverse order of submit times. Job 3 has no descriptor, so its GPUs and its soft
    # walltime are ignored. Text that is not a whole number counts as unknown, and so does a soft
    # walltime of 0.
    lines = [
        line(5, 2, "a:b:2x4", gpus="x", soft="3.5"),
        line(4, 2, "a:b:2x4", gpus="-1", soft="0"),
        line(3, 2, "-1", gpus="7", soft="7"),
        line(2, 2, "a:b:2x4", gpus="0", soft="90"),
        line(1, 2, "a:b:2x4", gpus="16", soft="60"),
    ]
    trace = read(tmp_path / "log.swf", *lines)
    assert trace.job_id.tolist() == [1, 2, 3, 4, 5]
    assert trace.gpus.tolist() == [16, 0, -1, -1, -1]
    assert trace.soft_walltime.tolist() == [60, 90, -1, -1, -1]
    kept = tmp_path / "log.csv"
    write_trace(trace, kept)
    assert sw.read_csv(kept).soft_walltime.tolist() == [60, 90, -1, -1, -1]


def test_without_a_descriptor_the_later_fields_are_not_read(tmp_path: Path) -> None:
    trace = read(tmp_path / "log.swf", line(1, 7, "-1", gpus="5"), line(2, 9, "-1"))
    assert (trace.gpus < 0).all()
    assert (trace.soft_walltime < 0).all()
