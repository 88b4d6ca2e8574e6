"""A job as its user submitted it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """A request: seconds; total `cpus`; memory in MB and GPUs per node; `qos` may be the default.

    `after`: kind of dependency and job number. `array_limit`: tasks of `array` that run at a time.
    """

    number: int
    submit: int
    limit: int
    nodes: int
    cpus: int
    partition: str
    memory: int = 0
    gpus: int = 0
    feature: str = ""
    exclusive: bool = False
    user: str = ""
    account: str = ""
    run: int = 0
    after: tuple[tuple[str, int], ...] = ()
    fails: bool = False
    array: int = -1
    array_limit: int = 0
    qos: str = ""
    nice: int = 0
    site_factor: int = 0

    @property
    def cpus_per_node(self) -> int:
        """CPUs on each node; recorded requests divide evenly."""
        return -(-self.cpus // self.nodes)
