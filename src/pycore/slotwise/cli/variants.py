"""The columns of a comparison: site files, lists of policies, single policies."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from slotwise.cli.changed_columns import changed_columns, check_changes_alone
from slotwise.cli.settings import parse_value
from slotwise.cli.site_argument import merged_site, written_settings
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from slotwise.cli.settings import Written
    from slotwise.site import Site
    from slotwise.site.faults import Key
    from slotwise.site.machine.nodes import Nodes


def columns_of(
    sites: Iterable[Path],
    order: str | None,
    backfill: str | None,
    preset: str | None,
    policies: Iterable[str],
    processors: str | None,
    settings: Iterable[str] = (),
    nodes: Nodes | None = None,
    typed: Sequence[str] = (),
    changes: Sequence[str] = (),
) -> dict[str, Site]:
    """Build the sites to compare, by name: site files first, then policies.

    `processors`, `settings` and `nodes` are the values of ``--processors``, ``--set`` and
    ``--nodes``, and apply to all sites.

    Parameters
    ----------
    typed : sequence of str
        Names of the options that add policies, in the sequence typed; the columns follow it.
        Each order in ``--order`` is combined with each rule in ``--backfill``; these columns take
        the place of whichever of the two options was typed first.
    changes : sequence of str
        Values of ``--with``: one column each, after the column of the single site file.

    Raises
    ------
    UsageError, SiteError
        For fewer than two columns, and for any fault in a column.
    """
    common = written_settings(settings, processors, nodes)
    if changes:
        files = list(sites)
        others = {
            "--order": order, "--backfill": backfill, "--preset": preset,
            "--policy": list(policies),
        }  # fmt: skip
        check_changes_alone(changes, files, others)
        return _without_repeats(changed_columns(files[0].stem, files[0], common, changes))
    named = [(_name_of(path, sites), merged_site(path, common)) for path in sites]
    groups: dict[str, list[tuple[str, Written]]] = {
        "order": list(_product(order, backfill)),
        "preset": [(name, _preset_keys(name)) for name in _listed(preset)],
        "policies": [(policy, dict(_policy_keys(policy))) for policy in policies],
    }
    kinds = ["order" if name == "backfill" else name for name in typed]
    ranked = sorted(groups, key=lambda kind: kinds.index(kind) if kind in kinds else len(kinds))
    named += [
        (name, merged_site(None, common | keys)) for kind in ranked for name, keys in groups[kind]
    ]
    if len(named) < 2:
        raise UsageError(_too_few([name for name, _site in named]))
    return _without_repeats(named)


def _too_few(names: list[str]) -> str:
    if names:
        return (
            f"'{names[0]}' is the only column, and a comparison needs at least two; add a site "
            "file, or a policy such as --policy order=sjf,backfill=easy"
        )
    return (
        "nothing to compare; add at least two sites or policies, "
        "for example --backfill none,easy,conservative"
    )


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
                f"{place}: '{item}' must be key=value; write, for example, "
                "--policy order=sjf,backfill=easy"
            )
        yield ("policy", name.strip()), (place, parse_value(raw, place))


def _name_of(path: Path, sites: Iterable[Path]) -> str:
    same = [other for other in sites if other.stem == path.stem]
    return path.stem if len(same) == 1 else str(path)


def _without_repeats(named: list[tuple[str, Site]]) -> dict[str, Site]:
    columns: dict[str, Site] = {}
    for name, site in named:
        if name in columns:
            raise UsageError(f"'{name}' is listed twice; remove one")
        columns[name] = site
    return columns
