"""The workloads that are measured: real logs, and logs generated for several loads."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import slotwise as sw

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = 35_232
SEED = 1
LOADS = (0.7, 0.85, 1.0, 1.1, 1.2)
SIZES = (100_000, 1_000_000, 10_000_000)
ARCHIVE = "Parallel Workloads Archive"


@dataclass(frozen=True)
class Log:
    """A public log: its file, its machine size if the header lacks it, and whom to acknowledge."""

    file: str
    thanks: str
    processors: int | None = None
    archive: str = ARCHIVE

    @property
    def name(self) -> str:
        return self.file.removesuffix(".gz").removesuffix(".swf")


LOGS = (
    Log("KTH-SP2-1996-2.1-cln.swf.gz", "Lars Malinowsky"),
    Log("SDSC-BLUE-2000-4.2-cln.swf.gz", "Travis Earheart, Nancy Wilkins-Diehr"),
    Log("CEA-Curie-2011-2.1-cln.swf.gz", "Joseph Emeras, CEA"),
    Log("RICC-2010-2.swf.gz", "Motoyoshi Kurokawa, RIKEN"),
    Log("theta-2023-jan.swf.gz", "ALCF", 4_360, "ALCF public data"),
    Log("theta-2023-feb-dec.swf.gz", "ALCF", 4_360, "ALCF public data"),
    Log("lublin_256.swf.gz", "Uri Lublin", 256),
)


@dataclass(frozen=True)
class Row:
    """The description of one workload, short enough to pass to a fresh process.

    Parameters
    ----------
    name : str
        A unique name, under which the answers are recorded.
    path : str
        The file of a log; empty for a generated workload.
    processors : int, optional
        The size of the machine; None to use the size in the header.
    jobs, load, seed : int, float, int
        Parameters of the generator.
    """

    name: str
    path: str = ""
    processors: int | None = None
    jobs: int = 0
    load: float = 0.0
    seed: int = SEED

    def trace(self) -> sw.Trace:
        import slotwise as sw
        from slotwise.generators import lublin

        if self.path:
            return sw.read_swf(self.path)
        return lublin(
            self.jobs, processors=self.processors or PROCESSORS, load=self.load, seed=self.seed
        )

    def machine(self, trace: sw.Trace) -> int:
        """Return the size of the machine from the row or, if it has none, from the header."""
        count = self.processors or trace.max_processors
        if count is None:
            raise ValueError(f"{self.name}: the header does not state the size of the machine")
        return count

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def traces_folder() -> Path | None:
    """Find the folder of real logs: SLOTWISE_TRACES, or one next to the repository."""
    given = os.environ.get("SLOTWISE_TRACES")
    for folder in (Path(given) if given else None, ROOT.parent / "shared" / "traces"):
        if folder is not None and folder.is_dir():
            return folder
    return None


def log_rows(folder: Path | None) -> tuple[list[Row], list[str]]:
    """List the rows of the available logs, and the files that are missing."""
    rows, absent = [], []
    for log in LOGS:
        path = None if folder is None else folder / log.file
        if path is None or not path.is_file():
            absent.append(log.file)
        else:
            rows.append(Row(log.name, str(path), log.processors))
    return rows, absent


def short(jobs: int) -> str:
    """Write a count in short form: 100k, 10M."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if jobs >= unit and jobs % (unit // 10) == 0:
            return f"{jobs / unit:g}{letter}"
    return str(jobs)


def generated_rows(sizes: Sequence[int], loads: Sequence[float], seed: int = SEED) -> list[Row]:
    """List rows for logs generated from Lublin and Feitelson's model for 35,232 processors."""
    mark = "" if seed == SEED else f" seed {seed}"
    return [
        Row(f"lublin {short(jobs)} load {load:g}{mark}", "", PROCESSORS, jobs, load, seed)
        for jobs in sizes
        for load in loads
    ]


def thanks(names: Sequence[str]) -> list[str]:
    """Return acknowledgements of the sources of the logs in `names`, one line per archive."""
    lines = []
    for archive in dict.fromkeys(log.archive for log in LOGS):
        here = [log for log in LOGS if log.archive == archive and log.name in names]
        if here:
            logs = "; ".join(
                log.name + (f" ({log.thanks})" if log.thanks not in archive else "") for log in here
            )
            lines.append(f"Logs from the {archive}: {logs}.")
    return lines
