"""Work on threads, processes and clusters through one protocol."""

from slotwise.executors.protocol import Executor, Task

__all__ = ["Executor", "Task"]
