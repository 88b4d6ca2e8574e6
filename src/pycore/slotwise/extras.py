"""Libraries beyond NumPy: imported where they are used, installed by an extra of the package."""

from __future__ import annotations

import importlib
from typing import Any

from slotwise.errors import MissingExtraError

EXTRAS = {
    "cmaes": "study",
    "distributed": "cluster",
    "matplotlib": "plot",
    "optuna": "study",
    "ortools": "dispatch",
    "pyarrow": "parquet",
    "scipy": "study",
}
"""Which extra brings a library; pandas and polars, which only take tables over, have none."""


def load(module: str) -> Any:
    """Import a module of an optional library, such as ``"scipy.stats"``.

    Raises
    ------
    MissingExtraError
        Where the library is not installed, naming what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        library = module.partition(".")[0]
        package = f"'slotwise[{EXTRAS[library]}]'" if library in EXTRAS else library
        raise MissingExtraError(
            f"this needs {library}, which is not installed; install it with: pip install {package}"
        ) from missing
