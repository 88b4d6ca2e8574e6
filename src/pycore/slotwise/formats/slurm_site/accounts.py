"""Shares of accounts and users, from the file that ``sacctmgr dump`` writes, or from commands.

Example: ``Parent - 'root'`` and ``Account - 'bio':Fairshare=3``, then ``Parent - 'bio'`` and ``User
- 'ann':Fairshare=2``, become the shares ``{"bio": 3, "bio/ann": 2}``. The same follows from
``sacctmgr add account bio Fairshare=3`` and ``sacctmgr add user ann Account=bio Fairshare=2``.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.formats.slurm_site.account_limits import AccountLimits
from slotwise.site.policy.order_tables import BETWEEN
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.formats.slurm_site.settings import Faults

_LINE = re.compile(r"(Cluster|Parent|Account|User) - '([^']+)'(.*)", re.IGNORECASE)
_COMMAND = re.compile(r"(?:sudo\s+)?sacctmgr\s", re.IGNORECASE)
_QUOTED = re.compile(r"'[^']*'")
_SHARE = re.compile(r":Fairshare=([^:]*)", re.IGNORECASE)
_PARTITION = re.compile(r":Partition=", re.IGNORECASE)
_ROOT = "root"
_OF_PARENT = ("parent", str(2**31 - 1))  # Fairshare values that mean "the shares of the account"
_MOST = 2**31 - 2
_ONE = {"accounts": "account", "users": "user"}


@dataclass
class AccountShares:
    """Shares as written; accounts without a parent belong to the root.

    Attributes
    ----------
    faults : Faults
    remarks : list of str
        Sentences about lines without a counterpart in a site.
    limits : AccountLimits
        Limits and priorities without a counterpart in a site.
    """

    faults: Faults
    limits: AccountLimits = field(default_factory=AccountLimits)
    remarks: list[str] = field(default_factory=list)
    _accounts: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    _users: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    _n_of_partitions: int = 0
    _n_of_parent: int = 0

    @classmethod
    def read(cls, path: str | os.PathLike[str], faults: Faults) -> AccountShares:
        """Read a file, and record its faults in `faults`."""
        found = cls(faults)
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError as fault:
            faults.add(os.fsdecode(path), f"cannot be read ({fault.strerror}); check the path")
            return found
        parent = _ROOT
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                parent = found._take(f"{os.fsdecode(path)}:{number}", line.strip(), parent)
        return found

    def _take(self, place: str, line: str, parent: str) -> str:
        """Store a line, and return the parent account for the next lines."""
        matched = _LINE.fullmatch(line)
        if matched is None:
            if not (_COMMAND.match(line) and self._run(place, line)):
                self.faults.add(
                    place,
                    f"'{line:.60}' is neither a line from sacctmgr dump nor a sacctmgr command "
                    "that adds an account or a user; use the file that 'sacctmgr dump CLUSTER "
                    "file=FILE' writes",
                )
            return parent
        kind, name, options = matched[1].lower(), matched[2], _QUOTED.sub("", matched[3])
        if kind == "parent":
            return name
        owner = f"{kind} {name}" + (f" in {parent}" if kind == "user" else "")
        self.limits.take_options(owner, options)
        if kind == "account":
            self._accounts[parent][name] = self._share(place, options)
        elif kind == "user" and _PARTITION.search(options):
            self._n_of_partitions += 1
        elif kind == "user":
            self._users[parent][name] = self._share(place, options)
        return parent

    def _run(self, place: str, line: str) -> bool:
        """Store the shares that a command gives; return false if it cannot be read."""
        try:
            words = shlex.split(line[line.lower().index("sacctmgr") :], comments=True)[1:]
        except ValueError:
            return False
        verb, kind, *rest = [*(word for word in words if not word.startswith("-")), "", ""]
        named = {key.lower(): text for key, _, text in (word.partition("=") for word in rest)}
        share = next((text for key, text in named.items() if key.startswith("fair")), "")
        self._take_limits(kind, rest)
        if verb.lower() not in ("add", "create"):
            return not share  # shares are read only from the commands add and create
        names = [name for word in rest if word and "=" not in word for name in word.split(",")]
        names += [name for name in named.get("name", named.get("names", "")).split(",") if name]
        worth = self._share(place, f":Fairshare={share}" if share else "")
        if kind.lower() in ("account", "accounts"):
            self._accounts[named.get("parent", _ROOT)] |= dict.fromkeys(names, worth)
        elif kind.lower() in ("user", "users") and "partition" in named:
            self._n_of_partitions += len(names)
        elif kind.lower() in ("user", "users"):
            accounts = named.get("account", named.get("accounts", named.get("defaultaccount", "")))
            for account in filter(None, accounts.split(",")):
                self._users[account] |= dict.fromkeys(names, worth)
        return True

    def _take_limits(self, kind: str, words: list[str]) -> None:
        """Store the limits that a command sets; plain words and ``name=`` give their owners."""
        parted = [word.partition("=") for word in words]
        pairs = [(key, text) for key, equals, text in parted if equals]
        owners = [word for word in words if word and "=" not in word]
        owners = [word for word in owners if word.lower() not in ("set", "where")]
        owners += [text for key, text in pairs if key.lower() in ("name", "names")]
        self.limits.take(" ".join([_ONE.get(kind.lower(), kind.lower()), *owners]), pairs)

    def _share(self, place: str, options: str) -> float:
        matched = _SHARE.search(options)
        text = matched[1].strip() if matched else "1"
        if text.lower() in _OF_PARENT:
            self._n_of_parent += 1
            return 1
        if not text.isdecimal() or int(text) > _MOST:
            self.faults.add(
                place,
                f"Fairshare={text:.60} must be a whole number from 0 to {_MOST:,}, or parent; "
                "correct it, or leave it out",
            )
            return 1
        return int(text)

    def table(self) -> dict[str, float]:
        """Return the shares by account and account/user, without entries for users of root."""
        nested = [parent for parent in self._accounts if parent != _ROOT]
        if nested:
            table = {_ROOT: 0.0} | dict(self._flattened(_ROOT, 1.0))
        else:
            table = dict(self._accounts[_ROOT])
            own = sum(self._users[_ROOT].values()) if self._users[_ROOT] else 1
            table |= {_ROOT: own} if own != 1 and table else {}
        for account, users in self._users.items():
            if account != _ROOT and account in table:
                table |= {account + BETWEEN + user: share for user, share in users.items()}
        self._remark(bool(nested))
        self.remarks += self.limits.remarks()
        return table

    def _flattened(self, parent: str, part: float) -> Iterator[tuple[str, float]]:
        """Yield, for each account, its users' combined fraction of all shares.

        An account that contains neither users nor accounts has an entry too: it may have had users
        who occur in the log but were deleted later.
        """
        users, accounts = self._users[parent], self._accounts[parent]
        has_entry = bool(users) or not accounts or parent == _ROOT
        of_users = sum(users.values()) if users or not has_entry else 1
        total = of_users + sum(accounts.values())
        if has_entry:
            yield parent, round(part * of_users / total, 9) if total else 0.0
        for account, share in accounts.items():
            yield from self._flattened(account, part * share / total if total else 0.0)

    def _remark(self, nested: bool) -> None:
        if nested:
            self.remarks.append(
                "Some accounts contain other accounts; the table shares lists each account's "
                "fraction of all shares. The usage of an account does not count towards its parent."
            )
        if self._n_of_partitions:
            self.remarks.append(
                f"Ignored: {plural(self._n_of_partitions, 'association')} with a partition."
            )
        if self._n_of_parent:
            self.remarks.append(
                "Fairshare=parent is not supported; each such association has one share "
                f"({plural(self._n_of_parent, 'association')})."
            )
