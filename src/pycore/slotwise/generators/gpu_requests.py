"""Assigns GPUs to some of the generated jobs, in proportion to their processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

if TYPE_CHECKING:
    from numpy.random import PCG64
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


def gpu_requests(
    stream: PCG64, processors: Int64, gpus: int, share: float, cores_per_gpu: int
) -> Int64:
    """Sample the number of GPUs of each job; jobs that would need too many get none."""
    asked = -(-processors // cores_per_gpu)
    has_gpus = (Generator(stream).random(len(processors)) < share) & (asked <= gpus)
    return np.where(has_gpus, asked, 0)
