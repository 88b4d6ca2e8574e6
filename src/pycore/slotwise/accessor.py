"""A property that wraps its owner in a class, which is imported only when it is needed."""

from __future__ import annotations

import importlib
from typing import Any


class Accessor:
    """A property such as ``trace.plot``, which wraps its owner in a lazily imported class.

    The class may belong to a package that the owner's module must not import.

    Parameters
    ----------
    module, name : str
        Module and name of the class.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        """Wrap the owner; if the property is read on the class itself, return the accessor."""
        if owner is None:
            return self
        return getattr(importlib.import_module(self._module), self._name)(owner)
