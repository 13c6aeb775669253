"""A user's file: a Triton kernel with swept blocks, a call for two libraries, and a plain function."""

from typing import Any

import triton
import triton.language as tl

import tritonflow as flow


@triton.jit
def double_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


@flow.bench.case(n=[1000], BLOCK=[64, 128])
def doubled(n: int, BLOCK: int) -> Any:
    x, out = flow.randn(n), flow.empty(n)

    def call() -> Any:
        double_kernel[(triton.cdiv(n, BLOCK),)](x, out, n, BLOCK=BLOCK)
        return out

    return flow.bench.Timed(call, bytes=8 * n, flops=n, vs={"op": lambda: x * 2})


@flow.bench.case(n=[16])
def both(lib: Any, make: Any, n: int) -> Any:
    x = make(n)
    return lambda: lib.relu(x)


@flow.bench.case
def off() -> Any:
    """Its result is not its reference."""
    x = flow.ones(4)
    return flow.bench.Timed(lambda: x + 1, reference=lambda: [2.0, 2.0, 2.0, 3.0])


def plain(BLOCK: int = 32) -> Any:
    x = flow.ones(BLOCK)
    return lambda: flow.relu(x)
