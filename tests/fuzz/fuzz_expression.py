"""Fuzz target: expressions are parsed as orders and evaluated in a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.SiteError, sw.ReplayError)  # ReplayError: a score is not a number
BOUNDED = 600
_TRACE = sw.Trace.from_columns(
    [0, 1, 1, 2, 50], [10, 20, 0, 5, 9], [4, 3, 1, 2, 4], [10, 30, 1, 5, 9],
    user=[1, 2, -1, 1, 2], max_processors=4,
)  # fmt: skip
SEEDS = [
    b"0",
    b"(wait + requested_time) / max(requested_time, 1)",
    b"queue_priority * 3 - processors % 3",
    b"where(user == 1, 1e308 * 10, -1e308 * 10)",
    b"-submit ^ 2 + log(processors) * sqrt(abs(wait))",
    b"min(wait, 5) - (area <= 3) + where(user != 2, now, -group)",
]
TOKENS = [
    *(b"wait", b"submit", b"requested_time", b"processors", b"user", b"group", b"queue_priority"),
    *(b"where(", b"max(", b"min(", b"log(", b"sqrt(", b"exp(", b"abs(", b"(" * 60, b")" * 60),
    *(
        b"^",
        b"**",
        b"//",
        b"%",
        b"==",
        b"!=",
        b"<=",
        b" and ",
        b" or ",
        b" not ",
        b"0/0",
        b"-" * 90,
    ),
    *(b"import os", b"__class__", b"1e", b".5.", b"9" * 400, b"\xc3\xa9", b",", b"-" * 90),
]


def run(data: bytes, _folder: Path) -> None:
    text = data.decode("utf-8", "surrogateescape")
    policy = sw.Policy(order={"name": "expression", "key": text}, backfill="easy")
    result = sw.simulate(_TRACE, sw.Site(policy=policy))
    assert (result.start >= 0).all(), "a job never started"
