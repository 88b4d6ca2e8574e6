"""Memory used to read a log: at most 64 MiB plus 20 times the columns of the trace."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from reference.job_logs import SACCT_JSON

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "JobID|Cluster|Submit|Start|End|Elapsed|State|NCPUS"

SCRIPT = """
import resource, sys
import slotwise as sw
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
columns = 0
try:
    trace = sw.read_trace(sys.argv[1], sys.argv[2] or None)
    columns = sum(column.nbytes for column in trace._jobs.columns().values()) // 1024
    print(len(trace), "jobs")
except sw.TraceError as fault:
    print(fault)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, columns)
"""


def read_alone(path: Path, name: str = "") -> str:
    """Read a log in a separate process; return the number of its jobs, or the error."""
    typed = [sys.executable, "-c", SCRIPT, str(path), name]
    done = subprocess.run(typed, check=True, capture_output=True, text=True)
    message, figures = done.stdout.splitlines()
    growth, columns = (int(word) for word in figures.split())
    assert growth <= 64 * 1024 + 20 * columns  # in KB
    return message


def job(**members: Any) -> str:
    """Return the JSON text of one job, as `sacct --json` writes it."""
    return json.dumps(json.loads(SACCT_JSON)["jobs"][0] | members)


# Each text has at least 10 MB. A list within a list takes 64 bytes of memory for 3 bytes of text,
# and a number with a decimal point 32 bytes for 4.
JSON_LOGS: dict[str, Callable[[], tuple[str, str]]] = {
    "an unknown member of short lists": lambda: (
        f'{{"jobs": [{job()}, {{"job_id": 2, "x": [[]' + ",[]" * 3_500_000 + "]}]}",
        "1 jobs",
    ),
    "jobs with very many steps": lambda: (
        '{"jobs": ['
        + ",\n".join(job(job_id=i, steps=[{"step": {"id": "7.0"}}] * 60_000) for i in range(6))
        + "]}",
        "6 jobs",
    ),
    "jobs with very many resources": lambda: (
        '{"jobs": ['
        + ",".join(
            job(
                job_id=i,
                tres={
                    "allocated": [
                        {"type": "cpu", "count": 64},
                        *({"type": f"t{k}", "count": 1} for k in range(500)),
                    ]
                },
            )
            for i in range(1000)
        )
        + "]}",
        "1000 jobs",
    ),
    "a list of resources that is too long": lambda: (
        f'{{"jobs": [{job()}, {{"job_id": 2, "tres": [[]' + ",[]" * 3_500_000 + "]}]}",
        "has more than 1,048,576 characters",
    ),
    "brackets without end": lambda: (
        f'{{"jobs": [{job()}, {{"job_id": 2, "x": ' + "[" * 10_000_000,
        "the file ends within a value",
    ),
    "a string without end": lambda: (
        f'{{"jobs": [{job()}, {{"job_id": 2, "x": "' + '\\"' * 5_000_000,
        "the file ends within a string",
    ),
    "long names": lambda: (
        '{"jobs": [' + ",".join(job(job_id=i, name="x" * 1_000_000) for i in range(20)) + "]}",
        "20 jobs",
    ),
    "something else before the jobs": lambda: (
        '{"meta": [[]' + ",[]" * 3_500_000 + f'], "jobs": [{job()}]}}',
        "1 jobs",
    ),
}


@pytest.mark.parametrize("name", JSON_LOGS)
def test_json_of_sacct(tmp_path: Path, name: str) -> None:
    text, words = JSON_LOGS[name]()
    (tmp_path / "jobs.json").write_text(text)
    assert words in read_alone(tmp_path / "jobs.json", "sacct-json")


def test_profiles_of_batsim_with_long_matrices(tmp_path: Path) -> None:
    matrix = "[1.5" + ",1.5" * 3_000_000 + "]"
    (tmp_path / "w.json").write_text(
        '{"jobs": [{"id": 1, "subtime": 0, "walltime": 100, "res": 4, "profile": "p"}], '
        f'"profiles": {{"p": {{"type": "parallel", "com": {matrix}}}}}}}'
    )
    assert read_alone(tmp_path / "w.json") == "1 jobs"


def test_records_of_pbs_with_very_many_keys(tmp_path: Path) -> None:
    line = "01/02/2024 03:04:05;E;31.own;" + " ".join(f"k{i}=1" for i in range(1_000_000)) + "\n"
    (tmp_path / "log").write_text(3 * line)
    assert "contains no jobs that ended (3 x malformed)" in read_alone(tmp_path / "log")


def test_a_gzip_bomb_ends_at_its_first_line(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.gz", "wb", compresslevel=1) as packed:
        packed.write((HEAD + "\n").encode())
        for _ in range(300):
            packed.write(b"7" * (1 << 20))
    assert "the line has more than 16777216 bytes" in read_alone(tmp_path / "bomb.gz")


def test_text_of_sacct(tmp_path: Path) -> None:
    rows = [
        f"{i}|own|2024-01-01T00:{i % 60:02d}:00|2024-01-01T01:01:00|2024-01-01T02:02:00|01:01:00|"
        f"COMPLETED|{i % 9 + 1}"
        for i in range(100_000)
    ]
    (tmp_path / "log").write_text("\n".join([HEAD, *rows]))
    assert read_alone(tmp_path / "log") == "100000 jobs"
