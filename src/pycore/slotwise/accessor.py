"""An attribute that creates an object; its first use imports the object's class."""

from __future__ import annotations

import importlib
from typing import Any


class Accessor:
    """A property such as ``trace.plot``, which wraps an object in a lazily imported class.

    The property's class may be in a package that the owner's module must not import.

    Parameters
    ----------
    module, name : str
        Module and name of the class.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        """Create the object; if the attribute is read on the class, return the accessor."""
        if owner is None:
            return self
        return getattr(importlib.import_module(self._module), self._name)(owner)
