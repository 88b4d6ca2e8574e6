import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray

def draw_requests(
    bit_generator: BitGenerator,
    run_time: NDArray[np.int64],
    user: NDArray[np.int32],
    opens: NDArray[np.uint8],
    values: NDArray[np.int64],
    below: NDArray[np.float64],
    limits: NDArray[np.int64],
    limits_below: NDArray[np.float64],
    favourite: NDArray[np.int64],
    asks_limit: NDArray[np.float64],
    killed: float,
    habit: float,
    odd: float,
    requested_time: NDArray[np.int64],
) -> None: ...
