"""All-reduce: our exchange and our sum, beside Gloo's all_reduce, on 2 and 4 processes; float32, 4 KiB to 16 MiB.

    python bench/collectives.py [--ranks 2 4] [--json bench/results/collectives.json]

`boxing` is P -> B as boxing does it, of a shard whose result is awaited. `exchange` is one all-to-all of as many bytes, without a
sum. Ratios are medians over rounds in which bursts alternate, those of rank 0. Bars: boxing 1.0 up to 64 KiB, 1.5 above. Run it on
a quiet machine with a core for each rank: fewer cores measure the scheduler.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from tritonflow.bench.script import is_a_rank, on_ranks, script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of
from tritonflow.bench.verdict import Quantiles

SIZES = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20]
ROUNDS = 15
BURST_BYTES = 8 << 20  # moved in a burst, so that each takes about as long; but 20 calls at most, and 2 at least
Call = Callable[[], None]


def cases(nbytes: int, world: int) -> dict[str, Call]:
    """The calls that are compared, each of which waits for its result."""
    import torch
    import torch.distributed

    import tritonflow as flow
    from tritonflow.vm.machine import machine
    from tritonflow.wire import verbs

    elements = nbytes // 4
    everyone = tuple(range(world))
    placement = flow.placement("cpu", list(everyone))
    theirs = torch.ones(elements)
    ours = flow.ones(elements)
    x = ours.to_global(placement=placement, sbp=flow.sbp.partial_sum)
    received = flow.empty(elements)
    pieces = [4 * (elements // world)] * world

    def boxing() -> None:
        y = x.to_global(placement=placement, sbp=flow.sbp.broadcast).to_local()
        machine.access([y.impl.block], [], lambda: None)

    def exchange() -> None:
        send, into = verbs.Buffer(ours.impl.block, 0), verbs.Buffer(received.impl.block, 0)
        verbs.exchange(everyone, send, pieces, into, pieces, "a benchmark")
        machine.access([received.impl.block], [], lambda: None)

    return {"boxing": boxing, "exchange": exchange, "gloo": lambda: torch.distributed.all_reduce(theirs)}


def measure() -> dict[str, dict[str, float]]:
    """On one of the ranks: microseconds and ratios by size."""
    import torch.distributed

    from tritonflow.wire.world import this_rank

    torch.distributed.init_process_group("gloo")
    world = this_rank().world_size
    results = {}
    for nbytes in SIZES:
        # As many calls on each rank, whatever they take there.
        effort = Effort(rounds=ROUNDS, least=ROUNDS, burst=0.0, calls=min(max(BURST_BYTES // nbytes, 2), 20))
        times = alternate({name: burst_of(call) for name, call in cases(nbytes, world).items()}, effort)
        row = {f"{name}_us": round(1e6 * Quantiles.of(found).p50, 1) for name, found in times.items()}
        for name in ("boxing", "exchange"):
            row[f"{name}_ratio"] = round(Quantiles.of_ratios(times[name], times["gloo"]).p50, 3)
        results[str(nbytes)] = row
    torch.distributed.destroy_process_group()
    return results


def show(world: int, results: dict[str, dict[str, float]]) -> None:
    """A table."""
    print(f"{world} ranks      gloo us   boxing us   ratio   exchange us   ratio")
    for nbytes, row in results.items():
        print(
            f"{int(nbytes) >> 10:>6} KiB {row['gloo_us']:>10,.0f} {row['boxing_us']:>11,.0f} {row['boxing_ratio']:>7.2f}"
            f" {row['exchange_us']:>13,.0f} {row['exchange_ratio']:>7.2f}"
        )


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4], help="worlds")
    parser.add_argument("--rank-writes", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if is_a_rank(arguments, measure):
        return
    worlds = {}
    for world in arguments.ranks:
        worlds[str(world)] = on_ranks(__file__, world)
        show(world, worlds[str(world)])
    # In the head is the load: above the ranks' number others had the cores, too.
    write_results(arguments.json, {"rounds": ROUNDS, "worlds": worlds})


if __name__ == "__main__":
    main()
