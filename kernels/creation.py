"""Tensors computed from their indices: arange, linspace, eye, one_hot, triangles. (Constant fills are elementwise `identity`.)"""

import triton
import triton.language as tl

from .functions.memory import store


@triton.jit
def _stepped(start, index, step, COMPUTE: tl.constexpr):
    first = start
    distance = step
    return first.to(COMPUTE) + index.to(COMPUTE) * distance.to(COMPUTE)


@triton.jit
def _between(start, end, step, index, n, COMPUTE: tl.constexpr):
    """From `start` upwards in the first half, from `end` downwards in the second: both ends are exact."""
    last = end
    distance = step
    up = _stepped(start, index, step, COMPUTE)
    down = last.to(COMPUTE) - (n - 1 - index).to(COMPUTE) * distance.to(COMPUTE)
    return tl.where(index < (n + 1) // 2, up, down)


@triton.jit
def arange(out, start, step, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """out[i] = start + i * step"""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _stepped(start, index, step, COMPUTE), index < n)


@triton.jit
def arange_shard(out, start, step, first, n, whole, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """The n elements from `first` on of an arange of `whole`."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _stepped(start, index.to(tl.int64) + first, step, COMPUTE), index < n)


@triton.jit
def linspace(out, start, end, step, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """n numbers at equal distances."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _between(start, end, step, index, n, COMPUTE), index < n)


@triton.jit
def linspace_shard(out, start, end, step, first, n, whole, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    """The n elements from `first` on of a linspace of `whole`."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, _between(start, end, step, index.to(tl.int64) + first, whole, COMPUTE), index < n)


@triton.jit
def eye(out, n, cols, BLOCK: tl.constexpr):
    """Of n elements in rows of `cols`: 1 on the diagonal, else 0."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, tl.where(index % cols == index // cols, 1, 0), index < n)


@triton.jit
def eye_shard(out, n, cols, diagonal, BLOCK: tl.constexpr):
    """The same with the diagonal that begins in column `diagonal` of the first row."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    store(out + index, tl.where(index % cols == index // cols + diagonal, 1, 0), index < n)


@triton.jit
def one_hot(index, out, err, n, classes, BLOCK: tl.constexpr):
    """out[i, c] = (index[i] == c) for n = len(index) * classes outputs"""
    at = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    label = tl.load(index + at // classes, mask=inside, other=0)
    tl.store(err + at * 0, 1, mask=inside & ((label < 0) | (label >= classes)))
    store(out + at, tl.where(label == at % classes, 1, 0), inside)


@triton.jit
def triangle(x, out, n, rows, cols, diagonal, LOWER: tl.constexpr, BLOCK: tl.constexpr):
    """Of n elements in matrices of rows x cols: those on one side of a diagonal (it included), else 0."""
    index = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    distance = index % cols - index // cols % rows
    keep = (distance <= diagonal) if LOWER else (distance >= diagonal)
    inside = index < n
    tl.store(out + index, tl.load(x + index, mask=inside & keep, other=0), mask=inside)


def config() -> dict:
    return {"BLOCK": 1024, "num_warps": 4}
