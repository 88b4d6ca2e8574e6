"""The site for a command: a site file, changed by ``--set`` and other options, then checked."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from slotwise.cli.settings import DEFAULT, add, parse_setting, parse_value, with_settings
from slotwise.errors import SiteError
from slotwise.site.build import build
from slotwise.site.policy import Policy, flat
from slotwise.site.policy.backfill_facts import name_of, parameters
from slotwise.site.toml import reader as toml_reader
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from slotwise.cli.settings import Written
    from slotwise.site import Site
    from slotwise.site.faults import Key
    from slotwise.site.machine.nodes import Nodes


def site_of(
    file: Path | None,
    processors: str | None,
    options: Mapping[str, Any],
    settings: Iterable[str] = (),
    nodes: Nodes | None = None,
) -> Site:
    """Build the site.

    Parameters
    ----------
    file : Path or None
        A TOML file to start from.
    processors : str or None
        ``--processors``, which overrides the file.
    options : mapping
        Policy fields given as options, which override the file.
    settings : iterable of str
        ``--set`` values, such as ``policy.depth=4``.
    nodes : Nodes or None
        The machine of ``--nodes``.

    Raises
    ------
    SiteError, UsageError
        For an unknown or impossible value, and for values that contradict each other.
    """
    written = written_settings(settings, processors, nodes)
    # Numbers and flags given as text are read in the same way as in a site file.
    typed_fields = {
        name for name, facts in parameters().items() if facts.kind in ("number", "whole", "flag")
    }
    for field, value in options.items():
        flag = ("--no-" if value is False else "--") + field.replace("_", "-")
        is_text = isinstance(value, str)  # a flag that takes no value is True or False
        typed = parse_value(value, flag) if is_text and field in typed_fields else value
        add(written, ("policy", field), flag, typed)
    return merged_site(file, written)


def written_settings(
    settings: Iterable[str], processors: str | None, nodes: Nodes | None = None
) -> Written:
    """Collect the values of ``--set``, ``--processors`` and ``--nodes``."""
    written: Written = {}
    for setting in settings:
        key, value = parse_setting(setting)
        add(written, key, f"--set {setting}", value)
    if processors is not None:
        add(
            written,
            ("machine", "processors"),
            "--processors",
            parse_value(processors, "--processors"),
        )
    if nodes is not None:
        types = [kind.to_dict() for kind in nodes.types]
        add(written, ("machine", "nodes"), "--nodes", types)
    return written


def merged_site(file: Path | None, written: Written) -> Site:
    """Apply the command line to a site file and check the result.

    The file alone is not checked: an option may replace a wrong value.
    """
    document = {} if file is None else toml_reader.read_document(file)
    tables, places = merged_tables(file, document, written)
    return build(tables, places, default_place=file or "site")


def merged_tables(
    file: Path | None, document: dict[str, Any], written: Written
) -> tuple[dict[str, Any], dict[Key, str]]:
    """Apply the command line to the tables of a site, which are not checked here.

    If the command line sets a backfill rule, the file's parameters for other rules are removed, but
    the order of a Slurm preset in the file is kept. The command line may replace such a preset
    with that of another Slurm version.
    """
    document = dict(document)
    given = document.get("policy")
    policy = given if isinstance(given, dict) else {}
    with contextlib.suppress(SiteError):  # reported when the site is built
        policy = flat(policy)
        if policy:
            document["policy"] = policy
    preset = written.get(("policy", "preset"), ("", DEFAULT))
    another_version = _is_slurm(policy.get("preset")) and _is_slurm(preset[1])
    if preset[1] is not DEFAULT and not another_version and _kept(policy, written):
        raise UsageError(
            f"{preset[0]} and the [policy] table of {file} both choose the "
            "policy; leave out the option, or remove the table, for example with --set policy="
        )
    backfill = written.get(("policy", "backfill"))
    if backfill is not None and policy:
        chosen = name_of(Policy().backfill) if backfill[1] is DEFAULT else str(backfill[1])
        if chosen != "slurm":
            policy = _without_slurm(policy)
        unread = toml_reader.fields_unread_by(chosen)
        document["policy"] = {name: v for name, v in policy.items() if name not in unread}
    return with_settings(document, written)


def _is_slurm(preset: object) -> bool:
    return str(preset).startswith("slurm")


def _kept(policy: dict[str, Any], written: Written) -> bool:
    """Return whether the command line keeps any value of the file's policy."""
    _, whole = written.get(("policy",), ("", None))
    removed = {name for name in policy if written.get(("policy", name), ("", None))[1] is DEFAULT}
    return whole is not DEFAULT and bool(policy.keys() - removed)


def _without_slurm(policy: dict[str, Any]) -> dict[str, Any]:
    """Replace a Slurm preset, which fixes the backfill rule, with the values of its fields."""
    if not _is_slurm(policy.get("preset")):
        return policy
    with contextlib.suppress(SiteError):  # reported when the site is built
        return flat(Policy.from_dict(policy).to_dict())
    return policy
