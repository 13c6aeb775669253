"""Optimizer steps over many parameters in one launch (see multi_tensor.py).

The order of the arithmetic is that of the reference's `torch.optim`, so that trajectories agree. Where the loss is scaled,
`found_inf` is a number in device memory that is not 0 if a gradient overflowed. The step then changes nothing, and the host need
not know.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .multi_tensor import address, chunk_of, store


@triton.jit
def unless_skipped(size, found_inf):
    """The size, or 0 if the step is to be skipped: no element is touched then."""
    if found_inf is None:
        return size
    else:
        return tl.where(tl.load(found_inf) == 0, size, 0)


@triton.jit
def sgd(
    found_inf,
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
    ALIGNED: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """p -= lr g with g = grad + weight_decay p, or with the momentum buffer b = momentum b + undamped g.

    `undamped` is 1 - dampening. FIRST: the buffer begins as g. NESTEROV: g + momentum b
    instead of b. Columns: size, parameter, gradient, buffer. Grid: (chunks,).
    """
    row, size, start = chunk_of(tensors, chunks, 4, ALIGNED)
    size = unless_skipped(size, found_inf)
    parameter, gradient = address(row, 1, PARAMETER, ALIGNED), address(row, 2, GRADIENT, ALIGNED)
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
            state = address(row, 3, STATE, ALIGNED)
            if FIRST:
                b = g
            else:
                b = momentum * tl.load(state + i, mask=mask).to(dtype) + undamped * g
            store(state, i, b, mask)
            g = g + momentum * b if NESTEROV else b
        store(parameter, i, p - lr * g, mask)


@triton.jit
def power(beta, t):
    """beta^t for a beta in [0, 1), in float64."""
    return tl.exp(t * tl.log(tl.cast(beta, tl.float64)))


@triton.jit
def adam(
    found_inf,
    tensors,
    chunks,
    lr,
    weight_decay,
    beta1,
    beta2,
    eps,
    PARAMETER: tl.constexpr,
    GRADIENT: tl.constexpr,
    STATE: tl.constexpr,
    DECAY: tl.constexpr,
    CORRECTED: tl.constexpr,
    DECOUPLED: tl.constexpr,
    AMSGRAD: tl.constexpr,
    MAXIMIZE: tl.constexpr,
    ALIGNED: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """m += (1 - beta1)(g - m);  v = beta2 v + (1 - beta2) g^2;  p -= step_size m / (sqrt(v) / correction + eps).

    step_size is lr / (1 - beta1^t), correction is sqrt(1 - beta2^t), t one more than the count of steps, which `count_steps`
    increases afterwards; without CORRECTED they are lr and 1. DECAY adds weight_decay p to the gradient; DECOUPLED (AdamW)
    multiplies p by 1 - lr * weight_decay. AMSGRAD uses the largest v so far.
    Columns: size, parameter, gradient, m, v, count, largest v. Grid: (chunks,).

    The scalars are float64: the corrections are differences of nearly equal numbers.
    """
    row, size, start = chunk_of(tensors, chunks, 7, ALIGNED)
    size = unless_skipped(size, found_inf)
    parameter, gradient = address(row, 1, PARAMETER, ALIGNED), address(row, 2, GRADIENT, ALIGNED)
    first, second = address(row, 3, STATE, ALIGNED), address(row, 4, STATE, ALIGNED)
    dtype: tl.constexpr = compute_dtype(PARAMETER)
    t = tl.load(address(row, 5, tl.float32)).to(tl.float64) + 1
    if CORRECTED:
        step_size = tl.cast(lr / (1 - power(beta1, t)), dtype)
        correction = tl.cast(tl.sqrt(1 - power(beta2, t)), dtype)
    else:
        step_size, correction = tl.cast(lr, dtype), tl.cast(1.0, dtype)
    kept, beta1_rest, beta2_rest = (
        tl.cast(1 - lr * weight_decay, dtype),
        tl.cast(1 - beta1, dtype),
        tl.cast(1 - beta2, dtype),
    )
    weight_decay, beta2, eps = tl.cast(weight_decay, dtype), tl.cast(beta2, dtype), tl.cast(eps, dtype)
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
                p *= kept
            else:
                g += weight_decay * p
        m += beta1_rest * (g - m)
        v = beta2 * v + beta2_rest * g * g
        store(first, i, m, mask)
        store(second, i, v, mask)
        if AMSGRAD:
            largest = address(row, 6, STATE, ALIGNED)
            old = tl.load(largest + i, mask=mask, other=1).to(dtype)
            v = tl.where((old > v) | (old != old), old, v)
            store(largest, i, v, mask)
        store(parameter, i, p - step_size * (m / (tl.sqrt(v) / correction + eps)), mask)


@triton.jit
def count_steps(found_inf, tensors, count, WIDTH: tl.constexpr, COLUMN: tl.constexpr, BLOCK: tl.constexpr):
    """Add 1 to the float32 numbers whose addresses are in a column of `tensors`. Grid: (cdiv(count, BLOCK),)."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < unless_skipped(count, found_inf)
    steps = tl.load(tensors + i * WIDTH + COLUMN, mask=mask, other=0).to(tl.pointer_type(tl.float32))
    tl.store(steps, tl.load(steps, mask=mask, other=0) + 1, mask=mask)


@triton.jit
def numbers_of(row, FIRST: tl.constexpr, COUNT: tl.constexpr, NUMBER: tl.constexpr):
    """The numbers of a row's parameter, float32 or float64."""
    numbers = ()
    for j in tl.static_range(COUNT):
        numbers = numbers + (tl.load(address(row, FIRST + j, NUMBER)),)
    return numbers


@triton.jit
def update(
    found_inf,
    tensors,
    chunks,
    hyperparameters,
    SCALARS: tl.constexpr,
    STEP: tl.constexpr,
    NUMBERS: tl.constexpr,
    NUMBER: tl.constexpr,
    STATES: tl.constexpr,
    PARAMETER: tl.constexpr,
    GRADIENT: tl.constexpr,
    STATE: tl.constexpr,
    DECAY: tl.constexpr,
    DECOUPLED: tl.constexpr,
    MAXIMIZE: tl.constexpr,
    ALIGNED: tl.constexpr,
    CHUNK: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """A step by a rule of optimizer_rules.py: `STEP(p, g, states, SCALARS(numbers, hyperparameters))` for each element.

    The hyperparameters are float64: learning rate, weight decay, the rule's own. DECAY adds weight_decay p to the gradient;
    DECOUPLED multiplies p by 1 - lr * weight_decay instead. MAXIMIZE: the gradient's sign is changed first.
    Columns: size, parameter, gradient, NUMBERS numbers of the dtype NUMBER, STATES states. Grid: (chunks,).
    """
    row, size, start = chunk_of(tensors, chunks, 3 + NUMBERS + STATES, ALIGNED)
    size = unless_skipped(size, found_inf)
    parameter, gradient = address(row, 1, PARAMETER, ALIGNED), address(row, 2, GRADIENT, ALIGNED)
    dtype: tl.constexpr = compute_dtype(PARAMETER)
    scalars = SCALARS(numbers_of(row, 3, NUMBERS, NUMBER), hyperparameters)
    k = ()
    for j in tl.static_range(len(scalars)):
        k = k + (tl.cast(scalars[j], dtype),)
    decay = tl.cast(hyperparameters[1], dtype)
    kept = tl.cast(1 - hyperparameters[0] * hyperparameters[1], dtype)
    for offset in range(0, CHUNK, BLOCK):
        i = start + offset + tl.arange(0, BLOCK)
        mask = i < size
        p = tl.load(parameter + i, mask=mask, other=0).to(dtype)
        g = tl.load(gradient + i, mask=mask, other=0).to(dtype)
        states = ()
        for j in tl.static_range(STATES):
            states = states + (
                tl.load(address(row, 3 + NUMBERS + j, STATE, ALIGNED) + i, mask=mask, other=0).to(dtype),
            )
        if MAXIMIZE:
            g = -g
        if DECAY:
            if DECOUPLED:
                p *= kept
            else:
                g += decay * p
        results = STEP(p, g, states, k)
        store(parameter, i, results[0], mask)
        for j in tl.static_range(STATES):
            store(address(row, 3 + NUMBERS + j, STATE, ALIGNED), i, results[1 + j], mask)


@triton.jit
def advance(
    found_inf, tensors, hyperparameters, count,
    ADVANCE: tl.constexpr, NUMBERS: tl.constexpr, NUMBER: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """The numbers of a parameter after the step: `ADVANCE(numbers, hyperparameters)`. Grid: (count,)."""
    row = tensors + tl.program_id(0).to(tl.int64) * WIDTH
    if unless_skipped(count, found_inf) > 0:
        results = ADVANCE(numbers_of(row, 3, NUMBERS, NUMBER), hyperparameters)
        for j in tl.static_range(NUMBERS):
            tl.store(address(row, 3 + j, NUMBER), results[j].to(NUMBER))
