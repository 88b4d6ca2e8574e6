"""Constraints of jobs on the features of nodes, such as ``"a100&ib|fat"``."""

from __future__ import annotations

import re

_NOT_READ = re.compile(r"[\[\]()*!,]")


def alternatives(constraint: str) -> list[list[str]]:
    """Read a constraint: alternatives, each a list of features that a node must have together.

    ``&`` binds more tightly than ``|``: ``"a&b|c"`` is ``[["a", "b"], ["c"]]``. An empty constraint
    allows every node: ``[[]]``.

    Raises
    ------
    ValueError
        If a feature is missing next to ``&`` or ``|``, and for counts, lists and brackets.
    """
    if not constraint.strip():
        return [[]]
    if found := _NOT_READ.search(constraint):
        raise ValueError(
            f"{constraint!r:.60} has {found[0]!r}: a constraint joins features with & and |, as "
            "in a100&ib; counts, lists and brackets are not supported"
        )
    read = [[name.strip() for name in part.split("&")] for part in constraint.split("|")]
    if not all(name for part in read for name in part):
        raise ValueError(
            f"{constraint!r:.60} lacks a feature before or after & or |; write, for example, "
            "a100&ib"
        )
    return read
