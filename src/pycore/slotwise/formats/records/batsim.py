"""Jobs of a Batsim workload, with the run times of their profiles."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, TypeGuard

from slotwise.errors import TraceError
from slotwise.formats.records.json_stream import JsonStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.formats.beginning import Beginning

_DEEPEST = 20


def begins_batsim(file: Beginning) -> bool:
    """Recognise a file by Batsim's names: subtime, or nb_res, and res."""
    return file.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and (
        re.search(rb'"(subtime|nb_res)"\s*:', file.data) is not None
    )


def batsim_records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Return the jobs of a workload.

    Raises
    ------
    TraceError
        For a file that is not JSON, has no list ``jobs``, or names a missing profile.
    """
    profiles: dict[str, Any] = {}
    n_resources = ""
    jobs: list[tuple[int, dict[str, Any]]] = []
    for name, line, value in JsonStream(path, "jobs").members():
        if name == "jobs" and isinstance(value, dict):
            kept = ("id", "subtime", "walltime", "res", "profile")
            jobs.append((line, {key: value[key] for key in kept if key in value}))
        elif name == "profiles" and isinstance(value, dict):
            profiles = value
        elif name == "nb_res":
            n_resources = _positive(value)
    if not jobs:
        raise TraceError("has no jobs in a list 'jobs'; give a Batsim workload", path=path)
    for line, job in jobs:
        profile = str(job.get("profile", ""))
        if profile not in profiles:
            raise TraceError(
                f"job {job.get('id')} has the profile {profile!r}, which is not in 'profiles'; "
                "add it, or correct its name",
                path=path,
                line=line,
            )
        seconds = _seconds(profiles[profile], profiles)
        record = {key: str(value) for key, value in job.items()}
        record["nb_res"] = n_resources
        record["walltime"] = _positive(job.get("walltime"))
        record["id"] = record.get("id", "").rpartition("!")[2]
        record["delay"] = _positive(job.get("walltime")) if seconds is None else str(seconds)
        yield line, record


def _positive(value: Any) -> str:
    is_number = isinstance(value, int | float) and value > 0
    return str(value) if is_number else ""


def _seconds(profile: Any, profiles: dict[str, Any], depth: int = 0) -> float | None:
    """Return the seconds of a delay, or of a sequence of delays; None if they are not stated."""
    if not isinstance(profile, dict) or depth > _DEEPEST:
        return None
    kind = profile.get("type")
    delay = profile.get("delay")
    if kind == "delay" and _is_number(delay):
        return delay
    if kind in ("composed", "sequence", "sequential_composition"):
        total = 0.0
        for name in profile.get("seq", []):
            part = _seconds(profiles.get(name), profiles, depth + 1)
            if part is None:
                return None
            total += part
        repeat = profile.get("repeat", profile.get("nb", 1))
        return total * (repeat if _is_number(repeat) else 1)
    return None


def _is_number(value: Any) -> TypeGuard[float]:
    """Check for a number that a float can represent."""
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max
