"""A job as the user submitted it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """A request: times in seconds, `cpus` in total, memory in MB per node, GPUs per node.

    An empty `qos` is the default QOS. `after` lists dependencies, each a kind and a job number. At
    most `array_limit` tasks of `array` run at the same time.
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
        """CPUs on each node; in recorded jobs, the CPUs divide evenly among the nodes."""
        return -(-self.cpus // self.nodes)
