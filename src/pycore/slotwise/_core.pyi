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
