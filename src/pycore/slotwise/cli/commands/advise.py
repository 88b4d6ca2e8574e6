"""``slotwise advise``."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.advice.start_forecast import Shape, StartForecast, advise
from slotwise.site import Site
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.times import seconds_of, written_duration
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import parse_whole, shortened, whole_of
from slotwise.terminal.trace_argument import check_runnable, open_trace

if TYPE_CHECKING:
    from rich.console import Console

    from slotwise.trace import Trace

_MOST_SHAPES = 256
_MOST_NAMED = 8


@dataclass(frozen=True)
class AdviceRequest:
    """The arguments of ``advise``."""

    state: str
    cores: str
    walltime: str
    site: Path | None
    draws: str
    seed: str
    arrivals: bool
    user: str | None
    queue: str | None
    as_json: bool


def give_advice(request: AdviceRequest) -> None:
    """Replay the log up to the time in ``--state``, and print a forecast for every shape."""
    shapes = parse_shapes(request.cores, request.walltime)
    draws = parse_whole("--draws", request.draws, 1, 10**6)
    seed = parse_whole("--seed", request.seed, 0, 2**63 - 1)
    name, at = parse_state(request.state)
    site = Site() if request.site is None else Site.from_toml(request.site)
    trace = open_trace(Path(name))
    if site.machine is None:
        _check_size(trace)
    owner = {} if request.user is None else named_code(trace, "--user", request.user, ("user",))
    place = {}
    if request.queue is not None:
        place = named_code(trace, "--queue", request.queue, ("queue", "partition"))
    check_runnable(trace, site)
    with screen.progress(f"forecasting {name} at {at}") as progress:
        found = advise(
            trace, site, at, shapes, draws=draws, seed=seed, arrivals=request.arrivals,
            progress=progress, **owner, **place,
        )  # fmt: skip
    if request.as_json:
        facts = {"log": trace.source, "at": at, "draws": draws, "seed": seed}
        screen.print_json(
            {**facts, "arrivals": request.arrivals, "shapes": [f.to_dict() for f in found]}
        )
        return
    _show(screen.stdout(), found, trace, site, draws, arrivals=request.arrivals)


def _check_size(trace: Trace) -> None:
    """Refuse a log without the machine's size, for a site that does not give it either."""
    if trace.max_processors is None:
        raise UsageError(
            f"{trace.source} does not state the size of the machine; pass a site file with a "
            "[machine] table as --site SITE.toml; slotwise site from-log prints such a file"
        )


def named_code(trace: Trace, option: str, written: str, columns: tuple[str, ...]) -> dict[str, int]:
    """Find a name in the first of `columns` that has it; return that column and the name's code.

    A number that is not a name is a code in the first column. It is refused if the first column
    has no names but another column does.

    Raises
    ------
    UsageError
        For a name that none of the columns contains, and for a number that is refused.
    """
    for column in columns:
        for code, word in trace.labels.get(column, {}).items():
            if word == written.strip():
                return {column: code}
    words = [word for column in columns for word in trace.labels.get(column, {}).values()]
    is_number = whole_of(written.strip()) is not None
    if not words and any(letter.isalpha() for letter in written):
        raise UsageError(
            f"{option} {shortened(written)}: the log has no {' or '.join(columns)} names; pass a "
            "number"
        )
    if words and not (is_number and columns[0] in trace.labels):
        known = ", ".join(sorted(words)[:_MOST_NAMED]) + (", …" if len(words) > _MOST_NAMED else "")
        raise UsageError(
            f"{option} {shortened(written)}: the log has no {' or '.join(columns)} with this name; "
            f"it has {known}: correct the name"
        )
    return {columns[0]: parse_whole(option, written, 0, 2**31 - 1)}


def parse_state(written: str) -> tuple[str, int | str]:
    """Split ``LOG@TIME`` into the log and the time."""
    name, at, moment = written.rpartition("@")
    if not at or not name or not moment:
        raise UsageError(
            f"--state {written} must be LOG@TIME; write, for example, log.swf@86400 or "
            "log.swf@2010-10-20T08:00:00"
        )
    seconds = whole_of(moment)
    return name, moment if seconds is None else seconds


def parse_shapes(cores: str, walltime: str) -> list[Shape]:
    """Combine every number of cores with every walltime."""
    sizes = [parse_whole("--cores", part, 1, 2**31 - 1) for part in cores.split(",")]
    times = []
    for part in walltime.split(","):
        try:
            seconds = seconds_of(part.strip())
        except ValueError as fault:
            raise UsageError(f"--walltime {part}: {fault}") from None
        if not 1 <= seconds < 2**31:
            raise UsageError(
                f"--walltime {part} must be at least one second and below 2^31 seconds; write, for "
                "example, 2h or 30m"
            )
        times.append(seconds)
    shapes = [Shape(size, seconds) for size in sizes for seconds in times]
    if len(shapes) > _MOST_SHAPES:
        raise UsageError(
            f"--cores and --walltime give {len(shapes)} combinations; use at most {_MOST_SHAPES}"
        )
    return shapes


def _wait(seconds: float) -> str:
    return "never" if math.isinf(seconds) else text.clock(seconds)


def _note_of_equals(found: list[StartForecast]) -> list[str]:
    """Explain equal rows: shapes of the same size whose waits are equal in every sample."""
    waiting = [each for each in found if each.at_once < 1 and math.isfinite(each.waits[0])]
    equal = any(
        a.shape.cores == b.shape.cores and (a.waits == b.waits).all()
        for a, b in itertools.combinations(waiting, 2)
    )
    note = (
        "Rows with the same number of cores show the same wait if the shorter walltime does "
        "not fit into an earlier gap."
    )
    return [note] if equal else []


def _notes_of_never(found: list[StartForecast], site: Site) -> list[str]:
    """Explain why shapes never start; shapes with the same reason share a sentence."""
    shapes: dict[str, list[str]] = {}
    for each in found:
        if math.isinf(each.waits[-1]) and (why := _reason(each, site)):
            size, time = text.plural(each.shape.cores, "core"), text.clock(each.shape.walltime)
            shapes.setdefault(why, []).append(f"{size} for {time}")
    return [f"Never starts: {', '.join(those)}, because {why}." for why, those in shapes.items()]


def _reason(each: StartForecast, site: Site) -> str:
    """Return the reason why jobs of a shape are rejected, or "" if they are not."""
    if not each.reject_reason:
        return ""
    queues = [queue for queue in site.queues if each.queue in ("", queue.name)]
    bounds: list[Any] = [queue.walltime[1] for queue in queues]
    if bounds and None not in bounds and each.shape.walltime > max(bounds):
        who = f"queue {each.queue} accepts" if each.queue else "the queues accept"
        return f"{who} at most {written_duration(max(bounds))}"
    return f"a job of this shape is {each.reject_reason.words}"


def _show(
    console: Console,
    found: list[StartForecast],
    trace: Trace,
    site: Site,
    draws: int,
    *,
    arrivals: bool,
) -> None:
    headings = ["cores", "walltime", "core hours", "no wait", "median", "10 %", "90 %"]
    names = {each.queue for each in found} if site.queues else set()
    queues = ["queue"] if len(names) > 1 else []
    rows = [
        [
            text.count(each.shape.cores),
            text.clock(each.shape.walltime),
            text.count(each.shape.core_hours),
            text.percent(each.at_once),
            _wait(each.quantile(0.5)),
            _wait(each.quantile(0.1)),
            _wait(each.quantile(0.9)),
            _wait(each.if_all_take_their_requests),
            *([each.queue or "none"] if queues else []),
        ]
        for each in found
    ]
    console.print(tables.fitting_table(console, [*headings, "as requested", *queues], rows))
    further = isinstance(site.machine, Nodes) and len(site.machine.resources) > 1
    later = "Later jobs in the log also arrive." if arrivals else "No other job arrives."
    tables.print_notes(
        console,
        [
            f"Waits over {draws:,} draws: median, 10th and 90th percentile. In each draw, "
            "every running or waiting job uses a share of its requested time. The share is "
            f"sampled from the earlier jobs of {Path(trace.source).name}. {later}",
            "As requested: the wait if every job used its full requested time.",
            *([f"Queue of the job: {names.pop() or 'none'}."] if len(names) == 1 else []),
            *(["The job requests cores only, on any nodes of the queue."] if further else []),
            *_notes_of_never(found, site),
            *_note_of_equals(found),
        ],
    )
