"""The recursions of the CTC loss, in logarithms (Graves et al., 2006).

The states of an example are its labels with blanks between them and around: state 2 i + 1 is label i. A row is one state after
another, as many as the longest example has; what is behind an example's own states is never read.

    alpha[t, s] = log_probs[t, class s] + log(e^alpha[t-1, s] + e^alpha[t-1, s-1] + e^alpha[t-1, s-2])
    beta[t, s]  = log_probs[t, class s] + log(e^beta[t+1, s] + e^beta[t+1, s+1] + e^beta[t+1, s+2])
    loss        = -log(e^alpha[last, end] + e^alpha[last, end-1])
    gradient    = e^log_probs[t, c] - sum over states s of class c: e^(alpha + beta - log_probs[t, c] + loss)

A step of two states joins different classes only. The row before the first has probability 1 in state 0, the row behind the last
one in the end. A program has one example, reads rows that it has written, and so waits at a barrier behind each.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2

IMPOSSIBLE = tl.constexpr(float("-inf"))


@triton.jit
def _log_of_sum(a, b, c):
    """log(e^a + e^b + e^c), IMPOSSIBLE of three such."""
    largest = tl.maximum(tl.maximum(a, b), c)
    finite = tl.where(largest == IMPOSSIBLE, 0, largest)
    return tl.log(tl.exp(a - finite) + tl.exp(b - finite) + tl.exp(c - finite)) + finite


@triton.jit
def _write_classes(states, labels, err, count, blank, classes, STATES: tl.constexpr):
    """The class of each state of an example. A label that is no class is reported, and counts as a blank."""
    lane = tl.arange(0, STATES)
    for start in range(0, 2 * count + 1, STATES):
        s = start + lane
        inside = s < 2 * count + 1
        label = tl.load(labels + s // 2, mask=inside & (s % 2 == 1), other=blank).to(tl.int32)
        good = (label >= 0) & (label < classes)
        tl.store(err + s * 0, s * 0 + 1, mask=inside & (good == 0))
        tl.store(states + s, tl.where(good, label, blank), mask=inside)
    tl.debug_barrier()


@triton.jit
def _loss_of(alpha, time, count, width):
    """-log of the probability of the last label or of the blank behind it, at the last step."""
    end = 2 * count
    last = alpha + ((time - 1) * width + end)
    dtype: tl.constexpr = alpha.dtype.element_ty
    none = tl.where(end == 0, 0.0, IMPOSSIBLE).to(dtype)
    blank = tl.load(last, mask=time > 0, other=none)
    label = tl.load(last - 1, mask=(time > 0) & (end > 0), other=IMPOSSIBLE)
    return -_log_of_sum(blank, label, tl.full((), IMPOSSIBLE, dtype))


@triton.jit
def _reached(rows, states, t, s, end, first, here, step, begins, width):
    """The logarithm of the sum over the states from which a state is reached, forwards (`step` -1) or backwards (1).

    The states lie at row `t` of `rows`, or at none where this is the first step: `begins` is where that starts.
    """
    row = rows + t * width
    one, two = s + step, s + 2 * step
    dtype: tl.constexpr = rows.dtype.element_ty
    stay = tl.load(row + s, mask=(s <= end) & (first == 0), other=tl.where(first & (s == begins), 0.0, IMPOSSIBLE).to(dtype))
    inside = (one >= 0) & (one <= end)
    near = tl.load(row + one, mask=inside & (first == 0), other=tl.where(first & (one == begins), 0.0, IMPOSSIBLE).to(dtype))
    inside = (two >= 0) & (two <= end)
    differs = tl.load(states + two, mask=inside, other=0) != here
    far = tl.load(row + two, mask=inside & differs & (first == 0), other=IMPOSSIBLE)
    return _log_of_sum(stay, near, far)


@triton.jit
def ctc_alpha(
    log_probs, labels, time, count, loss, alpha, states, err, blank, steps, samples, classes, longest,
    ZERO_INFINITY: tl.constexpr, STATES: tl.constexpr,
):  # fmt: skip
    """The loss of each example, and alpha. Grid: (examples,)."""
    n = tl.program_id(0).to(tl.int64)
    width = 2 * longest + 1
    log_probs += n * classes
    states += n * width
    alpha += n * steps * width
    time, count = tl.load(time + n), tl.load(count + n)
    _write_classes(states, labels + n * longest, err, count, blank, classes, STATES)
    lane = tl.arange(0, STATES)
    for t in range(time):
        for start in range(0, width, STATES):
            s = start + lane
            inside = s <= 2 * count
            here = tl.load(states + s, mask=inside, other=0)
            emitted = tl.load(log_probs + t * samples * classes + here, mask=inside, other=0)
            value = _reached(alpha, states, t - 1, s, 2 * count, t == 0, here, -1, 0, width) + emitted
            tl.store(alpha + t * width + s, tl.where(inside, value, IMPOSSIBLE), mask=s < width)
        tl.debug_barrier()
    for start in range(time * width, steps * width, STATES):
        rest = start + lane
        tl.store(alpha + rest, tl.full((STATES,), IMPOSSIBLE, alpha.dtype.element_ty), mask=rest < steps * width)
    total = _loss_of(alpha, time, count, width)
    if ZERO_INFINITY:
        total = tl.where(total == float("inf"), 0, total)
    tl.store(loss + n, total)


@triton.jit
def ctc_beta(
    log_probs, labels, time, count, alpha, beta, shares, states, err, blank, steps, samples, classes, longest, STATES: tl.constexpr
):
    """The probability of each state at each step, given the labels. Two rows of beta take turns. Grid: (examples,)."""
    n = tl.program_id(0).to(tl.int64)
    width = 2 * longest + 1
    log_probs += n * classes
    states += n * width
    alpha += n * steps * width
    shares += n * steps * width
    beta += n * 2 * width
    time, count = tl.load(time + n), tl.load(count + n)
    _write_classes(states, labels + n * longest, err, count, blank, classes, STATES)
    loss = _loss_of(alpha, time, count, width)
    lane = tl.arange(0, STATES)
    for step in range(time):
        t = time - 1 - step
        for start in range(0, 2 * count + 1, STATES):
            s = start + lane
            inside = s <= 2 * count
            here = tl.load(states + s, mask=inside, other=0)
            emitted = tl.load(log_probs + t * samples * classes + here, mask=inside, other=0)
            value = _reached(beta, states, (t + 1) % 2, s, 2 * count, step == 0, here, 1, 2 * count, width) + emitted
            tl.store(beta + t % 2 * width + s, value, mask=inside)
            both = tl.load(alpha + t * width + s, mask=inside, other=IMPOSSIBLE) + value
            share = tl.where(both == IMPOSSIBLE, 0, tl.exp(both - emitted + loss))
            tl.store(shares + t * width + s, share, mask=inside)
        tl.debug_barrier()


@triton.jit
def ctc_gradient(
    dy, log_probs, time, count, alpha, shares, states, dx, blank, steps, samples, classes, longest,
    ZERO_INFINITY: tl.constexpr, TIMES: tl.constexpr, CLASSES: tl.constexpr,
):  # fmt: skip
    """dy (e^log_probs - shares of each class): a lane has a step, and adds its states in their order. Grid: (examples x steps,)."""
    tiles = tl.cdiv(steps, TIMES)
    program = tl.program_id(0).to(tl.int64)
    n, t = program // tiles, program % tiles * TIMES + tl.arange(0, TIMES)
    width = 2 * longest + 1
    states += n * width
    alpha += n * steps * width
    time, count = tl.load(time + n), tl.load(count + n)
    scale = tl.load(dy + n)
    impossible = _loss_of(alpha, time, count, width) == float("inf")
    scale = tl.where(impossible, 0.0 if ZERO_INFINITY else float("nan"), scale).to(scale.dtype)
    runs = t < time
    row = t * samples * classes + n * classes
    for start in range(0, classes, CLASSES):
        c = start + tl.arange(0, CLASSES)
        at = row[:, None] + c[None, :]
        x = tl.load(log_probs + at, mask=runs[:, None] & (c < classes)[None, :], other=IMPOSSIBLE)
        slope = tl.where(runs[:, None], tl.exp(x) * scale, 0)
        tl.store(dx + at, slope, mask=(t < steps)[:, None] & (c < classes)[None, :])
    tl.debug_barrier()
    share = shares + n * steps * width + t * width
    of_blank = tl.load(share, mask=runs, other=0)
    for i in range(count):
        of_blank += tl.load(share + 2 * i + 2, mask=runs, other=0)
        at = dx + row + tl.load(states + 2 * i + 1)
        taken = tl.load(share + 2 * i + 1, mask=runs, other=0) * scale
        tl.store(at, tl.load(at, mask=runs, other=0) - taken, mask=runs)
        tl.debug_barrier()
    at = dx + row + blank
    tl.store(at, tl.load(at, mask=runs, other=0) - of_blank * scale, mask=runs)


def state_block(longest: int) -> dict:
    """STATES: the states of the longest example, at least 16 and at most 128 at a time."""
    return {"STATES": min(max(next_power_of_2(2 * longest + 1), 16), 128)}


def gradient_blocks(classes: int) -> dict:
    """Tiles of 32 steps with up to 32 classes."""
    return {"TIMES": 32, "CLASSES": min(next_power_of_2(max(classes, 1)), 32)}
