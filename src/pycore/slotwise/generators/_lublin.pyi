from typing import TypeAlias

import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray

Flags: TypeAlias = NDArray[np.uint8]
Ids: TypeAlias = NDArray[np.int32]
Integers: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float64]

def draw_sessions(
    bit_generator: BitGenerator,
    continues: float,
    users: int,
    programs: int,
    opens: Flags,
    user: Ids,
    executable: Ids,
) -> None: ...
def draw_sizes(
    bit_generator: BitGenerator,
    opens: Flags,
    serial: float,
    power_of_two: float,
    low: float,
    medium: float,
    high: float,
    small: float,
    processors: Integers,
) -> None: ...
def draw_run_times(
    bit_generator: BitGenerator,
    opens: Flags,
    processors: Integers,
    shape1: float,
    scale1: float,
    shape2: float,
    scale2: float,
    slope: float,
    intercept: float,
    longest: float,
    run_time: Reals,
) -> None: ...
def draw_arrivals(
    bit_generator: BitGenerator, shape: float, scale: float, longest: float, ticks: Integers
) -> None: ...
def follow_cycle(
    ticks: Integers,
    stretch: float,
    passed: Reals,
    bucket: float,
    offset: float,
    passed_offset: float,
) -> None: ...
