"""``slotwise sweep merge``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise import text
from slotwise.cli.metric_columns import parse_columns
from slotwise.cli.sweep_table import TABLE_SUFFIXES, Shown, give
from slotwise.sweeps.journal import read_journal
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_output, check_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from slotwise.sweeps.rows import Row


class Shard(NamedTuple):
    """A file with shard `part` of `parts`; both are None for a sweep that was not divided."""

    path: Path
    subject: dict[str, Any]
    part: int | None
    parts: int | None
    rows: dict[int, Row]


def merge_shards(
    paths: Sequence[Path],
    out: Path | None,
    *,
    as_json: bool,
    columns: str | None = None,
    wide: bool = False,
) -> None:
    """Combine the shards of one sweep.

    Raises
    ------
    UsageError
        For shards of different sweeps, and for missing points.
    """
    shown = Shown(parse_columns(columns, wide=wide, as_json=as_json), wide)
    if out is not None:
        check_output(out, "--out", TABLE_SUFFIXES, *paths)
        check_parquet(out)
    shards = [_read(path) for path in paths]
    first = shards[0]
    for shard in shards[1:]:
        if shard.subject != first.subject:
            differing = [k for k, v in first.subject.items() if shard.subject.get(k) != v]
            raise UsageError(
                f"{shard.path} and {first.path} are shards of different sweeps, which differ in: "
                f"{', '.join(differing)}; merge only shards of the same sweep"
            )
    rows = {number: row for shard in shards for number, row in shard.rows.items()}
    missing = [number for number in range(first.subject["n_sites"]) if number not in rows]
    if missing:
        raise UsageError(_what_is_missing(shards, missing, first.subject["n_sites"]))
    for warning in _given_twice(shards):
        screen.warn(warning)
    ordered = [rows[number] for number in range(first.subject["n_sites"])]
    give(out, as_json, first.subject.get("points") or [{} for _ in ordered], ordered, shown)


def _read(path: Path) -> Shard:
    try:
        subject, rows = read_journal(path)
    except OSError as fault:
        raise UsageError(f"{path}: cannot be read ({fault.strerror}); check the path") from None
    except ValueError as fault:
        raise UsageError(str(fault)) from None
    part, parts = subject.pop("shard", (None, None))
    return Shard(path, subject, part, parts, rows)


def _what_is_missing(shards: Sequence[Shard], missing: Sequence[int], n_sites: int) -> str:
    """Name the incomplete shards, or the first missing points if the shard counts differ."""
    numbers = {shard.parts for shard in shards}
    parts = numbers.pop()
    if numbers or parts is None:
        first = ", ".join(str(number + 1) for number in missing[:5])
        return (
            f"{len(missing)} of {n_sites} points are in none of these files (first: {first}); "
            "rerun the shards that lack them; each resumes where it stopped"
        )
    lacking = {part: sum(n % parts == part - 1 for n in missing) for part in range(1, parts + 1)}
    given = {shard.part: shard.path for shard in shards}
    absent = [part for part, count in lacking.items() if count and part not in given]
    found = []
    if absent:
        what, are = ("shard", "is") if len(absent) == 1 else ("shards", "are")
        found.append(f"{what} {_ranges(absent)} of {parts} {are} not among these files")
    for part, path in given.items():
        if part is not None and lacking[part]:
            size = len(range(part - 1, n_sites, parts))
            found.append(f"{path} (shard {part} of {parts}) lacks {lacking[part]} of {size} points")
    return (
        f"{len(missing)} of {n_sites} points {text.are(len(missing))} missing: {'; '.join(found)}. "
        "Run the missing shards with --shard K/N; a shard already begun resumes where it stopped"
    )


def _given_twice(shards: Sequence[Shard]) -> Iterable[str]:
    """List shards that repeat points of an earlier shard; each point counts once."""
    for index, shard in enumerate(shards):
        earlier = [other for other in shards[:index] if other.rows.keys() & shard.rows.keys()]
        if earlier:
            named = f" (shard {shard.part} of {shard.parts})" if shard.part else ""
            yield f"{shard.path}{named} repeats points of {earlier[0].path}; each point counts once"


def _ranges(numbers: Sequence[int]) -> str:
    """Write ascending numbers as ranges, as ``sbatch --array`` accepts them: ``2,5-7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)
