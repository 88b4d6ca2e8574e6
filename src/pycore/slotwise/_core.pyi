"""Types of the compiled core, one section an area."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Buffer

# workload

@final
class JobTable:
    def __init__(self, columns: Mapping[str, ArrayLike]) -> None: ...
    def __len__(self) -> int: ...
    def column(self, name: str) -> NDArray[Any] | None: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...
    def take(self, rows: NDArray[np.int64]) -> JobTable: ...

@final
class SwfReader:
    def __init__(self, expected_bytes: int) -> None: ...
    def feed(self, text: Buffer) -> None: ...
    def finish(
        self,
    ) -> tuple[JobTable, list[tuple[bytes, int]], list[tuple[str, int, list[int]]]]: ...

def fault_infos() -> list[tuple[str, str, str]]: ...
def format_swf(
    jobs: JobTable,
    first: int,
    last: int,
    schedule: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]] | None = None,
) -> bytes: ...

# Policies and replays (bind_policy.cpp, bind_simulator.cpp)

class Estimates:
    requested: Estimates
    exact: Estimates
    user_history: Estimates

class EventOrder:
    completions_first: EventOrder
    arrivals_first: EventOrder

class Passes:
    per_instant: Passes
    per_event: Passes
    periodic: Passes

class Policy:
    order: str
    backfill: str
    backfill_order: str
    depth: int
    relaxation: float
    estimates: Estimates
    passes: Passes
    period: int
    kill_at_limit: bool
    event_order: EventOrder
    waiting_estimates: Estimates
    ending_now_is_free: bool
    spare_processors: bool
    strict_end: bool
    frozen_reservation: bool
    compress_at_every_end: bool
    promise_per_arrival: bool

_Facts = list[tuple[str, str, str, list[tuple[str, str, float, float]]]]

def orders() -> _Facts: ...
def backfills() -> _Facts: ...
def simulate(
    jobs: JobTable,
    processors: int,
    policy: Policy,
    progress: Callable[[float], object] | None = None,
) -> Schedule: ...
def run_bare_loop(jobs: JobTable) -> int: ...
