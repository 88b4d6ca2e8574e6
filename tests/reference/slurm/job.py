"""A job as its user submitted it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """A request: times in seconds, total `cpus`, memory in MB and GPUs per node."""

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

    @property
    def cpus_per_node(self) -> int:
        """CPUs on each node; recorded requests divide evenly."""
        return -(-self.cpus // self.nodes)
