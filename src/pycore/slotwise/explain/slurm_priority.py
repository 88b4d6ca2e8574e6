"""Slurm's priority of a job at an instant of a replay, with its parts as ``sprio -l`` prints them.

Example: age has a weight of 1,000 and a maximum of 7 days, and there is no other weight. After a
wait of 3.5 days, the priority is 500, all of it from age.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise._numbers import whole
from slotwise.explain.dependencies import dependencies_of
from slotwise.explain.site_core import core_of
from slotwise.explain.slurm_factors import (
    association_factor,
    partition_factor,
    qos_factor,
    shares_of,
    size_factor,
    tres_parts,
)
from slotwise.explain.slurm_usage import UsageHistory
from slotwise.explain.usage_resets import last_reset
from slotwise.replay.placements import row_of
from slotwise.site.policy.backfill_facts import backfill_facts, name_of
from slotwise.site.policy.order_spec import OrderSpec, own_orders
from slotwise.written_values import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

_MOST = 2**32 - 1  # priorities have 32 bits


class SlurmPriority(NamedTuple):
    """The priority of a job, and the parts that add up to it, as ``sprio -l`` prints them.

    Attributes
    ----------
    priority : int
        The sum of all parts, less `nice`, rounded down to a whole number; at least 1.
    site : float
        The site factor.
    age, association, fairshare, job_size, partition, qos : float
        Weight times factor.
    nice : float
        The nice value, which is subtracted.
    tres : dict of str to float
        Weight times factor for each resource with a weight.
    renewed : int
        The instant for which the parts are calculated: the last renewal (one every
        PriorityCalcPeriod seconds from the first submission), or the time at which the job became
        eligible, if that is later. For a job that is not yet eligible, it is the last renewal, or
        the submit time if that is later.
    """

    priority: int
    site: float
    age: float
    association: float
    fairshare: float
    job_size: float
    partition: float
    qos: float
    nice: float
    tres: dict[str, float]
    renewed: int


class _Order(NamedTuple):
    """The weights and tables of the ``multifactor`` order."""

    weights: dict[str, float]
    tables: dict[str, dict[str, float]]
    usage_reset: str


def priority_at(data: ReplayData, row: int, time: int) -> SlurmPriority:
    """Return the parts of the priority of a job; see `Result.priority_at`."""
    job, at = row_of(data, row), whole(time)
    if at is None:
        raise ValueError(
            f"time {shown(time)} is not a whole number; use seconds on the trace's clock"
        )
    order = _order(data)
    submit = int(data.trace.submit[job])
    if at < submit:
        raise ValueError(
            f"time {at}: the job in row {row} is submitted at {submit}; use that time or a later "
            "one"
        )
    if data.start[job] >= 0:  # Slurm does not recalculate the priority of a running job
        at = min(at, int(data.start[job]))
    first, period = int(data.trace.submit[0]), _period(data)
    since = _eligible_from(data, job)
    renewed = max(first + (at - first) // period * period, since if since <= at else submit)
    return _parts(data, job, order, renewed, max(renewed - since, 0))


def _parts(data: ReplayData, job: int, order: _Order, renewed: int, age: int) -> SlurmPriority:
    weights, tables, trace = order.weights, order.tables, data.trace

    def weighted(name: str, factor: Any) -> float:
        return weights[name] * factor() if weights[name] else 0.0

    found: dict[str, Any] = {
        "age": weighted("age", lambda: min(age / weights["max_age"], 1.0)),
        "association": weighted(
            "association", lambda: association_factor(trace, job, tables["association_priority"])
        ),
        "fairshare": weighted("fairshare", lambda: _fairshare(data, job, renewed, order)),
        "job_size": weighted(
            "job_size",
            lambda: size_factor(
                data,
                job,
                favor_small=bool(weights["favor_small"]),
                relative=bool(weights["relative_to_time"]),
            ),
        ),
        "partition": weighted("partition", lambda: partition_factor(data, job)),
        "qos": weighted("qos", lambda: qos_factor(trace, job, tables["qos_priority"])),
    }
    tres = tres_parts(data, job, tables["tres"])
    site, nice = float(trace.site_factor[job]), float(trace.nice[job])
    total = sum(found.values()) + sum(tres.values()) + site - nice
    found |= {"site": site, "nice": nice, "tres": tres, "renewed": renewed}
    return SlurmPriority(priority=int(min(max(total, 1), _MOST)), **found)


def weighted_parts(data: ReplayData) -> tuple[str, ...]:
    """Return the names of the parts that have a weight, or a value other than 0 for some job.

    The result is empty if `priority_at` does not apply to the replay.
    """
    try:
        weights, tables, _ = _order(data)
    except ValueError:
        return ()
    has = {name: bool(value) for name, value in weights.items()}
    has |= {"site": bool(data.trace.site_factor.any()), "nice": bool(data.trace.nice.any())}
    has["tres"] = any(tables["tres"].values())
    names = tuple(name for name in SlurmPriority._fields[1:-1] if has[name])
    return () if set(names) <= {"site", "nice"} else names


def _order(data: ReplayData) -> _Order:
    order = getattr(data.site.policy, "order", None)
    name = order.name if isinstance(order, OrderSpec) else order
    if name != "multifactor" or name_of(getattr(data.site.policy, "backfill", "")) != "slurm":
        raise ValueError(
            "priority_at needs the multifactor order with the slurm backfill; this replay, with "
            f"the {name} order, does not have both"
        )
    given: dict[str, Any] = dict(order.parameters) if isinstance(order, OrderSpec) else {}
    tables = order.tables if isinstance(order, OrderSpec) else {}
    known = own_orders()["multifactor"].parameters
    return _Order(
        {p.name: float(given.get(p.name, p.default)) for p in known if p.kind == "number"},
        {p.name: tables.get(p.name, {}) for p in known if p.kind == "table"},
        str(given.get("usage_reset", "none")),
    )


def _eligible_from(data: ReplayData, job: int) -> int:
    """Return the submit time, or the time when the dependencies were met if that is later."""
    submit = int(data.trace.submit[job])
    if not data.site.dependencies:
        return submit
    found = [held.until for held in dependencies_of(data, core_of(data), job)]
    return max([submit, *(until + _seconds(data, "epilog_time") for until in found)])


def _period(data: ReplayData) -> int:
    return _seconds(data, "priority_calc_period")


def _seconds(data: ReplayData, parameter: str) -> int:
    facts = backfill_facts()["slurm"].parameters[parameter]
    given = dict(getattr(data.site.policy.backfill, "parameters", ()))
    return int(given.get(parameter, facts.default))


def _fairshare(data: ReplayData, job: int, renewed: int, order: _Order) -> float:
    """Return the classic factor 2^(-usage / share), for usage recalculated every period."""
    same_account = _column(data, "account") == _column(data, "account")[job]
    same_user = same_account & (_column(data, "user") == _column(data, "user")[job])
    in_account, of_all = _shares(data, job, order.tables["shares"])
    if not of_all > 0:
        return 0.0
    history = _history(data, order)
    renewal = history.last_renewal(renewed)
    of_account = 0.0
    if renewal > history.first:
        of_account = _part(history.before_renewal(renewal), same_account)
    until, up_to_job = _first_need(data, job, np.flatnonzero(same_user), renewal, renewed)
    of_user = _part(history.since_renewal(renewal, until, up_to_job), same_user)
    counted = of_user + (of_account - of_user) * in_account
    return float(2.0 ** (-(counted / of_all) / order.weights["dampening"]))


def _shares(data: ReplayData, job: int, table: dict[str, float]) -> tuple[float, float]:
    """Return the user's fraction of the account's shares, and of all shares."""
    if table:
        return shares_of(data.trace, job, table)
    account, user = _column(data, "account"), _column(data, "user")
    n_users = len(np.unique(user[account == account[job]]))
    return 1 / n_users, 1 / (len(np.unique(account)) * n_users)


def _part(used: NDArray[np.float64], rows: NDArray[np.bool_]) -> float:
    total = float(used.sum())
    return float(used[rows].sum()) / total if total > 0 else 0.0


def _first_need(
    data: ReplayData, job: int, rows: NDArray[np.int64], renewal: int, renewed: int
) -> tuple[int, int | None]:
    """Return the first time since the renewal at which a job of the user waited or became eligible.

    The second value is the row of a job that was already waiting at the renewal, or None.
    """
    rows = rows[data.trace.submit[rows] <= renewed]
    since = np.array([_eligible_from(data, int(row)) for row in rows])
    since[rows == job] = np.minimum(since[rows == job], renewed)
    start = np.where(rows == job, renewed, data.start[rows])
    waited = (since < renewal) & (start >= renewal)
    if waited.any():
        return renewal, int(rows[waited][0])
    return int(since[(since >= renewal) & (start >= since)].min()), None


def _history(data: ReplayData, order: _Order) -> UsageHistory:
    return UsageHistory(
        start=data.start,
        end=data.end,
        processors=np.asarray(data.trace.processors, dtype=np.int64),
        first=int(data.trace.submit[0]),
        period=_period(data),
        half_life=order.weights["half_life"],
        cleared=lambda time: last_reset(data, order.usage_reset, time),
    )


def _column(data: ReplayData, name: str) -> NDArray[np.int64]:
    column = getattr(data.trace, name, None)
    missing = np.full(len(data.trace), -1, dtype=np.int64)
    return missing if column is None else np.asarray(column, dtype=np.int64)
