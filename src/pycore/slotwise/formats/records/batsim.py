"""Jobs of a Batsim workload, with the run times of their profiles."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from slotwise.errors import TraceError
from slotwise.formats.records.json_stream import JsonStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.formats.beginning import Beginning

_JOB = ("id", "subtime", "walltime", "res", "profile")
_PROFILE = ("type", "delay", "seq", "repeat", "nb")


def begins_batsim(file: Beginning) -> bool:
    """Recognise a Batsim workload by a name specific to its JSON: subtime or nb_res."""
    return file.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and (
        re.search(rb'"(subtime|nb_res)"\s*:', file.data) is not None
    )


def batsim_records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the jobs of a workload.

    Raises
    ------
    TraceError
        For a file that is not JSON, has no ``jobs`` list, or refers to a missing profile.
    """
    profiles = _Profiles()
    n_resources = ""
    jobs: list[tuple[Any, ...]] = []
    kept = {"jobs": _JOB, "profiles": _PROFILE}
    for name, key, line, value in JsonStream(path, kept, ("nb_res",)).parts():
        if name == "nb_res":
            n_resources = _positive(value)
        elif not isinstance(value, dict):
            continue
        elif name == "jobs":
            jobs.append((line, *(value.get(field, "") for field in _JOB)))
        else:
            profiles.add(key, value)
    if not jobs:
        raise TraceError("the list 'jobs' is missing or empty; use a Batsim workload", path=path)
    for line, *values in jobs:
        record = {field: str(value) for field, value in zip(_JOB, values, strict=True)}
        profile = record["profile"]
        if profile not in profiles:
            raise TraceError(
                f"job {record['id']} has the profile {profile!r}, which is not in 'profiles'; "
                "add it, or correct its name",
                path=path,
                line=line,
            )
        seconds = profiles.seconds(profile)
        record["nb_res"] = n_resources
        record["walltime"] = _positive(values[_JOB.index("walltime")])
        record["id"] = record["id"].rpartition("!")[2]
        record["delay"] = record["walltime"] if seconds is None else str(seconds)
        yield line, record


def _positive(value: Any) -> str:
    is_number = isinstance(value, int | float) and value > 0
    return str(value) if is_number else ""


class _Profiles:
    """Profiles of a workload, each a delay in seconds or a sequence of other profiles."""

    def __init__(self) -> None:
        self._seconds: dict[str, float | None] = {}
        self._sequences: dict[str, tuple[list[str], float]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._seconds or name in self._sequences

    def add(self, name: str, profile: dict[str, Any]) -> None:
        """Store the parts of a sequence profile, or the delay of any other profile."""
        kind, names = profile.get("type"), profile.get("seq", [])
        if kind in ("composed", "sequence", "sequential_composition") and isinstance(names, list):
            repeat = _number(profile.get("repeat", profile.get("nb", 1)))
            self._sequences[name] = [str(each) for each in names], 1 if repeat is None else repeat
        else:
            self._seconds[name] = _number(profile.get("delay")) if kind == "delay" else None

    def seconds(self, name: str) -> float | None:
        """Return the run time of a profile, or None if the file does not state it in full.

        Each sequence is added up only once, because nested sequences can have very many parts.
        """
        waiting = [name]
        begun: set[str] = set()
        while waiting:
            last = waiting[-1]
            if last not in self._sequences:
                waiting.pop()
            elif last in begun:
                self._add_up(last)
            else:
                begun.add(last)
                parts = self._sequences[last][0]
                waiting += [part for part in parts if part in self._sequences and part not in begun]
        return self._seconds.get(name)

    def _add_up(self, name: str) -> None:
        """Add up the run times of a sequence; None if it contains itself or an unknown run time."""
        names, repeat = self._sequences.pop(name)
        parts = [self._seconds.get(each) for each in names]
        known = [part for part in parts if part is not None]
        self._seconds[name] = repeat * sum(known) if len(known) == len(parts) else None


def _number(value: Any) -> float | None:
    """Return a number as a float, or None for anything else or a number that is too large."""
    if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        return None
    return float(value)
