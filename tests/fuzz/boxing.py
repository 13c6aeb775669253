"""Statements of consistent tensors: other layouts, other placements, pieces, writes through views, dropout.

For torch, which has one rank, each says the same without it.
"""

from __future__ import annotations

import re

import torch

import tritonflow as flow
from tests.fuzz.programs import Statement
from tests.fuzz.scene import Drawn, Scene, fits_into, repeats, statement
from tests.fuzz.views import basic_index
from tests.fuzz.writes import guarded, write_to_part

_NOT_TORCHS = re.compile(r"lib\.(?:box|graded|pieces)\(([^()]*)\)")


def boxed(text: str) -> Statement:
    """A statement that assigns; torch clones what is laid out anew."""
    reference = text
    while _NOT_TORCHS.search(reference):
        reference = _NOT_TORCHS.sub(r"\1.clone()", reference)
    return Statement(text, reference)


@statement("boxing", 4)
def box(s: Scene) -> Drawn:
    x = s.pick()
    prefix = "with lib.no_grad(): " if s.rng.random() < 0.1 else ""
    return boxed(f"{prefix}{s.fresh()} = lib.{s.rng.choice(('box', 'box', 'graded', 'pieces'))}({x})")


@statement("boxing", 4)
def operand(s: Scene) -> Drawn:
    """Operands that lie by different sbp."""
    x = s.pick()
    y = s.pick(lambda t: fits_into(t.shape, s[x].shape))
    return boxed(f"{s.fresh()} = {x} {s.rng.choice('+-*')} lib.box({y})")


@statement("boxing", 3)
def elsewhere(s: Scene) -> Drawn:
    """Something computed on other ranks, or on fewer."""
    x = s.pick(lambda t: t.dtype != torch.bool)
    t = s[x]
    dim = s.rng.randrange(t.ndim) if t.ndim else 0
    some = [".sum()", " * 2", f".cumsum({dim})", " + 1", "[...]"]
    some += [f".sum({dim})", f"[{basic_index(s, tuple(t.shape))}]", ".transpose(0, -1)"] if t.ndim else []
    some += [f".amax({dim})", f".argmin({dim})"] if t.ndim and t.numel() and s.is_exact(x) else []
    some += [".sin()", f".softmax({dim})"] if t.is_floating_point() else []
    then = s.rng.choice(some)
    a = s.fresh()
    return Statement(f"{a} = lib.back(lib.elsewhere({x}){then})", f"{a} = ({x}.clone(){then}).clone()")


@statement("boxing", 8)
def through_a_view(s: Scene) -> Drawn:
    """A write through one or two views without names."""
    x = s.pick(lambda t: t.ndim >= 1 and t.numel() > 0 and not repeats(t))
    text, part = x, s[x].detach()
    for _ in range(s.rng.randint(1, 2)):
        if part.ndim == 0:
            break
        dim = s.rng.randrange(part.ndim)
        n = part.shape[dim]
        start = s.rng.randint(0, n)
        step = s.rng.choice((
            f"[{basic_index(s, tuple(part.shape))}]", ".transpose(0, -1)", f".narrow({dim}, {start}, {s.rng.randint(0, n - start)})",
            f".unsqueeze({dim})", f".select({dim}, {s.rng.randrange(n)})" if n else "[...]", ".diagonal()" if part.ndim >= 2 else "[...]",
            f".unfold({dim}, 2, 2)" if n >= 2 else "[...]", ".squeeze()", f".chunk(2, {dim})[-1]",
        ))  # fmt: skip
        text, part = text + step, eval("part" + step, {"part": part})
    if s[x].requires_grad and not part.numel():
        return None  # torch's gradient of a write through an empty view has no history
    op = s.rng.choice(("mul_", "add_", "fill_", "zero_", "copy_", "copy_", "sub_"))
    if op == "zero_":
        return guarded(s, x, Statement(f"{text}.zero_()"))
    if op == "fill_" or s.rng.random() < 0.4:
        number = s.number()
        return guarded(s, x, Statement(f"{text}.{'fill_' if op == 'copy_' else op}({number})"))
    return write_to_part(s, x, part, f"{text}.{op}({{0}})")


@statement("boxing", 1)
def dropped(s: Scene) -> Drawn:
    """The numbers are those of a local generator with this seed."""
    x = s.floating(lambda t: t.numel() > 0)
    seed = s.rng.randrange(100)
    mask = flow.nn.functional.dropout(flow.ones(s[x].shape, dtype=flow.float64), 0.5, generator=flow.Generator().manual_seed(seed))
    a = s.fresh()
    scale = f"lib.tensor({mask.tolist()}, dtype=lib.{str(s[x].dtype)[6:]})"
    text = f"{a} = lib.nn.functional.dropout({x}, 0.5, generator=lib.Generator().manual_seed({seed}))"
    return Statement(text, f"{a} = {x} * {scale}")


@statement("boxing", 1)
def asked(s: Scene) -> Drawn:
    """Numbers that every rank gets."""
    x = s.pick(lambda t: t.numel() > 0)
    if not s.is_exact(x):
        return None
    number = s.number()
    how = (f"bool(({x} > {number}).any())", f"({x} == {number}).sum().item()", f"float({x}.max())", f"{x}.detach().tolist()")
    return f"{s.fresh()} = {s.rng.choice(how)}"
