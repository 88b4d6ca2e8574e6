"""Old import paths of moved modules: importing an old path returns the moved module itself."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType


class _MovedModules(MetaPathFinder, Loader):
    """An importer that loads a moved module from its current path."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self.places else None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(self.places[module.__name__])


_FINDER = _MovedModules()


def keep_old_paths(places: Mapping[str, str]) -> None:
    """Make old paths importable; `places` maps each old path to the module's current path."""
    _FINDER.places.update(places)
    if _FINDER not in sys.meta_path:
        sys.meta_path.append(_FINDER)
