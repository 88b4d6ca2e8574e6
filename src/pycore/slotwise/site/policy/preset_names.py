"""Names of presets, which may include a version of Slurm, and their defaults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.site.names import check_name, either, unknown_of_many
from slotwise.site.policy.backfill_facts import parameters_given
from slotwise.site.policy.policy_checks import ContradictionError, preset_clashes
from slotwise.site.policy.policy_values import PRESET_DEFAULTS, PRESETS, SLURM_VERSIONS
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_VERSION = re.compile(r"([0-9]{2})\.([0-9]{1,2})(?![0-9])")
_PATCH = re.compile(r"([0-9]{2}\.[0-9]{2})\.[0-9]{1,3}(-[0-9a-z]{1,9})?")
_NEW_DEFAULTS = (23, 11)
"""Version of Slurm that changed the defaults of PriorityType and SelectType."""


def preset_name(name: str, version: str | None) -> str:
    """Return the name of a preset, including a version of Slurm if it has one."""
    if version is None and isinstance(name, str) and name.startswith("slurm-"):
        check_version(name.removeprefix("slurm-"))
    if name != "slurm":
        check_name("preset", name, list(PRESETS))
        if version is None:
            return name
        msg = f"version {shown(version)}: preset '{name}' has no versions; omit the version"
        raise SiteError(msg)
    known = either([f'"{each}"' for each in SLURM_VERSIONS])
    if version is None:
        msg = (
            f"preset 'slurm' needs a version of Slurm: set version={known}, or the full name of "
            "the preset, such as 'slurm-25.11'"
        )
        raise SiteError(msg)
    check_version(version)
    return f"slurm-{version}"


def check_version(version: str) -> None:
    """Refuse a version of Slurm whose rules are not known.

    Raises
    ------
    SiteError
        If the version is unknown; the message suggests the version with the same defaults, if any.
    """
    if version in SLURM_VERSIONS:
        return
    known = either([f'"{each}"' for each in SLURM_VERSIONS])
    msg = f"version {shown(version)} of Slurm is not known; use {known}"
    if nearest := nearest_version(version):
        defaults = (
            "PriorityType=priority/basic and SelectType=select/linear"
            if nearest == "22.05"
            else "PriorityType=priority/multifactor and SelectType=select/cons_tres"
        )
        msg += f'. The nearest is "{nearest}": both have the defaults {defaults}'
    raise SiteError(msg)


def release_of(version: str) -> str:
    """Return the known version to which a patch release belongs: ``"25.11"`` for ``"25.11.1"``.

    Any other text is returned unchanged.
    """
    match = _PATCH.fullmatch(version)
    return match[1] if match is not None and match[1] in SLURM_VERSIONS else version


def nearest_version(version: object) -> str | None:
    """Return the known version with the defaults of `version`; None if `version` is malformed."""
    match = _VERSION.match(version) if isinstance(version, str) else None
    if match is None:
        return None
    return "25.11" if (int(match[1]), int(match[2])) >= _NEW_DEFAULTS else "22.05"


def check_changes(preset: str, changes: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse fields that no policy has, and values that contradict the preset.

    Raises
    ------
    SiteError
        If fields are wrong; the message has one fault per field and suggests the nearest known
        names.
    """
    clashes = [f"{name} {why}" for name, why in preset_clashes(preset, PRESETS[preset], changes)]
    where = "slotwise site show --defaults"
    faults = [
        unknown_of_many("preset field", name, known, where) for name in changes if name not in known
    ]
    if faults:
        raise SiteError("\n".join([*clashes, *faults]))
    if clashes:
        raise ContradictionError("\n".join(clashes))


def with_value_faults(
    first: SiteError, changes: Mapping[str, Any], build: Callable[[Mapping[str, Any]], object]
) -> SiteError:
    """Return an error with the given faults, and those found by checking each value separately."""
    given = str(first).split("\n")
    found = dict.fromkeys(given)
    for name, value in changes.items():
        try:
            build({name: value})
        except ContradictionError:
            continue  # the preset may resolve this contradiction
        except SiteError as fault:
            found |= dict.fromkeys(str(fault).split("\n"))
    return first if len(found) == len(given) else SiteError("\n".join(found))


def preset_defaults(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's defaults, except for parameters given with the backfill."""
    _, given = parameters_given(changes.get("backfill", PRESETS[preset].get("backfill", "easy")))
    defaults = PRESET_DEFAULTS.get(preset, {})
    return {key: value for key, value in defaults.items() if key not in given}
