"""What Triton's tutorials 01 to 06 teach, as ops of one's own: results and gradients beside torch's in float64.

The kernels are written for this test, by the tutorials' techniques: a grid over blocks, rows that fit a tile in a loop over
programs, products in groups of blocks with an activation, seeds instead of masks, partial sums under locks, flash attention.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
import triton
import triton.language as tl
from torch.nn import functional as F

import tritonflow as flow

pytestmark = pytest.mark.long
numbers = numpy.random.default_rng(0)


def normal(*shape: int) -> Any:
    return numbers.standard_normal(shape, numpy.float32)


def compare(op: Callable[..., Any], reference: Callable[..., Any], arrays: list[Any], rtol: float = 1e-5, atol: float = 1e-5) -> None:
    """Results and gradients of all arrays, eagerly and in a graph."""
    exact = [torch.from_numpy(a).double().requires_grad_() for a in arrays]
    expected = reference(*exact)
    weight = normal(*expected.shape)
    (expected * torch.from_numpy(weight).double()).sum().backward()

    def program(*given: Any) -> Any:
        leaves = [x.detach().requires_grad_() for x in given]
        y = op(*leaves)
        (y * flow.tensor(weight)).sum().backward()
        return y.detach(), *[x.grad for x in leaves]

    for run in (program, flow.compile(program, fullgraph=True)):
        for mine, theirs in zip(run(*map(flow.tensor, arrays)), [expected, *[x.grad for x in exact]]):
            numpy.testing.assert_allclose(mine.numpy(), theirs.detach().numpy(), rtol=rtol, atol=atol)


# --------------------------------------------------------------------------------------------- 01: the sum of two vectors


@triton.jit
def sum_of_blocks(a_ptr, b_ptr, sum_ptr, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(sum_ptr + at, tl.load(a_ptr + at, mask=inside) + tl.load(b_ptr + at, mask=inside), mask=inside)


@flow.library.triton_op("tutorials::add", mutates_args=())
def add(a: flow.Tensor, b: flow.Tensor) -> flow.Tensor:
    out = flow.empty_like(a)
    sum_of_blocks[lambda meta: (triton.cdiv(meta["count"], meta["BLOCK"]),)](a, b, out, a.numel(), BLOCK=256)
    return out


add.register_autograd(lambda ctx, dy: (dy, dy))


def test_01_vector_addition() -> None:
    compare(add, lambda a, b: a + b, [normal(1000), normal(1000)])


# -------------------------------------------------------------------------------------- 02: softmax of rows that fit a tile


@triton.jit
def softmax_of_rows(x_ptr, y_ptr, x_step, y_step, rows, cols, COLS: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.arange(0, COLS)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * x_step + at, mask=at < cols, other=-float("inf"))
        powers = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + row * y_step + at, powers / tl.sum(powers, axis=0), mask=at < cols)


@flow.library.triton_op("tutorials::softmax", mutates_args=())
def softmax(x: flow.Tensor) -> flow.Tensor:
    y = flow.empty_like(x)
    rows, cols = x.shape
    softmax_of_rows[(4,)](x, y, x.stride(0), y.stride(0), rows, cols, COLS=triton.next_power_of_2(cols))
    return y


def _softmax_backward(ctx: Any, dy: Any) -> Any:
    (y,) = ctx.saved_tensors
    return y * (dy - (y * dy).sum(-1, keepdim=True))


softmax.register_autograd(_softmax_backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output))


def test_02_fused_softmax() -> None:
    compare(softmax, lambda x: x.softmax(-1), [normal(11, 50)])


# ------------------------------------------------------------------------ 03: a product in groups of blocks, with activation


@triton.jit
def leaky(x):  # type: ignore[no-untyped-def]
    return tl.where(x >= 0, x, 0.01 * x)


@triton.autotune(
    [triton.Config({"M": 16, "N": 32, "K": 16, "GROUP": 2}), triton.Config({"M": 32, "N": 16, "K": 16, "GROUP": 4})],
    key=["m", "n", "k"],
    do_bench=lambda call, quantiles: (call(), [1.0, 1.0, 1.0])[1],
)
@triton.jit
def product_in_groups(  # type: ignore[no-untyped-def]
    a_ptr, b_ptr, c_ptr, m, n, k, am, ak, bk, bn, cm, cn,
    ACTIVATION: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    down, across = tl.cdiv(m, M), tl.cdiv(n, N)
    first = program // (GROUP * across) * GROUP  # blocks of a few rows are done together, so that b stays in the cache
    high = tl.minimum(down - first, GROUP)
    row = first + program % (GROUP * across) % high
    col = program % (GROUP * across) // high
    rows, cols, inner = row * M + tl.arange(0, M), col * N + tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        left = k - start
        a = tl.load(a_ptr + rows[:, None] * am + (start + inner)[None] * ak, mask=(rows[:, None] < m) & (inner[None] < left), other=0)
        b = tl.load(b_ptr + (start + inner)[:, None] * bk + cols[None] * bn, mask=(inner[:, None] < left) & (cols[None] < n), other=0)
        total = tl.dot(a, b, total, input_precision="ieee")
    if ACTIVATION:
        total = leaky(total)
    tl.store(c_ptr + rows[:, None] * cm + cols[None] * cn, total, mask=(rows[:, None] < m) & (cols[None] < n))


def product(a: Any, b: Any, activation: bool = False) -> Any:
    (m, k), n = a.shape, b.shape[1]
    c = flow.empty(m, n)
    grid = lambda meta: (triton.cdiv(meta["m"], meta["M"]) * triton.cdiv(meta["n"], meta["N"]),)
    product_in_groups[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), ACTIVATION=activation)
    return c


@flow.library.triton_op("tutorials::matmul", mutates_args=())
def matmul(a: flow.Tensor, b: flow.Tensor) -> flow.Tensor:
    return product(a, b, activation=True)


@flow.library.triton_op("tutorials::matmul_backward", mutates_args=())
def matmul_backward(dy: flow.Tensor, y: flow.Tensor, a: flow.Tensor, b: flow.Tensor) -> tuple[flow.Tensor, flow.Tensor]:
    dx = flow.where(y >= 0, dy, 0.01 * dy)
    return product(dx, b.T), product(a.T, dx)  # transposed views: the kernel takes strides


matmul.register_autograd(
    lambda ctx, dy: matmul_backward(dy, *ctx.saved_tensors),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output, *inputs),
)


def test_03_matrix_multiplication() -> None:
    compare(matmul, lambda a, b: F.leaky_relu(a @ b, 0.01), [normal(40, 35), normal(35, 50)], atol=1e-4)


# ----------------------------------------------------------------------------------------- 04: dropout from a seed alone


@triton.jit
def seeded_dropout(x_ptr, y_ptr, count, p, seed, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count)
    tl.store(y_ptr + at, tl.where(tl.rand(seed, at) > p, x / (1 - p), 0.0), mask=at < count)


@flow.library.triton_op("tutorials::dropout", mutates_args=())
def dropout(x: flow.Tensor, p: float, seed: int) -> flow.Tensor:
    y = flow.empty_like(x)
    seeded_dropout[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), p, seed, BLOCK=128)
    return y


def _save_seed(ctx: Any, inputs: Any, output: Any) -> None:
    _, ctx.p, ctx.seed = inputs


dropout.register_autograd(lambda ctx, dy: (dropout(dy, ctx.p, ctx.seed), None, None), setup_context=_save_seed)


def test_04_low_memory_dropout() -> None:
    ones = flow.ones(2000)
    kept = dropout(ones, 0.25, 7)
    assert sorted(set(kept.tolist())) == [0.0, pytest.approx(1 / 0.75)] and 0.7 < (kept > 0).float().mean() < 0.8
    assert (dropout(ones, 0.25, 7) == kept).all() and not (dropout(ones, 0.25, 8) == kept).all()
    scale = torch.from_numpy(kept.numpy().copy()).double()
    compare(lambda x: dropout(x, 0.25, 7), lambda x: x * scale, [normal(2000)])


# ----------------------------------------------------------------- 05: layer norm, with partial sums that programs share


@triton.jit
def norm_of_rows(x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, step, cols, eps, COLS: tl.constexpr):  # type: ignore[no-untyped-def]
    row, at = tl.program_id(0), tl.arange(0, COLS)
    inside = at < cols
    x = tl.load(x_ptr + row * step + at, mask=inside, other=0)
    mean = tl.sum(x, axis=0) / cols
    centred = tl.where(inside, x - mean, 0)
    rstd = tl.rsqrt(tl.sum(centred * centred, axis=0) / cols + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    y = centred * rstd * tl.load(w_ptr + at, mask=inside) + tl.load(b_ptr + at, mask=inside)
    tl.store(y_ptr + row * step + at, y, mask=inside)


@triton.jit
def gradients_of_rows(  # type: ignore[no-untyped-def]
    dy_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, dx_ptr, dw_ptr, db_ptr, lock_ptr, step, cols, GROUPS: tl.constexpr, COLS: tl.constexpr
):
    row, at = tl.program_id(0), tl.arange(0, COLS)
    inside = at < cols
    dy = tl.load(dy_ptr + row * step + at, mask=inside, other=0)
    mean, rstd = tl.load(mean_ptr + row), tl.load(rstd_ptr + row)
    normed = tl.where(inside, (tl.load(x_ptr + row * step + at, mask=inside, other=0) - mean) * rstd, 0)
    scaled = dy * tl.load(w_ptr + at, mask=inside, other=0)
    along = tl.sum(normed * scaled, axis=0) / cols
    tl.store(dx_ptr + row * step + at, (scaled - normed * along - tl.sum(scaled, axis=0) / cols) * rstd, mask=inside)
    group = row % GROUPS
    lock, partial = lock_ptr + group, group * cols + at
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(dw_ptr + partial, tl.load(dw_ptr + partial, mask=inside) + dy * normed, mask=inside)
    tl.store(db_ptr + partial, tl.load(db_ptr + partial, mask=inside) + dy, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def sum_of_groups(partial_ptr, total_ptr, cols, GROUPS: tl.constexpr, COLS: tl.constexpr):  # type: ignore[no-untyped-def]
    rows, at = tl.arange(0, GROUPS), tl.program_id(0) * COLS + tl.arange(0, COLS)
    partial = tl.load(partial_ptr + rows[:, None] * cols + at[None], mask=at[None] < cols, other=0)
    tl.store(total_ptr + at, tl.sum(partial, axis=0), mask=at < cols)


@flow.library.triton_op("tutorials::layer_norm", mutates_args=())
def layer_norm(x: flow.Tensor, w: flow.Tensor, b: flow.Tensor, eps: float) -> tuple[flow.Tensor, flow.Tensor, flow.Tensor]:
    rows, cols = x.shape
    y, mean, rstd = flow.empty_like(x), flow.empty(rows), flow.empty(rows)
    norm_of_rows[(rows,)](x, y, w, b, mean, rstd, x.stride(0), cols, eps, COLS=triton.next_power_of_2(cols))
    return y, mean, rstd


@flow.library.triton_op("tutorials::layer_norm_backward", mutates_args=())
def layer_norm_backward(
    dy: flow.Tensor, x: flow.Tensor, w: flow.Tensor, mean: flow.Tensor, rstd: flow.Tensor
) -> tuple[flow.Tensor, flow.Tensor, flow.Tensor]:
    rows, cols = x.shape
    dx, dw, db = flow.empty_like(x), flow.empty_like(w), flow.empty_like(w)
    partial_dw, partial_db, locks = flow.zeros(4, cols), flow.zeros(4, cols), flow.zeros(4, dtype=flow.int32)
    gradients_of_rows[(rows,)](
        dy, x, w, mean, rstd, dx, partial_dw, partial_db, locks, x.stride(0), cols, GROUPS=4, COLS=triton.next_power_of_2(cols)
    )
    for partial, total in ((partial_dw, dw), (partial_db, db)):
        sum_of_groups[(triton.cdiv(cols, 32),)](partial, total, cols, GROUPS=4, COLS=32)
    return dx, dw, db


layer_norm.register_autograd(
    lambda ctx, dy, dmean, drstd: (*layer_norm_backward(dy, *ctx.saved_tensors), None),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs[:2], *output[1:]),
)


def test_05_layer_norm() -> None:
    arrays = [normal(30, 50), normal(50), normal(50)]
    compare(lambda x, w, b: layer_norm(x, w, b, 1e-5)[0], lambda x, w, b: F.layer_norm(x, (50,), w, b, 1e-5), arrays)


# ------------------------------------------------------------------------------------ 06: attention without its matrix


@triton.jit
def attention_of_block(q_ptr, k_ptr, v_ptr, out_ptr, log_ptr, length, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):  # type: ignore[no-untyped-def]
    block, head = tl.program_id(0), tl.program_id(1)
    start = head * length * D
    rows, inner = block * M + tl.arange(0, M), tl.arange(0, D)
    q = tl.load(q_ptr + start + rows[:, None] * D + inner[None], mask=rows[:, None] < length, other=0)
    largest = tl.full((M,), -float("inf"), tl.float32)
    total, out = tl.zeros((M,), tl.float32), tl.zeros((M, D), tl.float32)
    for first in range(0, tl.minimum((block + 1) * M, length), N):
        cols = first + tl.arange(0, N)
        k = tl.load(k_ptr + start + cols[None] * D + inner[:, None], mask=cols[None] < length, other=0)
        scores = tl.dot(q, k, input_precision="ieee") * scale
        scores = tl.where((rows[:, None] >= cols[None]) & (cols[None] < length), scores, -float("inf"))
        now = tl.maximum(largest, tl.max(scores, 1))
        weights, correction = tl.exp(scores - now[:, None]), tl.exp(largest - now)
        v = tl.load(v_ptr + start + cols[:, None] * D + inner[None], mask=cols[:, None] < length, other=0)
        total = total * correction + tl.sum(weights, 1)
        out = tl.dot(weights, v, out * correction[:, None], input_precision="ieee")
        largest = now
    tl.store(out_ptr + start + rows[:, None] * D + inner[None], out / total[:, None], mask=rows[:, None] < length)
    tl.store(log_ptr + head * length + rows, largest + tl.log(total), mask=rows < length)


@triton.jit
def attention_gradients(  # type: ignore[no-untyped-def]
    q_ptr, k_ptr, v_ptr, dout_ptr, log_ptr, delta_ptr, dq_ptr, dk_ptr, dv_ptr, length, scale, N: tl.constexpr, D: tl.constexpr
):
    """Of one block of keys: those of its keys and values, and its share of those of all queries, added by atomics."""
    block, head = tl.program_id(0), tl.program_id(1)
    start = head * length * D
    cols, inner = block * N + tl.arange(0, N), tl.arange(0, D)
    k = tl.load(k_ptr + start + cols[:, None] * D + inner[None], mask=cols[:, None] < length, other=0)
    v = tl.load(v_ptr + start + cols[:, None] * D + inner[None], mask=cols[:, None] < length, other=0)
    dk, dv = tl.zeros((N, D), tl.float32), tl.zeros((N, D), tl.float32)
    for first in range(block * N, length, N):
        rows = first + tl.arange(0, N)
        inside = rows < length
        q = tl.load(q_ptr + start + rows[:, None] * D + inner[None], mask=inside[:, None], other=0)
        dout = tl.load(dout_ptr + start + rows[:, None] * D + inner[None], mask=inside[:, None], other=0)
        log = tl.load(log_ptr + head * length + rows, mask=inside, other=0)
        delta = tl.load(delta_ptr + head * length + rows, mask=inside, other=0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        weights = tl.where((rows[:, None] >= cols[None]) & inside[:, None], tl.exp(scores - log[:, None]), 0)
        dv = tl.dot(tl.trans(weights), dout, dv, input_precision="ieee")
        dscores = weights * (tl.dot(dout, tl.trans(v), input_precision="ieee") - delta[:, None]) * scale
        dk = tl.dot(tl.trans(dscores), q, dk, input_precision="ieee")
        dq = tl.dot(dscores, k, input_precision="ieee")
        tl.atomic_add(dq_ptr + start + rows[:, None] * D + inner[None], dq, mask=inside[:, None])
    tl.store(dk_ptr + start + cols[:, None] * D + inner[None], dk, mask=cols[:, None] < length)
    tl.store(dv_ptr + start + cols[:, None] * D + inner[None], dv, mask=cols[:, None] < length)


@flow.library.triton_op("tutorials::attention", mutates_args=())
def attention(q: flow.Tensor, k: flow.Tensor, v: flow.Tensor) -> tuple[flow.Tensor, flow.Tensor]:
    heads, length, size = q.shape
    out, log = flow.empty_like(q), flow.empty(heads, length)
    attention_of_block[(triton.cdiv(length, 16), heads)](q, k, v, out, log, length, size**-0.5, M=16, N=16, D=size)
    return out, log


@flow.library.triton_op("tutorials::attention_backward", mutates_args=())
def attention_backward(
    dout: flow.Tensor, q: flow.Tensor, k: flow.Tensor, v: flow.Tensor, out: flow.Tensor, log: flow.Tensor
) -> tuple[flow.Tensor, flow.Tensor, flow.Tensor]:
    heads, length, size = q.shape
    dq, dk, dv = flow.zeros_like(q), flow.empty_like(k), flow.empty_like(v)
    attention_gradients[(triton.cdiv(length, 16), heads)](
        q, k, v, dout, log, (out * dout).sum(-1), dq, dk, dv, length, size**-0.5, N=16, D=size
    )
    return dq, dk, dv


attention.register_autograd(
    lambda ctx, dout, dlog: attention_backward(dout.contiguous(), *ctx.saved_tensors),
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs, *output),
)


def test_06_fused_attention() -> None:
    def reference(q: Any, k: Any, v: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    compare(lambda q, k, v: attention(q, k, v)[0], reference, [normal(3, 50, 16) for _ in range(3)], rtol=1e-4, atol=1e-4)
