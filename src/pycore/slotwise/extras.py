"""Optional libraries, imported only when used, and the extra that installs each of them."""

from __future__ import annotations

import importlib
from typing import Any

from slotwise.errors import MissingExtraError

EXTRAS = {
    "cmaes": "study",
    "distributed": "cluster",
    "gymnasium": "rl",
    "matplotlib": "plot",
    "onnxruntime": "onnx",
    "optuna": "study",
    "ortools": "dispatch",
    "pyarrow": "parquet",
    "sb3_contrib": "sb3",
    "scipy": "study",
    "stable_baselines3": "sb3",
}
"""The extra that installs each library; pandas and polars, used only to read tables, have none."""


def load(module: str) -> Any:
    """Import a module of an optional library, such as ``"scipy.stats"``.

    Raises
    ------
    MissingExtraError
        If the library is not installed; the message names the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        library = module.partition(".")[0]
        package = f"'slotwise[{EXTRAS[library]}]'" if library in EXTRAS else library
        raise MissingExtraError(
            f"this needs {library}, which is not installed; install it with: pip install {package}"
        ) from missing
