"""The hash of a trace covers whatever can change a replay, and nothing more."""

from __future__ import annotations

import hashlib
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.trace.columns import COLUMNS, REQUIRED

if TYPE_CHECKING:
    from pathlib import Path


def small(**more: Any) -> sw.Trace:
    given = {"submit": [0, 10, 30], "run_time": [60, 5, 7], "processors": [4, 8, 2]}
    return sw.Trace.from_columns(**given | more)


def labelled(**labels: dict[int, str]) -> sw.Trace:
    return small(user=[1, 2, 1], labels=labels)


def demanding(**more: Any) -> sw.Trace:
    return small().with_demands(sw.Demands([2, 4, 1], cores=[2, 2, 2], **more))


# Columns derived from others, so none of them can be changed alone.
BOUND = {"processors", "requested_processors", "has_request"}


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in {"line"} | BOUND])
def test_every_column_changes_the_hash(name: str) -> None:
    given: Any = ["", "afterok:1", ""] if name == "dependency" else [3, 12, 40]
    other = small(**{name: given})
    assert other.replay_hash != small().replay_hash
    if name not in REQUIRED:
        assert small(**{name: given}).replay_hash == other.replay_hash


def test_the_processors_change_the_hash() -> None:
    assert small(processors=[4, 8, 1]).replay_hash != small().replay_hash
    logged = small(allocated_processors=[4, 8, 2], requested_processors=[-1, -1, -1])
    assert logged.replay_hash != small(allocated_processors=[4, 8, 2]).replay_hash


def test_a_request_that_the_job_lacks_changes_the_hash() -> None:
    requested = {"requested_time": [60, 5, 7]}
    assert small(**requested).replay_hash != small().replay_hash
    assert small(**requested, has_request=[1, 0, 1]).replay_hash != small(**requested).replay_hash


def test_values_of_one_column_do_not_pass_for_those_of_another() -> None:
    assert small(user=[1, 2, 3]).replay_hash != small(group=[1, 2, 3]).replay_hash


@pytest.mark.parametrize(
    "other",
    [
        labelled(),
        labelled(user={1: "ann", 2: "eve"}),
        labelled(user={1: "bob", 2: "ann"}),
        labelled(user={1: "annb", 2: "ob"}),
        labelled(account={1: "ann", 2: "bob"}),
    ],
)
def test_labels_change_the_hash(other: sw.Trace) -> None:
    assert other.replay_hash != labelled(user={1: "ann", 2: "bob"}).replay_hash


def test_the_order_of_labels_does_not() -> None:
    one = labelled(user={1: "ann", 2: "bob"}, account={3: "hpc"})
    assert labelled(account={3: "hpc"}, user={2: "bob", 1: "ann"}).replay_hash == one.replay_hash


@pytest.mark.parametrize(
    "other",
    [
        small(),
        demanding(memory=[1, 1, 2]),
        demanding(gpus=[1, 1, 1]),
        demanding(memory=[1, 1, 1], per_node=1),
        demanding(memory=[1, 1, 1], nodes=[1, 2, 1]),
        demanding(memory=[1, 1, 1], exclusive="user"),
        demanding(memory=[1, 1, 1], constraint=["ib", "", ""]),
        small().with_demands(sw.Demands([4, 8, 2], cores=[1, 1, 1], memory=[1, 1, 1])),
    ],
)
def test_demands_change_the_hash(other: sw.Trace) -> None:
    assert other.replay_hash != demanding(memory=[1, 1, 1]).replay_hash
    assert demanding(memory=[1, 1, 1]).replay_hash == demanding(memory=[1, 1, 1]).replay_hash


@pytest.mark.parametrize(
    "other",
    [
        small(max_processors=16),
        small(unix_start_time=86400),
        small(header_lines=["; TimeZoneString: Europe/Berlin"]),
        small(header_lines=["; TimeZone: 3600"]),
        small()[:2],
        small()[:0],
    ],
)
def test_what_a_site_reads_of_the_header_changes_the_hash(other: sw.Trace) -> None:
    assert other.replay_hash != small().replay_hash


def test_dropped_lines_change_the_hash_because_rows_count_them(tmp_path: Path) -> None:
    job = "1 0 0 5 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    (tmp_path / "whole.swf").write_text(job)
    (tmp_path / "broken.swf").write_text(job + "x\n")
    whole, broken = (sw.read_swf(tmp_path / f"{name}.swf") for name in ("whole", "broken"))
    assert broken.report.total_dropped == 1
    assert broken.replay_hash != whole.replay_hash


def test_unknown_values_are_those_of_an_absent_column() -> None:
    unknown = small(user=[-1] * 3, gpus=[-1] * 3, requested_processors=[4, 8, 2])
    assert unknown.replay_hash == small().replay_hash
    requested = {"requested_time": [60, 5, 7]}
    assert small(**requested, has_request=[1] * 3).replay_hash == small(**requested).replay_hash


def test_comments_and_source_do_not_change_the_hash() -> None:
    noted = small(header_lines=["; Note: cleaned"])
    noted.source = "log.swf"
    assert noted.replay_hash == small().replay_hash


def test_a_copy_has_the_same_hash() -> None:
    trace = labelled(user={1: "ann", 2: "bob"})
    assert pickle.loads(pickle.dumps(trace)).replay_hash == trace.replay_hash


def test_the_hash_is_of_named_columns_in_their_smallest_type() -> None:
    """Each part is a JSON text preceded by its length; a column's values follow, little-endian."""
    trace = sw.Trace.from_columns([0, 300], [5, 7], [1, 1], [9, 9], max_processors=4, user=[7, -1])
    expected = hashlib.sha256()

    def add(part: list[Any], *values: int, size: int = 0) -> None:
        text = json.dumps(part)
        expected.update(f"{len(text)}:{text}".encode())
        for value in values:
            expected.update(value.to_bytes(size, "little", signed=True))

    # Two jobs, four processors, no date, no time zone, and no dropped line.
    add(["trace", [2, 4, None, ["", ""], 0]])
    add(["submit", ["<i2", 2]], 0, 300, size=2)
    add(["run_time", ["<i1", 2]], 5, 7, size=1)
    add(["requested_time", ["<i1", 2]], 9, 9, size=1)
    add(["processors", ["<i1", 2]], 1, 1, size=1)
    add(["job_id", ["<i1", 2]], 1, 2, size=1)
    add(["user", ["<i1", 2]], 7, -1, size=1)
    assert trace.replay_hash == expected.hexdigest()
