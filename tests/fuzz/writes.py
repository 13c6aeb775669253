"""Statements that write in place, over operands that may share the memory written."""

from __future__ import annotations

import torch

from tests.fuzz.programs import Statement
from tests.fuzz.scene import Drawn, Scene, fits_into, overlap, repeats, statement
from tests.fuzz.views import basic_index


def write(s: Scene, target: str, operands: list[str], template: str, elementwise: bool = True) -> Drawn:
    """A statement that writes a tensor: `{0}` and so on in the template stand for the operands.

    Where an operand lies partly where the target does, torch computes with a copy of it, and we may refuse.
    """
    t = s[target]
    if repeats(t):
        s.has_to_raise = True  # else the result depends on the order of the writes
        return Statement(template.format(*operands))
    overlaps = [overlap(t, s[x], elementwise) for x in operands]
    text = template.format(*operands)
    if not any(overlaps):
        return Statement(text)
    copies = [f"{x}.clone()" if lies else x for x, lies in zip(operands, overlaps)]
    return Statement(text, template.format(*copies), may_refuse=True)


def guarded(s: Scene, target: str, drawn: Drawn) -> Drawn:
    """Sometimes without gradients, as optimizers write."""
    needs = s.grad and s[target].requires_grad
    if not isinstance(drawn, Statement) or not needs or s.rng.random() < 0.6:
        return drawn
    prefix = "with lib.no_grad(): "
    return Statement(prefix + drawn.text, drawn.reference and prefix + drawn.reference, drawn.may_refuse)


def operand_for(s: Scene, target: str) -> str:
    """A tensor that broadcasts to the target's shape: often one that shares its memory."""
    t = s[target]
    storage = t.untyped_storage().data_ptr()
    near = s.tensors(lambda x: x.untyped_storage().data_ptr() == storage and fits_into(x.shape, t.shape))
    if near and s.rng.random() < 0.5:
        return s.rng.choice(near)
    return s.pick(lambda x: fits_into(x.shape, t.shape) or s.rng.random() < 0.02)


def cuts(s: Scene, target: str, operand: str) -> bool:
    """Whether rounding decides what whole numbers or truth values a write leaves."""
    return not s[target].is_floating_point() and not s.is_exact(operand)


@statement("writes", 6)
def arithmetic(s: Scene) -> Drawn:
    x = s.pick()
    y = operand_for(s, x)
    op = s.rng.choice(("add_", "sub_", "mul_", "mul_", "copy_", "copy_", "div_", "clamp_", "lerp_", "addcmul_"))
    if op == "div_" and not s.is_away_from_zero(y):
        return None
    if op == "copy_" and cuts(s, x, y):
        return None
    if op == "clamp_":
        return guarded(s, x, write(s, x, [y], f"{x}.clamp_(min={{0}})") if s.is_exact(x) and s.is_exact(y) else None)
    if op == "lerp_":
        return guarded(s, x, write(s, x, [y], f"{x}.lerp_({{0}}, 0.25)"))
    if op == "addcmul_" and not s[x].is_floating_point():
        return None  # torch takes fractions for some integers
    if op == "addcmul_":
        return guarded(s, x, write(s, x, [y, operand_for(s, x)], f"{x}.addcmul_({{0}}, {{1}}, value=0.5)"))
    return guarded(s, x, write(s, x, [y], f"{x}.{op}({{0}})"))


@statement("writes", 2)
def by_number(s: Scene) -> Drawn:
    x = s.pick()
    op = s.rng.choice(("add_", "mul_", "sub_", "fill_", "div_"))
    number = s.number()
    if op == "div_" and number == "0":
        number = "4"
    return guarded(s, x, write(s, x, [], f"{x}.{op}({number})"))


@statement("writes", 2)
def function(s: Scene) -> Drawn:
    x = s.floating()
    op = s.rng.choice(("tanh_", "sin_", "sigmoid_", "neg_", "square_", "zero_", "abs_", "relu_", "exp_", "tril_", "triu_", "floor_", "sign_"))
    if op in ("floor_", "sign_", "abs_", "relu_") and not s.is_exact(x):
        return None
    if op == "sin_" and s[x].numel() and float(s[x].detach().double().abs().max()) > 100:
        return None  # it would show the last bits alone
    return guarded(s, x, write(s, x, [], f"{x}.{op}()"))


def write_to_part(s: Scene, x: str, part: torch.Tensor, text: str) -> Drawn:
    """A write of some tensor to a part of x, where `{0}` stands for it in the text; it may be refused where the two overlap."""
    y = s.pick(lambda t: fits_into(t.shape, part.shape))
    if cuts(s, x, y):
        return None
    if not overlap(part, s[y]):
        return guarded(s, x, Statement(text.format(y)))
    return guarded(s, x, Statement(text.format(y), text.format(f"{y}.clone()"), may_refuse=True))


@statement("writes", 4)
def augmented(s: Scene) -> Drawn:
    x = s.pick()
    op = s.rng.choice("+-*")
    y = operand_for(s, x)
    if s.rng.random() < 0.5:
        return guarded(s, x, write(s, x, [y], f"{x} {op}= {{0}}"))
    index = basic_index(s, tuple(s[x].shape))
    part = eval(f"x[{index}]", {"x": s[x].detach()})
    if repeats(part):
        s.has_to_raise = True
        return Statement(f"{x}[{index}] {op}= {y}")
    if s.rng.random() < 0.3:
        return guarded(s, x, Statement(f"{x}[{index}] {op}= {s.number()}"))
    return write_to_part(s, x, part, f"{x}[{index}] {op}= {{0}}")


@statement("writes", 5)
def assigned(s: Scene) -> Drawn:
    """By a basic index: what is assigned is often another view of the same memory."""
    x = s.pick(lambda t: not repeats(t))
    index = basic_index(s, tuple(s[x].shape))
    part = eval(f"x[{index}]", {"x": s[x].detach()})
    if s.rng.random() < 0.25:
        return guarded(s, x, Statement(f"{x}[{index}] = {s.number()}"))
    if s.rng.random() < 0.4:
        other = basic_index(s, tuple(s[x].shape))
        taken = eval(f"x[{other}]", {"x": s[x].detach()})
        if fits_into(taken.shape, part.shape):
            if not overlap(part, taken):
                return guarded(s, x, Statement(f"{x}[{index}] = {x}[{other}]"))
            return guarded(s, x, Statement(f"{x}[{index}] = {x}[{other}]", f"{x}[{index}] = {x}[{other}].clone()", may_refuse=True))
    y = s.pick(lambda t: fits_into(t.shape, part.shape) or s.rng.random() < 0.02)
    if cuts(s, x, y) or (s[y].requires_grad and not part.is_floating_point()):
        return None  # torch takes the integers for tensors with a gradient from then on
    if not overlap(part, s[y]):
        return guarded(s, x, Statement(f"{x}[{index}] = {y}"))
    return guarded(s, x, Statement(f"{x}[{index}] = {y}", f"{x}[{index}] = {y}.clone()", may_refuse=True))


@statement("writes", 2)
def masked(s: Scene) -> Drawn:
    x = s.pick()
    mask = s.pick(lambda t: t.dtype == torch.bool and fits_into(t.shape, s[x].shape)) if s.rng.random() < 0.5 else None
    if mask is None:
        shape = tuple(s[x].shape)[s.rng.randint(0, s[x].ndim) :]
        return guarded(s, x, write(s, x, [], f"{x}.masked_fill_({s.literal(shape, 'bool')}, {s.number()})"))
    return guarded(s, x, write(s, x, [mask], f"{x}.masked_fill_({{0}}, {s.number()})"))


@statement("writes")
def cloned(s: Scene) -> Drawn:
    """A tensor of memory of its own, to be written without harm to leaves."""
    x = s.pick()
    return f"{s.fresh()} = {x}{s.rng.choice(('.clone()', ' * 1', ' + 0'))}"

