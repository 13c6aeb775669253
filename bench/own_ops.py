"""What a call of an op of one's own (`flow.library.triton_op`) takes beside the launch alone: 64 elements on the CPU.

    python bench/own_ops.py [--json FILE]

The two alternate in short bursts; each row has the least time of a call in all of them, in microseconds.
"""

from __future__ import annotations

from functools import partial

import triton
import triton.language as tl

import tritonflow as flow
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of

EFFORT = Effort(rounds=201, least=201, burst=5e-4)


@triton.jit
def copy_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


def into(x: flow.Tensor, out: flow.Tensor, n: int) -> None:
    copy_kernel[(1,)](x, out, n, BLOCK=64)


def copied(x: flow.Tensor) -> flow.Tensor:
    out = flow.empty_like(x)
    copy_kernel[(1,)](x, out, 64, BLOCK=64)
    return out


def main() -> None:
    arguments = script_parser(__doc__).parse_args()
    x, out = flow.ones(64), flow.ones(64)
    with_derivative = flow.library.triton_op("bench::copied", copied, mutates_args=())
    with_derivative.register_autograd(lambda ctx, dy: dy)
    rows = {
        "writes an argument": (into, flow.library.triton_op("bench::into", into, mutates_args=("out",)), (x, out, 64)),
        "returns a tensor": (copied, with_derivative, (x,)),
    }
    print(f"{'':20s}{'launch':>10s}{'op':>10s}{'more':>10s}")
    found = {}
    for name, (function, op, args) in rows.items():
        calls = {"launch": burst_of(partial(function, *args)), "op": burst_of(partial(op, *args))}
        plain, own = (1e6 * min(times) for times in alternate(calls, EFFORT).values())
        found[name] = {"launch": plain, "op": own, "more": own - plain}
        print(f"{name:20s}{plain:10.2f}{own:10.2f}{own - plain:10.2f}")
    write_results(arguments.json, {"microseconds": found})


if __name__ == "__main__":
    main()
