"""Simulations restored from snapshots, in memory or as bytes, continue as the original would."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import struct
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED, Case, change, columns, move, simulated
from slotwise.simulation.snapshots import MAGIC


@HURRIED
@given(case=simulated(), data=st.data())
def test_a_restored_snapshot_continues_as_the_original(case: Case, data: st.DataObject) -> None:
    sim = sw.Simulation(case.trace, case.site)
    kept = []
    for _ in range(data.draw(st.integers(1, 8))):
        move(sim, data.draw)
        change(sim, data.draw)
        kept.append((sim.snapshot(), sim.snapshot().to_bytes()))
        after = [sim.now, sim.next_event, sim.queue.job_id.tolist(), sim.running.job_id.tolist()]
        restored = sw.Simulation.restore(sw.Snapshot.from_bytes(kept[-1][1]))
        assert after == [
            restored.now,
            restored.next_event,
            restored.queue.job_id.tolist(),
            restored.running.job_id.tolist(),
        ]
        expected = copy.copy(sim)
        expected.run()
        for other in (sw.Simulation.restore(kept[-1][0]), restored):
            other.run()
            assert columns(other.result()) == columns(expected.result())


def half_way() -> sw.Simulation:
    trace = sw.Trace.from_columns(
        [0, 1, 2, 3], [100, 10, 10, 10], [4] * 4, [100] * 4, max_processors=4, user=[5, 6, 7, 8]
    )
    sim = sw.Simulation(trace)
    sim.run(until=50)
    sim.set_priority(4, 1)
    return sim


def test_one_snapshot_is_restored_any_number_of_times() -> None:
    sim = half_way()
    snapshot = sim.snapshot()
    sim.cancel(2)
    sim.run()
    for _ in range(2):
        again = sw.Simulation.restore(snapshot)
        assert again.now == snapshot.now == 50
        again.run()
        assert again.result().start.tolist() == [0, 110, 120, 100]
    assert sim.result().start.tolist() == [0, -1, 110, 100]


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_simulation_is_copied_and_pickled(again: object) -> None:
    sim = half_way()
    other = again(sim)  # type: ignore[operator]
    assert other.trace == sim.trace
    assert other.site == sim.site
    other.run()
    assert sim.now == 50
    assert other.result().start.tolist() == [0, 110, 120, 100]


def test_a_snapshot_keeps_changed_policies() -> None:
    sim = half_way()
    sim.set_policy(sw.Policy(order="lifo", backfill="none"))
    sim.step()
    sim.set_policy(sw.Policy(backfill="conservative"))
    other = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    assert other.site.policy == sim.site.policy
    other.run()
    sim.run()
    assert columns(other.result()) == columns(sim.result())


def test_snapshots_of_other_versions_and_other_bytes_are_refused() -> None:
    data = half_way().snapshot().to_bytes()
    with pytest.raises(ValueError, match="is not a snapshot"):
        sw.Snapshot.from_bytes(b"SQLite format 3")
    for length in (20, 60, len(data) // 2, len(data) - 1):
        with pytest.raises(ValueError, match="is truncated"):
            sw.Snapshot.from_bytes(data[:length])
    with pytest.raises(ValueError, match="1 bytes follow the end of the snapshot"):
        sw.Snapshot.from_bytes(data + b"x")
    with pytest.raises(TypeError, match="'x' is not bytes; pass what"):
        sw.Snapshot.from_bytes("x")  # type: ignore[arg-type]
    magic = data.index(b"\n") + 1
    newer = data[:magic] + struct.pack("<I", 2) + data[magic + 4 :]
    with pytest.raises(ValueError, match=r"format 2\), but this is .*restore the snapshot with"):
        sw.Snapshot.from_bytes(newer)
    other = data[: magic + 4] + b"99.1".ljust(16, b"\0") + data[magic + 20 :]
    with pytest.raises(ValueError, match=r"was written by slotwise 99.1 "):
        sw.Snapshot.from_bytes(other)


def test_a_snapshot_with_any_byte_changed_is_refused() -> None:
    data = half_way().snapshot().to_bytes()
    for at in range(0, len(data), 37):
        damaged = bytearray(data)
        damaged[at] ^= 1
        with pytest.raises(
            ValueError, match=r"not a snapshot|written by|truncated|damaged|the end"
        ):
            sw.Snapshot.from_bytes(bytes(damaged))


def test_values_other_than_snapshots_are_not_restored() -> None:
    with pytest.raises(TypeError, match="is not a Snapshot"):
        sw.Simulation.restore(half_way())  # type: ignore[arg-type]


def test_an_order_that_is_a_function_stays_in_memory() -> None:
    site = sw.Site(policy=sw.Policy(order=lambda jobs, now: -jobs.processors))
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], max_processors=1)
    snapshot = sw.Simulation(trace, site).snapshot()
    with pytest.raises(sw.SiteError, match="cannot be serialised; keep"):
        snapshot.to_bytes()
    sim = sw.Simulation.restore(snapshot)
    sim.run()
    assert sim.result().start.tolist() == [0, 5]


def test_dates_of_a_site_are_kept() -> None:
    zone = timezone(timedelta(hours=-5))
    trace = sw.Trace.from_columns([0, 10], [50, 20], [4, 4])
    away = sw.Maintenance(datetime(2010, 10, 13, 8, tzinfo=zone), timedelta(seconds=90), "7d")
    shut = sw.Outage(datetime(2010, 10, 13, 9), timedelta(minutes=2), 2)
    clock = sw.Clock(start=datetime(2010, 10, 13), utc_offset="-05:00")
    site = sw.Site(4, maintenance=(away,), outages=(shut,), clock=clock)
    sim = sw.Simulation(trace, site)
    sim.run(until=5)
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    assert again.site == site
    for each in (sim, again):
        each.run()
    assert columns(again.result()) == columns(sim.result())


def forged(snapshot: bytes, **values: object) -> bytes:
    """Change the contents of a snapshot, and recompute its lengths and checksum."""
    frame = struct.Struct("<I16sQ32s")  # format, version, length of the rest, SHA-256
    head = len(MAGIC) + frame.size
    number, version, _, _ = frame.unpack_from(snapshot, len(MAGIC))
    rest = snapshot[head:]
    (size,) = struct.unpack_from("<I", rest)
    text = json.dumps(json.loads(rest[4 : 4 + size]) | values).encode()
    rest = struct.pack("<I", len(text)) + text + rest[4 + size :]
    return MAGIC + frame.pack(number, version, len(rest), hashlib.sha256(rest).digest()) + rest


ARRIVE, HOLD, RELEASE = 1, 3, 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([[HOLD, 0, -1, 0.0]], "to row -1 is not possible; the snapshot is damaged"),
        ([[RELEASE, 0, -1, 0.0]], "to row -1 is not possible; the snapshot is damaged"),
        ([[ARRIVE, 0, 0, 0.0]] * 2, "job 1 cannot arrive at 0"),
        ([[ARRIVE, 0, 1, 0.0]], "job 2 cannot arrive at 0"),  # it is submitted at 5
        ([[HOLD, 2**63 - 1, 0, 0.0]], "is too late; the snapshot is damaged"),
    ],
)
def test_forged_interventions_are_refused(changes: list[list[float]], message: str) -> None:
    trace = sw.Trace.from_columns([0, 5], [10, 10], [1, 1], max_processors=2)
    sim = sw.Simulation(trace)
    sim.run(until=2)
    snapshot = sim.snapshot().to_bytes()
    assert forged(snapshot, changes=[])[-8:] == snapshot[-8:]
    with pytest.raises(ValueError, match=message):
        sw.Snapshot.from_bytes(forged(snapshot, changes=changes))


def test_a_snapshot_at_the_end_of_time_is_refused() -> None:
    sim = sw.Simulation(sw.Trace.from_columns([0], [10], [1], max_processors=2))
    with pytest.raises(ValueError, match="is too late; the snapshot"):
        sw.Snapshot.from_bytes(forged(sim.snapshot().to_bytes(), handled=2**63 - 1))
