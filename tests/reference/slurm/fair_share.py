"""Classic fair share (PriorityFlags=NO_FAIR_TREE): 2^(-usage/share), recalculated at intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.slurm.job import Job
    from reference.slurm.running import Running

A_WEEK = 7 * 86400  # default of PriorityDecayHalfLife


Owner = str | tuple[str, str]


@dataclass(frozen=True)
class Shares:
    """Shares of accounts below the root, and of users in their accounts.

    A user with several accounts has a key for each: an (account, user) pair.
    """

    accounts: dict[str, int]
    users: dict[Owner, tuple[str, int]]
    root: int = 1  # share of the root user

    def owner(self, job: Job) -> Owner:
        """Return the key of the job's user."""
        pair = job.account, job.user
        return pair if pair in self.users else job.user

    def of_account(self, account: str, *, root: bool = True) -> float:
        """Return the account's fraction of all shares; `root` adds the root user's own share."""
        return _part(self.accounts[account], sum(self.accounts.values()) + root * self.root)

    def in_account(self, owner: Owner) -> float:
        """Return the user's fraction of the account's shares."""
        account, share = self.users[owner]
        return _part(share, sum(each for name, each in self.users.values() if name == account))

    def by_account_and_user(self) -> Shares:
        """Return the same shares, with (account, user) pairs as keys."""
        users = {(account, str(user)): (account, n) for user, (account, n) in self.users.items()}
        return Shares(self.accounts, dict(users), self.root)


def _part(share: int, total: int) -> float:
    return share / total if total else 0.0


@dataclass
class FairShare:
    """Decayed usage in CPU seconds, and the fair-share factors that follow from it.

    An account's usage is fixed at a recalculation. A user's usage is fixed when it is first needed
    after a recalculation. Usage decays by the factor 1 - 0.693 / half-life per second. A job's
    usage is added at each recalculation and at the job's end: its CPUs times the seconds since the
    previous addition, decayed over all of these seconds.
    """

    shares: Shares
    half_life: int
    damping: int = 1
    rules: Rules = field(default_factory=Rules)
    usage: dict[Owner, float] = field(default_factory=dict)
    counted_until: dict[int, float] = field(default_factory=dict)
    last: float = 0.0
    of_accounts: dict[str, float] = field(default_factory=dict)
    of_users: dict[Owner, float] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget all usage (PriorityUsageResetPeriod) when a recalculation begins."""
        self.usage = {}

    def begin_renewal(self, now: float) -> None:
        """Fix the accounts' current usage, decay all usage, and discard the users' fixed usage."""
        self.of_accounts = self._account_parts()
        fallen = self._fallen(now - self.last)
        self.usage = {owner: usage * fallen for owner, usage in self.usage.items()}
        self.last = now
        self.of_users = {}

    def count(self, running: Running, now: float) -> None:
        """Add the usage of a job since the previous addition."""
        job = running.job
        seconds = now - self.counted_until.get(job.number, running.start)
        used = job.cpus * seconds
        if self.rules.decayed_addition:
            used *= self._fallen(seconds)
        owner = self.shares.owner(job)
        self.usage[owner] = self.usage.get(owner, 0.0) + used
        self.counted_until[job.number] = now

    def follow(self, running: Iterable[Running], now: float) -> None:
        """Bring usage and factors up to date, which Slurm does only at recalculations."""
        self.begin_renewal(now)
        for each in running:
            self.count(each, now)
        self.of_accounts = self._account_parts()

    def factor(self, job: Job) -> float:
        """Return 2^(-usage/share) for a job's user; it is fixed until the next recalculation."""
        owner = self.shares.owner(job)
        if owner not in self.of_users or not self.rules.fixed_users:
            self.of_users[owner] = self._effective(owner)
        account, _ = self.shares.users[owner]
        of_account = self.shares.of_account(account, root=self.rules.root_share)
        share = of_account * self.shares.in_account(owner)
        damping = self.damping if self.rules.damping else 1
        return float(2.0 ** -(self.of_users[owner] / share / damping)) if share else 0.0

    def _effective(self, owner: Owner) -> float:
        """Return the effective usage: own + (account's - own) × the user's share of the account."""
        total = sum(self.usage.values())
        own = self.usage.get(owner, 0.0) / total if total else 0.0
        if not self.rules.account_usage:
            return own
        account, _ = self.shares.users[owner]
        parts = self.of_accounts if self.rules.fixed_accounts else self._account_parts()
        of_account = parts.get(account, 0.0)
        return own + (of_account - own) * self.shares.in_account(owner)

    def _account_parts(self) -> dict[str, float]:
        """Return the fraction of all usage that each account has."""
        total = sum(self.usage.values())
        return {
            account: self._of_account(account) / total if total else 0.0
            for account in self.shares.accounts
        }

    def _of_account(self, account: str) -> float:
        return sum(
            usage for owner, usage in self.usage.items() if self.shares.users[owner][0] == account
        )

    def _fallen(self, seconds: float) -> float:
        if not self.half_life and self.rules.no_decay:
            return 1.0
        if not self.rules.decay_by_second:
            return float(0.5 ** (seconds / (self.half_life or A_WEEK)))
        return float((1.0 - 0.693 / (self.half_life or A_WEEK)) ** seconds)


def read_accounts(lines: Iterable[str]) -> tuple[Shares, int]:
    """Read shares, and the limit on running jobs per user, from sacctmgr commands.

    The user number is 21000 plus the number in the name: lab1 is 21001.
    """
    accounts: dict[str, int] = {}
    users: dict[Owner, tuple[str, int]] = {}
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
