"""Orders that users write as functions: in Python on NumPy columns, or compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from slotwise._core import (
    OrderSource,
    OrderSpec as CoreOrderSpec,
    job_columns as core_job_columns,
    numpy_order,
    order_from_address,
    order_from_capsule,
)
from slotwise.errors import SiteError
from slotwise.site.names import check_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray


class WaitingJobs(Protocol):
    """The waiting jobs that an order scores, in no particular order.

    ``jobs.wait`` or ``jobs["wait"]`` creates a new (n_jobs,) float64 array; `job_columns` lists all
    columns. They can be read only during the function call.
    """

    def __getattr__(self, name: str) -> NDArray[Any]: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def __len__(self) -> int: ...


def job_columns() -> tuple[str, ...]:
    """Return the names of the columns that a user's order may read."""
    return tuple(core_job_columns())


class FunctionOrder:
    """Base class of orders that are Python or compiled functions."""

    __slots__ = ("_identity", "_source", "columns", "name", "static")

    name: str
    columns: tuple[str, ...]
    static: bool
    kind: ClassVar[str]
    _identity: tuple[object, ...]
    _source: OrderSource

    def __init__(
        self, name: str, columns: Iterable[str], static: bool, identity: tuple[object, ...]
    ) -> None:
        chosen = tuple(columns)
        for column in chosen:
            check_name("job column", column, list(job_columns()))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "columns", chosen)
        object.__setattr__(self, "static", bool(static))
        object.__setattr__(self, "_identity", (self.kind, chosen, bool(static), *identity))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed; make a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionOrder) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __str__(self) -> str:
        return f"{self.kind} ({self.name})"

    def to_dict(self) -> dict[str, Any]:
        """Return a description for reports, from which the order cannot be rebuilt."""
        return {"name": self.kind, "function": self.name}

    def _to_core(self) -> CoreOrderSpec:
        return CoreOrderSpec(str(self), source=self._source)


class NumPyOrder(FunctionOrder):
    """An order that is a Python function on NumPy columns.

    Parameters
    ----------
    function : callable
        Called as ``function(jobs, now)`` with the `WaitingJobs` and the time in whole seconds;
        returns one key per job, (n_jobs,) float64. The job with the highest key goes first. The
        function may be called with any part of the queue, so a key must depend only on its own job
        and `now`. An exception ends the replay.
    columns : iterable of str, optional
        Columns that the function reads; their names are checked. A function that reads
        ``queue_priority`` must list it; jobs of queues with different priorities are then ordered
        together.
    static : bool, default False
        True if keys never change; the function is then called only once, for the whole trace.
    name : str, optional
        Name in messages and reports. Default: the function's module and name.

    Raises
    ------
    SiteError
        For an unknown column.
    TypeError
        If `function` cannot be called.

    Notes
    -----
    Two orders are equal if function, columns and `static` are the same. An order can be sent to
    another process if its function can.
    """

    __slots__ = ("function",)
    kind = "numpy"
    function: Callable[[WaitingJobs, int], ArrayLike]

    def __init__(
        self,
        function: Callable[[WaitingJobs, int], ArrayLike],
        columns: Iterable[str] = (),
        *,
        static: bool = False,
        name: str | None = None,
    ) -> None:
        if not callable(function):
            msg = (
                f"{function!r} is not callable; pass a function that takes the waiting jobs and now"
            )
            raise TypeError(msg)
        shown = _name_of(function) if name is None else name
        super().__init__(shown, columns, static, (_Same(function),))
        object.__setattr__(self, "function", function)
        weighs = "queue_priority" in self.columns
        source = numpy_order(function, str(self), self.static, weighs)
        object.__setattr__(self, "_source", source)

    def __reduce__(self) -> tuple[object, ...]:
        return _numpy_order, (self.function, self.columns, self.static, self.name)


class CompiledOrder(FunctionOrder):
    """An order that is a C function, as declared in ``slotwise_order.h`` (see `get_include`).

    Parameters
    ----------
    function : PyCapsule, int, or a ctypes, cffi or numba function
        A capsule named ``"slotwise.order.v1"`` points to a ``slotwise_order`` structure. Anything
        else is the address of a ``slotwise_score_function``.
    columns : iterable of str
        Columns the function reads, in the order in which it receives them; a capsule states them
        itself.
    static : bool, default False
        True if keys never change; a capsule states this itself.
    data : int, default 0
        Address passed to every call; a capsule states it itself.
    keepalive : object, optional
        Owner of the code or data, kept alive as long as this order, in addition to `function`.
    name : str, optional
        Name in messages and reports.

    Raises
    ------
    SiteError
        For an unknown column, or a structure that is contradictory or of a different version.
    TypeError
        If `function` is none of these.

    Notes
    -----
    An address is meaningless in another process, so sending the order there raises a `TypeError`.
    """

    __slots__ = ("_kept",)
    kind = "compiled"

    def __init__(
        self,
        function: Any,
        columns: Iterable[str] = (),
        *,
        static: bool = False,
        data: int = 0,
        keepalive: object = None,
        name: str | None = None,
    ) -> None:
        capsule = is_capsule(function)
        address = id(function) if capsule else _address(function)
        shown = name or (f"{'capsule' if capsule else 'function'} at {address:#x}")
        super().__init__(shown, columns, static, (capsule, address, data))
        if capsule and (self.columns or self.static or data):
            raise SiteError("a capsule has its own columns, static and data; omit these arguments")
        try:
            source = (
                order_from_capsule(function, str(self))
                if capsule
                else order_from_address(address, data, list(self.columns), self.static, str(self))
            )
        except ValueError as fault:
            raise SiteError(str(fault)) from None
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_kept", (function, keepalive))

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{self.name} is an address in this process and cannot be sent to another "
            "process; create the order there"
        )


class _Same:
    """A wrapper around a function; two wrappers are equal if they hold the same object."""

    __slots__ = ("function",)

    def __init__(self, function: object) -> None:
        self.function = function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.function is other.function

    def __hash__(self) -> int:
        return id(self.function)


def function_order(what: str, value: object) -> FunctionOrder | None:
    """Return the order for a value that is or contains a function; None for any other value.

    Raises
    ------
    SiteError
        For a compiled function without its columns.
    """
    if isinstance(value, FunctionOrder):
        return value
    if is_capsule(value):
        return CompiledOrder(value)
    modules = {base.__module__ for base in type(value).__mro__}
    if hasattr(value, "address") or modules & {"_ctypes", "_cffi_backend"}:
        raise SiteError(
            f"{what}: a compiled function needs a list of the columns it reads; write "
            'CompiledOrder(function, columns=("wait", …))'
        )
    return NumPyOrder(value) if callable(value) and not isinstance(value, type) else None


def refuse_from_file(what: str, order: Mapping[str, Any]) -> None:
    """Refuse a mapping that describes a function, because a file cannot contain the function.

    Raises
    ------
    SiteError
        If the mapping describes a function.
    """
    if order.get("name") in (NumPyOrder.kind, CompiledOrder.kind):
        raise SiteError(
            f"{what}: the function {order.get('function')!r} cannot be read from a file; pass the "
            "function itself, in Python"
        )


def is_capsule(value: object) -> bool:
    """Return whether this is a PyCapsule."""
    return type(value).__name__ == "PyCapsule"


def _numpy_order(
    function: Callable[[WaitingJobs, int], ArrayLike],
    columns: tuple[str, ...],
    static: bool,
    name: str,
) -> NumPyOrder:
    return NumPyOrder(function, columns, static=static, name=name)


def _name_of(function: object) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"


def _address(function: Any) -> int:
    if isinstance(function, int) and not isinstance(function, bool):
        return function
    if isinstance(address := getattr(function, "address", None), int):  # numba
        return address
    if type(function).__module__ == "_cffi_backend":
        import cffi

        return int(cffi.FFI().cast("uintptr_t", function))
    import ctypes
    from _ctypes import CFuncPtr

    if isinstance(function, CFuncPtr):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    msg = (
        f"{function!r} is not a compiled function; pass a capsule named 'slotwise.order.v1', an "
        "address, or a ctypes, cffi or numba function"
    )
    raise TypeError(msg)
