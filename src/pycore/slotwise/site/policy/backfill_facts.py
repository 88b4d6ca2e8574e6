"""Facts about backfill rules, from the core: parameters, fields used, and supported machines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from slotwise._core import backfill_facts as core_facts
from slotwise._numbers import real, whole
from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.meant_keys import unknown_key
from slotwise.site.names import check_name, either
from slotwise.site.parts.times import seconds_of
from slotwise.text import plain_number
from slotwise.written_values import shown

_MOST = 2**53  # doubles represent every whole number up to this one


class ParameterFacts(NamedTuple):
    """A parameter of a backfill rule, as registered in the core.

    Parameters
    ----------
    kind : {"number", "whole", "flag", "name", "length"}
    unit : str
        For a whole number, a plural noun such as ``jobs``. For any other number, its description.
        For a flag whose default depends on other fields, the rule that sets the default.
    text : str
        The default in help pages; empty if it is simply `default_number`.
    """

    name: str
    doc: str
    kind: str
    unit: str
    default_number: float
    text: str
    minimum: float
    maximum: float
    names: tuple[str, ...]

    @property
    def default(self) -> Any:
        """The default value in a policy; None if it depends on other fields."""
        if self.kind == "name":
            return self.names[int(self.default_number)]
        if self.kind == "flag":
            return None if self.unit else bool(self.default_number)
        if self.kind == "length":
            return None
        return int(self.default_number) if self.kind == "whole" else self.default_number

    @property
    def default_text(self) -> str:
        """The default as written in help pages."""
        return self.text or f"{self.default_number:g}"

    def read(self, value: object) -> Any:
        """Return a given value in the form that a policy stores.

        Raises
        ------
        SiteError
            If the value is invalid; the message gives the value, the rule and the remedy.
        """
        if value is None and self.default is None:
            return None
        if self.kind == "name":
            check_name(self.name, value, list(self.names))
            return value
        if self.kind == "length":
            try:
                return seconds_of(value)
            except ValueError as fault:
                raise SiteError(f"{self.name} {fault}") from None
        if self.kind == "flag":
            known: Any = value if isinstance(value, bool) else None
        else:
            known = whole(value) if self.kind == "whole" else real(value)
            if known is not None and not (
                self.minimum <= known <= self.maximum and known < math.inf
            ):
                known = None
        if known is None:
            raise SiteError(f"{self.name} {shown(value)}: it must be {self._rule()}")
        return known

    def _rule(self) -> str:
        if self.kind == "flag":
            return "true or false" + (f"; {self.unit}" if self.unit else "")
        what = f"a whole number of {self.unit}" if self.kind == "whole" else self.unit or "a number"
        if math.isfinite(self.maximum):
            return f"{what}, {plain_number(self.minimum)} to {plain_number(self.maximum)}"
        return (
            f"{what}, at least {plain_number(self.minimum)}"
            if math.isfinite(self.minimum)
            else what
        )

    def to_core(self, value: Any) -> float | None:
        """Return the number that represents a value in the core; None if the value is omitted."""
        if value is None:
            return None
        if self.kind == "name":
            return float(self.names.index(value))
        return float(min(value, _MOST))


class BackfillFacts(NamedTuple):
    """Facts about a backfill rule, against which policies are checked.

    Parameters
    ----------
    parameters : mapping of str to ParameterFacts
    reads : frozenset of str
        Fields of a policy that the rule uses, excluding its own parameters.
    reads_given : mapping of str to tuple of str
        Fields in `reads`, by parameter, that the rule uses only if that parameter is given.
    works_on : frozenset of str
        The cases that the rule supports: some of ``pools``, ``torus``, ``intervals``,
        ``intervals_alone``, ``nodes`` and ``underway``. `WorksOn` in the core explains them.
    places_jobs : bool
        True if the rule itself chooses the nodes of a torus.
    """

    parameters: Mapping[str, ParameterFacts]
    reads: frozenset[str]
    reads_given: Mapping[str, tuple[str, ...]]
    works_on: frozenset[str]
    places_jobs: bool


@dataclass(frozen=True, slots=True)
class BackfillSpec:
    """A backfill rule with values for those of its parameters that are not fields of a policy.

    A policy creates it from a mapping such as ``{"name": "slurm", "bf_interval": 60}``.
    """

    name: str
    parameters: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(f'{name} = {value}' for name, value in self.parameters)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping that describes this rule in a site file."""
        return {"name": self.name, **dict(self.parameters)}


@cache
def backfill_facts() -> dict[str, BackfillFacts]:
    """Return facts about every backfill rule, by name."""
    return {
        name: BackfillFacts(
            {p["name"]: _parameter(p) for p in facts["parameters"]},
            frozenset(facts["reads"]),
            {name: tuple(fields) for name, fields in facts["reads_given"].items()},
            frozenset(facts["works_on"]),
            facts["places_jobs"],
        )
        for name, facts in core_facts().items()
    }


def _parameter(facts: Mapping[str, Any]) -> ParameterFacts:
    return ParameterFacts(
        facts["name"], facts["doc"], facts["kind"], facts["unit"], facts["default"], facts["text"],
        facts["minimum"], facts["maximum"], tuple(facts["names"]),
    )  # fmt: skip


@cache
def parameters() -> dict[str, ParameterFacts]:
    """Return the parameters of all backfill rules, by name."""
    return {
        name: parameter
        for facts in backfill_facts().values()
        for name, parameter in facts.parameters.items()
    }


@cache
def readers_of(field: str) -> str:
    """List the backfill rules that use a field or parameter, as text such as ``a or b``."""
    known = backfill_facts()
    own = [name for name, facts in known.items() if field in facts.parameters]
    return either(own or [name for name, facts in known.items() if field in facts.reads])


def names_that_work_on(world: str) -> str:
    """List the backfill rules that support `world`, such as ``pools``, as text: ``a, b or c``."""
    known = backfill_facts()
    names = [name for name, facts in known.items() if world in facts.works_on]
    return either(sorted(names, key=lambda name: len(known[name].reads)))


def name_of(backfill: object) -> str:
    """Return only the name of a stored backfill rule."""
    return backfill.name if isinstance(backfill, BackfillSpec) else str(backfill)


def parameters_given(backfill: object) -> tuple[str, dict[str, Any]]:
    """Split a backfill rule (a name, a mapping or a `BackfillSpec`) into name and parameters.

    Raises
    ------
    SiteError
        For an unknown backfill rule, and for unknown parameters; the message names all of them.
    """
    if isinstance(backfill, BackfillSpec):
        backfill = backfill.to_dict()
    given: dict[str, Any] = (
        {str(key): value for key, value in backfill.items()}
        if isinstance(backfill, Mapping)
        else {"name": backfill}
    )
    name: Any = given.pop("name", None)
    if name is None:
        text = 'the name is missing; write the name of the backfill, such as { name = "easy" }'
        raise FaultsError([Fault(("backfill", "name"), text)])
    check_name("backfill", name, list(backfill_facts()))
    known = list(backfill_facts()[name].parameters)
    faults = [
        Fault(
            ("backfill", str(key)),
            unknown_key(f"'{name}' parameter", str(key), known)
            if known
            else f"unknown key '{key}'; set only name: backfill '{name}' has no parameters",
        )
        for key in given
        if key not in known
    ]
    if faults:
        raise FaultsError(faults)
    return name, given
