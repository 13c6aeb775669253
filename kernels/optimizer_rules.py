"""The rules of the elementwise optimizers: what `optimizer.update` does to one element, and what it prepares once.

A rule is three functions:

- `scalars(numbers, h)` gives float64 scalars, once for a tensor. `numbers` are the numbers of this parameter before the step, such
  as its count of steps; `h` are the hyperparameters (learning rate, weight decay, the rule's own).
- `step(p, g, states, k)` gives the new parameter and its new states, where `k` is what `scalars` has given. All are of the
  dtype that the kernel computes in. Weight decay and the sign of the gradient are the kernel's.
- `advance(numbers, h)` gives the numbers after the step.

The order of the arithmetic is that of the reference's `torch.optim`, so that trajectories agree.
"""

from typing import Any, NamedTuple

import triton
import triton.language as tl


@triton.jit
def power(base, exponent):
    """base^exponent for a base in [0, 1] or above, in float64; 0^0 is 1."""
    base = tl.cast(base, tl.float64)
    return tl.where(
        base == 0, tl.where(exponent == 0, 1.0, 0.0), tl.exp(exponent * tl.log(tl.where(base == 0, 1.0, base)))
    )


@triton.jit
def count(numbers, h):
    """The count of steps, one more; other numbers as they are."""
    return (numbers[0] + 1,)


@triton.jit
def hyperparameters(numbers, h):
    """The hyperparameters as they are."""
    return h


@triton.jit
def sign(x):
    """-1, 0 or 1; NaN as it is."""
    return tl.where(x > 0, 1, tl.where(x < 0, -1, x)).to(x.dtype)


@triton.jit
def maximum(a, b):
    """The larger one; NaN where one is."""
    return tl.where((a > b) | (a != a), a, b)


# ------------------------------------------------------------------------------------------------------------- RMSprop


@triton.jit
def rmsprop_scalars(numbers, h):
    """(lr, alpha, 1 - alpha, eps, momentum)"""
    return h[0], h[2], 1 - h[2], h[3], h[4]


@triton.jit
def rmsprop(p, g, states, k):
    """s = alpha s + (1 - alpha) g^2;  p -= lr g / (sqrt(s) + eps)."""
    s = k[1] * states[0] + k[2] * g * g
    return p - k[0] * (g / (tl.sqrt(s) + k[3])), s


@triton.jit
def rmsprop_momentum(p, g, states, k):
    """The same with b = momentum b + g / (sqrt(s) + eps);  p -= lr b."""
    s = k[1] * states[0] + k[2] * g * g
    b = k[4] * states[1] + g / (tl.sqrt(s) + k[3])
    return p - k[0] * b, s, b


@triton.jit
def rmsprop_centered(p, g, states, k):
    """The same as `rmsprop`, with the variance s - a^2 instead of s; a is the running mean of g."""
    s = k[1] * states[0] + k[2] * g * g
    a = states[1] + k[2] * (g - states[1])
    return p - k[0] * (g / (tl.sqrt(s - a * a) + k[3])), s, a


@triton.jit
def rmsprop_centered_momentum(p, g, states, k):
    """Both: states s, a, b."""
    s = k[1] * states[0] + k[2] * g * g
    a = states[1] + k[2] * (g - states[1])
    b = k[4] * states[2] + g / (tl.sqrt(s - a * a) + k[3])
    return p - k[0] * b, s, a, b


# -------------------------------------------------------------------------------------------------- Adagrad, Adadelta


@triton.jit
def adagrad_scalars(numbers, h):
    """(lr / (1 + (t - 1) lr_decay), eps)"""
    return h[0] / (1 + numbers[0] * h[2]), h[3]


@triton.jit
def adagrad(p, g, states, k):
    """s += g^2;  p -= lr g / (sqrt(s) + eps)."""
    s = states[0] + g * g
    return p - k[0] * (g / (tl.sqrt(s) + k[1])), s


@triton.jit
def adadelta_scalars(numbers, h):
    """(lr, rho, 1 - rho, eps)"""
    return h[0], h[2], 1 - h[2], h[3]


@triton.jit
def adadelta(p, g, states, k):
    """s = rho s + (1 - rho) g^2;  d = g sqrt(a + eps) / sqrt(s + eps);  a = rho a + (1 - rho) d^2;  p -= lr d."""
    s = k[1] * states[0] + k[2] * g * g
    d = tl.sqrt(states[1] + k[3]) / tl.sqrt(s + k[3]) * g
    a = k[1] * states[1] + k[2] * d * d
    return p - k[0] * d, s, a


# ------------------------------------------------------------------------------------------------ Adamax, NAdam, RAdam


@triton.jit
def adamax_scalars(numbers, h):
    """(lr / (1 - beta1^t), 1 - beta1, beta2, eps)"""
    return h[0] / (1 - power(h[2], numbers[0] + 1)), 1 - h[2], h[3], h[4]


@triton.jit
def adamax(p, g, states, k):
    """m += (1 - beta1)(g - m);  u = max(beta2 u, |g| + eps);  p -= lr / (1 - beta1^t) m / u."""
    m = states[0] + k[1] * (g - states[0])
    u = maximum(k[2] * states[1], tl.abs(g) + k[3])
    return p - k[0] * (m / u), m, u


@triton.jit
def nadam_momentum(t, h):
    """The momentum of step t: beta1 (1 - 0.96^(t momentum_decay) / 2)."""
    return h[2] * (1 - 0.5 * tl.exp(t * h[5] * -0.040821994520255166))  # log(0.96)


@triton.jit
def nadam_product(numbers, h):
    """The product of all momenta up to this step, rounded as it is stored."""
    product = tl.cast(numbers[1], tl.float32) * tl.cast(nadam_momentum(numbers[0] + 1, h), tl.float32)
    return product.to(tl.float64)


@triton.jit
def nadam_scalars(numbers, h):
    """(factor of g, factor of m, 1 - beta1, beta2, 1 - beta2, 1 - beta2^t, eps)"""
    t = numbers[0] + 1
    product, after = nadam_product(numbers, h), nadam_momentum(t + 1, h)
    ahead = h[0] * (1 - nadam_momentum(t, h)) / (1 - product)
    return ahead, h[0] * after / (1 - product * after), 1 - h[2], h[3], 1 - h[3], 1 - power(h[3], t), h[4]


@triton.jit
def nadam(p, g, states, k):
    """Adam's m and v, with Nesterov's momentum: the new gradient is counted ahead of the running mean."""
    m = states[0] + k[2] * (g - states[0])
    v = k[3] * states[1] + k[4] * g * g
    root = tl.sqrt(v / k[5]) + k[6]
    return p - k[0] * (g / root) - k[1] * (m / root), m, v


@triton.jit
def nadam_advance(numbers, h):
    """(count of steps, product of momenta)"""
    return numbers[0] + 1, nadam_product(numbers, h)


@triton.jit
def radam_scalars(numbers, h):
    """(lr / (1 - beta1^t), rectification or 0 where there is none, 1 - beta1, beta2, 1 - beta2, eps)"""
    t = numbers[0] + 1
    correction2 = 1 - power(h[3], t)
    longest = 2 / (1 - h[3]) - 1
    length = longest - 2 * t * power(h[3], t) / correction2
    safe = tl.where(length > 5, length, 6.0)
    squared = (safe - 4) * (safe - 2) * longest / ((longest - 4) * (longest - 2) * safe)
    rectified = tl.where(length > 5, tl.sqrt(tl.where(length > 5, squared, 0.0) * correction2), 0.0)
    return h[0] / (1 - power(h[2], t)), rectified, 1 - h[2], h[3], 1 - h[3], h[4]


@triton.jit
def radam(p, g, states, k):
    """Adam's m and v. While v is of too few steps, p -= lr m; then p -= lr m r / (sqrt(v) + eps)."""
    m = states[0] + k[2] * (g - states[0])
    v = k[3] * states[1] + k[4] * g * g
    return p - k[0] * m * tl.where(k[1] > 0, k[1] / (tl.sqrt(v) + k[5]), 1), m, v


# --------------------------------------------------------------------------------------------------------- ASGD, Rprop


@triton.jit
def asgd_scalars(numbers, h):
    """(eta, 1 - lambd eta, mu); numbers are (count, eta, mu)"""
    return numbers[1], 1 - h[2] * numbers[1], numbers[2]


@triton.jit
def asgd(p, g, states, k):
    """p = (1 - lambd eta) p - eta g;  a += mu (p - a)."""
    p = k[1] * p - k[0] * g
    return p, tl.where(k[2] == 1, p, states[0] + (p - states[0]) * k[2])


@triton.jit
def asgd_advance(numbers, h):
    """(t, lr / (1 + lambd lr t)^alpha, 1 / max(1, t - t0))"""
    t = numbers[0] + 1
    late = t - h[4]
    return t, h[0] / power(1 + h[2] * h[0] * t, h[3]), 1 / tl.where(late > 1, late, 1.0)


@triton.jit
def rprop(p, g, states, k):
    """The size of an element's step grows while its gradient keeps its sign, else it shrinks, and the gradient is skipped.

    States: the last gradient, the size. k: lr, weight decay (none), etaminus, etaplus, smallest and largest size.
    """
    agreement = g * states[0]
    factor = tl.where(agreement > 0, k[3], tl.where(agreement < 0, k[2], tl.where(agreement == 0, 1, agreement)))
    size = states[1] * factor
    size = tl.where(size < k[4], k[4], size)
    size = tl.where(size > k[5], k[5], size)
    g = tl.where(factor == k[2], 0, g)
    return p - sign(g) * size, g, size


# ---------------------------------------------------------------------------------------------------------- LAMB, FTRL


@triton.jit
def lamb_scalars(numbers, h):
    """(1 - beta1, beta2, 1 - beta2, 1 - beta1^t, 1 - beta2^t, eps)"""
    t = numbers[0] + 1
    return 1 - h[2], h[3], 1 - h[3], 1 - power(h[2], t), 1 - power(h[3], t), h[4]


@triton.jit
def lamb_uncorrected_scalars(numbers, h):
    """The same without bias corrections."""
    return 1 - h[2], h[3], 1 - h[3], tl.cast(1.0, tl.float64), tl.cast(1.0, tl.float64), h[4]


@triton.jit
def lamb_direction(p, g, states, k):
    """Adam's m and v, and the direction m / (sqrt(v) + eps), which `lamb` follows when its norm is known."""
    m = states[0] + k[0] * (g - states[0])
    v = k[1] * states[1] + k[2] * g * g
    return p, m, v, (m / k[3]) / (tl.sqrt(v) / tl.sqrt(k[4]) + k[5])


@triton.jit
def lamb_apply_scalars(numbers, h):
    """(lr * trust ratio, weight decay); the ratio is the only number"""
    return h[0] * numbers[0], h[2]


@triton.jit
def lamb_apply(p, g, states, k):
    """p -= lr ratio (direction + weight_decay p); the direction stands for the gradient."""
    return (p - k[0] * (g + k[1] * p),)


@triton.jit
def same(numbers, h):
    """The numbers as they are."""
    return numbers


@triton.jit
def ftrl(p, g, states, k):
    """s' = s + g^2;  z += g - (s'^q - s^q) p / lr;  p is 0 where |z| < l1, else (sign(z) l1 - z) / ((beta + s'^q) / lr + l2).

    States: s, z. k: lr, decay (none), q (lr_power), l1 (lambda1), l2 (lambda2), beta, weight decay.
    """
    s = states[0] + g * g
    before = tl.where(states[0] == 0, tl.where(k[2] == 0, 1, 0), tl.exp(k[2] * tl.log(states[0])))
    after = tl.where(s == 0, tl.where(k[2] == 0, 1, 0), tl.exp(k[2] * tl.log(s)))
    z = states[1] + g - (after - before) * (1 / k[0]) * p
    step = (tl.where(z < 0, -k[3], k[3]) - z) / ((k[5] + after) * (1 / k[0]) + k[4])
    return tl.where(tl.abs(z) >= k[3], step - k[0] * k[6] * p, tl.where(z == z, 0, z)), s, z


# -------------------------------------------------------------------------------------------------------------- table


class Rule(NamedTuple):
    """The functions of a rule, and of how many numbers and states a parameter has.

    Attributes:
        scalars, step, advance: as the head of this file says.
        numbers: how many numbers of a parameter the step reads; `advance` gives as many.
        states: how many tensors of a parameter's shape the step reads and writes.
        hyperparameters: how many scalars the step is given: the learning rate, the weight decay, the rule's own.
    """

    scalars: Any
    step: Any
    advance: Any
    numbers: int
    states: int
    hyperparameters: int


RULES = {
    "rmsprop": Rule(rmsprop_scalars, rmsprop, count, 1, 1, 5),
    "rmsprop_momentum": Rule(rmsprop_scalars, rmsprop_momentum, count, 1, 2, 5),
    "rmsprop_centered": Rule(rmsprop_scalars, rmsprop_centered, count, 1, 2, 5),
    "rmsprop_centered_momentum": Rule(rmsprop_scalars, rmsprop_centered_momentum, count, 1, 3, 5),
    "adagrad": Rule(adagrad_scalars, adagrad, count, 1, 1, 4),
    "adadelta": Rule(adadelta_scalars, adadelta, count, 1, 2, 4),
    "adamax": Rule(adamax_scalars, adamax, count, 1, 2, 5),
    "nadam": Rule(nadam_scalars, nadam, nadam_advance, 2, 2, 6),
    "radam": Rule(radam_scalars, radam, count, 1, 2, 5),
    "asgd": Rule(asgd_scalars, asgd, asgd_advance, 3, 1, 5),
    "rprop": Rule(hyperparameters, rprop, count, 1, 2, 6),
    "lamb_direction": Rule(lamb_scalars, lamb_direction, count, 1, 3, 5),
    "lamb_direction_uncorrected": Rule(lamb_uncorrected_scalars, lamb_direction, count, 1, 3, 5),
    "lamb_apply": Rule(lamb_apply_scalars, lamb_apply, same, 1, 0, 3),
    "ftrl": Rule(hyperparameters, ftrl, count, 1, 2, 7),
}
