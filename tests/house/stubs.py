"""Compare the type stub of the core, `_core.pyi`, with the compiled module.

Differences that pybind11 causes in every class are not printed. If there are other differences, the
exit code is 1.
"""

from __future__ import annotations

import re
import subprocess
import sys

ALLOWED = (
    r"is inconsistent, metaclass differs$",
    # The stub describes an enumeration only by its members.
    r"\.(__index__|__int__|__members__|name|value) is not present in stub$",
    # Classes whose objects only the core creates have a constructor that raises TypeError.
    r"\.__init__ is inconsistent, stub does not have \*args parameter",
    # The stub declares __getattr__ and __setattr__ instead of the fields of Limits.
    r"\.Limits\.(__getattr__|__setattr__) is not present at runtime$",
    r"\.Limits\.\w+ is not present in stub$",
)


def differences(lines: list[str]) -> list[str]:
    """Return the differences that are not allowed.

    Examples
    --------
    >>> differences(["slotwise._core.Torus is inconsistent, metaclass differs"])
    []
    """
    allowed = re.compile("|".join(ALLOWED))
    return [line for line in lines if line.strip() and not allowed.search(line)]


def main() -> int:
    command = [sys.executable, "-m", "mypy.stubtest", "slotwise._core", "--concise"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.stderr:
        print(ended.stderr, file=sys.stderr)
        return 1
    found = differences(ended.stdout.splitlines())
    print("\n".join(found) or "The types of the core agree with the compiled module.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
