"""A user's interventions in a simulation: holds, cancellations, priorities, policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from slotwise.site.policy import Policy

    Change = tuple[int, int, int, float]  # kind, time, row and value

# Time that the core reports for a change made before the simulation began.
_NOTHING_YET = -(2**63)

# Numbers by which the core identifies kinds of change.
_CANCEL, _HOLD, _RELEASE, _PRIORITY, _POLICY = 2, 3, 4, 5, 6


class Hold(NamedTuple):
    """A period in which a user's hold kept a job from starting.

    Attributes
    ----------
    job : int
        Row of the job in the trace.
    start, end : int or None, seconds on the trace's clock
        ``start`` is None if the job was held before the simulation began to run. ``end`` is None
        if the job is still held.
    """

    job: int
    start: int | None
    end: int | None


class Interventions(NamedTuple):
    """Interventions in a simulation by kind; those of the same kind are in order of time.

    A time is None for an intervention before the simulation began to run.

    Attributes
    ----------
    holds : tuple of Hold
        Holds, except those that ended before the simulation began to run: they delayed no job.
    cancelled : tuple of (int, int or None)
        Row of each cancelled job, and the time.
    priorities : tuple of (int or None, int, float)
        Time at which a priority was set, the row, and the priority.
    policies : tuple of (int or None, Policy)
        Time at which the policy changed, and the new policy.
    first_policy : Policy or None
        Policy before the first change; None if it never changed.
    """

    holds: tuple[Hold, ...] = ()
    cancelled: tuple[tuple[int, int | None], ...] = ()
    priorities: tuple[tuple[int | None, int, float], ...] = ()
    policies: tuple[tuple[int | None, Policy], ...] = ()
    first_policy: Policy | None = None

    def priority_at(self, row: int, time: int) -> float:
        """Return the priority that was set last, at or before `time`; 0 if none was set."""
        given = [
            value for at, job, value in self.priorities if job == row and (at is None or at <= time)
        ]
        return given[-1] if given else 0.0


NOTHING = Interventions()


def interventions_of(changes: Sequence[Change], policies: Sequence[Policy]) -> Interventions:
    """Sort changes by kind, then by time; `policies` begins with the first policy."""
    times = [_time(at) for _, at, *_ in _of(_POLICY, changes)]
    found = tuple(zip(times, policies[1:], strict=True))
    return Interventions(
        tuple(_holds(changes)),
        tuple((row, _time(at)) for _, at, row, _ in _of(_CANCEL, changes)),
        tuple((_time(at), row, value) for _, at, row, value in _of(_PRIORITY, changes)),
        found,
        policies[0] if found else None,
    )


def _time(at: int) -> int | None:
    return None if at == _NOTHING_YET else at


def _of(kind: int, changes: Iterable[Change]) -> Iterator[Change]:
    return (change for change in changes if change[0] == kind)


def _holds(changes: Iterable[Change]) -> list[Hold]:
    found: list[Hold] = []
    held: dict[int, int] = {}  # index in `found` of each held row
    for kind, at, row, _value in changes:
        if kind == _HOLD and row not in held:
            held[row] = len(found)
            found.append(Hold(row, _time(at), None))
        elif kind in (_RELEASE, _CANCEL) and row in held:
            index = held.pop(row)
            found[index] = found[index]._replace(end=at)
    return [hold for hold in found if hold.end != _NOTHING_YET]
