"""The options every replaying command shares: one for each field of a policy."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slotwise.policy import PRESETS, backfills, orders

if TYPE_CHECKING:
    from collections.abc import Callable

POLICY_PANEL = "Policy"
SWITCH_PANEL = "Policy: switches in which published simulators differ"



def order_names() -> list[str]:
    """Names of the registered orders."""
    return [info.name for info in orders()]


def backfill_names() -> list[str]:
    """Names of the registered backfills."""
    return [info.name for info in backfills()]


@dataclass(frozen=True)
class PolicyOption:
    """How one field of :class:`slotwise.Policy` is given on the command line."""

    field: str
    kind: type
    help: str
    metavar: str | None = None
    panel: str = POLICY_PANEL
    complete: Callable[[], list[str]] | None = None

    @property
    def flag(self) -> str:
        """The option as typed, ``--backfill-order`` for the field ``backfill_order``."""
        return "--" + self.field.replace("_", "-")


def _choices(*names: str) -> dict[str, Any]:
    return {"metavar": "|".join(names), "complete": lambda: list(names)}


def policy_options() -> tuple[PolicyOption, ...]:
    """List the options, in the order of ``--help``; the names in it come from the registries."""
    switch = {"panel": SWITCH_PANEL}
    return (
        PolicyOption(
            "order",
            str,
            f"Who goes first: {', '.join(order_names())}. Default fcfs.",
            "NAME",
            complete=order_names,
        ),
        PolicyOption(
            "backfill",
            str,
            f"Who may overtake: {', '.join(backfill_names())}. Default easy.",
            "NAME",
            complete=backfill_names,
        ),
        PolicyOption("depth", int, "Reservations that backfill 'depth' keeps. Default 1.", "K"),
        PolicyOption(
            "relaxation",
            float,
            "How far backfill 'relaxed' may delay the head, as a share of its expected wait. "
            "Default 0.5.",
            "SHARE",
        ),
        PolicyOption(
            "backfill_order",
            str,
            "Another order for the candidates behind the blocked head ('sjf' with easy is EASY-SJBF).",
            "NAME",
            complete=order_names,
        ),
        PolicyOption(
            "estimates",
            str,
            "What the scheduler believes of run times. Default requested.",
            **_choices("requested", "exact", "user-history"),
        ),
        PolicyOption(
            "passes",
            str,
            "When it looks at the queue: once per-instant, after each event, or at a period such as "
            "30s, 5m, 1h. Default per-instant.",
            "per-instant|per-event|PERIOD",
            complete=lambda: ["per-instant", "per-event", "30s", "60s"],
        ),
        PolicyOption("kill_at_limit", bool, "End a job at its requested time. Default yes."),
        PolicyOption(
            "event_order",
            str,
            "What comes first at one instant.",
            **_choices("completions-first", "arrivals-first"),
            **switch,
        ),
        PolicyOption(
            "waiting_estimates",
            str,
            "What is believed of waiting jobs, where that differs from running ones.",
            **_choices("requested", "exact", "user-history"),
            **switch,
        ),
        PolicyOption(
            "ending_now",
            str,
            "Whether a running job whose estimate ends now still holds its processors.",
            **_choices("busy", "free"),
            **switch,
        ),
        PolicyOption(
            "spare_processors",
            bool,
            "Let a candidate use processors the head will not need.",
            **switch,
        ),
        PolicyOption(
            "strict_end", bool, "A candidate must end before the shadow time, not at it.", **switch
        ),
        PolicyOption(
            "frozen_reservation",
            bool,
            "Fix the reservation when the head blocks, never refresh it.",
            **switch,
        ),
        PolicyOption(
            "compression",
            str,
            "Conservative: which ends let promises move forward.",
            **_choices("early-end", "every-end"),
            **switch,
        ),
        PolicyOption(
            "promises",
            str,
            "Conservative: when an arrival gets its promise.",
            **_choices("per-pass", "per-arrival"),
            **switch,
        ),
    )


def preset_option() -> PolicyOption:
    """Give the option that fills in a whole policy; what else is given changes it."""
    return PolicyOption(
        "preset",
        str,
        "Start from the policy of a published simulator, or replay the log as it was.",
        **_choices(*PRESETS),
    )


def parameter(option: PolicyOption) -> inspect.Parameter:
    """Make a parameter typer turns into this option; absent is None."""
    names = [option.flag]
    if option.kind is bool:
        names = [f"{option.flag}/--no-{option.flag[2:]}"]
    complete = option.complete
    info = typer.Option(
        *names,
        help=option.help,
        metavar=option.metavar,
        rich_help_panel=option.panel,
        show_default=False,
        autocompletion=_completion(complete) if complete else None,
    )
    return inspect.Parameter(
        option.field,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.kind | None, info],
    )


def _completion(names: Callable[[], list[str]]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def with_options(
    options: tuple[PolicyOption, ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options; those the user wrote arrive as one dict, `given`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        fields = [option.field for option in options]

        def wrapper(**values: Any) -> None:
            given = {name: values.pop(name) for name in fields}
            command(**values, given={k: v for k, v in given.items() if v is not None})

        kept = [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for p in own.parameters.values()
            if p.name != "given"
        ]
        parameters = [*kept, *(parameter(option) for option in options)]
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
        wrapper.__doc__ = command.__doc__
        wrapper.__name__ = command.__name__
        return wrapper

    return decorate
