"""Priorities of QOS and associations, as stored in the accounting database."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.slurm.job import Job

DEFAULT_QOS = "normal"
FIRST_USER = 21000  # user lab1 has number 21001


@dataclass(frozen=True)
class Standing:
    """Priorities by QOS, by account, and by user within an account; a missing priority is 0.

    A user without a priority has the priority of the account.
    """

    qos: dict[str, int] = field(default_factory=dict)
    accounts: dict[str, int] = field(default_factory=dict)
    users: dict[tuple[str, str], int] = field(default_factory=dict)
    account_of: dict[str, str] = field(default_factory=dict)

    def of_jobs(self, jobs: Iterable[Job]) -> Standing:
        """Return the same priorities, except those of QOS that none of these jobs uses."""
        used = {job.qos or DEFAULT_QOS for job in jobs}
        kept = {name: priority for name, priority in self.qos.items() if name in used}
        return dataclasses.replace(self, qos=kept)

    def qos_factor(self, job: Job) -> float:
        """Return the priority of the job's QOS, divided by the highest priority of any QOS."""
        most = max(self.qos.values(), default=0)
        return self.qos.get(job.qos or DEFAULT_QOS, 0) / most if most else 0.0

    def association_factor(self, job: Job, *, inherits: bool = True) -> float:
        """Return the priority of the job's association, divided by the highest of all associations.

        With `inherits`, an association without a priority has that of its account.
        """
        most = max([0, *self.accounts.values(), *self.users.values()])
        account = job.account or self.account_of.get(job.user, "")
        of_account = self.accounts.get(account, 0) if inherits else 0
        own = self.users.get((account, job.user), of_account)
        return own / most if most else 0.0


def read_standing(lines: Iterable[str]) -> Standing:
    """Return the priorities in a file of sacctmgr commands."""
    found = Standing()
    for line in lines:
        words = line.split()
        if words[:1] != ["sacctmgr"]:
            continue
        verb, kind, name = words[2:5]
        named = dict(word.split("=") for word in words if "=" in word)
        users = _numbers(name) if kind == "user" else []
        if verb == "add":
            found.account_of.update(dict.fromkeys(users, named.get("Account", "")))
        if "Priority" not in named:
            continue
        priority = int(named["Priority"])
        if kind == "qos":
            found.qos[name] = priority
        elif kind == "account":
            found.accounts[name] = priority
        else:
            found.users.update({(found.account_of[user], user): priority for user in users})
    return found


def _numbers(names: str) -> list[str]:
    return [str(FIRST_USER + int(name.removeprefix("lab"))) for name in names.split(",")]
