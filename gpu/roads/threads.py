"""Threads with streams of their own, and the end of a process."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import torch

from gpu.roads import stage
from gpu.roads.registry import road
from gpu.roads.stage import host, ours, package


@road()
def threads_with_streams() -> Any:
    """Eight threads, each with a stream of its own, share operands and free memory."""
    flow = package()
    t = torch.randint(-4, 4, (256, 256)).float()
    x, expected = ours(t), torch.relu(t @ t)
    wrong: list[Any] = []

    def work() -> None:
        try:
            with flow.cuda.stream(flow.cuda.Stream()):
                for k in range(40):
                    y = flow.relu(x @ x)
                    if not torch.equal(host((y + k) - k), expected):
                        wrong.append(k)
        except BaseException as error:
            wrong.append(repr(error)[:200])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    return "ok"


ENDING = """
import torch
from gpu.roads import stage
stage.stand_in = {stand_in}
flow = stage.package()
compiled = flow.compile(lambda x: (x @ x).relu() + 1)
x = stage.ours(torch.randn(256, 256))
for _ in range(50):
    y = compiled(x)
with flow.cuda.stream(flow.cuda.Stream()):
    z = y * 2
"""


@road()
def the_end_of_a_process() -> Any:
    """A process that ends with a graph and queued work: status 0, and nothing on stderr but what is meant."""
    command = [sys.executable, "-c", ENDING.format(stand_in=stage.stand_in)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (done.returncode, done.stderr[-400:])
    return done.stderr[-200:] or "quiet"
