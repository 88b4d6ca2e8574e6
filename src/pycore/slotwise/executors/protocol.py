"""The executor protocol: the only methods that sweeps, searches and studies call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value", covariant=True)


@runtime_checkable
class Task(Protocol[Value]):
    """One call in progress; the optional `cancel` method stops a call that has not yet begun."""

    def result(self) -> Value:
        """Wait for the call to end; return its value or raise its exception."""

    def done(self) -> bool:
        """Return True if `result` would return without waiting. This check never blocks."""


@runtime_checkable
class Executor(Protocol):
    """Runs calls elsewhere.

    ``concurrent.futures.Executor``, ``dask.distributed.Client`` and ``submitit.Executor`` satisfy
    the protocol. The ``ray`` module is also accepted.
    """

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Task[Any]:
        """Start ``function(*arguments)``."""
