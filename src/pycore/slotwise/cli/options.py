"""Options of a policy, one per field, shared by every command that replays."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.cli.completion import one_of
from slotwise.site.policy import PRESETS, backfills
from slotwise.site.policy.backfill_facts import backfill_facts
from slotwise.site.policy.order_spec import order_names
from slotwise.terminal.parameters import with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slotwise.site.policy.backfill_facts import ParameterFacts


POLICY_PANEL = "Policy"
SWITCH_PANEL = "Policy: differences between published simulators"
MOST_OPTIONS = 10
"""Backfill rules with more parameters than this get no options; use --set or a site file."""
_ESTIMATES = ("requested", "exact", "user-history")
_METAVARS = {"number": "SHARE", "whole": "N", "flag": "BOOL", "name": "NAME", "length": "TIME"}


def backfill_names() -> list[str]:
    """Names of the registered backfill rules."""
    return [info.name for info in backfills()]


@dataclass(frozen=True)
class PolicyOption:
    """The command-line option of one field of :class:`slotwise.Policy`."""

    field: str
    kind: type
    help: str
    metavar: str | None = None
    panel: str = POLICY_PANEL
    complete: Callable[[], list[str]] | None = None
    switches_off: bool = False

    @property
    def flag(self) -> str:
        """The option as typed: ``--backfill-order``, ``--no-kill-at-limit``."""
        return ("--no-" if self.switches_off else "--") + self.field.replace("_", "-")


def _named(
    field: str, names: Sequence[str], help_text: str, panel: str = POLICY_PANEL
) -> PolicyOption:
    """Describe a field that takes a name; ``{names}`` in its help becomes the list of names."""
    text = help_text.format(names=", ".join(names))
    return PolicyOption(field, str, text, "NAME", panel, lambda: list(names))


def _flag(field: str, help_text: str, panel: str, *, switches_off: bool = False) -> PolicyOption:
    return PolicyOption(field, bool, help_text, "", panel, switches_off=switches_off)


def policy_options() -> tuple[PolicyOption, ...]:
    """List the options in the order of ``--help``; the names they take come from the registries."""
    return (*_policy(), *_nodes(), *_own_panels(), *_switches())


def _policy() -> Iterator[PolicyOption]:
    yield _named("order", order_names(), "Order of the queue: {names}. Default fcfs.")
    yield _named(
        "backfill",
        backfill_names(),
        "Rule that decides which jobs may overtake others: {names}. Default easy.",
    )
    yield from _parameters(POLICY_PANEL)
    yield PolicyOption(
        "backfill_order",
        str,
        "Order in which backfilling tries the jobs behind the first waiting job; with --backfill "
        "easy, sjf gives EASY-SJBF. Default: --order.",
        "NAME",
        complete=order_names,
    )
    yield _named(
        "estimates",
        _ESTIMATES,
        "Run times assumed by the scheduler: {names}. Default requested.",
    )
    yield PolicyOption(
        "passes",
        str,
        "When the scheduler runs: per-instant, per-event, periodic (every 30 s), or a period "
        "such as 5m. Default per-instant.",
        "WHEN",
        complete=lambda: ["per-instant", "per-event", "periodic", "30s", "5m"],
    )
    yield _flag(
        "kill_at_limit", "Let jobs run past their requested time.", POLICY_PANEL, switches_off=True
    )


def _nodes() -> Iterator[PolicyOption]:
    yield _named(
        "allocation",
        ("first", "least-spread", "contiguous", "contiguous-best", "contiguous-worst"),
        "Rule that chooses a job's nodes on a torus: {names}. Default first.",
    )
    yield _named(
        "reserve",
        ("numbers", "nodes"),
        "Form of a reservation on a machine with node types: numbers (a node count) or nodes "
        "(specific nodes). Default numbers.",
    )


def _parameters(panel: str) -> Iterator[PolicyOption]:
    """Yield the options for backfill parameters that belong to one panel of the help."""
    for backfill, facts in backfill_facts().items():
        if len(facts.parameters) > MOST_OPTIONS:
            continue
        if panel == (_panel(backfill) if len(facts.parameters) > 1 else POLICY_PANEL):
            for parameter in facts.parameters.values():
                yield _parameter(backfill, parameter, panel)


def _panel(backfill: str) -> str:
    return f"Policy: backfill {backfill}"


def _own_panels() -> Iterator[PolicyOption]:
    for backfill, facts in backfill_facts().items():
        if len(facts.parameters) > 1:
            yield from _parameters(_panel(backfill))


def _parameter(backfill: str, facts: ParameterFacts, panel: str) -> PolicyOption:
    what = f"{facts.doc[0].upper()}{facts.doc[1:]}"
    if panel == POLICY_PANEL:
        what += f"; only with --backfill {backfill}"
    text = f"{what}. Default {facts.default_text}."
    if facts.kind == "flag" and facts.default is not None:
        return _flag(facts.name, f"{what}.", panel)
    names = {"flag": ["true", "false"], "name": list(facts.names)}.get(facts.kind)
    metavar = _METAVARS[facts.kind]
    known = (lambda: names) if names else None
    return PolicyOption(facts.name, str, text, metavar, panel, known)


def _switches() -> Iterator[PolicyOption]:
    yield _named(
        "event_order",
        ("completions-first", "arrivals-first"),
        "Order of events at the same instant: {names}. Default completions-first.",
        SWITCH_PANEL,
    )
    yield _named(
        "waiting_estimates",
        _ESTIMATES,
        "Run times assumed for waiting jobs: {names}. Default: --estimates.",
        SWITCH_PANEL,
    )
    yield _named(
        "ending_now",
        ("busy", "free"),
        "Whether a job still occupies its processors at its estimated end: {names}. Default busy.",
        SWITCH_PANEL,
    )
    yield _flag(
        "spare_processors",
        "Backfill only jobs that end before the reservation begins, even on processors that the "
        "reserved job will not need.",
        SWITCH_PANEL,
        switches_off=True,
    )
    yield _flag(
        "strict_end",
        "Backfill only jobs that would end before the reservation begins; ending exactly when it "
        "begins is not enough.",
        SWITCH_PANEL,
    )
    yield _flag(
        "frozen_reservation",
        "Leave a reservation at its original time; never move it earlier.",
        SWITCH_PANEL,
    )
    yield _named(
        "compression",
        ("early-end", "every-end"),
        "Events after which conservative backfilling moves promised starts earlier: early-end (a "
        "job ends before its estimate) or every-end (any job ends). Default early-end.",
        SWITCH_PANEL,
    )
    yield _named(
        "promises",
        ("per-pass", "per-arrival"),
        "Time at which conservative backfilling promises a start to a new job: per-pass (after "
        "completions at the same instant) or per-arrival (before them). Default per-pass.",
        SWITCH_PANEL,
    )


def preset_option() -> PolicyOption:
    """Create the option that selects a whole policy; other options then change parts of it."""
    return _named(
        "preset",
        tuple(PRESETS),
        "Start from the policy of another scheduler or from the log's own schedule: {names}.",
    )


def parameter(option: PolicyOption) -> inspect.Parameter:
    """Create the parameter that typer turns into this option; its default is None."""
    complete = option.complete
    info = typer.Option(
        option.flag,
        help=option.help,
        metavar="" if option.kind is bool else option.metavar,
        rich_help_panel=option.panel,
        show_default=False,
        autocompletion=one_of(complete) if complete else None,
    )
    return inspect.Parameter(
        option.field,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.kind | None, info],
    )


def with_options(
    options: tuple[PolicyOption, ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command, which receives the values the user typed as one dict, `given`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        fields = [option.field for option in options]
        turned_off = {option.field for option in options if option.switches_off}

        def wrapper(**values: Any) -> None:
            given = {name: values.pop(name) for name in fields}
            chosen = {
                name: not value if name in turned_off else value
                for name, value in given.items()
                if value is not None
            }
            command(**values, given=chosen)

        kept = [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for p in own.parameters.values()
            if p.name != "given"
        ]
        parameters = [*kept, *(parameter(option) for option in options)]
        return with_parameters(wrapper, parameters, name=command.__name__, doc=command.__doc__)

    return decorate
