"""Statements that compute element by element: promotion, numbers, comparisons."""

from __future__ import annotations

import torch

from tests.fuzz.scene import Drawn, Scene, broadcasts, statement


@statement("arithmetic", 6)
def two(s: Scene) -> Drawn:
    x = s.pick()
    y = s.pick(lambda t: broadcasts(t.shape, s[x].shape) or s.rng.random() < 0.02)
    op = s.rng.choice(("+", "-", "*", "+", "-", "*", "/"))
    if op == "/" and not s.is_away_from_zero(y):
        return None
    return f"{s.fresh()} = {x} {op} {y}"


@statement("arithmetic", 4)
def with_number(s: Scene) -> Drawn:
    x, op = s.pick(), s.rng.choice(("+", "-", "*", "/"))
    number = s.number()
    if s.rng.random() < 0.4 and op != "/":
        return f"{s.fresh()} = {number} {op} {x}"
    return f"{s.fresh()} = {x} {op} {number}" if op != "/" or number != "0" else None


@statement("arithmetic", 2)
def by_name(s: Scene) -> Drawn:
    x = s.pick()
    y = s.pick(lambda t: broadcasts(t.shape, s[x].shape))
    name = s.rng.choice(("add", "sub"))
    if s.rng.random() < 0.5:
        return f"{s.fresh()} = lib.{name}({x}, {y}, alpha={s.rng.choice(('2', '-1', '0.5'))})"
    return f"{s.fresh()} = lib.lerp({x}, {y}, 0.25)"


@statement("arithmetic", 3)
def selecting(s: Scene) -> Drawn:
    """What two values decide, which rounding must not."""
    x = s.pick(lambda t: t.dtype != torch.bool)
    y = s.pick(lambda t: broadcasts(t.shape, s[x].shape))
    if not s.is_exact(x) or not s.is_exact(y):
        return None
    op = s.rng.choice(("lib.maximum({0}, {1})", "lib.minimum({0}, {1})", "{0} > {1}", "{0} <= {1}", "{0} == {1}", "lib.where({0} > {1}, {0}, {1})",
        "lib.where({0} >= {1}, {0}, 2)", "{0}.clamp(-1, 2)", "{0}.clamp_min(0)", "lib.fmod({0}, 3)", "{0} % 3", "{0} // 2"))  # fmt: skip
    if "//" in op and s[x].requires_grad:
        return None  # torch's result requires a gradient that torch does not have
    return f"{s.fresh()} = {op.format(x, y)}"


@statement("arithmetic", 5)
def smooth(s: Scene) -> Drawn:
    x = s.floating()
    op = s.rng.choice(("exp", "sin", "cos", "tanh", "sigmoid", "square", "neg", "erf", "expm1"))
    if op in ("exp", "expm1") and s[x].numel() and float(s[x].detach().double().max()) > 6:
        return None
    return f"{s.fresh()} = {x}.{op}()"


@statement("arithmetic", 2)
def within(s: Scene) -> Drawn:
    """Functions that are defined in a part of the line."""
    x = s.floating()
    op = s.rng.choice(("sqrt", "log", "rsqrt", "reciprocal", "log1p", "log2"))
    return f"{s.fresh()} = ({x} * {x} + 1).{op}()"


@statement("arithmetic", 2)
def stepped(s: Scene) -> Drawn:
    x = s.floating()
    if not s.is_exact(x):
        return None
    return f"{s.fresh()} = {x}.{s.rng.choice(('abs', 'sign', 'floor', 'ceil', 'round', 'trunc', 'frac'))}()"


@statement("arithmetic", 2)
def power(s: Scene) -> Drawn:
    x = s.pick()
    return f"{s.fresh()} = {x} ** {s.rng.choice(('2', '3', '2.0', '1', '0'))}"


@statement("arithmetic", 2)
def cast(s: Scene) -> Drawn:
    x = s.pick()
    t = s[x]
    if t.is_floating_point() and s.rng.random() < 0.7:
        return f"{s.fresh()} = {x}.{s.rng.choice(('double', 'float', 'half', 'bfloat16'))}()" if s.rng.random() < 0.3 else f"{s.fresh()} = {x}.to(lib.{s.dtypes[0]})"
    if not s.is_exact(x) or not bool((t.detach().double().abs() < 100).all()):
        return None
    dtype = s.rng.choice(("int64", "int32", "bool", "float64", "int8", "float32"))
    return f"{s.fresh()} = {x}.to(lib.{dtype})"


@statement("arithmetic")
def logical(s: Scene) -> Drawn:
    x = s.pick(lambda t: not t.is_floating_point())
    y = s.pick(lambda t: not t.is_floating_point() and broadcasts(t.shape, s[x].shape))
    op = s.rng.choice(("{0} & {1}", "{0} | {1}", "{0} ^ {1}", "~{0}", "lib.logical_and({0}, {1})", "lib.logical_not({0})", "lib.logical_xor({0}, {1})"))
    return f"{s.fresh()} = {op.format(x, y)}"


@statement("arithmetic")
def three(s: Scene) -> Drawn:
    x = s.floating()
    y = s.pick(lambda t: t.dtype == s[x].dtype and broadcasts(t.shape, s[x].shape))
    return f"{s.fresh()} = lib.addcmul({x}, {y}, {y}, value={s.rng.choice(('2', '-0.5'))})"
