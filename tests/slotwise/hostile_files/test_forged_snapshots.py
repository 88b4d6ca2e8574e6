"""Snapshots that are changed and given a new, valid checksum: all raise ValueError."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

import pytest

import slotwise as sw
from slotwise.simulation.snapshots import _FRAME, MAGIC

HEAD = len(MAGIC) + _FRAME.size
WRONG = [
    None, True, -1, 2**70, 10**400, 1.5, float("nan"), "x", "\ud800", "", [], {}, [1], [[1, 2]],
    {"kind": "os"}, {"kind": "Site", "fields": {}}, {"kind": "External"},
]  # fmt: skip


def snapshot() -> bytes:
    trace = sw.Trace.from_columns(
        [0, 1, 2, 3], [100, 10, 10, 10], [4] * 4, [0] * 4, max_processors=4,
        header_lines=["; Note: x"],
    )  # fmt: skip
    sim = sw.Simulation(trace, sw.Site(4, queues=[sw.Queue("q", running=2)]))
    sim.run(until=50)
    sim.hold(4)
    sim.set_policy(sw.Policy(backfill="conservative"))
    return sim.snapshot().to_bytes()


def forged(data: bytes, told: Any, cut: int | None = None) -> bytes:
    (size,) = struct.unpack_from("<I", data, HEAD)
    text = json.dumps(told).encode()
    rest = (struct.pack("<I", len(text)) + text + data[HEAD + 4 + size :])[:cut]
    number, version, _, _ = _FRAME.unpack_from(data, len(MAGIC))
    digest = hashlib.sha256(rest).digest()
    return MAGIC + _FRAME.pack(number, version, len(rest), digest) + rest


def told_of(data: bytes) -> Any:
    (size,) = struct.unpack_from("<I", data, HEAD)
    return json.loads(data[HEAD + 4 : HEAD + 4 + size])


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*above, key))
        if isinstance(item, dict | list):
            found += places(item, (*above, key))
    return found


def taken(data: bytes) -> bool:
    """Return True if a simulation restored from the bytes runs; a refusal must be a ValueError."""
    try:
        sim = sw.Simulation.restore(sw.Snapshot.from_bytes(data))
    except ValueError:
        return False
    except TypeError as fault:
        if "needs an external dispatcher" not in str(fault):
            raise
        return False
    for _ in range(100):
        if not sim.step():
            break
    result = sim.result()
    assert repr(result)
    assert result.metrics()
    return True


def test_a_repacked_snapshot_is_accepted() -> None:
    data = snapshot()
    assert forged(data, told_of(data)) == data
    assert taken(data)


def test_every_value_may_be_replaced() -> None:
    data = snapshot()
    refused = 0
    for place in places(told_of(data)):
        for wrong in WRONG:
            told = told_of(data)
            table = told
            for step in place[:-1]:
                table = table[step]
            table[place[-1]] = wrong
            refused += not taken(forged(data, told))
    assert refused > 1000


def test_every_value_may_be_missing() -> None:
    data = snapshot()
    for place in places(told_of(data)):
        told = told_of(data)
        table = told
        for step in place[:-1]:
            table = table[step]
        del table[place[-1]]
        taken(forged(data, told))


@pytest.mark.parametrize("cut", [0, 3, 4, 50, -1, -8])
def test_the_rest_may_be_cut(cut: int) -> None:
    data = snapshot()
    assert not taken(forged(data, told_of(data), cut)) or cut == -1


@pytest.mark.parametrize("told", [None, 5, "x", [], {}, [[]]])
def test_the_text_may_hold_anything(told: Any) -> None:
    assert not taken(forged(snapshot(), told))


def test_a_refusal_says_that_the_snapshot_was_changed() -> None:
    data = snapshot()
    told = told_of(data)
    del told["changes"]
    with pytest.raises(ValueError, match=r"never writes \(KeyError: 'changes'"):
        sw.Snapshot.from_bytes(forged(data, told))


@pytest.mark.parametrize("kind", ["a8", "O", "S8", "f2", "M8[s]"])
def test_columns_of_other_types_than_numbers_are_refused(kind: str) -> None:
    data = snapshot()
    told = told_of(data)
    told["columns"][0][1] = kind
    with pytest.raises(ValueError, match="is not a numeric type"):
        sw.Simulation.restore(sw.Snapshot.from_bytes(forged(data, told)))
