"""Optimizer steps over many parameters in one launch.

What a launch updates is told by two int64 tables in device memory. `tensors` has a row per parameter: its size, then
the addresses of the parameter, its gradient and its states. `chunks` has a row per program: which tensor, and where in
it the program's CHUNK elements begin. All parameters of a launch have one dtype, all gradients one, all states one.

Arithmetic is in the order of the reference's `torch.optim`, so that trajectories agree; scalars that it derives on the
host in double precision (1 - beta, the bias corrections) arrive derived.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype


@triton.jit
def chunk_of(tensors, chunks, WIDTH: tl.constexpr):
    """(row of the tensor, its size, first element) of this program."""
    pid = tl.program_id(0).to(tl.int64)
    row = tensors + tl.load(chunks + 2 * pid) * WIDTH
    return row, tl.load(row), tl.load(chunks + 2 * pid + 1)


@triton.jit
def address(row, column: tl.constexpr, DTYPE: tl.constexpr):
    """The pointer in a column of a row."""
    return tl.load(row + column).to(tl.pointer_type(DTYPE))


@triton.jit
def store(pointer, i, value, mask):
    tl.store(pointer + i, value.to(pointer.dtype.element_ty), mask=mask)


@triton.jit
def sgd(
    tensors,
    chunks,
    lr,
    weight_decay,
    momentum,
    undamped,
    PARAMETER: tl.constexpr,
    GRADIENT: tl.constexpr,
    STATE: tl.constexpr,
    DECAY: tl.constexpr,
    MOMENTUM: tl.constexpr,
    FIRST: tl.constexpr,
    NESTEROV: tl.constexpr,
    MAXIMIZE: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """p -= lr g with g = grad + weight_decay p, or with the momentum buffer b = momentum b + undamped g.

    `undamped` is 1 - dampening. FIRST: the buffer is made by this step and begins as g. NESTEROV: g + momentum b
    instead of b. Columns: size, parameter, gradient, buffer. Grid: (chunks,).
    """
    row, size, start = chunk_of(tensors, chunks, 4)
    parameter, gradient = address(row, 1, PARAMETER), address(row, 2, GRADIENT)
    dtype: tl.constexpr = compute_dtype(PARAMETER)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        p = tl.load(parameter + i, mask=mask).to(dtype)
        g = tl.load(gradient + i, mask=mask).to(dtype)
        if MAXIMIZE:
            g = -g
        if DECAY:
            g += weight_decay * p
        if MOMENTUM:
            state = address(row, 3, STATE)
            if FIRST:
                b = g
            else:
                b = momentum * tl.load(state + i, mask=mask).to(dtype) + undamped * g
            store(state, i, b, mask)
            g = g + momentum * b if NESTEROV else b
        store(parameter, i, p - lr * g, mask)


@triton.jit
def adam(
    tensors,
    chunks,
    step_size,
    weight_decay,
    beta1_rest,
    beta2,
    beta2_rest,
    correction,
    eps,
    PARAMETER: tl.constexpr,
    GRADIENT: tl.constexpr,
    STATE: tl.constexpr,
    DECAY: tl.constexpr,
    DECOUPLED: tl.constexpr,
    AMSGRAD: tl.constexpr,
    MAXIMIZE: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """m += (1 - beta1)(g - m);  v = beta2 v + (1 - beta2) g^2;  p -= step_size m / (sqrt(v) / correction + eps).

    step_size is lr / (1 - beta1^t), correction is sqrt(1 - beta2^t), beta1_rest and beta2_rest are 1 - beta. DECAY adds
    weight_decay p to the gradient; DECOUPLED (AdamW) multiplies p by weight_decay, which then is 1 - lr * weight decay.
    AMSGRAD uses the largest v so far. Columns: size, parameter, gradient, m, v, largest v. Grid: (chunks,).
    """
    row, size, start = chunk_of(tensors, chunks, 6)
    parameter, gradient = address(row, 1, PARAMETER), address(row, 2, GRADIENT)
    first, second = address(row, 3, STATE), address(row, 4, STATE)
    dtype: tl.constexpr = compute_dtype(PARAMETER)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        p = tl.load(parameter + i, mask=mask).to(dtype)
        g = tl.load(gradient + i, mask=mask).to(dtype)
        m = tl.load(first + i, mask=mask).to(dtype)
        v = tl.load(second + i, mask=mask, other=1).to(dtype)
        if MAXIMIZE:
            g = -g
        if DECAY:
            if DECOUPLED:
                p *= weight_decay
            else:
                g += weight_decay * p
        m += beta1_rest * (g - m)
        v = beta2 * v + beta2_rest * g * g
        store(first, i, m, mask)
        store(second, i, v, mask)
        if AMSGRAD:
            largest = address(row, 5, STATE)
            old = tl.load(largest + i, mask=mask, other=1).to(dtype)
            v = tl.where((old > v) | (old != old), old, v)
            store(largest, i, v, mask)
        store(parameter, i, p - step_size * (m / (tl.sqrt(v) / correction + eps)), mask)


def config(target: str) -> dict:
    """A chunk is what one program updates: long enough to make up for its two table rows.

    On a CPU a block's arrays are read one after the other, as their addresses do not tell that they are apart. In short blocks
    the processor reads all of them ahead: Adam over 10M parameters takes 0.57 of the time with 128 that it takes with 1024.
    """
    if target == "cpu":
        return {"constexprs": {"CHUNK": 8192, "BLOCK": 128}, "num_warps": 1, "num_stages": 1}
    return {"constexprs": {"CHUNK": 16384, "BLOCK": 1024}, "num_warps": 4, "num_stages": 1}


def chunk_rows(sizes: list[int], chunk: int) -> list[int]:
    """The rows of `chunks`, flat: (tensor, first element) of every program, in order."""
    return [value for tensor, size in enumerate(sizes) for start in range(0, size, chunk) for value in (tensor, start)]
