"""Classic fair share (PriorityFlags=NO_FAIR_TREE): 2^(-usage/share), recalculated at intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.slurm.running import Running

A_WEEK = 7 * 86400  # default of PriorityDecayHalfLife


@dataclass(frozen=True)
class Shares:
    """Shares of accounts below the root, and of users in their accounts."""

    accounts: dict[str, int]
    users: dict[str, tuple[str, int]]

    def of_account(self, account: str, *, root: bool = True) -> float:
        """Return the account's share; the root user has one share of its own."""
        return self.accounts[account] / (sum(self.accounts.values()) + root)

    def parts(self, account: str, user: str) -> tuple[float, float]:
        """Return the account's part of all shares, and the user's part of the account's."""
        return self.of_account(account), self.in_account(user)

    def in_account(self, user: str) -> float:
        """Return the user's part of the account's shares."""
        account, share = self.users[user]
        return share / sum(each for name, each in self.users.values() if name == account)


@dataclass(frozen=True)
class Associations:
    """Shares of accounts, and of users in each account; a user may have several accounts."""

    accounts: dict[str, int]
    users: dict[tuple[str, str], int]
    root: int = 1

    def parts(self, account: str, user: str) -> tuple[float, float]:
        """Return the account's part of all shares, and the user's part of the account's."""
        of_all = sum(self.accounts.values()) + self.root
        of_account = sum(share for (name, _), share in self.users.items() if name == account)
        shares = self.accounts[account], self.users[account, user]
        return shares[0] / of_all if of_all else 0.0, shares[1] / of_account if of_account else 0.0


@dataclass
class FairShare:
    """Decayed usage in CPU seconds, and the fair-share factors that follow from it.

    An account's usage is fixed at a recalculation. A user's usage is fixed when it is first needed
    after that. Usage decays by the factor 1 - 0.693 / half-life per second. A job's usage is added
    at each recalculation and at the job's end: its CPUs times the seconds since the previous
    addition, decayed over all of these seconds.
    """

    shares: Shares
    half_life: int
    damping: int = 1
    rules: Rules = field(default_factory=Rules)
    usage: dict[str, float] = field(default_factory=dict)
    counted_until: dict[int, float] = field(default_factory=dict)
    last: float = 0.0
    of_accounts: dict[str, float] = field(default_factory=dict)
    of_users: dict[str, float] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget all usage (PriorityUsageResetPeriod) when a recalculation begins."""
        self.usage = {}

    def begin_renewal(self, now: float) -> None:
        """Fix the accounts' current usage, decay all usage, and discard the users' factors."""
        self.of_accounts = self._account_parts()
        fallen = self._fallen(now - self.last)
        self.usage = {user: usage * fallen for user, usage in self.usage.items()}
        self.last = now
        self.of_users = {}

    def count(self, running: Running, now: float) -> None:
        """Add the usage of a job since the previous addition."""
        job = running.job
        seconds = now - self.counted_until.get(job.number, running.start)
        used = job.cpus * seconds
        if self.rules.decayed_addition:
            used *= self._fallen(seconds)
        self.usage[job.user] = self.usage.get(job.user, 0.0) + used
        self.counted_until[job.number] = now

    def factor(self, user: str) -> float:
        """Return 2^(-usage/share) for a user; the value is fixed until the next recalculation."""
        if user not in self.of_users or not self.rules.fixed_users:
            self.of_users[user] = self._effective(user)
        account, _ = self.shares.users[user]
        of_account = self.shares.of_account(account, root=self.rules.root_share)
        share = of_account * self.shares.in_account(user)
        damping = self.damping if self.rules.damping else 1
        return float(2.0 ** -(self.of_users[user] / share / damping))

    def _effective(self, user: str) -> float:
        """Return the user's usage, moved towards the account's usage by the user's share."""
        total = sum(self.usage.values())
        own = self.usage.get(user, 0.0) / total if total else 0.0
        if not self.rules.account_usage:
            return own
        account, _ = self.shares.users[user]
        parts = self.of_accounts if self.rules.fixed_accounts else self._account_parts()
        of_account = parts.get(account, 0.0)
        return own + (of_account - own) * self.shares.in_account(user)

    def _account_parts(self) -> dict[str, float]:
        """Return the part of all usage that each account has."""
        total = sum(self.usage.values())
        return {
            account: self._of_account(account) / total if total else 0.0
            for account in self.shares.accounts
        }

    def _of_account(self, account: str) -> float:
        return sum(
            usage for user, usage in self.usage.items() if self.shares.users[user][0] == account
        )

    def _fallen(self, seconds: float) -> float:
        if not self.half_life and self.rules.no_decay:
            return 1.0
        if not self.rules.decay_by_second:
            return float(0.5 ** (seconds / (self.half_life or A_WEEK)))
        return float((1.0 - 0.693 / (self.half_life or A_WEEK)) ** seconds)


def read_accounts(lines: Iterable[str]) -> tuple[Shares, int]:
    """Return the shares and the limit on running jobs per user in a file of sacctmgr commands.

    Users are numbered as the lab adds them: lab1 is 21001.
    """
    accounts: dict[str, int] = {}
    users: dict[str, tuple[str, int]] = {}
    most = 0
    for line in lines:
        words = line.split()
        named = dict(word.split("=") for word in words if "=" in word)
        if words[2:4] == ["add", "account"]:
            accounts[words[4]] = int(named["Fairshare"])
        elif words[2:4] == ["add", "user"]:
            for name in words[4].split(","):
                number = str(21000 + int(name.removeprefix("lab")))
                users[number] = named["Account"], int(named["Fairshare"])
        elif "MaxJobsPerUser" in named:
            most = int(named["MaxJobsPerUser"])
    return Shares(accounts, users), most
