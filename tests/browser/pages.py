"""Helpers that read an open report page, and find where to point the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    import slotwise as sw

# Script that returns the share of painted pixels of a canvas, and how many colours they have.
PAINTED = """(id) => {
  const canvas = document.getElementById(id);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  let painted = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) continue;
    painted++;
    colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  }
  return { share: painted / (data.length / 4), colours: colours.size };
}"""
# Script that returns the middle of a job's first bar, in pixels of the window.
PLACE = """(id) => {
  const { gantt, trace } = slotwise;
  slotwise.drawNow();
  const [x, y, w, h] = gantt.box(slotwise.shown.barOf[trace.job_id.indexOf(id)]);
  const box = gantt.surface.canvas.getBoundingClientRect();
  return [box.left + x + w / 2, box.top + y + h / 2];
}"""


def drawn(page: Any) -> dict[str, Any]:
    """Return the latest drawing of the Gantt chart, after any pending redraws."""
    state: dict[str, Any] = page.evaluate("slotwise.drawNow(), slotwise.gantt.drawn")
    return state


def view(page: Any) -> dict[str, float]:
    window: dict[str, float] = page.evaluate(
        "(({ t0, t1, p0, p1 }) => ({ t0, t1, p0, p1 }))(slotwise.view)"
    )
    return window


def until(page: Any, condition: str) -> None:
    """Wait until an expression is true; the page's security policy blocks Playwright's own wait."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"not within 5 s: {condition}")


def middle_of(page: Any, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def zoomed_into(page: Any, job: int) -> tuple[float, float]:
    """Centre the view on a job, and return the position of its bar."""
    page.evaluate(f"slotwise.find('{job}')")
    page.evaluate("slotwise.select(-1)")
    page.locator("#gantt").scroll_into_view_if_needed()
    x, y = page.evaluate(PLACE, job)
    return x, y


def a_wide_job(result: sw.Result) -> int:
    """Return the id of a job of 64 processors that ran for an hour or more."""
    fits = (result.trace.processors == 64) & (result.end - result.start > 3600)
    return int(result.trace.job_id[np.flatnonzero(fits)[50]])
