"""The command line: turns arguments into calls to the public API, and prints tables and JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_REQUIRED = ("typer", "rich")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line once.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words after ``slotwise``; default ``sys.argv[1:]``.

    Returns
    -------
    int
        The exit code (see :mod:`slotwise.terminal.exits`).
    """
    try:
        from slotwise.cli.invocation import invoke

        return invoke(sys.argv[1:] if arguments is None else list(arguments))
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _REQUIRED:
            raise
        print(  # noqa: T201
            f"slotwise: error: the command line needs {missing.name}, which is not installed; "
            "install it with: pip install 'slotwise[cli]'",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("slotwise: error: interrupted", file=sys.stderr)  # noqa: T201
        return 130
