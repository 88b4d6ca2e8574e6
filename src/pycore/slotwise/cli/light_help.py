"""Help without the slow imports of typer's formatter: a Markdown parser and tracebacks."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

_FORMATTER = "typer.rich_utils"
_UNUSED = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
"""Classes that the formatter imports but does not use to print help in Rich's markup."""


def load_formatter() -> None:
    """Import typer's help formatter, with empty classes in place of imports that it never uses.

    The modules themselves are unchanged: a later import yields the real module.
    """
    if _FORMATTER in sys.modules:
        return
    absent = [name for name in _UNUSED if name not in sys.modules]
    for name in absent:
        module = ModuleType(name)
        setattr(module, _UNUSED[name], type(_UNUSED[name], (), {}))
        sys.modules[name] = module
    try:
        importlib.import_module(_FORMATTER)
    finally:
        for name in absent:
            del sys.modules[name]


def asks_for_help(arguments: list[str]) -> bool:
    """Return whether a command line prints a page of help."""
    return not arguments or not {"--help", "-h"}.isdisjoint(arguments)
