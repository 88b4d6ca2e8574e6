"""Limits and priorities of accounts, users and QOS: left out of a site, but listed in its header.

Example: ``Account - 'bio':Fairshare=3:MaxJobs=5`` in a dump gives ``MaxJobs=5 (account bio)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OPTION = re.compile(r":(\w+)=((?:[^:]|:(?!\w+=))*)")
_LIMIT = re.compile(r"(grp|max|min(prio|tres))\w+", re.IGNORECASE)
_LENGTH = 40  # maximum length of a value or an owner in the list


@dataclass
class AccountLimits:
    """Limits and priorities, by key, with their values and owners in the order of the file."""

    _limits: dict[str, list[str]] = field(default_factory=dict)
    _priorities: list[str] = field(default_factory=list)

    def take_options(self, owner: str, options: str) -> None:
        """Store the options of a line from a dump: ``:Fairshare=3:MaxJobs=5``."""
        self.take(owner, _OPTION.findall(options))

    def take(self, owner: str, pairs: Iterable[tuple[str, str]]) -> None:
        """Store those settings of one owner that are limits or priorities."""
        for key, value in pairs:
            said = f"{key}={value.strip():.{_LENGTH}} ({owner:.{_LENGTH}})"
            if value.strip() in ("", "-1"):  # -1 removes a limit
                continue
            if _LIMIT.fullmatch(key):
                self._limits.setdefault(key.lower(), []).append(said)
            elif key.lower() == "priority":
                self._priorities.append(said)

    @property
    def n_kinds(self) -> int:
        """The number of kinds of limits."""
        return len(self._limits)

    def remarks(self) -> Iterator[str]:
        """List each kind of limit once, with its first owner and the number of other owners."""
        if self._limits:
            shown = [text.first_of(said, 1) for said in self._limits.values()]
            yield (
                "Left out (limits per user, account and QOS; add those that sites support under "
                f"[limits] or [[named_limit]]): {', '.join(shown)}."
            )
        if self._priorities:
            yield (
                "Left out (priorities of associations and QOS; add association_priority or "
                f"qos_priority to order in [policy]): {text.first_of(self._priorities, 1)}."
            )
