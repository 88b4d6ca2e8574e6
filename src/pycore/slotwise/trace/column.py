"""The columns of a trace as attributes, such as ``trace.submit``."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Value = TypeVar("Value", np.int64, np.int32)


class Column(Generic[Value]):
    """A column of a trace, read from core memory on each access."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc
        self._name = ""

    def __set_name__(self, owner: type[TraceColumns], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, trace: None, owner: type[TraceColumns]) -> Column[Value]: ...
    @overload
    def __get__(self, trace: TraceColumns, owner: type[TraceColumns]) -> NDArray[Value]: ...
    def __get__(
        self, trace: TraceColumns | None, owner: type[TraceColumns]
    ) -> Column[Value] | NDArray[Value]:
        return self if trace is None else trace._column(self._name)


class TraceColumns(metaclass=ABCMeta):
    """The columns of a trace, each under its name."""

    __slots__ = ()

    submit = Column[np.int64]("Seconds on the trace's clock, in ascending order.")
    run_time = Column[np.int64]("Seconds the job really ran.")
    requested_time = Column[np.int64]("Seconds requested; the run time if none were requested.")
    processors = Column[np.int64]("Processors requested; if none, processors allocated.")
    job_id = Column[np.int64]("Number of the job in the log.")
    line = Column[np.int64]("Line in the file, from 1; 0 without a file.")
    wait = Column[np.int64]("Seconds, as logged.")
    cpu_time = Column[np.int64]("Seconds per processor, as logged.")
    used_memory = Column[np.int64]("KB per processor, as logged.")
    requested_memory = Column[np.int64]("KB per processor, as logged.")
    preceding_job = Column[np.int64]("Number of the job that this job waited for, as logged.")
    think_time = Column[np.int64]("Seconds since the end of that job, as logged.")
    allocated_processors = Column[np.int64]("As logged.")
    requested_processors = Column[np.int64]("As logged.")
    status = Column[np.int32]("As logged: 1 completed, 0 failed, 5 cancelled.")
    user = Column[np.int32]("Number of the user.")
    group = Column[np.int32]("Number of the group.")
    executable = Column[np.int32]("Number of the application.")
    queue = Column[np.int32]("Number of the queue.")
    partition = Column[np.int32]("Number of the partition.")
    eligible = Column[np.int64]("Earliest time at which the job might start.")
    gpus = Column[np.int64]("As logged.")
    soft_walltime = Column[np.int64]("Run time that the user expects, in seconds, as logged.")
    node_count = Column[np.int64]("Nodes, as logged.")
    power = Column[np.int64]("Mean power in W, as logged.")
    energy = Column[np.int64]("Energy in J, as logged.")
    account = Column[np.int32]("Number of the account.")
    qos = Column[np.int32]("Number of the quality of service.")
    state = Column[np.int32]("Number of the state in which the job ended.")
    node_list = Column[np.int32]("Code of the job's list of nodes.")
    has_request = Column[np.int32]("1 if a time was requested; 0 if the run time replaces it.")
    array_id = Column[np.int64]("Number of the job's array.")
    array_task = Column[np.int64]("Number of the task in the array.")
    array_limit = Column[np.int64]("Largest number of tasks of the array that may run at once.")
    dependency = Column[np.int32]("Code of the job's list of dependencies.")
    nice = Column[np.int64]("Nice value, subtracted from Slurm's priority; 0 if unknown.")
    site_factor = Column[np.int64]("Site factor, added to Slurm's priority; 0 if unknown.")
    requested_nodes = Column[np.int64]("Minimum number of nodes that the job requested.")
    constraint = Column[np.int32]("Code of the job's constraint on the features of its nodes.")

    @abstractmethod
    def _column(self, name: str) -> NDArray[Any]:
        """Return a column by its name; all values are unknown if the log does not have it."""
