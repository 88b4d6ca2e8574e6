"""A workload for the lab: small and wide jobs drawn at random, or the jobs of a file."""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass, fields
from pathlib import Path

MINUTES = (10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360)
FIRST_USER = 21001
STORED = Path(__file__).resolve().parent / "workloads"


@dataclass(frozen=True)
class Request:
    """One job: times in seconds, the limit in whole minutes, memory in MB and GPUs per node.

    An empty `qos` is the default QOS; `site` is the site factor that `scontrol` sets.
    """

    job: int
    submit: int
    run: int
    limit: int
    nodes: int
    cpus: int
    memory: int
    gpus: int
    feature: str
    exclusive: int
    partition: str
    user: int
    qos: str
    nice: int
    site: int

    def as_csv(self) -> str:
        """Return the values in the order of `header`, separated by commas."""
        return ",".join(str(getattr(self, each.name)) for each in fields(self))


def header() -> str:
    """Return the first line of a workload file."""
    return ",".join(each.name for each in fields(Request))


@dataclass(frozen=True)
class Workload:
    """Parameters of a workload; `draw` gives the same jobs for the same parameters.

    `stored` names a file in `workloads` with the jobs; `jobs` and `seed` then have no effect.
    """

    nodes: int
    jobs: int = 0
    seed: int = 0
    stored: str = ""
    cpus: int = 1
    load: float = 1.25
    mean_run: float = 350
    partitions: str = "batch:1"
    features: str = ""
    shared: float = 0.0
    exclusive: float = 0.0
    memory: int = 0
    gpus: int = 0
    gpu_nodes: int = 0
    users: int = 1
    beyond: float = 0.0
    qos: str = ""
    nice: float = 0.0
    site: float = 0.0

    def draw(self) -> list[Request]:
        """Return the jobs in order of submit time."""
        if self.stored:
            return _read(STORED / f"{self.stored}.csv")
        chance = random.Random(self.seed)
        shapes = [self._shape(chance) for _ in range(self.jobs)]
        area = sum(shape["run"] * shape["share"] for shape in shapes)
        span = area / self.nodes / self.load
        instants = sorted(chance.uniform(0, span) for _ in shapes)
        for shape in shapes:
            del shape["share"]
        return [
            Request(job=job, submit=int(instant), **shape)
            for job, (instant, shape) in enumerate(zip(instants, shapes, strict=True), 1)
        ]

    def _shape(self, chance: random.Random) -> dict[str, object]:
        """Return the request of a job, without its number and submit time."""
        widest = self.nodes * 3 // 4
        size = min(widest, max(1, int(chance.choice([1, 1, 2, 4, 8]) * chance.uniform(0.6, 1.5))))
        run = int(min(3000, max(60, chance.lognormvariate(0, 1.0) * self.mean_run)))
        over = chance.choice([1.1, 1.3, 2, 3, 5])
        limit = next((minutes for minutes in MINUTES if minutes * 60 >= run * over), 480)
        shape = {"run": run, "limit": max(limit, run // 60 + 4) * 60, "nodes": size}
        shape |= {"cpus": size * self.cpus, "memory": 0, "gpus": 0, "exclusive": 0}
        shape["share"] = size
        if self.shared and chance.random() < self.shared:
            shape |= self._part_of_nodes(chance, size)
        elif chance.random() < self.exclusive:
            shape |= {"exclusive": 1, "cpus": size}
        shape["feature"] = self._feature(chance, size)
        short = shape["limit"] <= 3600 and size * 4 <= self.nodes
        short = short or (self.beyond > 0 and chance.random() < self.beyond)
        shape["partition"] = _pick(chance, self.partitions, first_only=not short)
        shape["user"] = FIRST_USER + chance.randrange(self.users)
        return shape | self._priority(chance)

    def _priority(self, chance: random.Random) -> dict[str, object]:
        """Return the quality of service, the nice value and the site factor of a job."""
        found: dict[str, object] = {"qos": "", "nice": 0, "site": 0}
        if self.qos:
            found["qos"] = _pick(chance, self.qos, first_only=False)
        if self.nice and chance.random() < self.nice:
            found["nice"] = chance.choice([-120, 45, 300, 1500])
        if self.site and chance.random() < self.site:
            found["site"] = chance.choice([-90, 250, 700])
        return found

    def _part_of_nodes(self, chance: random.Random, size: int) -> dict[str, object]:
        """Return the request of a job that shares its nodes with others."""
        size = min(size, max(1, self.nodes // 4))
        cpus = chance.randint(1, self.cpus - 1)
        part: dict[str, object] = {"nodes": size, "cpus": cpus * size}
        share = cpus / self.cpus
        if self.memory:
            part["memory"] = self.memory * chance.choice([1, 2, 4, 6, 8]) // 10
            share = max(share, part["memory"] / self.memory)
        if self.gpus and chance.random() < 0.3:
            part |= {"gpus": chance.randint(1, self.gpus), "nodes": 1, "cpus": cpus}
            size = 1
        return part | {"share": size * share}

    def _feature(self, chance: random.Random, size: int) -> str:
        """Return a feature to request, for half of the small jobs."""
        if not self.features or size > 4 or chance.random() < 0.5:
            return ""
        return _pick(chance, self.features, first_only=False)


def _read(path: Path) -> list[Request]:
    """Return the jobs of a file; fields for which it has no column are 0 or empty."""
    numbers = [each.name for each in fields(Request) if each.type == "int"]
    with path.open(encoding="ascii") as lines:
        return [
            Request(
                **{name: int(row.get(name, 0)) for name in numbers},
                feature=row.get("feature", ""),
                partition=row["partition"],
                qos=row.get("qos", ""),
            )
            for row in csv.DictReader(lines)
        ]


def _pick(chance: random.Random, weighted: str, *, first_only: bool) -> str:
    """Return a random name from "name:weight,name:weight", or the first name if `first_only`."""
    pairs = [pair.split(":") for pair in weighted.split(",")]
    if first_only:
        return pairs[0][0]
    return chance.choices([name for name, _ in pairs], [float(weight) for _, weight in pairs])[0]
