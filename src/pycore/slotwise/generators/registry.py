"""Registry of models by name; a new model is a module that registers itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from slotwise.entry_points import load_decorated

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.trace import Trace

Draw = TypeVar("Draw", bound="Callable[..., Trace]")

GROUP = "slotwise.models"
"""Group of entry points that refer to functions decorated with `model`."""


@dataclass(frozen=True)
class ModelInfo:
    """A workload model.

    Attributes
    ----------
    name : str
    doc : str
        A description in one line.
    reference : str
        The publication of the model.
    function : callable
        Generates a trace; its keyword arguments are the model's options.
    """

    name: str
    doc: str
    reference: str
    function: Callable[..., Trace]

    @property
    def parameters(self) -> dict[str, Any]:
        """The options of the model, with their defaults."""
        return {n: p.default for n, p in inspect.signature(self.function).parameters.items()}


_models: dict[str, ModelInfo] = {}


def model(name: str, *, reference: str) -> Callable[[Draw], Draw]:
    """Register the decorated function as a model; its docstring's first line describes it."""

    def register(function: Draw) -> Draw:
        doc = (inspect.getdoc(function) or "").partition("\n")[0]
        _models[name] = ModelInfo(name, doc, reference, function)
        return function

    return register


@cache
def _load_models() -> None:
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__package__}.{module.name}")
    load_decorated(
        GROUP, "model", lambda given: any(info.function is given for info in _models.values())
    )


def models() -> list[ModelInfo]:
    """Return the workload models, by name."""
    _load_models()
    return sorted(_models.values(), key=lambda m: m.name)


def generate(model: str, **options: Any) -> Trace:
    """Generate a trace with a workload model.

    Parameters
    ----------
    model : str
        Name of a model from `models`.
    **options
        Options of the model; `slotwise.generators.lublin`, for example, documents its options.

    Raises
    ------
    ValueError
        For an unknown model or option, or an option out of range.

    Examples
    --------
    >>> import slotwise as sw
    >>> trace = sw.generate("lublin", n_jobs=1000, processors=256, load=0.7, seed=1)
    >>> len(trace), trace.max_processors
    (1000, 256)
    """
    known = {m.name: m for m in models()}
    if model not in known:
        raise ValueError(f"unknown workload model {model!r}; known names are: {', '.join(known)}")
    unknown = [name for name in options if name not in known[model].parameters]
    if unknown:
        raise ValueError(
            f"model {model!r} has no option {' or '.join(map(repr, unknown))}; its options are: "
            f"{', '.join(known[model].parameters)}"
        )
    return known[model].function(**options)
