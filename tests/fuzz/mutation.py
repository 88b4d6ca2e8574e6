"""Mutations of seeds: random edits to bytes, text and JSON values."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

LONGEST = 8192
"""Longest input in bytes; a long run time or high memory use at this size is a fault."""

NUMBERS = [
    b"0", b"-1", b"1", b"2", b"7", b"1.5", b"-0.0", b"1e308", b"1e-320", b"nan", b"inf", b"-inf",
    b"2147483647", b"2147483648", b"4294967296", b"9007199254740993", b"9223372036854775807",
    b"-9223372036854775808", b"18446744073709551616", b"9" * 25, b"9" * 400, b"1_0", b"0x10",
]  # fmt: skip
_LETTERS = b"0159-+.,:;=#\"'[](){}|/\\*^<>!_ \t\r\n\0axe\x80\x85\xc3\xff"
_DIGITS = re.compile(rb"\d+")
_JSON = [
    None, True, 0, -1, 1, 5, 2**31, 2**63, -(2**63), 2**64, 10**30, 1.5, 1e300, float("nan"),
    float("inf"), "", "x", "\ud800", [], [1], {}, {"kind": "Site", "fields": {}}, {"kind": "os"},
]  # fmt: skip


def mutated(
    seeds: Sequence[bytes], tokens: Sequence[bytes], chance: random.Random, most: int = 8
) -> bytes:
    """Return a seed after at most `most` edits, usually only a few."""
    data = chance.choice(seeds)
    for _ in range(min(chance.randint(1, most), chance.randint(1, most))):
        data = _edited(data, seeds, tokens, chance)
    return data[:LONGEST]


def _edited(
    data: bytes, seeds: Sequence[bytes], tokens: Sequence[bytes], chance: random.Random
) -> bytes:
    begin = chance.randrange(len(data) + 1)
    end = min(len(data), begin + chance.choice((0, 1, 1, 5, 40)))
    head, cut, tail = data[:begin], data[begin:end], data[end:]
    how = chance.randrange(8)
    if how == 0:
        return head + bytes([chance.choice(_LETTERS)]) + tail
    if how == 1:
        return head + tail
    if how == 2:
        return head + cut * chance.choice((2, 3, 50)) + tail
    if how == 3:
        other = chance.choice(seeds)
        return head + other[chance.randrange(len(other) + 1) :]
    if how == 4:
        return _line_moved(data, chance)
    if how == 5 and tokens:
        return head + chance.choice(tokens) + tail
    if how == 6:
        return head + bytes(byte ^ (1 << chance.randrange(8)) for byte in cut) + tail
    return _number_replaced(data, chance)


def _line_moved(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    line = lines[chance.randrange(len(lines))]
    if chance.random() < 0.4:
        lines.remove(line)
    else:
        lines.insert(chance.randrange(len(lines) + 1), line)
    return b"".join(lines)


def _number_replaced(data: bytes, chance: random.Random) -> bytes:
    found = list(_DIGITS.finditer(data))
    if not found:
        return data + chance.choice(NUMBERS)
    place = chance.choice(found)
    return data[: place.start()] + chance.choice(NUMBERS) + data[place.end() :]


def mutated_json(value: Any, chance: random.Random) -> Any:
    """Return a JSON value with one change; the argument may be modified."""
    if isinstance(value, dict) and value and chance.random() < 0.93:
        key = chance.choice(list(value))
        how = chance.random()
        if how < 0.05:
            del value[key]
        elif how < 0.09:
            value["other"] = 1
        else:
            value[key] = mutated_json(value[key], chance)
        return value
    if isinstance(value, list) and value and chance.random() < 0.85:
        return _list_changed(value, chance)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_number and chance.random() < 0.6:
        return value + chance.choice((1, -1, 100, -100, 10**6))
    return copy.deepcopy(chance.choice(_JSON))


def _list_changed(value: list[Any], chance: random.Random) -> list[Any]:
    place, how = chance.randrange(len(value)), chance.random()
    if how < 0.08:
        del value[place]
    elif how < 0.16:
        value.insert(place, copy.deepcopy(value[place]))
    elif how < 0.2:
        chance.shuffle(value)
    else:
        value[place] = mutated_json(value[place], chance)
    return value
