"""Errors that learning environments raise."""

from __future__ import annotations


class MaskedActionError(ValueError):
    """An action that the mask excludes, in an environment with ``masked="error"``."""

    def __init__(self, action: int, n_choices: int) -> None:
        super().__init__(
            f"the action {action} is masked; the valid actions are now 0 to {n_choices - 1}: use "
            'info["action_mask"], or set masked="last"'
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (str(self),)


def _again(message: str) -> MaskedActionError:
    fault = MaskedActionError.__new__(MaskedActionError)
    fault.args = (message,)
    return fault


class RefusedPlacementError(ValueError):
    """Chosen nodes on which the job cannot start, in an environment with ``masked="error"``."""
