"""Orders that score jobs with a trained network from an ONNX file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import SiteError
from slotwise.extras import load
from slotwise.site.policy.order_functions import NumPyOrder

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

    from slotwise.site.policy.order_functions import WaitingJobs

FEATURES = 3
_HALF_DAY = 12 * 3600
_LONGEST, _MACHINE = "slotwise.requested_time", "slotwise.processors"


def order_from_onnx(path: str | PathLike[str]) -> NumPyOrder:
    """Return an order that scores jobs with a network; the job with the highest score goes first.

    The network takes (n_jobs, 3) float32 and returns one score per job. Its three inputs for a job
    are the first three features of the ``flat`` observation: wait / (wait + 12 h), requested time /
    longest requested time, and processors / machine size. The file states the longest requested
    time and the machine size used in training as the metadata ``slotwise.requested_time`` and
    ``slotwise.processors``.

    Raises
    ------
    SiteError
        For a network with a different number of features, or without this metadata.
    MissingExtraError
        If onnxruntime is not installed (``pip install 'slotwise[onnx]'``).
    """
    return _order_of(Path(path).read_bytes(), str(path))


def _order_of(model: bytes, name: str) -> NumPyOrder:
    columns = ("wait", "requested_time", "processors")
    return NumPyOrder(NetworkScores(model, name), columns, name=Path(name).name)


class NetworkScores:
    """A function that scores waiting jobs with a network; it can be sent to another process."""

    def __init__(self, model: bytes, name: str) -> None:
        runtime = load("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._model, self._name = model, name
        try:
            providers = ["CPUExecutionProvider"]
            self._session = runtime.InferenceSession(model, options, providers=providers)
        except Exception as fault:
            raise SiteError(f"{name} is not an ONNX network: {fault}") from None
        self._input = self._checked_input()
        self._longest = self._number(_LONGEST)
        self._machine = self._number(_MACHINE)

    def __reduce__(self) -> tuple[Any, ...]:
        return NetworkScores, (self._model, self._name)

    def _checked_input(self) -> str:
        inputs = self._session.get_inputs()
        shapes = [tuple(each.shape) for each in inputs]
        if len(inputs) != 1 or len(shapes[0]) != 2 or shapes[0][1] != FEATURES:
            raise SiteError(
                f"{self._name} takes inputs of the shapes {shapes}; an order needs one input of "
                f"shape (n_jobs, {FEATURES}): export the part of the network that scores one job"
            )
        if not isinstance(shapes[0][0], str | None):
            raise SiteError(
                f"{self._name} takes exactly {shapes[0][0]} jobs; export it with a variable "
                "number of jobs"
            )
        return str(inputs[0].name)

    def _number(self, key: str) -> float:
        written = self._session.get_modelmeta().custom_metadata_map.get(key, "")
        try:
            value = float(written)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise SiteError(
                f"{self._name} has the metadata {key} = {written!r}; set it to the number used "
                "in training, above 0"
            )
        return value

    def __call__(self, jobs: WaitingJobs, now: int) -> NDArray[np.float64]:
        """Return one score per job."""
        wait = jobs["wait"]
        features = np.stack(
            [
                wait / (wait + _HALF_DAY),
                jobs["requested_time"] / self._longest,
                jobs["processors"] / self._machine,
            ],
            axis=1,
        ).astype(np.float32)
        scores = np.asarray(self._session.run(None, {self._input: features})[0], np.float64)
        if scores.size != len(features):
            raise SiteError(
                f"{self._name} returns {scores.size} scores for {len(features)} jobs; it must "
                "return one per job"
            )
        return scores.reshape(-1)
