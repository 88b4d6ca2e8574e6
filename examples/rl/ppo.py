"""Train a network that chooses the next job, with PPO in a single file (pip install torch onnx).

The network scores each job in the window on its own, from its wait, requested time and processors.
The last 40 % of the log is held out: after training, the network and five policies schedule the
same weeks from this part.

    python examples/rl/ppo.py LOG.swf --iterations 100 --seeds 2 --curve curve.json

An iteration is 4,096 decisions and one update. Runs with the same number of iterations, seed and
version of PyTorch give the same network, because PyTorch uses a single thread.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import torch
from torch import nn

import slotwise as sw
import slotwise.rl

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW, ENVIRONMENTS, STEPS = 32, 64, 64
EPOCHS, MINIBATCHES, CLIP, LAMBDA = 4, 4, 0.2, 0.97
WEEK, WEEKS = 7 * 86400, 10
EVERY = 10  # iterations between two points of the curve
POLICIES = {
    "FCFS": sw.Policy(order="fcfs", backfill="none"),
    "EASY": sw.Policy(),
    "SJF": sw.Policy(order="sjf"),
    "WFP3": sw.Policy(order="wfp3"),
    "F1": sw.Policy(order="f1"),
}


class Scores(nn.Module):
    """Computes a score for each job from three features. Only this part is exported as an order."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 16), nn.Tanh(), nn.Linear(16, 1)
        )

    def forward(self, jobs: torch.Tensor) -> torch.Tensor:
        """Return one score per job."""
        # Short requests are all close to 0, because requests are divided by the longest one. Square
        # roots spread them out.
        return self.layers(torch.sqrt(jobs)).squeeze(-1)


class Agent(nn.Module):
    """A network that uses the scores as logits and also estimates the value of a state."""

    def __init__(self) -> None:
        super().__init__()
        self.scores = Scores()
        self.value = nn.Sequential(nn.Linear(5 * WINDOW + 3, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(
        self, seen: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution of choices and the value of the state."""
        jobs = seen[..., : 5 * WINDOW].reshape(*seen.shape[:-1], WINDOW, 5)[..., :3]
        logits = self.scores(jobs).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(seen).squeeze(-1)


def collected(
    agent: Agent, vector: gymnasium.vector.VectorEnv, seen: np.ndarray, mask: np.ndarray
) -> tuple[dict[str, torch.Tensor], np.ndarray, np.ndarray]:
    """Play STEPS steps; return a batch for the update, and the latest observations and masks."""
    kept: dict[str, list[torch.Tensor]] = {}
    for _ in range(STEPS):
        state, valid = torch.from_numpy(seen), torch.from_numpy(mask)
        with torch.no_grad():
            choices, value = agent(state, valid)
            action = choices.sample()
        seen, reward, ended, _, infos = vector.step(action.numpy())
        mask = infos["action_mask"].astype(bool)
        row = {
            "state": state,
            "mask": valid,
            "action": action,
            "logprob": choices.log_prob(action),
            "value": value,
            "reward": torch.from_numpy(reward).float(),
            "ended": torch.from_numpy(ended).float(),
        }
        for name, each in row.items():
            kept.setdefault(name, []).append(each)
    with torch.no_grad():
        _, last = agent(torch.from_numpy(seen), torch.from_numpy(mask))
    batch = {name: torch.stack(each) for name, each in kept.items()}
    batch["last"] = last
    return batch, seen, mask


def advantages(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return generalised advantages, without discounting, because episodes are finite."""
    found = torch.zeros_like(batch["reward"])
    after, following = torch.zeros(ENVIRONMENTS), batch["last"]
    for step in reversed(range(STEPS)):
        goes_on = 1 - batch["ended"][step]
        surprise = batch["reward"][step] + following * goes_on - batch["value"][step]
        after = surprise + LAMBDA * goes_on * after
        found[step], following = after, batch["value"][step]
    return found


def update(agent: Agent, optimiser: torch.optim.Optimizer, batch: dict[str, torch.Tensor]) -> None:
    """Take the gradient steps for one batch."""
    gained = advantages(batch)
    target = (gained + batch["value"]).flatten()
    gained = gained.flatten()
    gained = (gained - gained.mean()) / (gained.std() + 1e-8)
    flat = {name: batch[name].flatten(0, 1) for name in ("state", "mask", "action", "logprob")}
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(gained)).chunk(MINIBATCHES):
            choices, value = agent(flat["state"][rows], flat["mask"][rows])
            ratio = (choices.log_prob(flat["action"][rows]) - flat["logprob"][rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy_loss = -torch.minimum(ratio * gained[rows], clipped * gained[rows]).mean()
            value_loss = nn.functional.smooth_l1_loss(value, target[rows])
            loss = policy_loss + 0.5 * value_loss - 0.003 * choices.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def training_environment(trace: sw.Trace) -> gymnasium.vector.VectorEnv:
    """Create the training environments, with episodes of 256 jobs."""
    return gymnasium.make_vec(
        slotwise.rl.ENVIRONMENT,
        num_envs=ENVIRONMENTS,
        trace=trace,
        window=WINDOW,
        jobs=256,
        warm_up=100,
        reward="bounded_slowdown",
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
    )


def trained(
    trace: sw.Trace,
    seed: int,
    iterations: int,
    minutes: float | None = None,
    watch: Callable[[int, Agent], None] | None = None,
) -> Agent:
    """Train an agent; call `watch` at the start, every EVERY iterations, and at the end."""
    torch.manual_seed(seed)
    vector = training_environment(trace)
    agent = Agent()
    optimiser = torch.optim.Adam(agent.parameters(), lr=1e-3)
    seen, infos = vector.reset(seed=seed)
    mask, begun = infos["action_mask"].astype(bool), time.monotonic()
    for done in range(iterations + 1):
        over = minutes is not None and time.monotonic() - begun >= 60 * minutes
        if watch is not None and (done % EVERY == 0 or over or done == iterations):
            watch(done * ENVIRONMENTS * STEPS, agent)
        if over or done == iterations:
            break
        batch, seen, mask = collected(agent, vector, seen, mask)
        update(agent, optimiser, batch)
    vector.close()
    return agent


def slowdown(
    trace: sw.Trace, policy: sw.Policy, choose: Callable[[np.ndarray, np.ndarray], int]
) -> float:
    """Return the mean bounded slowdown over the held-out weeks."""
    environment = slotwise.rl.SchedulingEnv(
        trace, sw.Site(policy=policy), window=WINDOW, seconds=WEEK, warm_up=200
    )
    sums, n_jobs = 0.0, 0
    for week in range(WEEKS):
        seen, info = environment.reset(seed=1000 + week)
        over = False
        while not over:
            seen, _, over, _, info = environment.step(choose(seen, info["action_mask"]))
        sums += environment.totals.bounded_slowdown
        n_jobs += environment.totals.n_jobs
    return sums / n_jobs


def chooser(agent: Agent) -> Callable[[np.ndarray, np.ndarray], int]:
    """Return a function that picks the agent's best choice, without sampling."""

    def choose(seen: np.ndarray, mask: np.ndarray) -> int:
        jobs = torch.from_numpy(seen[: 5 * WINDOW].reshape(WINDOW, 5)[: mask.sum(), :3])
        with torch.no_grad():
            return int(agent.scores(jobs).argmax())

    return choose


def write_onnx(agent: Agent, path: Path | str, trace: sw.Trace) -> None:
    """Write the scoring network in the form that `slotwise.order_from_onnx` reads."""
    import onnx

    torch.onnx.export(
        agent.scores,
        (torch.zeros(2, 3),),
        str(path),
        input_names=["jobs"],
        output_names=["scores"],
        dynamic_axes={"jobs": {0: "n"}, "scores": {0: "n"}},
        dynamo=False,
    )
    model = onnx.load(str(path))
    scales = {
        "slotwise.requested_time": str(int(trace.requested_time.max())),
        "slotwise.processors": str(trace.max_processors),
    }
    onnx.helper.set_model_props(model, scales)
    onnx.save(model, str(path))


def curve_of(
    known: sw.Trace, held_out: sw.Trace, seed: int, given: argparse.Namespace
) -> tuple[Agent, list[tuple[int, float]]]:
    """Train an agent; return it, and its mean slowdown on held-out weeks by number of decisions."""
    points: list[tuple[int, float]] = []

    def watch(decisions: int, agent: Agent) -> None:
        mean = round(slowdown(held_out, sw.Policy(), chooser(agent)), 2)
        points.append((decisions, mean))
        print(f"  seed {seed}: {decisions:,} decisions, {mean:.2f}", flush=True)

    return trained(known, seed, given.iterations, given.minutes, watch), points


def main() -> None:
    """Train one agent per seed, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("log", nargs="?", help="SWF file. Default: a generated log")
    parser.add_argument("--iterations", type=int, default=100, help="batches per seed")
    parser.add_argument("--minutes", type=float, help="end a seed's training after this time")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--onnx", help="write the network of the last seed to this file")
    parser.add_argument("--curve", help="write the points of every seed to this file, as JSON")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.log:
        trace = sw.read_swf(given.log)
    else:
        trace = sw.generate("lublin", n_jobs=4000, processors=128, load=0.9, seed=7)
    cut = int(0.6 * len(trace))
    known, held_out = trace[:cut], trace[cut:]
    print(f"mean bounded slowdown over {WEEKS} held-out weeks")
    policies = {
        name: round(slowdown(held_out, policy, lambda seen, mask: 0), 2)
        for name, policy in POLICIES.items()
    }
    for name, value in policies.items():
        print(f"  {name:<8} {value:9.2f}", flush=True)
    runs = [curve_of(known, held_out, seed, given) for seed in range(given.seeds)]
    last = [points[-1][1] for _, points in runs]
    spread = ", ".join(f"{each:.2f}" for each in last)
    print(f"  network  {np.mean(last):9.2f}   (seeds: {spread})")
    if given.curve:
        found = {"policies": policies, "seeds": [points for _, points in runs]}
        Path(given.curve).write_text(json.dumps(found) + "\n", encoding="utf-8")
    if given.onnx:
        write_onnx(runs[-1][0], given.onnx, known)


if __name__ == "__main__":
    main()
