#!/usr/bin/env python3
"""What a step of the published learners costs, beside ours, in one run on one core.

The original code takes SAC and TD3 from Stable-Baselines3, and a DDPG of the same family. Here the same learners run
with the paper's settings (network, batch, train frequency) on an environment that costs next to nothing and has the
shape of FATE's `social`: 35 bits seen, two numbers done, reward -1, episodes of 300 steps. Then `cargo droidtest bench
fate` runs ours on `social` itself for as many steps, and a table tells both. Processor time counts, not the clock's.

    python -m venv VENV
    VENV/bin/pip install torch==1.12.1 stable-baselines3==2.0.0 gymnasium==0.28.1 "numpy<2"
    VENV/bin/python benches/fate/original.py FOLDER_OF_MODELS [STEPS] [PROGRAM]

PROGRAM is an optimised `cargo-droidtest`; without it cargo builds one.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

# One core, as ours has.
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import gymnasium
import numpy
import stable_baselines3
import torch

SEEN = 35
POLICY = {"net_arch": [64, 64]}


class Social(gymnasium.Env):
    """The first activity of `social`, for ever: 5 of 35 bits are on."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (SEEN,), numpy.float32)
        self.action_space = gymnasium.spaces.Box(
            numpy.array([0, 0], numpy.float32), numpy.array([4, 20], numpy.float32)
        )
        self.seen = numpy.zeros(SEEN, numpy.float32)
        self.seen[:5] = 1.0
        self.left = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 300
        return self.seen, {}

    def step(self, action):
        self.left -= 1
        return self.seen, -1.0, False, self.left == 0, {}


def common(seed):
    return {"policy_kwargs": dict(POLICY), "buffer_size": 50_000, "gamma": 0.99, "device": "cpu", "seed": seed}


def learners():
    env = Social()
    sac = stable_baselines3.SAC(
        "MlpPolicy", env, learning_rate=3e-4, batch_size=64, learning_starts=100, train_freq=5,
        gradient_steps=1, target_update_interval=10, tau=0.005, ent_coef="auto", **common(1),
    )
    yield "ares-sac", sac
    td3 = stable_baselines3.TD3(
        "MlpPolicy", env, learning_rate=3e-4, batch_size=128, learning_starts=100, train_freq=10,
        gradient_steps=100, policy_delay=2, tau=0.005, **common(1),
    )
    yield "ares-td3", td3
    ddpg = stable_baselines3.DDPG(
        "MlpPolicy", env, learning_rate=1e-4, batch_size=128, learning_starts=0, train_freq=100,
        gradient_steps=10, tau=0.001, **common(1),
    )
    yield "ares-ddpg", ddpg


def measure(steps):
    rates = {}
    for name, learner in learners():
        started = time.process_time()
        learner.learn(steps)
        rates[name] = steps / (time.process_time() - started)
        print(f"{name}: {learner._n_updates} updates, {rates[name]:.0f} steps/s", file=sys.stderr)
    return rates


def ours(folder, steps, program):
    """Steps per second of processor time, by strategy."""
    command = [program] if program else ["cargo", "run", "--release", "--bin", "cargo-droidtest", "--"]
    with tempfile.TemporaryDirectory() as out:
        rows = os.path.join(out, "rows.json")
        command += ["bench", "fate", os.path.join(folder, "social.json"), "--strings", "20", "--seeds", "3"]
        command += ["--strategies", "ares-sac,ares-td3,ares-ddpg", "--steps", str(steps), "--json", rows]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(rows, encoding="utf-8") as reported:
            return {row["strategy"]: row["steps_per_second"] for row in json.load(reported)["rows"]}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    torch.set_num_threads(1)
    theirs = measure(steps)
    own = ours(sys.argv[1], steps, sys.argv[3] if len(sys.argv) > 3 else None)
    versions = f"Stable-Baselines3 {stable_baselines3.__version__}, torch {torch.__version__}"
    print(f"| the paper's settings, {steps} steps | {versions}: steps/s | ours | times |\n|---|---|---|---|")
    for name, rate in theirs.items():
        print(f"| `{name}` | {rate:.0f} | {own[name]:.0f} | {own[name] / rate:.0f} |")


if __name__ == "__main__":
    main()
