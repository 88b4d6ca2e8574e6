"""A recording of a real Slurm: jobs with starts, ends and nodes, and instants of its steps.

NAME.csv has one row per job. NAME.events (or NAME.events.gz) lists every scheduling step in order;
tests/slurm/lab/read_log.py describes its lines. Older recordings have NAME.cycles instead, with the
instants at which backfill cycles began. NAME.refused lists the jobs that Slurm refused.
NAME.accounts has the sacctmgr commands that set shares and limits. NAME.renewal has the time of the
first recalculation of age and fair share, for a recording without events.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.slurm.job import Job
from reference.slurm.node_sets import members, node_set

if TYPE_CHECKING:
    from pathlib import Path


_COLUMNS = (
    "job", "submit", "start", "end", "nodes", "cpus", "limit", "partition", "user", "run",
    "nodelist", "by", "state",
)  # fmt: skip


@dataclass(frozen=True)
class Recorded:
    job: Job
    start: int
    end: int
    nodes: int
    by: str
    state: str


def node_numbers(text: str) -> int:
    """Return the node set given by a text such as "1-3+7", which numbers nodes from 1."""
    if not text:
        return 0
    found: list[int] = []
    for part in text.split("+"):
        first, _, last = part.partition("-")
        found += range(int(first) - 1, int(last or first))
    return node_set(found)


class Recording:
    """The files of one recording; `stem` is the path of its CSV."""

    def __init__(self, stem: Path) -> None:
        self.name = stem.stem
        self.jobs: dict[int, Recorded] = {}
        with stem.open(encoding="ascii") as lines:
            rows = csv.DictReader(lines)
            if missing := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
                raise ValueError(
                    f"{stem} has no column {missing[0]!r}; use the CSV of a recording, with the "
                    f"columns {', '.join(_COLUMNS)}"
                )
            for row in rows:
                recorded = _recorded(row)
                self.jobs[recorded.job.number] = recorded
        self.events = _lines(stem.with_suffix(".events"))
        self.refused = _refused(stem.with_suffix(".refused"))
        self.cycles = [float(line) for line in _lines(stem.with_suffix(".cycles"))]
        if not self.events and not self.cycles:
            raise FileNotFoundError(
                f"{stem} has neither {self.name}.events nor {self.name}.cycles beside it; "
                "a recording needs one of them: record it with tests/slurm/lab/record.py"
            )

    def renumber(self, place: dict[int, int]) -> None:
        """Replace each node number n in the events by `place[n]`; both count from 1."""

        def listed(text: str) -> str:
            numbers = members(node_numbers(text))
            return "+".join(str(place[number + 1]) for number in numbers)

        position = {"start": 4, "free": 2, "plan": 5}
        for at, line in enumerate(self.events):
            words = line.split()
            if field := position.get(words[1]):
                words[field] = listed(words[field])
                self.events[at] = " ".join(words)


def _lines(path: Path) -> list[str]:
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        return gzip.decompress(packed.read_bytes()).decode("ascii").splitlines()
    return path.read_text(encoding="ascii").splitlines() if path.exists() else []


def _refused(path: Path) -> list[Job]:
    """Return the jobs that Slurm refused at submission; only their requests are known."""
    if not path.exists():
        return []
    with path.open(encoding="ascii") as lines:
        return [
            Job(
                number=int(row["job"]),
                submit=0,
                limit=int(row["limit"]),
                nodes=int(row["nodes"]),
                cpus=int(row["nodes"]),
                partition=row["partition"],
            )
            for row in csv.DictReader(lines)
        ]


def _recorded(row: dict[str, str]) -> Recorded:
    job = Job(
        number=int(row["job"]),
        submit=int(row["submit"]),
        limit=int(row["limit"]),
        nodes=int(row["nodes"]),
        cpus=int(row["cpus"]),
        partition=row["partition"],
        memory=int(row.get("memory", "0")),
        gpus=int(row.get("gpus", "0")),
        feature=row.get("feature", ""),
        exclusive=row.get("exclusive", "0") == "1",
        user=row["user"],
        run=int(row["run"]),
        qos=row.get("qos", ""),
        nice=int(row.get("nice", "0")),
        site_factor=int(row.get("site", "0")),
    )
    return Recorded(
        job=job,
        start=int(row["start"]),
        end=int(row["end"]),
        nodes=node_numbers(row["nodelist"]),
        by=row["by"],
        state=row["state"],
    )
