"""Converts the fields of a job submitted to a simulation to whole numbers."""

from __future__ import annotations

from slotwise._numbers import whole

OPTIONAL = (
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time",
    "eligible",
    "array_id",
    "array_task",
    "array_limit",
    "dependency",
)
"""Optional fields of a job; -1 stands for a missing value."""


def job_fields(now: int, **given: object) -> dict[str, int]:
    """Convert the fields of a job submitted at `now` to whole numbers; a missing field is -1.

    Raises
    ------
    ValueError
        For a value that is not a whole number.
    """
    numbers = dict.fromkeys(OPTIONAL, -1)
    numbers["has_request"] = 0 if given["requested_time"] is None else 1
    if given["requested_time"] is None:
        given["requested_time"] = given["run_time"]
    if given["submit"] is None:
        given["submit"] = now
    for name, value in given.items():
        number = whole(value)
        if number is not None:
            numbers[name] = number
        elif name != "job_id" or value is not None:
            raise ValueError(f"{name} is {value!r}; use a whole number")
    return numbers


def job_number(job_id: object) -> int:
    """Check a job number given by the user, and return it.

    Raises
    ------
    ValueError
        For a value that is not a whole number.
    """
    number = whole(job_id)
    if number is None:
        raise ValueError(f"job_id is {job_id!r}; use the number of a job")
    return number
