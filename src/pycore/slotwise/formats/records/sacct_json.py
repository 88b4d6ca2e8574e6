"""Jobs of ``sacct --json``, each as named strings such as time.start."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from slotwise.errors import TraceError
from slotwise.formats.records.json_stream import JsonStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.formats.beginning import Beginning

_PLAIN = (
    "job_id", "cluster", "user", "group", "account", "partition", "qos", "nodes",
    "allocation_nodes", "time.submission", "time.eligible", "time.start", "time.end",
    "time.elapsed", "time.limit", "required.CPUs", "array.limits.max.running.tasks",
    "dependency", "name", "constraints",
)  # fmt: skip

_KEPT = frozenset(name.partition(".")[0] for name in (*_PLAIN, "tres", "state"))


def begins_sacct_json(file: Beginning) -> bool:
    """Recognise the JSON of ``sacct`` by some of its names, such as ``"jobs"``."""
    if not file.data.lstrip().startswith(b"{") or b'"jobs"' not in file.data:
        return b'"slurmdb_jobs"' in file.data or b'"Slurm"' in file.data
    return re.search(rb'"(submission|eligible|association|slurm)"', file.data) is not None


def sacct_json_records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the jobs of a file.

    Raises
    ------
    TraceError
        For a file that is not JSON, or has no ``jobs`` list.
    """
    has_jobs = False
    for part in JsonStream(path, {"jobs": _KEPT}).parts():
        has_jobs = True
        if isinstance(part.value, dict):
            yield part.line, _record(part.value)
    if not has_jobs:
        raise TraceError(
            "the list 'jobs' is missing or empty; use the output of sacct --json", path=path
        )


def _record(job: dict[str, Any]) -> dict[str, str]:
    record = {name: _text(_inner(job, name)) for name in _PLAIN}
    # Slurm writes 0 for a time that is not known.
    for name in ("time.eligible", "time.start", "time.end"):
        record[name] = record[name] if record[name] != "0" else ""
    for kind in ("allocated", "requested"):
        listed = _inner(job, f"tres.{kind}")
        whole: list[str] = []
        for each in listed if isinstance(listed, list) else []:
            if isinstance(each, dict):
                part = f"/{each['name']}" if each.get("name") else ""
                amount = _text(each.get("count"))
                record[f"tres.{kind}.{each.get('type')}{part}"] = amount
                whole.append(f"{each.get('type')}{part}={amount}")
        record[f"tres.{kind}"] = ",".join(whole)
    record["state.current"] = _state(_inner(job, "state.current"))
    task = _text(_inner(job, "array.task_id"))
    array = _text(_inner(job, "array.job_id"))
    number = array if array not in ("", "0") else record["job_id"]
    record["array_id"] = f"{number}_{task}" if task else record["job_id"]
    return record


def _inner(job: Any, name: str) -> Any:
    for key in name.split("."):
        job = job.get(key) if isinstance(job, dict) else None
    return job


def _text(value: Any) -> str:
    """Write a value as text; ``{"set": false}`` and null are unknown, ``{"number": 5}`` is 5."""
    if isinstance(value, dict):
        if value.get("infinite"):
            return "UNLIMITED"
        return _text(value.get("number")) if value.get("set", True) else ""
    if value is None or isinstance(value, bool | list):
        return ""
    return str(value)


def _state(value: Any) -> str:
    """Return the base state of a job, which is the first element if the value is a list."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value or "")
