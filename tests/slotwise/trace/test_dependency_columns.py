"""Dependencies and job arrays as columns: read, checked, sliced, written and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.job_files import write_trace
from slotwise.trace.dependency_lists import Condition, conditions_of

if TYPE_CHECKING:
    from pathlib import Path


def trace() -> sw.Trace:
    return sw.Trace.from_columns(
        [0, 1, 2], [5, 5, 5], [1, 1, 1], array_id=[-1, 8, 8], array_task=[-1, 1, 2],
        array_limit=[-1, 1, 1], dependency=["", "afterok:1", "afterany:1,singleton"],
        max_processors=4,
    )  # fmt: skip


def test_a_list_is_read_as_slurm_writes_it() -> None:
    assert conditions_of("afterok:12:13_4(unfulfilled),afterany:14_*, singleton") == (
        Condition("afterok", 12),
        Condition("afterok", 13, 4),
        Condition("afterany", 14),
        Condition("singleton"),
    )
    assert conditions_of("(null)") == conditions_of("") == ()


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (
            "after:5+10",
            "'after:5\\+10' in 'after:5\\+10' is not a condition; known names are afterok",
        ),
        ("afterok:1?afterok:2", "only one of several"),
        ("afterok:", "'' in 'afterok:' is not the number of a job"),
        ("afterok:1,", "'' in 'afterok:1,' is not a condition"),
        ("singleton:3", "'singleton:3' in"),
    ],
)
def test_another_text_is_refused(text: str, match: str) -> None:
    with pytest.raises(sw.TraceError, match=match):
        sw.Trace.from_columns([0], [1], [1], dependency=[text])


def test_a_code_without_a_text_is_refused() -> None:
    with pytest.raises(sw.TraceError, match=r"dependency\[1\] is 14, a code that has no label"):
        sw.Trace.from_columns([0, 1], [1, 1], [1, 1], dependency=[-1, 14])
    with pytest.raises(sw.TraceError, match="write conditions as a string, such as afterany:14"):
        trace().with_columns(dependency=[-1, 14, -1])


def test_a_slice_keeps_the_columns() -> None:
    part = trace()[1:]
    assert part.names("dependency") == ["afterok:1", "afterany:1,singleton"]
    assert part.array_task.tolist() == [1, 2]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_carry_the_columns(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"log{suffix}"
    write_trace(trace(), path)
    read = sw.read_trace(path)
    assert read.names("dependency") == trace().names("dependency")
    for name in ("array_id", "array_task", "array_limit"):
        assert getattr(read, name).tolist() == getattr(trace(), name).tolist()
    site = sw.Site(dependencies=True)
    assert sw.simulate(read, site).start.tolist() == sw.simulate(trace(), site).start.tolist()
