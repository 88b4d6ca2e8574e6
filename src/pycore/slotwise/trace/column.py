"""A column of a trace as an attribute: trace.submit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace.trace import Trace

Value = TypeVar("Value", np.int64, np.int32)


class Column(Generic[Value]):
    """A column of a trace, read from core memory each time it is asked for."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc
        self._name = ""

    def __set_name__(self, owner: type[Trace], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, trace: None, owner: type[Trace]) -> Column[Value]: ...
    @overload
    def __get__(self, trace: Trace, owner: type[Trace]) -> NDArray[Value]: ...
    def __get__(self, trace: Trace | None, owner: type[Trace]) -> Column[Value] | NDArray[Value]:
        return self if trace is None else trace._column(self._name)
