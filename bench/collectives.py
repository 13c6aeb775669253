"""Our all-reduce, which exchanges shares and adds them in rank order, beside Gloo's: milliseconds by ranks and bytes.

    python bench/collectives.py [--ranks 2 4] [--json bench/results/collectives.json]

Both run in the same processes, in alternating bursts; the ratio is the median over rounds, and of the slowest rank. Bars: 1.0 up to
64 KiB, 1.5 above. Run it on a quiet machine: with more ranks than cores every message waits for a core.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

SIZES = (4 << 10, 64 << 10, 256 << 10, 4 << 20, 16 << 20)  # bytes
ROUNDS = 15
SECONDS = 0.02  # of a burst, about
Call = Callable[[], Any]


def burst(call: Call, barrier: Call, calls: int) -> float:
    """Seconds of one call."""
    barrier()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def compare(ours: Call, theirs: Call, barrier: Call, calls: int) -> tuple[list[float], list[float]]:
    """Seconds a call in alternating bursts."""
    for call in (ours, theirs):
        burst(call, barrier, 2)
    rounds = [(burst(ours, barrier, calls), burst(theirs, barrier, calls)) for _ in range(ROUNDS)]
    return [a for a, _ in rounds], [b for _, b in rounds]


def rank_main(meeting: str) -> list[dict[str, Any]]:
    """What one rank measures."""
    import torch
    import torch.distributed as dist

    import tritonflow as flow
    from tritonflow.boxing.pieces import Layout
    from tritonflow.boxing.routes import route
    from tritonflow.boxing.steps import run_route
    from tritonflow.framework.sbp import broadcast, partial_sum

    torch.set_num_threads(1)
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=size)
    everyone = flow.placement("cpu", range(size))
    rows = []
    for nbytes in SIZES:
        n = nbytes // 4
        y = torch.ones(n)
        x = flow.ones(n)
        found = route(Layout((n,), everyone, (partial_sum,)), Layout((n,), everyone, (broadcast,)), flow.float32)
        ours = partial(_waited, partial(run_route, found, x, "all_reduce"))
        assert run_route(found, x).tolist()[-1] == size
        told = [max(1, int(SECONDS / burst(ours, dist.barrier, 3)))]  # calls of a burst
        dist.broadcast_object_list(told)
        a, b = compare(ours, partial(dist.all_reduce, y), dist.barrier, told[0])
        rows.append({"ranks": size, "bytes": nbytes, "route": [m.verbs() for m in found.steps], "ours": a, "gloo": b})
    return rows


def _waited(call: Call) -> None:
    """Call, and wait until the result is there."""
    call().data_ptr()


def measure(size: int) -> list[dict[str, Any]]:
    """All sizes on so many processes; of each round the slowest rank counts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        workers = []
        for rank in range(size):
            world = {
                "RANK": rank,
                "WORLD_SIZE": size,
                "LOCAL_RANK": rank,
                "LOCAL_WORLD_SIZE": size,
                "MASTER_PORT": port,
            }
            env = os.environ | {name: str(value) for name, value in world.items()} | {"MASTER_ADDR": "127.0.0.1"}
            command = [sys.executable, __file__, "--meeting", f"{folder}/meeting"]
            workers.append(subprocess.Popen(command, env=env | {"OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE))
        results = [json.loads(worker.communicate()[0]) for worker in workers]
    return [_row(rows) for rows in zip(*results)]


def _row(ranks: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    ours = [max(times) for times in zip(*[r["ours"] for r in ranks])]
    gloo = [max(times) for times in zip(*[r["gloo"] for r in ranks])]
    return {
        "ranks": ranks[0]["ranks"],
        "bytes": ranks[0]["bytes"],
        "route": ranks[0]["route"],
        "ours_ms": round(statistics.median(ours) * 1e3, 4),
        "gloo_ms": round(statistics.median(gloo) * 1e3, 4),
        "ratio": round(statistics.median([a / b for a, b in zip(ours, gloo)]), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--meeting", help=argparse.SUPPRESS)  # in a rank: a file by which Gloo's ranks find each other
    options = parser.parse_args()
    if options.meeting:
        print(json.dumps(rank_main(options.meeting)))
        return
    rows = []
    for size in options.ranks:
        for row in measure(size):
            rows.append(row)
            print("{ranks} ranks {bytes:>9} bytes  {ours_ms:9.3f} ms, Gloo {gloo_ms:9.3f} ms  {ratio}".format(**row))
    if options.json:
        import torch

        versions = {"python": platform.python_version(), "torch": torch.__version__, "machine": platform.machine()}
        options.json.write_text(json.dumps({"versions": versions, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
