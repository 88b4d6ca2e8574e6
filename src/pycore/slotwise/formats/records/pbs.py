"""Accounting lines of PBS and Torque: ``date;E;7.host;user=ann queue=batch ctime=…``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slotwise.errors import TraceError
from slotwise.formats.lines import LONGEST_RECORD, numbered_lines
from slotwise.formats.records.counts import count_in, is_count
from slotwise.trace.header import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = re.compile(r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;([A-Za-z]);([^;]*);")
_KEY = re.compile(r"(?:^|\s)([A-Za-z_][\w.]*)=")
_PART = re.compile(r"[^+]+")
_MOST_KEYS = 10_000
_MOST_HOSTS = 130_000
_SIGNALLED = 256
"""Exit statuses of at least this number encode the signal that ended the job."""


def pbs_records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the jobs that ended (lines of type E); lines of other types are skipped.

    A line that is not an accounting line at all yields a record without values, which counts as
    malformed. So does a line with more than 10,000 keys or 130,000 hosts.

    Raises
    ------
    TraceError
        For a file that cannot be read or contains no line of this form.
    """
    any_line = False
    for number, raw in numbered_lines(path, LONGEST_RECORD):
        line = decode(raw)
        match = _LINE.match(line)
        if match is None:
            if raw.strip():
                yield number, {}
            continue
        any_line = True
        if match[1] == "E":
            yield number, _record(match[2], line[match.end() :])
    if not any_line:
        raise TraceError(
            "the file contains no line of the form MM/DD/YYYY HH:MM:SS;E;id;key=value …; use a "
            "PBS or Torque accounting file",
            path=path,
        )


def _record(job_id: str, text: str) -> dict[str, str]:
    """Return the values of a record by name, or no values if there are too many."""
    record = _values(text)
    hosts = record.get("exec_host", "")
    count, names = hosts_of(hosts)
    if len(record) > _MOST_KEYS or len(names) > _MOST_HOSTS:
        return {}
    record["id"] = job_id
    if hosts:
        record |= {
            "exec_host.processors": str(count),
            "exec_host.nodes": str(len(names)),
            "exec_host.list": ",".join(names),
        }
    for key in ("Resource_List.nodes", "Resource_List.nodect"):
        if ":" in record.get(key, ""):
            processors, gpus = nodes_of(record[key])
            record |= {"nodes.processors": str(processors), "nodes.gpus": str(gpus)}
            if key.endswith("nodect"):
                record[key] = record[key].partition(":")[0]
            break
    else:
        if record.get("Resource_List.nodes", "").isdigit():
            record["nodes.processors"] = record["Resource_List.nodes"]
    record["state"] = _state(record.get("Exit_status", ""))
    return record


def _values(text: str) -> dict[str, str]:
    """Split ``key=value key=value``; a value may contain spaces, and ends before the next key."""
    values: dict[str, str] = {}
    last = None
    for key in _KEY.finditer(text):
        if last is not None:
            values[last[1]] = text[last.end() : key.start()].strip()
        last = key
        if len(values) > _MOST_KEYS:
            return values
    if last is not None:
        values[last[1]] = text[last.end() :].strip()
    return values


def hosts_of(text: str) -> tuple[int, list[str]]:
    """Count processors and name the hosts in ``a/0*13+b/0-3``, ``a/7+a/6`` or ``a/0,2-3``."""
    count = 0
    names: dict[str, None] = {}
    for match in _PART.finditer(text):
        host, _, place = match[0].partition("/")
        names[host] = None
        if len(names) > _MOST_HOSTS:
            break
        place, _, times = place.partition("*")
        if times:
            count += count_in(times)
            continue
        for span in place.split(","):
            low, dash, high = span.partition("-")
            is_span = dash and is_count(low) and is_count(high)
            count += int(high) - int(low) + 1 if is_span else 1
    return count, list(names)


def nodes_of(text: str) -> tuple[int, int]:
    """Count processors and GPUs in ``4:ppn=8:gpus=1:feature+2:ppn=4``."""
    processors = gpus = 0
    for part in _PART.finditer(text):
        first, *rest = part[0].split(":")
        count = count_in(first, 1)
        asked = dict(word.split("=", 1) for word in rest if "=" in word)
        processors += count * count_in(asked.get("ppn", "1"), 1)
        gpus += count * count_in(asked.get("gpus", asked.get("gpu", "0")))
    return processors, gpus


def _state(exit_status: str) -> str:
    if not is_count(exit_status.removeprefix("-")):
        return ""
    status = int(exit_status)
    return "COMPLETED" if status == 0 else "KILLED" if status > _SIGNALLED else "FAILED"
