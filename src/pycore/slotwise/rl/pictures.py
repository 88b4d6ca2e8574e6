"""Pictures of the state of an environment: text or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.rl.state import QueueState

_CELLS = 40  # width of the text bar, in characters
_ROWS = 12  # waiting jobs listed in a text picture
_HEIGHT, _WIDTH = 120, 160  # size of an image, in pixels
_WHITE, _BUSY, _WAITING = (255, 255, 255), (60, 100, 160), (200, 120, 60)


def text_of(state: QueueState) -> str:
    """Write the machine as a text bar, followed by the first jobs of the queue."""
    busy = state.processors - state.free
    full = round(_CELLS * busy / state.processors)
    lines = [
        f"now {state.now}  [{'#' * full}{'.' * (_CELLS - full)}] "
        f"{busy} of {state.processors} processors busy, {len(state.queue)} jobs waiting"
    ]
    queue = state.queue
    lines += [
        f"{index:4d}  job {queue.job_id[index]}: {queue.processors[index]} processors, "
        f"{queue.requested_time[index]} s, has waited {state.now - queue.submit[index]} s"
        for index in range(min(len(queue), _ROWS))
    ]
    if len(queue) > _ROWS:
        lines.append(f"      and {len(queue) - _ROWS} more")
    return "\n".join(lines)


def picture_of(state: QueueState) -> NDArray[np.uint8]:
    """Draw busy processors over time on the left, and the window on the right, as uint8 RGB.

    The left half shows the estimated use over the next day; its full height is the whole
    machine. Each bar on the right is a waiting job; its length is the requested time, up to a day.
    """
    picture = np.full((_HEIGHT, _WIDTH, 3), _WHITE, np.uint8)
    half = _WIDTH // 2
    begins = state.now + np.arange(half) * (86400 // half)
    running, start = state.running, state.running.start
    assert start is not None
    ends = np.maximum(start + running.requested_time, state.now + 1)
    busy = ((ends[:, None] > begins) * running.processors[:, None]).sum(axis=0)
    heights = np.ceil(_HEIGHT * busy / state.processors)
    rows = np.arange(_HEIGHT)[::-1, None]
    picture[:, :half][rows < heights] = _BUSY
    queue = state.queue[: min(state.window, _HEIGHT // 2)]
    lengths = np.ceil((half - 2) * np.minimum(queue.requested_time, 86400) / 86400)
    for index, length in enumerate(lengths):
        picture[2 * index, half + 2 : half + 2 + max(1, int(length))] = _WAITING
    return picture
