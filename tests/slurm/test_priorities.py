"""Recorded priorities and all their parts, compared with the oracle's."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import pytest

from reference.slurm.rules import Rules
from reference.slurm.standing import read_standing
from slurm.case import RECORDINGS, Case
from slurm.priorities import Compared, Priorities
from slurm.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDED = 0.0051  # the log gives parts with two decimals

# The rule, the recording, and the number of priorities that are wrong without the rule.
WITHOUT_FACTOR = [
    ("truncated", "factors", 326),
    ("job_size", "factors", 621),
    ("favor_small", "factors", 615),
    ("size_by_time", "reset", 1115),
    ("largest_partition", "factors", 621),
    ("qos_factor", "factors", 403),
    ("unused_qos", "factors", 403),
    ("association_factor", "factors", 494),
    ("account_priority", "factors", 161),
    ("tres_factor", "factors", 621),
    ("tres_factor", "tres_gpus", 80),
    ("default_memory", "factors", 139),
    ("nice", "factors", 345),
    ("later_site_factor", "factors", 62),
    ("renewal_by_number", "factors", 442),
    ("renewal_by_number", "reset", 861),
    ("damping", "reset", 1067),
    ("no_decay", "reset", 382),
    ("decayed_addition", "factors", 346),
    ("usage_at_end", "factors", 602),
    ("renewed_usage", "factors", 584),
    ("renewed_usage", "reset", 1038),
    ("fixed_accounts", "factors", 417),
    ("fixed_users", "factors", 320),
    ("account_usage", "factors", 608),
    ("root_share", "factors", 608),
]


def compared(name: str, rules: Rules) -> list[Compared]:
    """Return every recorded priority together with the oracle's."""
    case = Case.named(name)
    lines = (RECORDINGS / f"{name}.accounts").read_text().splitlines()
    assert case.parameters.multifactor is not None
    priorities = Priorities(
        case.recording,
        case.machine,
        case.parameters.multifactor,
        rules,
        case.shares if case.shares and case.shares.users else None,
        read_standing(lines),
    )
    return list(priorities)


@pytest.mark.parametrize(("name", "count"), [("factors", 621), ("reset", 1115), ("tres_gpus", 80)])
def test_every_priority_and_every_part_is_the_recorded_one(name: str, count: int) -> None:
    found = compared(name, Rules())
    assert len(found) == count
    assert [each for each in found if each.recorded != each.computed] == []
    for each in found:
        for part in each.recorded_parts.keys() | each.computed_parts.keys():
            recorded = each.recorded_parts.get(part, 0)
            if each.recorded_parts:
                assert abs(recorded - each.computed_parts.get(part, 0)) < ROUNDED, (part, each)


@pytest.mark.parametrize(("rule", "name", "count"), WITHOUT_FACTOR)
def test_priorities_are_missed_without_a_factor(rule: str, name: str, count: int) -> None:
    found = compared(name, dataclasses.replace(Rules(), **{rule: False}))
    assert sum(each.recorded != each.computed for each in found) == count


def test_ages_are_missed_if_jobs_have_one_before_a_scheduler_considers_them() -> None:
    def wrong(rules: Rules) -> int:
        found = [each for each in compared("factors", rules) if each.recorded_parts]
        ages = [(each.recorded_parts.get("age", 0), each.computed_parts["age"]) for each in found]
        return sum(abs(recorded - computed) > ROUNDED for recorded, computed in ages)

    assert wrong(Rules()) == 0
    assert wrong(dataclasses.replace(Rules(), age_once_considered=False)) == 19


def test_priorities_after_sunday_are_missed_without_the_reset() -> None:
    # The clock begins on Saturday 2026-01-03 at 22:40. Midnight is 3 days, 259,200 s, after the
    # instant from which recordings count. Usage is cleared at the next renewal, 48 s later.
    found = compared("reset", dataclasses.replace(Rules(), usage_reset=False))
    wrong = [each.instant for each in found if each.recorded != each.computed]
    assert len(wrong) == 867
    assert 259_200 <= min(wrong) < 259_500


def snapshots() -> Iterator[tuple[int, dict[int, list[str]]]]:
    """For each snapshot, yield the last job submitted, and the `sprio -l` line of each job."""
    text = (RECORDINGS / "factors.sprio").read_text(encoding="ascii")
    for block in text.split("# after job ")[1:]:
        last, _, *lines = block.splitlines()
        yield int(last), {int(line.split()[0]): line.split() for line in lines}


def test_sprio_prints_the_parts_of_the_log() -> None:
    # Columns: JOBID PARTITION USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE
    # TRES. sprio rounds the parts, and cuts the TRES column after 20 characters.
    header = re.compile(
        r"JOBID PARTITION +USER +PRIORITY +SITE +AGE +ASSOC +FAIRSHARE +JOBSIZE +PARTITION +QOS"
        r" +NICE +TRES"
    )
    assert header.search((RECORDINGS / "factors.sprio").read_text(encoding="ascii"))
    lines = [line.split() for line in Recording(RECORDINGS / "factors.csv").events]
    n_printed = 0
    for last, printed in snapshots():
        known = parts_about(lines, last)
        for job, words in printed.items():
            assert any(is_printed(each, words) for each in known[job]), (last, words)
            n_printed += 1
    assert n_printed == 42


def parts_about(lines: list[list[str]], last: int) -> dict[int, list[list[str]]]:
    """Return each job's priorities that were valid between submission `last` and the next one."""
    found: dict[int, list[list[str]]] = {}
    is_after = False
    for _, kind, job, *rest in (line for line in lines if len(line) > 2):
        if kind == "submit" and int(job) > last:
            break
        is_after = is_after or (kind == "submit" and int(job) == last)
        if kind == "parts":
            found[int(job)] = [*found.get(int(job), []), rest] if is_after else [rest]
    return found


def is_printed(parts: list[str], words: list[str]) -> bool:
    """Return true if a line of `sprio -l` shows a recorded priority."""
    value, *given = parts
    named = {name: float(part) for name, part in (each.split("=") for each in given)}
    names = ("site", "age", "assoc", "fairshare", "jobsize", "partition", "qos", "nice")
    rounded = zip(map(int, words[4:12]), names, strict=True)
    return words[3] == value and all(
        abs(number - named.get(name, 0)) <= 0.5 + ROUNDED for number, name in rounded
    )
