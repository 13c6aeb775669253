"""Statements that reduce, scan and sort."""

from __future__ import annotations

import torch

from tests.fuzz.scene import Drawn, Scene, statement


def over(s: Scene, t: torch.Tensor, several: bool = True) -> str:
    """A dimension, several, or all; with and without keepdim."""
    kind = s.rng.random()
    if kind < 0.3:
        return ""
    keep = s.rng.choice(("", "", ", keepdim=True"))
    if several and kind < 0.5 and t.ndim >= 2:
        return f"{tuple(s.rng.sample(range(t.ndim), 2))}{keep}"
    return f"{s.dim(t)}{keep}"


@statement("reductions", 5)
def summed(s: Scene) -> Drawn:
    x = s.pick()
    return f"{s.fresh()} = {x}.sum({over(s, s[x])})"


@statement("reductions", 3)
def averaged(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.numel() > 0)
    return f"{s.fresh()} = {x}.mean({over(s, s[x])})"


@statement("reductions", 2)
def spread(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.numel() > 0)
    dim = s.dim(s[x])
    if s[x].ndim and s[x].shape[dim % s[x].ndim if -s[x].ndim <= dim < s[x].ndim else 0] < 2:
        return None
    op = s.rng.choice((f"var({dim})", f"std({dim}, unbiased=False)", f"var({dim}, unbiased=False, keepdim=True)", f"logsumexp({dim})", f"norm(2, {dim})"))
    return f"{s.fresh()} = ({x} * {x} + 1).{op}" if "norm" in op else f"{s.fresh()} = {x}.{op}"


@statement("reductions", 2)
def product(s: Scene) -> Drawn:
    x = s.pick()
    return f"{s.fresh()} = {x}.prod({over(s, s[x], False)})"


@statement("reductions", 3)
def extremes(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.numel() > 0)
    if not s.is_exact(x):
        return None
    op = s.rng.choice(("amax", "amin", "max", "min", "any", "all"))
    return f"{s.fresh()} = {x}.{op}({over(s, s[x], op.startswith('am'))})" + (".double()" if op in ("any", "all") and s.rng.random() < 0.3 else "")


@statement("reductions", 2)
def ordered(s: Scene) -> Drawn:
    """Values alone where there are ties, whose order is anybody's."""
    x = s.pick(lambda t: t.ndim >= 1 and t.numel() > 0)
    if not s.is_exact(x):
        return None
    dim = s.dim(s[x])
    flag = s.rng.choice(("", ", descending=True"))
    return f"{s.fresh()} = {s.rng.choice((f'lib.sort({x}, {dim}{flag})[0]', f'lib.sort({x}, dim={dim}{flag}, stable=True)', f'lib.topk({x}.detach(), 1, {dim})[0]'))}"


@statement("reductions", 3)
def scanned(s: Scene) -> Drawn:
    x = s.pick()
    return f"{s.fresh()} = {x}.{s.rng.choice(('cumsum', 'cumsum', 'cumprod'))}({s.dim(s[x])})"


@statement("reductions")
def softened(s: Scene) -> Drawn:
    x = s.floating()
    return f"{s.fresh()} = {x}.{s.rng.choice(('softmax', 'log_softmax'))}({s.dim(s[x])})"


@statement("reductions", 2)
def joined(s: Scene) -> Drawn:
    x = s.pick()
    y = s.pick(lambda t: t.shape == s[x].shape)
    return f"{s.fresh()} = lib.{s.rng.choice(('cat', 'stack', 'cat'))}([{x}, {y}], {s.dim(s[x])})"


@statement("reductions")
def triangle(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 2)
    return f"{s.fresh()} = {x}.{s.rng.choice(('tril', 'triu'))}({s.rng.choice(('', '1', '-1'))})"
