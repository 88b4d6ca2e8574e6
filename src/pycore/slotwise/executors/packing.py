"""Serialised functions, without the traces they use; each trace is sent separately, once.

`pack` replaces every trace with a number; a worker replaces the numbers with its copies of the
traces. Functions and lambdas defined in a script are sent by value if cloudpickle is installed;
Dask, submitit and Ray install it.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import pickle
import time
import traceback
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from slotwise.errors import WorkerError
from slotwise.executors.shared_trace import SharedTrace
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KEPT = 4
"""Number of unpacked functions that a worker process stores."""

_functions: dict[str, Any] = {}


@dataclass(frozen=True)
class Packed:
    """A serialised value, and the traces to which it refers by number."""

    data: bytes
    digest: str
    traces: tuple[Trace, ...]


@dataclass(frozen=True)
class Answer:
    """Values of a batch and the seconds it took, or the exception that ended it.

    Exceptions raised by the function are returned as values. Any exception from the executor itself
    therefore means that a worker was lost.
    """

    values: Sequence[Any] = ()
    seconds: float = 0.0
    fault: Exception | None = None
    trail: str = ""


def pack(value: object) -> Packed:
    """Pickle a value; its traces are replaced by numbers and sent separately.

    Raises
    ------
    Exceptions from pickle, for a value that cannot be sent.
    """
    buffer = io.BytesIO()
    packer = _packer()(buffer, protocol=pickle.HIGHEST_PROTOCOL)
    packer.traces = []
    packer.dump(value)
    data = buffer.getvalue()
    return Packed(data, hashlib.sha256(data).hexdigest(), tuple(packer.traces))


class _TracesByNumber:
    """The part of a pickler that replaces each trace with a number."""

    traces: list[Trace]

    def persistent_id(self, item: object) -> int | None:
        if not isinstance(item, Trace):
            return None
        for number, known in enumerate(self.traces):
            if known is item:
                return number
        self.traces.append(item)
        return len(self.traces) - 1


@cache
def _packer() -> Any:
    """Return the pickler class, which is cloudpickle's if cloudpickle is installed."""
    try:
        pickler = importlib.import_module("cloudpickle").Pickler
    except ImportError:
        pickler = pickle.Pickler
    return type("_Packer", (_TracesByNumber, pickler), {})


def call_packed(function: bytes, digest: str, items: bytes, *traces: Any) -> Answer:
    """Call a packed function on a packed batch, in a worker.

    Parameters
    ----------
    digest : str
        Identifies the function with its traces, so that a worker need not unpack it again.
    traces : Trace or SharedTrace
        The traces of the function, in the order of their numbers.
    """
    try:
        if digest not in _functions:
            while len(_functions) >= _KEPT:
                _functions.pop(next(iter(_functions)), None)
            _functions[digest] = _unpack(function, traces)
        unpacked = _functions[digest]
        return sendable(call(unpacked, _unpack(items, ())))
    except Exception as fault:
        return sendable(Answer(fault=fault, trail=traceback.format_exc()))


def call(function: Callable[[Any], Sequence[Any]], items: Any) -> Answer:
    """Call a function on a batch in this process."""
    began = time.perf_counter()
    try:
        values = function(items)
    except Exception as fault:
        return Answer(fault=fault, trail=traceback.format_exc())
    return Answer(values, time.perf_counter() - began)


def sendable(answer: Answer) -> Answer:
    """Replace an exception that cannot be sent between processes with one that can."""
    if answer.fault is None:
        return answer
    try:
        pickle.loads(pickle.dumps(answer.fault))
    except Exception:
        kind = type(answer.fault).__name__
        stand_in = WorkerError(f"a function in a worker raised {kind}: {answer.fault}")
        return Answer(fault=stand_in, trail=answer.trail)
    return answer


def _unpack(data: bytes, traces: Sequence[Any]) -> Any:
    class Unpacker(pickle.Unpickler):
        def persistent_load(self, number: Any) -> Trace:
            trace = traces[number]
            return trace.read() if isinstance(trace, SharedTrace) else trace

    return Unpacker(io.BytesIO(data)).load()
