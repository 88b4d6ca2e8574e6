"""Records of LSF's ``lsb.acct``: fields by position, two of them host lists of varying length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slotwise.errors import TraceError
from slotwise.formats.lines import LONGEST_RECORD, numbered_lines
from slotwise.formats.records.counts import count_in
from slotwise.formats.text.text_table import LINE_HASH
from slotwise.trace.header import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_EVENT = re.compile(r'"[A-Z_]+" "[^"]*" \d+( |$)|#|\s*$')
"""Beginning of a record of any kind, a comment, or an empty line."""

_FIELD = re.compile(r'"([^"]*(?:""[^"]*)*)"|(\S+)')
_HOSTS_ASKED = 22
"""Position of the number of hosts that a job requested; earlier fields have fixed positions."""

_BEHIND_HOSTS = 4
"""Number of fields between the hosts and the usage: status, host factor, job name and command."""

_USAGE = 19
_PROJECT = _BEHIND_HOSTS + _USAGE + 1
_ATTRIBUTES = _BEHIND_HOSTS + _USAGE + 30
"""Position of the number of submission attributes, counted from the end of the host list."""

_PER_HOST = 6

_MOST_WORDS = 200_000


def lsf_records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the jobs that finished; records of earlier events in a job's life are skipped.

    A line that is not an LSF record at all yields a record without values, which counts as
    malformed. So does a record that is cut short before the job's project.

    Raises
    ------
    TraceError
        For a file that cannot be read or has no such record.
    """
    any_job = False
    for number, raw in numbered_lines(path, LONGEST_RECORD):
        line = decode(raw)
        if line.startswith('"JOB_FINISH"'):
            any_job = True
            yield number, {**_record(_fields(line)), LINE_HASH: str(hash(raw))}
        elif _EVENT.match(line) is None:
            yield number, {}
    if not any_job:
        raise TraceError(
            'the file contains no record that begins with "JOB_FINISH"; use the lsb.acct file '
            "of an LSF cluster",
            path=path,
        )


def _fields(line: str) -> list[str]:
    """Split a record into fields; return no fields if too many of them are different.

    Equal fields, such as repeated hosts, share one string.
    """
    known: dict[str, str] = {}
    fields = []
    for match in _FIELD.finditer(line):
        text = match[2] if match[1] is None else match[1].replace('""', '"')
        fields.append(known.setdefault(text, text))
        if len(known) > _MOST_WORDS:
            return []
    return fields


def _record(fields: list[str]) -> dict[str, str]:
    """Return the fields of a record by name, or no fields if it is cut short before the project."""
    record = dict(zip(_PLACES, (_at(fields, place) for place in _PLACES.values()), strict=True))
    asked = _count(fields, _HOSTS_ASKED)
    used_at = _HOSTS_ASKED + 1 + asked
    used = _count(fields, used_at)
    hosts = [host.partition("*")[2] or host for host in fields[used_at + 1 : used_at + 1 + used]]
    names = list(dict.fromkeys(hosts))
    rest = fields[used_at + 1 + used :]
    if len(rest) <= _PROJECT:
        return {}
    usage_at = _ATTRIBUTES + 1 + 2 * _count(rest, _ATTRIBUTES)
    limit_at = usage_at + 1 + _PER_HOST * _count(rest, usage_at)
    return record | {
        "begin": record["begin"] if record["begin"] != "0" else "",
        "hosts": ",".join(names),
        "hosts.count": str(len(names)),
        "status": _at(rest, 0),
        "command": _at(rest, 3),
        "project": _at(rest, _PROJECT),
        "run_limit": _positive(_at(rest, limit_at)),
    }


_PLACES = {
    "end": 2, "job_id": 3, "processors": 6, "submit": 7, "begin": 8, "start": 10, "user": 11,
    "queue": 12,
}  # fmt: skip


def _at(fields: list[str], place: int) -> str:
    return fields[place] if place < len(fields) else ""


def _count(fields: list[str], place: int) -> int:
    return min(count_in(_at(fields, place)), len(fields))


def _positive(text: str) -> str:
    return text if count_in(text) > 0 else ""
