"""``slotwise policies``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.cli.keywords import flag_of
from slotwise.site.policy import PRESETS, Policy, backfills
from slotwise.site.policy.order_spec import orders
from slotwise.site.policy.policy_checks import as_written
from slotwise.terminal import screen
from slotwise.terminal.tables import new_table_of_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from slotwise.site.policy.order_spec import ParameterInfo, PolicyInfo


def show_policies(*, as_json: bool) -> None:
    """List the registered orders and backfill rules, and the presets."""
    if as_json:
        screen.print_json(
            {
                "orders": [_plain(info) for info in orders()],
                "backfills": [_plain(info) for info in backfills()],
                "presets": {name: Policy.preset(name).to_dict() for name in PRESETS},
            }
        )
        return
    console = screen.stdout()
    _table(console, "Orders: priority of waiting jobs", orders(), "{name} = {default}: {doc}.")
    _table(
        console,
        "Backfill rules: which jobs may overtake others",
        backfills(),
        "{flag}: {doc}, default {default}.",
    )
    presets = new_table_of_words(
        "Presets: policies of published simulators, and the log's own schedule"
    )
    for name in PRESETS:
        made = Policy.preset(name).to_dict()
        presets.add_row(
            name, ", ".join(f"{key} = {as_written(value)}" for key, value in made.items())
        )
    console.print(presets)


def _plain(info: PolicyInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "doc": info.doc,
        "reference": info.reference,
        "parameters": [parameter._asdict() for parameter in info.parameters],
    }


def _plain_parameter(parameter: ParameterInfo) -> dict[str, str]:
    default = parameter.default
    shown = f"{default:g}" if isinstance(default, int | float) else str(default)
    return {
        "name": parameter.name, "flag": flag_of(parameter.name), "doc": parameter.doc,
        "default": shown,
    }  # fmt: skip


def _table(console: Console, title: str, infos: Iterable[PolicyInfo], parameter: str) -> None:
    table = new_table_of_words(title)
    for info in infos:
        parameters = "".join(
            f" [dim]{parameter.format(**_plain_parameter(p))}[/]" for p in info.parameters
        )
        table.add_row(info.name, f"{info.doc}{parameters}")
    console.print(table)
    console.print()
