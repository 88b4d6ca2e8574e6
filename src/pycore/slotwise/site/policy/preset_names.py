"""Names of presets, which may include a version of Slurm, and their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.site.names import check_name, either
from slotwise.site.policy.backfill_facts import parameters_given
from slotwise.site.policy.policy_values import PRESET_DEFAULTS, PRESETS, SLURM_VERSIONS
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping


def preset_name(name: str, version: str | None) -> str:
    """Return the name of a preset, including a version of Slurm if it has one."""
    if name != "slurm":
        check_name("preset", name, list(PRESETS))
        if version is None:
            return name
        msg = f"version {shown(version)}: preset '{name}' has no versions; leave it out"
        raise SiteError(msg)
    known = either([f'"{each}"' for each in SLURM_VERSIONS])
    if version is None:
        msg = (
            f"preset 'slurm' needs a version of Slurm: give version={known}, or the full name of "
            "the preset, such as 'slurm-25.11'"
        )
        raise SiteError(msg)
    if version not in SLURM_VERSIONS:
        msg = f"version {shown(version)}: known versions of Slurm are {known}; give one of them"
        raise SiteError(msg)
    return f"slurm-{version}"


def preset_defaults(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's defaults, except for parameters that the backfill itself defines."""
    _, given = parameters_given(changes.get("backfill", PRESETS[preset].get("backfill", "easy")))
    defaults = PRESET_DEFAULTS.get(preset, {})
    return {key: value for key, value in defaults.items() if key not in given}
