"""The amounts in a limit, by resource, as an immutable mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from slotwise._numbers import whole
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine.node_type import kilobytes
from slotwise.written_values import shown

LARGEST = 2**63 - 1


class Amounts(Mapping[str, int]):
    """Amounts by resource name, as an immutable, hashable mapping.

    Parameters
    ----------
    amounts : mapping of str to int
    """

    __slots__ = ("_amounts",)

    def __init__(self, amounts: Mapping[str, int]) -> None:
        self._amounts = dict(amounts)

    def __getitem__(self, name: str) -> int:
        return self._amounts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._amounts)

    def __len__(self) -> int:
        return len(self._amounts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Amounts):
            return self._amounts == other._amounts
        return Mapping.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(frozenset(self._amounts.items()))

    def __repr__(self) -> str:
        return repr(self._amounts)

    def __reduce__(self) -> tuple[object, ...]:
        return Amounts, (self._amounts,)

    def to_dict(self) -> dict[str, int]:
        """Return the amounts as a plain dict."""
        return dict(self._amounts)


def amounts_of(value: Any) -> Amounts:
    """Read limits by resource: a mapping of names to amounts of at least 1.

    Memory may be a string such as ``"2TB"``. None or "none" means no limit, both as an amount and
    instead of the mapping.

    Raises
    ------
    FaultsError
        For wrong amounts; the message names every resource that has one.
    ValueError
        For any other value.
    """
    if value is None or (isinstance(value, str) and value == "none"):
        return Amounts({})
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ValueError(
            f"{shown(value)} must be a table of amounts by resource, such as "
            '{ gpus = 8, memory = "2TB" }'
        )
    read: dict[str, int] = {}
    faults: list[Fault] = []
    for name, amount in value.items():
        try:
            if not _is_none(amount):
                read[name] = _amount(name, amount)
        except ValueError as fault:
            faults.append(Fault((name,), str(fault)))
    if faults:
        raise FaultsError(faults)
    return Amounts(read)


def _is_none(amount: object) -> bool:
    return amount is None or (isinstance(amount, str) and amount == "none")


def _amount(name: str, value: Any) -> int:
    number = kilobytes(value, LARGEST) if name == "memory" else whole(value)
    if number is None:
        raise ValueError(f"{shown(value)} must be a whole number of {name}")
    if number < 1:
        raise ValueError(
            f"{shown(number)} would let no job start: a limit must be at least 1; omit the key for "
            "no limit"
        )
    if number > LARGEST:
        raise ValueError(f"{shown(number)} must be at most {LARGEST}; leave it out for no limit")
    return number
