"""``slotwise study priority tune``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise import extras, text
from slotwise.advice.weights.outcomes import OBJECTIVES
from slotwise.advice.weights.search import SAMPLERS, Search
from slotwise.advice.weights.tuning import PLACES, Tuning, tune
from slotwise.pictures.figure import save
from slotwise.site import Site
from slotwise.studies.priority import paper
from slotwise.studies.priority.sites import study_site
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import parse_whole
from slotwise.terminal.outputs import check_folder
from slotwise.terminal.trace_argument import check_runnable, open_trace

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from slotwise.advice.weights.comparison import Gain
    from slotwise.trace import Trace


@dataclass(frozen=True)
class TuneRequest:
    """The arguments of ``tune``."""

    log: Path
    site: str
    objective: str
    sampler: str
    trials: str
    seed: str
    hold_out: str | None
    journal: Path | None
    workers: str | None
    out: Path | None
    as_json: bool


def tune_log(request: TuneRequest) -> None:
    """Search, print the best weights and their gain, and draw the Pareto front if requested."""
    asked = _search_of(request)
    hold_out = None if request.hold_out is None else parse_whole(
        "--hold-out", request.hold_out, 0, 10_000
    )  # fmt: skip
    workers = None if request.workers is None else parse_whole(
        "--workers", request.workers, 1, 4096
    )  # fmt: skip
    if request.out is not None:
        extras.load("matplotlib")
        check_folder(request.out, "--out")
        if len(asked.objectives) < 2:
            raise UsageError(
                "--out draws the Pareto front of several objectives, but there is only one; remove "
                "--out, or choose two objectives, such as --objective utilisation,mean_wait"
            )
    trace = open_trace(request.log)
    site = site_named(request.site, trace)
    check_runnable(trace, site)
    with screen.progress(f"trying weights on {request.log.name}") as progress:
        try:
            found = tune(
                trace, site, asked, grid=request.sampler == "grid", hold_out=hold_out,
                workers=workers, progress=progress,
            )  # fmt: skip
        except ValueError as fault:
            if type(fault) is ValueError:
                raise UsageError(str(fault)) from None
            raise
    written = [] if request.out is None else _front_pictures(found, request.out)
    if request.as_json:
        screen.print_json({"log": trace.source, "site": request.site, **found.to_dict()})
        return
    _show(screen.stdout(), found)
    for path in written:
        screen.stdout().print(f"written: {path}", markup=False, soft_wrap=True)


def _search_of(request: TuneRequest) -> Search:
    samplers = (*SAMPLERS, "grid")
    if request.sampler not in samplers:
        raise UsageError(f"--sampler {request.sampler}: choose one of: {', '.join(samplers)}")
    if request.sampler == "grid" and request.journal is not None:
        raise UsageError(
            "--journal stores a search that can be resumed, but --sampler grid tries every set "
            "of weights; use only one of the two options"
        )
    return Search(
        tuple(request.objective.split(",")),
        "tpe" if request.sampler == "grid" else request.sampler,
        trials=parse_whole("--trials", request.trials, 1, 10**6),
        seed=parse_whole("--seed", request.seed, 0, 2**31),
        journal=request.journal,
    )


def site_named(name: str, trace: Trace) -> Site:
    """Return a site of the study by name, or the site in a TOML file."""
    return Site.from_toml(name) if name.endswith(".toml") else study_site(name, trace)


def _front_pictures(found: Tuning, out: Path) -> list[Path]:
    from slotwise.studies.priority.figures import front_picture

    out.mkdir(exist_ok=True)
    return save(front_picture(**found.points()), out, "pareto-front")


def _show(console: Console, found: Tuning) -> None:
    plain = found.to_dict()
    weeks = f"{text.plural(plain['weeks'], 'week')} searched, {plain['held_out']} held out"
    console.print(f"{text.plural(plain['tried'], 'different set')} of weights; {weeks}.\n")
    for objective in found.objectives:
        console.print(_best_table(plain, objective))
        _show_gain(console, found.gain(found.best(objective), objective))
    if len(found.objectives) > 1:
        console.print(_front_table(plain))


def _best_table(plain: dict[str, Any], objective: str) -> Any:
    """Tabulate the best weights; those for utilisation appear next to the thesis's Table 2."""
    beside = objective == "utilisation"
    title = f"Best weights for {objective.replace('_', ' ')}" + (" (Table 2)" if beside else "")
    unit = OBJECTIVES[objective][1]
    names = ["rank", "cores C", "queue_time Q", "expansion X", f"{objective} {unit}".strip()]
    table = tables.new_table(*names, *(["thesis"] if beside else []), title=title)
    best = plain["top"][objective]
    papers = [f"{utilisation:.4f}" for _, utilisation, *_weights in paper.TABLE_2]
    for place, each in enumerate(best[:PLACES], 1):
        cells = [str(each[name]) for name in ("rank", "cores", "queue_time", "expansion")]
        table.add_row(*cells, f"{each[objective]:.4f}", *([papers[place]] if beside else []))
    current = f"{plain['current'][objective]:.4f}"
    table.add_row("", "1", "5", "100", current, *([papers[0]] if beside else []))
    if len(best) > PLACES:
        table.caption = f"and {len(best) - PLACES:,} more that tie with the last"
    return table


def _show_gain(console: Console, gain: Gain) -> None:
    unit = OBJECTIVES[gain.objective][1]
    shown = " points" if unit == "%" else f" {unit}".rstrip()
    parts = [f"{gain.train:+.4f}{shown} in the weeks used in the search"]
    if not math.isnan(gain.held_out):
        parts.append(f"{gain.held_out:+.4f} in the held-out weeks")
    if not math.isnan(gain.low):
        parts.append(f"{gain.low:+.4f} to {gain.high:+.4f} in 95 % of the resampled weeks")
    console.print(
        f"Gain of the best weights over Kraken's (last line): {', '.join(parts)}. Per week: "
        f"{gain.core_hours:+z,.0f} core hours, or {gain.jobs:+z,.1f} jobs of average size.\n"
        f"[bold]{gain.verdict}[/bold]\n"
    )


def _front_table(plain: dict[str, Any]) -> Any:
    table = tables.new_table(
        "cores C", "queue_time Q", "expansion X", *plain["objectives"], title="Pareto front"
    )
    for each in plain["front"]:
        weights = [str(each[name]) for name in ("cores", "queue_time", "expansion")]
        table.add_row(*weights, *(f"{each[name]:.4f}" for name in plain["objectives"]))
    return table
