"""The lines on which the keys of a site file are written, for messages about faults.

Example: in a file that begins with ``[policy]`` and ``order = {name = "fcfs"}``, the key
``policy.order`` is on line 2, and so is ``policy.order.name``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from slotwise.site.faults import Key

_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_NAME = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_NAME})[ \t]*\]")
_VALUE = re.compile(rf"[ \t]*({_NAME})[ \t]*=")
_LONG_STRING = re.compile(r'("""|' + r"''').*?(?:\1|\Z)", re.DOTALL)


def lines_of_keys(path: str | os.PathLike[str]) -> dict[Key, int]:
    """Return the line of each table and each value; an empty dict if the file cannot be read."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return {}
    found: dict[Key, int] = {}
    table: Key = ()
    counts: dict[Key, int] = {}  # index of the last table in each list
    bare = _LONG_STRING.sub(lambda string: "''" + "\n" * string[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if header := _HEADER.match(line):
            table = _placed(_parts(header[2]), counts, is_list=header[1] == "[[")
            found.setdefault(table, number)
            if header[1] == "[[":  # faults of the whole list have the line of its first table
                found.setdefault(table[:-1], number)
        elif value := _VALUE.match(line):
            found.setdefault((*table, *_parts(value[1])), number)
    return found


def line_of(key: Key, lines: Mapping[Key, int]) -> int | None:
    """Return the line of a value or, if it has no line of its own, of its table or list."""
    prefixes = (key[:length] for length in range(len(key), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)


def _parts(name: str) -> Key:
    return tuple(part.strip("\"'") for part in re.findall(_PART, name))


def _placed(name: Key, counts: dict[Key, int], *, is_list: bool) -> Key:
    """Return the key of a table, such as ``("queue", 1)`` for the second ``[[queue]]``."""
    key: Key = ()
    for part in name[:-1]:
        key = (*key, part)
        key = (*key, counts[key]) if key in counts else key
    key = (*key, name[-1])
    if is_list:
        counts[key] = counts.get(key, -1) + 1
    return (*key, counts[key]) if is_list else key
