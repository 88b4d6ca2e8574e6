"""Fuzz target: snapshots with a recomputed checksum are opened and resumed.

An input is the JSON text of a snapshot, an empty line and the bytes of its columns.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import TYPE_CHECKING

from mutation import LONGEST, NUMBERS, mutated, mutated_json

import slotwise as sw
from slotwise.simulation.snapshots import _FRAME, FORMAT, MAGIC

if TYPE_CHECKING:
    import random
    from pathlib import Path

REFUSALS = (ValueError,)
BOUNDED = 250
_STEPS = 300
_PARTED = b"\n\n"


def _parts(snapshot: bytes) -> bytes:
    rest = snapshot[len(MAGIC) + _FRAME.size :]
    (size,) = struct.unpack_from("<I", rest)
    return rest[4 : 4 + size] + _PARTED + rest[4 + size :]


def framed(data: bytes) -> bytes:
    """Build a snapshot from an input, with correct lengths and checksum."""
    text, _, columns = data.partition(_PARTED)
    rest = struct.pack("<I", len(text)) + text + columns
    version = sw.__version__.encode()
    return MAGIC + _FRAME.pack(FORMAT, version, len(rest), hashlib.sha256(rest).digest()) + rest


def _moved(site: sw.Site) -> bytes:
    trace = sw.Trace.from_columns(
        [0, 1, 1, 2, 50], [10, 20, 0, 5, 9], [4, 3, 1, 2, 4], [10, 30, 1, 5, 9],
        user=[1, 2, -1, 1, 2], queue=[0, 1, 1, 0, 0], max_processors=8,
    )  # fmt: skip
    sim = sw.Simulation(trace, site)
    sim.run(until=2)
    sim.submit(processors=1, run_time=5)
    sim.hold(5)
    sim.set_priority(5, 3.0)
    sim.run(until=20)
    return _parts(sim.snapshot().to_bytes())


SEEDS = [
    _moved(sw.Site(8)),
    _moved(sw.Site(8, policy=sw.Policy(order={"name": "priority", "cores": 2}, backfill="none"))),
    _moved(sw.Site(sw.Torus((2, 2, 2)), policy=sw.Policy(allocation="contiguous"))),
    _moved(
        sw.Site(
            8,
            pools=[sw.Pool("big", 6), sw.Pool("small", 2)],
            queues=[sw.Queue("q", processors=(1, 4)), sw.Queue("rest", priority=2)],
            limits=sw.Limits(running_per_user=2),
            outages=[sw.Outage(5, 10, 2, mode="kill")],
            reservations=[sw.Reservation("r", 60, 20, 1, users=[1], pool="big")],
            interruption=sw.Interruption(
                requeue="from-checkpoint", checkpoint_every=5, checkpoint_cost=1
            ),
        )
    ),
]
TOKENS = [b"null", b"{}", b"[]", b'"kind"', b"NaN", b"Infinity", b"[" * 90, *NUMBERS]


def mutate(chance: random.Random) -> bytes:
    """Change values in the JSON text, numbers in the columns, or any byte."""
    if chance.random() < 0.2:
        return mutated(SEEDS, TOKENS, chance, most=3)
    text, _, columns = chance.choice(SEEDS).partition(_PARTED)
    if chance.random() < 0.7:
        told = json.loads(text)
        for _ in range(chance.choice((1, 1, 2, 4))):
            told = mutated_json(told, chance)
        text = json.dumps(told).encode("utf-8", "surrogatepass")
    if chance.random() < 0.4:
        changed = bytearray(columns)
        for _ in range(chance.choice((1, 3))):
            at = chance.randrange(len(changed) // 8) * 8
            number = chance.choice((0, -1, 1, 2**63 - 1, -(2**63), 2**31, 2**32, 5, 10**12))
            changed[at : at + 8] = struct.pack("<q", number)
        columns = bytes(changed)
    if chance.random() < 0.05:
        columns = columns[: chance.randrange(len(columns) + 1)]
    return (text + _PARTED + columns)[:LONGEST]


def run(data: bytes, _folder: Path) -> None:
    sim = sw.Simulation.restore(sw.Snapshot.from_bytes(framed(data)))
    _ = len(sim.queue), len(sim.running)
    try:
        for _ in range(_STEPS):
            if not sim.step():
                break
        result = sim.result()
    except sw.ReplayError:
        return
    result.metrics()
    repr(result)
