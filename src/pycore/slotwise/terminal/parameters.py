"""Parameters of commands whose options are created at run time."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def with_parameters(
    command: Callable[..., None],
    parameters: Sequence[inspect.Parameter],
    *,
    name: str,
    doc: str | None,
) -> Callable[..., None]:
    """Declare the parameters of a ``**values`` function, so that typer turns them into options.

    Parameters
    ----------
    command : callable
        The function, which is changed and returned.
    parameters : sequence of inspect.Parameter
        Keywords, with types as annotations.
    name : str
    doc : str or None
        Help of the command.
    """
    described: Any = command  # typed as Any, because functions do not declare __signature__
    described.__signature__ = inspect.Signature(parameters)
    described.__annotations__ = {each.name: each.annotation for each in parameters}
    described.__name__ = name
    described.__doc__ = doc
    return command
