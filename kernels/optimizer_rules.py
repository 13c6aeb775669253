"""The rules of the elementwise optimizers: what `optimizer.update` does to one element, and what it prepares once.

A rule is three functions:

- `scalars(numbers, h)` gives scalars, once for a tensor. `numbers` are the numbers of this parameter before the step, such as its
  count of steps, float32 or float64; `h` are float64, the hyperparameters (learning rate, weight decay, the rule's own).
- `step(p, g, states, k)` gives the new parameter and its new states, where `k` is what `scalars` has given. All are of the
  dtype that the kernel computes in. Weight decay and the sign of the gradient are the kernel's.
- `advance(numbers, h)` gives the numbers after the step.

The first line of each gives names to `h` and `k`; `_` is what it does not read.

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
    """What the four rules read."""
    lr, _, alpha, eps, momentum = h
    return lr, alpha, 1 - alpha, eps, momentum


@triton.jit
def rmsprop(p, g, states, k):
    """s = alpha s + (1 - alpha) g^2;  p -= lr g / (sqrt(s) + eps)."""
    lr, alpha, rest, eps, _ = k
    s = alpha * states[0] + rest * g * g
    return p - lr * (g / (tl.sqrt(s) + eps)), s


@triton.jit
def rmsprop_momentum(p, g, states, k):
    """The same with b = momentum b + g / (sqrt(s) + eps);  p -= lr b."""
    lr, alpha, rest, eps, momentum = k
    s = alpha * states[0] + rest * g * g
    b = momentum * states[1] + g / (tl.sqrt(s) + eps)
    return p - lr * b, s, b


@triton.jit
def rmsprop_centered(p, g, states, k):
    """The same as `rmsprop`, with the variance s - a^2 instead of s; a is the running mean of g."""
    lr, alpha, rest, eps, _ = k
    s = alpha * states[0] + rest * g * g
    a = states[1] + rest * (g - states[1])
    return p - lr * (g / (tl.sqrt(s - a * a) + eps)), s, a


@triton.jit
def rmsprop_centered_momentum(p, g, states, k):
    """Both: states s, a, b."""
    lr, alpha, rest, eps, momentum = k
    s = alpha * states[0] + rest * g * g
    a = states[1] + rest * (g - states[1])
    b = momentum * states[2] + g / (tl.sqrt(s - a * a) + eps)
    return p - lr * b, s, a, b


# -------------------------------------------------------------------------------------------------- Adagrad, Adadelta


@triton.jit
def adagrad_scalars(numbers, h):
    """(lr / (1 + (t - 1) lr_decay), eps)"""
    lr, _, lr_decay, eps = h
    return lr / (1 + numbers[0] * lr_decay), eps


@triton.jit
def adagrad(p, g, states, k):
    """s += g^2;  p -= lr g / (sqrt(s) + eps)."""
    lr, eps = k
    s = states[0] + g * g
    return p - lr * (g / (tl.sqrt(s) + eps)), s


@triton.jit
def adadelta_scalars(numbers, h):
    """(lr, rho, 1 - rho, eps)"""
    lr, _, rho, eps = h
    return lr, rho, 1 - rho, eps


@triton.jit
def adadelta(p, g, states, k):
    """s = rho s + (1 - rho) g^2;  d = g sqrt(a + eps) / sqrt(s + eps);  a = rho a + (1 - rho) d^2;  p -= lr d."""
    lr, rho, rest, eps = k
    s = rho * states[0] + rest * g * g
    d = tl.sqrt(states[1] + eps) / tl.sqrt(s + eps) * g
    a = rho * states[1] + rest * d * d
    return p - lr * d, s, a


# ------------------------------------------------------------------------------------------------ Adamax, NAdam, RAdam


@triton.jit
def adamax_scalars(numbers, h):
    """(lr / (1 - beta1^t), 1 - beta1, beta2, eps)"""
    lr, _, beta1, beta2, eps = h
    return lr / (1 - power(beta1, numbers[0] + 1)), 1 - beta1, beta2, eps


@triton.jit
def adamax(p, g, states, k):
    """m += (1 - beta1)(g - m);  u = max(beta2 u, |g| + eps);  p -= lr / (1 - beta1^t) m / u."""
    rate, rest1, beta2, eps = k
    m = states[0] + rest1 * (g - states[0])
    u = maximum(beta2 * states[1], tl.abs(g) + eps)
    return p - rate * (m / u), m, u


@triton.jit
def nadam_momentum(t, h):
    """The momentum of step t: beta1 (1 - 0.96^(t momentum_decay) / 2)."""
    _, _, beta1, _, _, momentum_decay = h
    return beta1 * (1 - 0.5 * tl.exp(t * momentum_decay * -0.040821994520255166))  # log(0.96)


@triton.jit
def nadam_product(numbers, h):
    """The product of all momenta up to this step, rounded as it is stored."""
    product = numbers[1] * tl.cast(nadam_momentum(numbers[0] + 1, h), numbers[1].dtype)
    return product.to(tl.float64)


@triton.jit
def nadam_scalars(numbers, h):
    """(factor of g, factor of m, 1 - beta1, beta2, 1 - beta2, 1 - beta2^t, eps)"""
    lr, _, beta1, beta2, eps, _ = h
    t = numbers[0] + 1
    product, after = nadam_product(numbers, h), nadam_momentum(t + 1, h)
    ahead = lr * (1 - nadam_momentum(t, h)) / (1 - product)
    return ahead, lr * after / (1 - product * after), 1 - beta1, beta2, 1 - beta2, 1 - power(beta2, t), eps


@triton.jit
def nadam(p, g, states, k):
    """Adam's m and v, with Nesterov's momentum: the new gradient is counted ahead of the running mean."""
    ahead, behind, rest1, beta2, rest2, correction2, eps = k
    m = states[0] + rest1 * (g - states[0])
    v = beta2 * states[1] + rest2 * g * g
    root = tl.sqrt(v / correction2) + eps
    return p - ahead * (g / root) - behind * (m / root), m, v


@triton.jit
def nadam_advance(numbers, h):
    """(count of steps, product of momenta)"""
    return numbers[0] + 1, nadam_product(numbers, h)


@triton.jit
def radam_scalars(numbers, h):
    """(lr / (1 - beta1^t), rectification or 0 where there is none, 1 - beta1, beta2, 1 - beta2, eps)"""
    lr, _, beta1, beta2, eps = h
    t = numbers[0] + 1
    correction2 = 1 - power(beta2, t)
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * t * power(beta2, t) / correction2
    safe = tl.where(length > 5, length, 6.0)
    squared = (safe - 4) * (safe - 2) * longest / ((longest - 4) * (longest - 2) * safe)
    rectified = tl.where(length > 5, tl.sqrt(tl.where(length > 5, squared, 0.0) * correction2), 0.0)
    return lr / (1 - power(beta1, t)), rectified, 1 - beta1, beta2, 1 - beta2, eps


@triton.jit
def radam(p, g, states, k):
    """Adam's m and v. While v is of too few steps, p -= lr m; then p -= lr m r / (sqrt(v) + eps)."""
    rate, rectified, rest1, beta2, rest2, eps = k
    m = states[0] + rest1 * (g - states[0])
    v = beta2 * states[1] + rest2 * g * g
    return p - rate * m * tl.where(rectified > 0, rectified / (tl.sqrt(v) + eps), 1), m, v


# --------------------------------------------------------------------------------------------------------- ASGD, Rprop


@triton.jit
def asgd_scalars(numbers, h):
    """(eta, 1 - lambd eta, mu)"""
    _, _, lambd, _, _ = h
    _, eta, mu = numbers
    return eta, 1 - lambd * eta, mu


@triton.jit
def asgd(p, g, states, k):
    """p = (1 - lambd eta) p - eta g;  a += mu (p - a)."""
    eta, kept, mu = k
    p = kept * p - eta * g
    return p, tl.where(mu == 1, p, states[0] + (p - states[0]) * mu)


@triton.jit
def asgd_advance(numbers, h):
    """(t, lr / (1 + lambd lr t)^alpha, 1 / max(1, t - t0))"""
    lr, _, lambd, alpha, t0 = h
    t = numbers[0] + 1
    late = t - t0
    return t, lr / power(1 + lambd * lr * t, alpha), 1 / tl.where(late > 1, late, 1.0)


@triton.jit
def rprop(p, g, states, k):
    """The size of an element's step grows while its gradient keeps its sign, else it shrinks, and the gradient is skipped.

    States: the last gradient, the size.
    """
    _, _, etaminus, etaplus, smallest, largest = k
    agreement = g * states[0]
    factor = tl.where(agreement > 0, etaplus, tl.where(agreement < 0, etaminus, tl.where(agreement == 0, 1, agreement)))
    size = states[1] * factor
    size = tl.where(size < smallest, smallest, size)
    size = tl.where(size > largest, largest, size)
    g = tl.where(factor == etaminus, 0, g)
    return p - sign(g) * size, g, size


# ---------------------------------------------------------------------------------------------------------- LAMB, FTRL


@triton.jit
def lamb_scalars(numbers, h):
    """(1 - beta1, beta2, 1 - beta2, 1 - beta1^t, 1 - beta2^t, eps)"""
    _, _, beta1, beta2, eps = h
    t = numbers[0] + 1
    return 1 - beta1, beta2, 1 - beta2, 1 - power(beta1, t), 1 - power(beta2, t), eps


@triton.jit
def lamb_uncorrected_scalars(numbers, h):
    """The same without bias corrections."""
    _, _, beta1, beta2, eps = h
    return 1 - beta1, beta2, 1 - beta2, tl.cast(1.0, tl.float64), tl.cast(1.0, tl.float64), eps


@triton.jit
def lamb_direction(p, g, states, k):
    """Adam's m and v, and the direction m / (sqrt(v) + eps), which `lamb` follows when its norm is known."""
    rest1, beta2, rest2, correction1, correction2, eps = k
    m = states[0] + rest1 * (g - states[0])
    v = beta2 * states[1] + rest2 * g * g
    return p, m, v, (m / correction1) / (tl.sqrt(v) / tl.sqrt(correction2) + eps)


@triton.jit
def lamb_apply_scalars(numbers, h):
    """(lr * trust ratio, weight decay); the ratio is the only number"""
    lr, _, weight_decay = h
    return lr * numbers[0], weight_decay


@triton.jit
def lamb_apply(p, g, states, k):
    """p -= lr ratio (direction + weight_decay p); the direction stands for the gradient."""
    rate, weight_decay = k
    return (p - rate * (g + weight_decay * p),)


@triton.jit
def same(numbers, h):
    """The numbers as they are."""
    return numbers


@triton.jit
def ftrl(p, g, states, k):
    """s' = s + g^2;  z += g - (s'^q - s^q) p / lr;  p is 0 where |z| < l1, else (sign(z) l1 - z) / ((beta + s'^q) / lr + l2).

    States: s, z. The weight decay is the rule's own.
    """
    lr, _, q, l1, l2, beta, weight_decay = k
    s = states[0] + g * g
    before = tl.where(states[0] == 0, tl.where(q == 0, 1, 0), tl.exp(q * tl.log(states[0])))
    after = tl.where(s == 0, tl.where(q == 0, 1, 0), tl.exp(q * tl.log(s)))
    z = states[1] + g - (after - before) * (1 / lr) * p
    step = (tl.where(z < 0, -l1, l1) - z) / ((beta + after) * (1 / lr) + l2)
    return tl.where(tl.abs(z) >= l1, step - lr * weight_decay * p, tl.where(z == z, 0, z)), s, z


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
