"""SciPy, imported where used."""

from __future__ import annotations

import importlib
from typing import Any

from slotwise.errors import MissingExtraError


def module(name: str) -> Any:
    """Import a module of SciPy.

    Raises
    ------
    MissingExtraError
        Naming the extra that brings it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise MissingExtraError(
            "the queue study's program needs scipy, which is not installed; install it with: "
            "pip install 'slotwise[study]'"
        ) from missing
