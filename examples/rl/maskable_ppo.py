"""Train MaskablePPO from sb3-contrib on the vector environment (pip install 'slotwise[sb3]').

python examples/rl/maskable_ppo.py --decisions 200000
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sb3_contrib import MaskablePPO

import slotwise as sw
from slotwise.rl import SchedulingEnv
from slotwise.rl.sb3 import VecEnv

OPTIONS = {"window": 32, "jobs": 256, "warm_up": 100, "reward": "bounded_slowdown"}
WEEK, WEEKS = 7 * 86400, 10


def slowdown(trace: sw.Trace, model: MaskablePPO | None) -> float:
    """Return the mean bounded slowdown over held-out weeks, under EASY if `model` is None."""
    environment = SchedulingEnv(trace, window=32, seconds=WEEK, warm_up=200)
    sums, n_jobs = 0.0, 0
    for week in range(WEEKS):
        seen, info = environment.reset(seed=1000 + week)
        over = False
        while not over:
            action = 0
            if model is not None:
                mask = info["action_mask"]
                action = int(model.predict(seen, action_masks=mask, deterministic=True)[0])
            seen, _, over, _, info = environment.step(action)
        sums += environment.totals.bounded_slowdown
        n_jobs += environment.totals.n_jobs
    return sums / n_jobs


def main() -> None:
    """Train a model, and compare it with EASY on held-out weeks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("log", nargs="?", help="SWF file. Default: a generated log")
    parser.add_argument("--decisions", type=int, default=500_000)
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    if given.log:
        trace = sw.read_swf(given.log)
    else:
        trace = sw.generate("lublin", n_jobs=4000, processors=128, load=0.9, seed=7)
    cut = int(0.6 * len(trace))
    found = []
    for seed in range(given.seeds):
        vector = VecEnv(64, trace[:cut], **OPTIONS)
        vector.seed(seed)
        model = MaskablePPO("MlpPolicy", vector, n_steps=64, batch_size=1024, gamma=1, seed=seed)
        began = time.monotonic()
        model.learn(given.decisions)
        print(f"seed {seed}: {model.num_timesteps / (time.monotonic() - began):,.0f} decisions/s")
        found.append(slowdown(trace[cut:], model))
    print(f"mean bounded slowdown: EASY {slowdown(trace[cut:], None):.2f}, MaskablePPO", end=" ")
    print(f"{np.mean(found):.2f} (seeds: {', '.join(f'{each:.2f}' for each in found)})")


if __name__ == "__main__":
    main()
