"""The columns of a comparison: site files, lists of policies, single policies."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from slotwise.cli.exits import UsageError
from slotwise.cli.settings import parse_value
from slotwise.cli.sites import merged_site, written_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slotwise import Nodes, Site
    from slotwise.cli.settings import Written
    from slotwise.faults import Key


def columns_of(
    sites: Iterable[Path],
    order: str | None,
    backfill: str | None,
    preset: str | None,
    policies: Iterable[str],
    processors: str | None,
    settings: Iterable[str] = (),
    nodes: Nodes | None = None,
) -> dict[str, Site]:
    """Make the sites to compare, by name, in the order of the arguments' list here.

    What `processors`, `settings` and `nodes` say, as ``--processors``, ``--set`` and ``--nodes``,
    holds for all of them.

    Raises
    ------
    UsageError, SiteError
        For fewer than two columns, and for anything wrong with one.
    """
    common = written_settings(settings, processors, nodes)
    named = [(_name_of(path, sites), merged_site(path, common)) for path in sites]
    written: list[tuple[str, Written]] = [
        *_product(order, backfill),
        *((name, _preset_keys(name)) for name in _listed(preset)),
        *((policy, dict(_policy_keys(policy))) for policy in policies),
    ]
    named += [(name, merged_site(None, common | keys)) for name, keys in written]
    if len(named) < 2:
        raise UsageError(
            f"{len(named)} to compare: name at least two sites or policies, "
            "for example --backfill none,easy,conservative"
        )
    return _without_repeats(named)


def _product(order: str | None, backfill: str | None) -> Iterator[tuple[str, Written]]:
    orders, backfills = _listed(order), _listed(backfill)
    if not orders and not backfills:
        return
    for one, other in itertools.product(orders or [""], backfills or [""]):
        keys: Written = {}
        if one:
            keys["policy", "order"] = ("--order", one)
        if other:
            keys["policy", "backfill"] = ("--backfill", other)
        yield " + ".join(part for part in (one, other) if part), keys


def _listed(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


def _preset_keys(name: str) -> Written:
    return {("policy", "preset"): ("--preset", name)}


def _policy_keys(policy: str) -> Iterator[tuple[Key, tuple[str, Any]]]:
    place = f"--policy {policy}"
    for item in policy.split(","):
        name, equals, raw = item.partition("=")
        if not equals:
            raise UsageError(
                f"{place}: '{item}' must be key=value; write for example "
                "--policy order=sjf,backfill=easy"
            )
        yield ("policy", name.strip()), (place, parse_value(raw, place))


def _name_of(path: Path, sites: Iterable[Path]) -> str:
    alike = [other for other in sites if other.stem == path.stem]
    return path.stem if len(alike) == 1 else str(path)


def _without_repeats(named: list[tuple[str, Site]]) -> dict[str, Site]:
    columns: dict[str, Site] = {}
    for name, site in named:
        if name in columns:
            raise UsageError(f"'{name}' is named twice; leave one of the two out")
        columns[name] = site
    return columns
