"""Matrix products of groups, whose ends a tensor on the device holds: the host never reads them.

`rows`: the rows of A of each group times the group's own B, out[start : end] = A[start : end] @ B[g]. The rows behind the last end
are a group with nothing to multiply: zeros. The host knows how many rows there are, not how many tiles: each group may end with a
tile that is not full. There are programs for the worst case. Each finds its group and tile among the ends, and those behind the
last tile leave.

`depths`: the columns of A and the rows of B of each group, out[g] = A[:, start : end] @ B[start : end].

Ends must rise from 0 to the size at most: the first program of a launch reports others. What is read and written stays inside for
any ends.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .functions.memory import cast
from .matmul import add_products, tile_of


@triton.jit
def bounds(ends, step, group, groups, size):
    """(start, end, whether they are bad ones) of a group, inside 0 .. size. Group `groups` has the rest; later ones are empty."""
    before = (group > 0) & (group <= groups)
    start = tl.load(ends + (group - 1) * step, mask=before, other=0)
    end = tl.load(ends + group * step, mask=group < groups, other=0)
    bad = (group < groups) & ((end < start) | (end > size))
    start = tl.where(group <= groups, tl.minimum(tl.maximum(start, 0), size), size)
    end = tl.where(group < groups, tl.minimum(tl.maximum(end, start), size), size)
    return start.to(size.dtype), end.to(size.dtype), bad


@triton.jit
def rows(
    a,
    b,
    ends,
    out,
    err,
    M,
    N,
    K,
    groups,
    ends_step,
    a_strides,
    b_strides,
    c_strides,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
    GROUPS: tl.constexpr,
):
    """`b_strides` begin with that of the groups. Grid: (tiles that there are at most,). GROUPS: a power of 2 above `groups`."""
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid = tl.program_id(0).to(M.dtype)
    g = tl.arange(0, GROUPS).to(M.dtype)
    starts, all_ends, bad = bounds(ends, ends_step, g, groups, M)
    tl.store(err + tl.zeros_like(g), 1, mask=bad & (pid == 0))

    tiles = tl.cdiv(all_ends - starts, BLOCK_M) * tiles_n
    behind = tl.cumsum(tiles, 0)
    group = tl.sum((behind <= pid).to(M.dtype), 0)
    here = g == group
    start = tl.sum(tl.where(here, starts, 0), 0)
    end = tl.sum(tl.where(here, all_ends, 0), 0)
    number = tl.sum(tl.where(here, pid - (behind - tiles), 0), 0)
    tile_m, tile_n = tile_of(number, tl.maximum(tl.cdiv(end - start, BLOCK_M), 1), tiles_n, GROUP_M)

    m = start + tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + (m[:, None] * a_strides[0] + k[None, :] * a_strides[1])
    b_tile = b + (group * b_strides[0] + k[:, None] * b_strides[1] + n[None, :] * b_strides[2])
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(a.dtype.element_ty))
    depth = tl.where(group < groups, K, 0)
    steps = (BLOCK_K * a_strides[1], BLOCK_K * b_strides[1])
    acc = add_products(acc, a_tile, b_tile, m < end, n < N, depth, steps, None, None, DOT, PRECISION, BLOCK_K)
    to = out + (m[:, None] * c_strides[0] + n[None, :] * c_strides[1])
    tl.store(to, cast(acc, out.dtype.element_ty), mask=(m[:, None] < end) & (n[None, :] < N))


@triton.jit
def depths(
    a,
    b,
    ends,
    out,
    err,
    M,
    N,
    K,
    groups,
    ends_step,
    a_strides,
    b_strides,
    c_strides,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """`c_strides` begin with that of the groups. Grid: (tiles of M x tiles of N x groups,)."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid = tl.program_id(0).to(M.dtype)
    group = pid // (tiles_m * tiles_n)
    start, end, bad = bounds(ends, ends_step, group, groups, K)
    number = pid % (tiles_m * tiles_n)
    tl.store(err, 1, mask=bad & (number == 0))
    tile_m, tile_n = tile_of(number, tiles_m, tiles_n, GROUP_M)

    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = start + tl.arange(0, BLOCK_K)
    a_tile = a + (m[:, None] * a_strides[0] + k[None, :] * a_strides[1])
    b_tile = b + (k[:, None] * b_strides[0] + n[None, :] * b_strides[1])
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(a.dtype.element_ty))
    steps = (BLOCK_K * a_strides[1], BLOCK_K * b_strides[0])
    acc = add_products(acc, a_tile, b_tile, m < M, n < N, end - start, steps, None, None, DOT, PRECISION, BLOCK_K)
    to = out + (group * c_strides[0] + m[:, None] * c_strides[1] + n[None, :] * c_strides[2])
    tl.store(to, cast(acc, out.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))
