"""The policy of a ``slurm.conf``: its two schedulers, its priorities and its choice of nodes.

Example: ``SchedulerParameters=bf_interval=60,defer`` and ``PriorityWeightAge=1000`` become the
``slurm`` preset with ``bf_interval = 60`` and ``defer = true``, and with ``age = 1000`` in its
order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.formats.slurm_site.ignored import (
    HARMLESS,
    NEVER_READ,
    PRIORITIES,
    STARTS,
    UNCOUNTED,
    Ignored,
)
from slotwise.formats.slurm_site.numbers import time_limit, truth, whole_number
from slotwise.formats.slurm_site.parameter_names import COUNTS, FLAGS, FORMER_NAMES
from slotwise.formats.slurm_site.scheduler_remarks import planner_remarks, priority_remarks
from slotwise.formats.slurm_site.tres_weights import TresWeights
from slotwise.site.names import unknown_name, unknown_of_many
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import backfill_facts
from slotwise.site.policy.policy_values import PRESET_DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from slotwise.formats.slurm_site.settings import Faults, Line

_MOST_WEIGHT = 2**32 - 1  # maximum of a weight, and of PriorityMaxAge in seconds
_MOST_DAMPENING = 2**16 - 1
_WEIGHTS = {
    "priorityweightage": "age",
    "priorityweightjobsize": "job_size",
    "priorityweightpartition": "partition",
    "priorityweightfairshare": "fairshare",
    "priorityweightqos": "qos",
    "priorityweightassoc": "association",
}
_RESETS = ("none", "now", "daily", "weekly", "monthly", "quarterly", "yearly")
_SELECT_TYPES = {
    "select/linear": "linear",
    "select/cons_res": "cons_tres",
    "select/cons_tres": "cons_tres",
}
_SELECTED = re.compile(r"cr_(cpu|core|socket)(_memory)?|cr_memory|other_cons_(res|tres)")
_SELECT_EXTRAS = (
    "cr_one_task_per_core", "cr_core_default_dist_block", "cr_lln", "cr_pack_nodes",
    "ll_shared_gres", "multiple_sharing_gres_pj", "enforce_binding_gres",
    "one_task_per_sharing_gres",
)  # fmt: skip

KEYS = (
    "schedulertype", "schedulerparameters", "prioritytype", *_WEIGHTS, "priorityweighttres",
    "prioritymaxage", "priorityfavorsmall", "prioritydecayhalflife", "prioritycalcperiod",
    "priorityflags", "priorityusageresetperiod", "fairsharedampeningfactor", "selecttype",
    "selecttypeparameters", "overtimelimit", "completewait", "killwait",
    "enforcepartlimits", "epilog",
)  # fmt: skip
"""Keys of a ``slurm.conf`` that determine the policy, in lower case."""

_PART_LIMITS = {"no": "no", "all": "all", "any": "all", "yes": "all"}


@dataclass
class Scheduler:
    """Reader of the policy in a ``slurm.conf``.

    Attributes
    ----------
    faults : Faults
    version : str
        Version of Slurm whose defaults apply.
    ignored : Ignored
        Settings without a counterpart in a replay, as written.
    """

    faults: Faults
    version: str
    ignored: Ignored = field(default_factory=Ignored)
    _lines: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    _fields: dict[str, Any] = field(default_factory=dict)
    _order: dict[str, Any] = field(default_factory=dict)
    _shares: dict[str, float] = field(default_factory=dict)
    _tres: TresWeights = field(default_factory=TresWeights)

    @property
    def n_that_matter(self) -> int:
        """The number of settings that a replay ignores but that may affect job starts in Slurm."""
        return self.ignored.n_that_matter + bool(self._fields.get("complete_wait"))

    def take(self, line: Line) -> None:
        """Store the keys of a line."""
        for key in KEYS:
            if key in line.values:
                self._lines[key] = line.place, line.written[key], line.values[key]
        for key in line.values:
            if key in COUNTS or key in FLAGS or key in NEVER_READ:
                text = (
                    f"{line.written[key]}={line.values[key]:.60} must be part of "
                    "SchedulerParameters=, a comma-separated list without spaces"
                )
                self.faults.add_line(line.place, ValueError(text))

    def take_shares(self, shares: Mapping[str, float]) -> None:
        """Store the shares of accounts and users, which are used only with a fair-share weight."""
        self._shares = dict(shares)

    def policy(self) -> Policy | None:
        """Return the policy. If there are faults, add them to `faults` and return None.

        The policy lacks the TRES weights, which `with_tres` adds.
        """
        before = len(self.faults.texts)
        self._each("schedulerparameters", self._scheduler_parameters)
        self._select()
        self._priorities()
        self._each("overtimelimit", self._over_time_limit)
        self._each("completewait", self._number_into("complete_wait", "CompleteWait"))
        self._each("killwait", self._number_into("kill_wait", "KillWait"))
        self._each("epilog", self._epilog)
        self._each("enforcepartlimits", self._part_limits)
        self._each("schedulertype", self._scheduler_type)
        if len(self.faults.texts) > before:
            return None
        try:
            return Policy.preset("slurm", version=self.version, **self._fields)
        except SiteError as fault:
            self.faults.add(
                self._lines.get("schedulerparameters", ("SchedulerParameters",))[0], fault
            )
            return None

    def with_tres(self, policy: Policy, resources: Iterable[str]) -> Policy:
        """Return the policy with the weights of those TRES that the machine counts."""
        self._tres.keep({*resources, "nodes"})
        for each in self._tres.unread:
            self.ignored.add(UNCOUNTED, f"PriorityWeightTRES={each}")
        if not self._tres.weights or self._fields["order"] == "fcfs":
            return policy
        return policy.replace(order={**self._fields["order"], "tres": self._tres.weights})

    def remarks(self) -> Iterator[str]:
        """State which version is assumed, and which settings are ignored."""
        yield (
            f"[policy] is the slurm preset with the defaults of Slurm {self.version}, and the "
            "settings of the file."
        )
        has_fair_tree = "NO_FAIR_TREE" not in self._flags()
        yield from priority_remarks(self._order, has_fair_tree, bool(self._shares))
        yield from planner_remarks(self._fields)
        yield from self.ignored.remarks()

    def _epilog(self, path: str) -> None:
        if path.strip().lower() not in ("", "(null)", "none"):
            self._fields["has_epilog"] = True

    def _each(self, key: str, read: Callable[[str], None]) -> None:
        if key not in self._lines:
            return
        place, _, text = self._lines[key]
        try:
            read(text)
        except ValueError as fault:
            self.faults.add_line(place, fault)

    def _scheduler_parameters(self, text: str) -> None:
        place = self._lines["schedulerparameters"][0]
        seen: dict[str, str] = {}
        for item in filter(None, (each.strip() for each in text.split(","))):
            name, equals, value = item.partition("=")
            name, value = name.strip().lower(), value.lstrip("=").strip()
            name = FORMER_NAMES.get(name, name)
            is_first, before = name not in seen, self._fields.get(name)
            earlier = seen.setdefault(name, item)
            try:
                self._parameter(name, value, item, has_value=bool(equals))
                if not is_first and self._fields.get(name) != before:
                    raise ValueError(
                        f"SchedulerParameters: {item:.60} contradicts {earlier:.60}; remove one "
                        "of the two"
                    )
            except ValueError as fault:
                self.faults.add_line(place, fault)

    def _parameter(self, name: str, value: str, item: str, *, has_value: bool) -> None:
        if name in FLAGS:
            self._fields[name] = truth(f"SchedulerParameters: {name}", value) if value else True
        elif name in COUNTS:
            self._fields[name] = _count(name, value)
        elif name in NEVER_READ:
            self.ignored.add(NEVER_READ[name], item)
        else:
            known = [*COUNTS, *FLAGS, *NEVER_READ]
            text = unknown_of_many("parameter", name, known, "slurm.conf(5)")
            raise ValueError(f"SchedulerParameters: {text}")

    def _select(self) -> None:
        self._each("selecttype", self._select_type)
        self._each("selecttypeparameters", self._select_parameters)

    @property
    def default_select_type(self) -> str:
        """The SelectType that applies if a ``slurm.conf`` does not set it."""
        return f"select/{PRESET_DEFAULTS[f'slurm-{self.version}']['select_type']}"

    def _is_linear(self) -> bool:
        """Return whether jobs get whole nodes: true only under ``select/linear``."""
        text = self._lines.get("selecttype", ("", "", self.default_select_type))[2]
        return text.lower() == "select/linear"

    def _select_type(self, text: str) -> None:
        if text.lower() not in _SELECT_TYPES:
            raise ValueError(f"SelectType={text:.60} must be select/linear or select/cons_tres")
        self._fields["select_type"] = _SELECT_TYPES[text.lower()]

    def _select_parameters(self, text: str) -> None:
        for item in text.lower().split(","):
            if item in ("", "none"):
                continue
            if item in _SELECT_EXTRAS:
                self.ignored.add(STARTS, f"SelectTypeParameters={item.upper()}")
            elif not _SELECTED.fullmatch(item):
                raise ValueError(
                    f"SelectTypeParameters={text:.60}: {item.upper():.60} is not known; write "
                    "CR_Core_Memory or another value from slurm.conf(5)"
                )
            elif self._is_linear() and item != "cr_memory":
                given = "SelectType=select/linear"
                if "selecttype" not in self._lines:
                    given += (
                        f" (the default of Slurm {self.version}, as there is no SelectType line)"
                    )
                raise ValueError(
                    f"SelectTypeParameters={text:.60} contradicts {given}, which allocates whole "
                    "nodes; write CR_Memory, or SelectType=select/cons_tres"
                )
            elif "socket" in item:
                self.ignored.add(STARTS, f"SelectTypeParameters={item.upper()} (as CR_CORE)")

    def _priorities(self) -> None:
        default = "priority/basic" if self.version == "22.05" else "priority/multifactor"
        place, _, kind = self._lines.get("prioritytype", ("", "", default))
        if kind.lower() not in ("priority/basic", "priority/multifactor"):
            text = f"PriorityType is {kind:.60}; it must be priority/basic or priority/multifactor"
            self.faults.add_line(place, ValueError(text))
        for key, name in _WEIGHTS.items():
            self._each(key, self._weight_into(name, key))
        self._each("prioritymaxage", self._max_age)
        self._each("priorityusageresetperiod", self._usage_reset)
        self._each("prioritydecayhalflife", self._half_life)
        self._each("priorityfavorsmall", self._favor_small)
        self._each("fairsharedampeningfactor", self._dampening)
        self._each("prioritycalcperiod", self._calc_period)
        self._each("priorityweighttres", self._tres_weights)
        if self._shares and self._order.get("fairshare"):
            self._order["shares"] = self._shares
        flags = self._flags()
        if "SMALL_RELATIVE_TO_TIME" in flags:
            self._order["relative_to_time"] = 1
        read = ("SMALL_RELATIVE_TO_TIME", "NO_FAIR_TREE")
        for flag in flags:
            if flag not in read:
                reason = HARMLESS if flag == "CALCULATE_RUNNING" else PRIORITIES
                self.ignored.add(reason, f"PriorityFlags={flag}")
        if kind.lower() == "priority/basic":
            self._fields["order"] = "fcfs"
        else:
            self._fields["order"] = {"name": "multifactor", **self._order}

    def _flags(self) -> list[str]:
        text = self._lines.get("priorityflags", ("", "", ""))[2]
        return [flag.strip().upper() for flag in text.split(",") if flag.strip()]

    def _weight_into(self, name: str, key: str) -> Callable[[str], None]:
        def read(text: str) -> None:
            self._order[name] = whole_number(self._lines[key][1], text, most=_MOST_WEIGHT)

        return read

    def _dampening(self, text: str) -> None:
        most = _MOST_DAMPENING
        self._order["dampening"] = whole_number("FairShareDampeningFactor", text, 1, most)

    def _number_into(self, name: str, key: str) -> Callable[[str], None]:
        def read(text: str) -> None:
            self._fields[name] = whole_number(key, text, most=_most(name))

        return read

    def _max_age(self, text: str) -> None:
        seconds = time_limit("PriorityMaxAge", text)
        if not seconds or seconds > _MOST_WEIGHT:
            raise ValueError(
                f"PriorityMaxAge={text:.60} must be above 0 and at most {_MOST_WEIGHT:,} s; "
                "Slurm's default is 7-0"
            )
        self._order["max_age"] = seconds

    def _half_life(self, text: str) -> None:
        seconds = time_limit("PriorityDecayHalfLife", text)
        if seconds is None:
            raise ValueError(
                f"PriorityDecayHalfLife={text:.60} must be a time such as 7-0; for usage without "
                "decay, write 0 and set PriorityUsageResetPeriod"
            )
        if seconds or "priorityusageresetperiod" in self._lines:
            self._order["half_life"] = seconds
        elif self._order.get("fairshare"):
            raise ValueError(
                f"PriorityDecayHalfLife={text:.60} (usage without decay) needs "
                "PriorityUsageResetPeriod, as in Slurm; set it, for example to WEEKLY or NONE"
            )
        else:
            self.ignored.add(HARMLESS, f"PriorityDecayHalfLife={text}")

    def _usage_reset(self, text: str) -> None:
        if text.lower() not in _RESETS:
            near = unknown_name("value", text.lower(), _RESETS)
            raise ValueError(f"PriorityUsageResetPeriod={text:.60}: {near}; correct it")
        if text.lower() == "now":  # has no effect, because a replay begins without usage
            self.ignored.add(HARMLESS, f"PriorityUsageResetPeriod={text}")
        elif text.lower() != "none":
            self._order["usage_reset"] = text.lower()

    def _tres_weights(self, text: str) -> None:
        self._tres = TresWeights.read(text)

    def _favor_small(self, text: str) -> None:
        self._order["favor_small"] = int(truth("PriorityFavorSmall", text))

    def _calc_period(self, text: str) -> None:
        seconds, most = time_limit("PriorityCalcPeriod", text), _most("priority_calc_period")
        if not seconds or seconds > most:
            raise ValueError(
                f"PriorityCalcPeriod={text:.60} must be at least a minute and at most {most:,} s"
            )
        self._fields["priority_calc_period"] = seconds

    def _over_time_limit(self, text: str) -> None:
        if text.lower() == "unlimited":
            raise ValueError("OverTimeLimit=UNLIMITED is not supported; set a number of minutes")
        most = _most("over_time_limit")
        self._fields["over_time_limit"] = whole_number("OverTimeLimit", text, most=most)

    def _part_limits(self, text: str) -> None:
        if text.lower() not in _PART_LIMITS:
            raise ValueError(f"EnforcePartLimits={text:.60} must be ALL, ANY or NO")
        self._fields["enforce_part_limits"] = _PART_LIMITS[text.lower()]

    def _scheduler_type(self, text: str) -> None:
        if text.lower() == "sched/builtin":
            self._fields["bf_interval"] = 0
        elif text.lower() != "sched/backfill":
            raise ValueError(f"SchedulerType={text:.60} must be sched/backfill or sched/builtin")


def _most(name: str) -> int:
    """Return the maximum of a parameter of the ``slurm`` preset."""
    return int(backfill_facts()["slurm"].parameters[name].maximum)


def _count(name: str, text: str) -> int:
    """Read a whole number of ``SchedulerParameters``; a ``bf_interval`` of -1 means no backfill."""
    key = f"SchedulerParameters: {name}"
    if name == "sched_interval" and text == "-1":
        raise ValueError(f"{key}=-1 (no main scheduler) is not supported; remove it")
    facts = backfill_facts()["slurm"].parameters[name]
    if name != "bf_interval":
        return whole_number(key, text, int(facts.minimum), int(facts.maximum))
    if text == "-1":
        return 0
    try:
        return whole_number(key, text, 1, int(facts.maximum))
    except ValueError as fault:
        raise ValueError(f"{fault}, or -1 for no backfill") from None
