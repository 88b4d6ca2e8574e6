"""Policies: the rules that decide which waiting jobs a scheduling pass starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

from slotwise._core import backfills as core_backfills
from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.names import check_name
from slotwise.site.policy import preset_names
from slotwise.site.policy.backfill_facts import (
    BackfillSpec,
    backfill_facts,
    name_of,
    parameters,
    parameters_given,
    readers_of,
)
from slotwise.site.policy.order_spec import (
    Order,
    OrderSpec,
    ParameterInfo,
    PolicyInfo,
    infos,
    order_of,
    orders,
    to_plain,
)
from slotwise.site.policy.policy_checks import (
    ORDER_FIELDS,
    ContradictionError,
    as_written,
    contradictions,
    unread_by,
)
from slotwise.site.policy.policy_values import (
    ALLOCATIONS,
    ESTIMATES,
    EVENT_ORDERS,
    LONGEST_PERIOD,
    PASSES,
    PRESETS,
    core_value,
    period_seconds,
)
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise._core import Policy as CorePolicy
    from slotwise.site.parts.times import Length

__all__ = ["PRESETS", "ParameterInfo", "Policy", "PolicyInfo", "backfills", "orders"]

EstimatesName = Literal["requested", "exact", "user-history"]


def backfills() -> list[PolicyInfo]:
    """Return all backfill rules in this build, by name."""
    return infos(core_backfills())


@dataclass(frozen=True, slots=True)
class Policy:
    """One scheduling configuration, as a plain value.

    Parameters
    ----------
    order : str, mapping or callable, default "fcfs"
        Rule that decides which job goes first: a name from `orders`; a mapping with parameters,
        such as ``{"name": "priority", "cores": 0}``, kept as an `OrderSpec`; a function of NumPy
        columns, kept as a `NumPyOrder`; or a `CompiledOrder`.
    backfill : str or mapping, default "easy"
        Rule that decides which jobs may overtake one that does not fit: a name from `backfills`, or
        a mapping with parameters, such as ``{"name": "depth", "depth": 5}``. Parameters that are
        not fields of a policy are kept in a `BackfillSpec`.
    depth : int, default 1
        Number of reservations that ``backfill="depth"`` makes in a pass, at least 1.
    relaxation : float, default 0.5
        Share of the first job's expected wait by which ``backfill="relaxed"`` may delay it, at
        least 0.
    backfill_order : str, mapping or callable, optional
        Order in which jobs behind a blocked job are tried; ``"sjf"`` makes ``"easy"`` EASY-SJBF.
        Default: `order`.
    estimates : {"requested", "exact", "user-history"}, default "requested"
        Run times assumed in plans: the request, the real run time, or the mean of the user's last
        two run times [1]_. Orders always use the request.
    passes : str, default "per-instant"
        Times of passes: ``"per-instant"``, ``"per-event"``, or a period such as ``"5m"``, measured
        from the first submit time; ``"periodic"`` means every 30 s.
    kill_at_limit : bool, default True
        True: a job is killed when its requested time runs out. False: it continues, and plans
        assume that it ends in the next second.
    allocation : str, default "first"
        Rule that chooses a job's nodes on a torus from the free ones, in node order. ``"first"``:
        the first ones. ``"least-spread"``: those in the shortest section of the node order.
        ``"contiguous"``, ``"contiguous-best"`` and ``"contiguous-worst"``: the first, smallest or
        largest run of free nodes that is large enough. The contiguous rules work with the backfill
        rules ``"none"``, ``"first-fit"`` and ``"easy"``.
    window : int, default 5
        Number of jobs at the head of the queue that ``backfill="window"`` packs together, 1 to
        1000.
    solver : {"branch-and-bound", "greedy"}, default "branch-and-bound"
        Method of filling slots of free nodes with jobs of the window: optimal, or fast.
    slots : {"largest", "all"}, default "largest"
        Slots to fill: all, or only the largest ones, as many as there are jobs in the window.
    refill : bool, optional
        True: the window advances within a pass until no further job starts. Default: True, unless
        passes are periodic.
    beyond_window : bool, default False
        True: jobs behind the window may start if they fit.
    age_limit : int, str or timedelta, seconds, optional
        Waiting time after which nodes are reserved for a window job that does not fit; stored in
        seconds. Default: no nodes are reserved.
    event_order : {"completions-first", "arrivals-first"}, default "completions-first"
        Events processed first if several happen at the same instant; relevant with
        ``passes="per-event"``.
    waiting_estimates : {"requested", "exact", "user-history"}, optional
        Run times assumed for waiting jobs, if different from `estimates`.
    ending_now : {"busy", "free"}, default "busy"
        State of a running job's processors at the job's estimated end.
    spare_processors : bool, default True
        True: a job of any length may start on processors that the reservation does not need.
    strict_end : bool, default False
        True: a job that overtakes the job with the reservation must end strictly before the
        reservation begins.
    frozen_reservation : bool, default False
        True: the head's reservation keeps the time computed when the job became the head.
    compression : {"early-end", "every-end"}, default "early-end"
        When ``"conservative"`` tries to move promises earlier: only after a job ends early, or
        whenever a job ends.
    promises : {"per-pass", "per-arrival"}, default "per-pass"
        When ``"conservative"`` makes promises: in the pass, or immediately on arrival, before the
        completions at that instant.
    reserve : {"numbers", "nodes"}, default "numbers"
        Content of a reservation on a machine with node types. ``"numbers"``: for a job on whole
        nodes, a node count for each node class. For a job whose units request only one core, a core
        count for each class. For any other job, specific nodes. ``"nodes"``: always the specific
        nodes that the placement rule chooses.

    Raises
    ------
    SiteError
        For an unknown name, a value out of range, or a changed field that the chosen backfill never
        uses. In a policy that matches a preset completely, such fields are allowed with every
        backfill.

    References
    ----------
    .. [1] D. Tsafrir, Y. Etsion, D. Feitelson, "Backfilling using system-generated predictions
       rather than user runtime estimates", IEEE TPDS 18(6), 2007.
    """

    order: Order | Mapping[str, Any] | Callable[..., Any] = "fcfs"
    backfill: str | BackfillSpec | Mapping[str, Any] = "easy"
    depth: int = 1
    relaxation: float = 0.5
    backfill_order: Order | Mapping[str, Any] | Callable[..., Any] | None = None
    estimates: EstimatesName = "requested"
    passes: str = "per-instant"
    kill_at_limit: bool = True
    allocation: str = "first"
    window: int = 5
    solver: str = "branch-and-bound"
    slots: str = "largest"
    refill: bool | None = None
    beyond_window: bool = False
    age_limit: Length | None = None
    event_order: Literal["completions-first", "arrivals-first"] = "completions-first"
    waiting_estimates: EstimatesName | None = None
    ending_now: Literal["busy", "free"] = "busy"
    spare_processors: bool = True
    strict_end: bool = False
    frozen_reservation: bool = False
    compression: Literal["early-end", "every-end"] = "early-end"
    promises: Literal["per-pass", "per-arrival"] = "per-pass"
    reserve: Literal["numbers", "nodes"] = "numbers"

    def __post_init__(self) -> None:
        for name in ORDER_FIELDS:
            if (order := getattr(self, name)) is not None or name == "order":
                object.__setattr__(self, name, order_of(name, order))
        self._take_parameters()
        check_name("estimates", self.estimates, list(ESTIMATES))
        if self.waiting_estimates is not None:
            check_name("waiting_estimates", self.waiting_estimates, list(ESTIMATES))
        check_name("allocation", self.allocation, list(ALLOCATIONS))
        check_name("event_order", self.event_order, list(EVENT_ORDERS))
        check_name("ending_now", self.ending_now, ["busy", "free"])
        check_name("compression", self.compression, ["early-end", "every-end"])
        check_name("promises", self.promises, ["per-pass", "per-arrival"])
        check_name("reserve", self.reserve, ["numbers", "nodes"])
        self._check_passes()
        for name in ("kill_at_limit", "spare_processors", "strict_end", "frozen_reservation"):
            if not isinstance(getattr(self, name), bool):
                msg = f"{name} {getattr(self, name)!r}: it must be true or false"
                raise SiteError(msg)
        faults = list(contradictions(self._values(), policy_defaults(), PRESETS))
        if faults:
            raise ContradictionError("\n".join(faults))

    def _take_parameters(self) -> None:
        """Read all parameters; those given with the backfill move to fields of the same name."""
        name, given = parameters_given(self.backfill)
        own = {}
        for key, facts in parameters().items():
            if key not in given:
                if key in _FIELDS:
                    object.__setattr__(self, key, facts.read(getattr(self, key)))
                continue
            value = facts.read(given[key])
            if key not in _FIELDS:
                own[key] = value
                continue
            if getattr(self, key) not in (value, _FIELDS[key]):
                text = (
                    f"{as_written(value)}: {key} = {as_written(getattr(self, key))} is also set; "
                    "remove one of the two"
                )
                raise FaultsError([Fault(("backfill", key), text)])
            object.__setattr__(self, key, value)
        changed = tuple((key, v) for key, v in own.items() if v != parameters()[key].default)
        object.__setattr__(self, "backfill", BackfillSpec(name, changed) if changed else name)

    def _check_passes(self) -> None:
        if isinstance(self.passes, str) and self.passes in PASSES:
            return
        period = period_seconds(self.passes) if isinstance(self.passes, str) else None
        if period is None:
            check_name("passes", self.passes, [*PASSES, "periodic", "a period such as 30s or 5m"])
        elif not 1 <= period <= LONGEST_PERIOD:
            msg = (
                f"passes {shown(self.passes)}: a period must be at least 1 s and at most a year, "
                "such as 30s"
            )
            raise SiteError(msg)

    @classmethod
    def preset(cls, name: str, version: str | None = None, **changes: Any) -> Self:
        """Return the policy of a published simulator, of Slurm, or of the log's own schedule.

        Parameters
        ----------
        name : {"pyss", "cqsim", "rlscheduler", "as-logged", "slurm"}
            Simulator whose rules the policy follows; docs/concepts/presets.md describes them.
        version : {"22.05", "25.11"}
            Version of Slurm whose defaults apply; required for ``"slurm"`` and for no other preset.
        **changes
            Fields that the preset leaves open, such as ``backfill="conservative"``; for ``"slurm"``
            also its parameters, such as ``bf_interval=60``.

        Raises
        ------
        SiteError
            For an unknown preset, a different value of a field that the preset fixes, and any value
            that `Policy` refuses; all faults of `changes` are reported together.
        """
        name = preset_names.preset_name(name, version)
        known = list(policy_defaults())
        try:
            preset_names.check_changes(name, changes, known)
            given = {**preset_names.preset_defaults(name, changes), **PRESETS[name], **changes}
            return cls(**with_fields_only(given))
        except SiteError as fault:
            alone = {field: value for field, value in changes.items() if field in known}
            raise preset_names.with_value_faults(fault, alone, cls.from_dict) from None

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Make a policy from the keys of a site file: the fields, and ``preset``.

        Raises
        ------
        SiteError
            For an unknown key, and any value that `Policy` or `preset` refuses.
        """
        known = ["preset", *policy_defaults()]
        for name in given:
            check_name("policy key", name, known)
        changes = {key: value for key, value in given.items() if key != "preset"}
        if "preset" in given:
            return cls.preset(given["preset"], **changes)
        return cls(**with_fields_only(changes))

    def _preset_dict(self, name: str) -> dict[str, Any]:
        """Describe the policy, for `from_dict`, by a preset and the fields that differ from it."""
        own, usual = self._values(), self.preset(name)._values()
        changed = {key: value for key, value in own.items() if value != usual.get(key)}
        written = {"preset": name, **changed}
        return written if self.from_dict(written) == self else self.to_dict()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields, or parameters of the backfill, changed.

        Raises
        ------
        SiteError
            For an unknown name, and any value that `Policy` refuses.
        """
        for name in changes:
            check_name("policy field", name, list(policy_defaults()))
        if changes.keys() <= _FIELDS.keys():
            return replace(self, **changes)
        return replace(self, **with_fields_only({"backfill": self.backfill, **flat(changes)}))

    def to_dict(self) -> dict[str, Any]:
        """Return order, backfill, and the other fields that differ from their defaults.

        The order is left out if the backfill ignores it, as a site file requires.
        """
        values = self._values()
        always = {"order", "backfill"} - unread_by(values["backfill"], {"order"})
        written = {
            name: values[name]
            for name, default in _FIELDS.items()
            if name in always or values[name] != default
        }
        if isinstance(self.backfill, BackfillSpec):
            written["backfill"] = self.backfill.to_dict()
        return written

    def _values(self) -> dict[str, Any]:
        """Return every field, with the backfill as a name, and every parameter of the backfill."""
        values = {**policy_defaults(), **{name: getattr(self, name) for name in _FIELDS}}
        values["backfill"] = name_of(self.backfill)
        if isinstance(self.backfill, BackfillSpec):
            values |= dict(self.backfill.parameters)
        for name in ORDER_FIELDS:
            if values[name] is not None:
                values[name] = to_plain(values[name])
        return values

    def _to_core(self) -> CorePolicy:
        """Convert the policy to the core's type; callers must not change the result."""
        if self._is_named:
            return _core_policy_of_names(self)
        return core_value(self, self._values())

    @property
    def _is_named(self) -> bool:
        """True if no order is a function; only then does `_to_core` cache its result."""
        return isinstance(self.order, str | OrderSpec) and isinstance(
            self.backfill_order, str | OrderSpec | None
        )


@lru_cache(maxsize=64)
def _core_policy_of_names(policy: Policy) -> CorePolicy:
    """Convert a policy without functions; results are cached, because sweeps reuse policies."""
    return core_value(policy, policy._values())


_FIELDS: dict[str, Any] = {field.name: field.default for field in fields(Policy)}


@cache
def policy_defaults() -> MappingProxyType[str, Any]:
    """Return the defaults of a policy's keys: its fields, and the other backfill parameters."""
    more = {name: facts.default for name, facts in parameters().items() if name not in _FIELDS}
    return MappingProxyType({**_FIELDS, **more})


def flat(policy: Mapping[str, Any]) -> dict[str, Any]:
    """Return a policy as a flat mapping, which includes the parameters given with its backfill."""
    if not isinstance(policy.get("backfill"), Mapping):
        return dict(policy)
    name, given = parameters_given(policy["backfill"])
    for key in given:
        if key in policy and policy[key] != given[key]:
            text = (
                f"{as_written(given[key])}: {key} = {as_written(policy[key])} is also set; "
                "remove one of the two"
            )
            raise FaultsError([Fault(("backfill", key), text)])
    return {**policy, **given, "backfill": name}


def with_fields_only(policy: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the fields of a policy; all other parameters are moved into its backfill."""
    changes = {key: value for key, value in policy.items() if key in _FIELDS}
    more = {key: value for key, value in policy.items() if key not in _FIELDS}
    if not more:
        return changes
    name, given = parameters_given(policy.get("backfill", _FIELDS["backfill"]))
    for key, value in more.items():
        value = parameters()[key].read(value)
        if key not in backfill_facts()[name].parameters and value != parameters()[key].default:
            raise ContradictionError(
                f"{key} {as_written(value)}: backfill '{name}' ignores {key}; leave it "
                f"out, or choose backfill {readers_of(key)}"
            )
        if key in backfill_facts()[name].parameters:
            given[key] = value
    return {**changes, "backfill": {"name": name, **given}}
