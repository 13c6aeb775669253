"""Statements of autograd: backward, gradients of gradients, hooks, modes."""

from __future__ import annotations

from tests.fuzz.scene import Drawn, Scene, statement


def result(s: Scene) -> str:
    """A tensor that depends on leaves."""
    return s.floating(lambda t: t.requires_grad and t.grad_fn is not None)


@statement("gradients", 5)
def gradient(s: Scene) -> Drawn:
    y = result(s)
    leaf = s.floating(lambda t: t.requires_grad)
    options = s.rng.choice((", create_graph=True", ", create_graph=True", ", retain_graph=True", ""))
    scalar = s.rng.choice((f"{y}.sum()", f"({y} * {y}).sum()", f"{y}.mean()"))
    return f"(g{s.fresh()},) = lib.autograd.grad({scalar}, [{leaf}], allow_unused=True{options})"


@statement("gradients", 4)
def backward(s: Scene) -> Drawn:
    y = result(s)
    return f"{y}.sum().backward({s.rng.choice(('', '', 'retain_graph=True'))})"


@statement("gradients", 2)
def double(s: Scene) -> Drawn:
    y = result(s)
    leaf = s.floating(lambda t: t.requires_grad)
    g = s.fresh()
    inner = f"lib.autograd.grad(({y} * {y}).sum(), [{leaf}], create_graph=True)[0]"
    return f"{g} = lib.autograd.grad(({inner} * {leaf}).sum(), [{leaf}], retain_graph=True, allow_unused=True)[0]"


@statement("gradients", 2)
def hooked(s: Scene) -> Drawn:
    y = s.floating(lambda t: t.requires_grad and not t._is_view())  # torch crashes where a view was written under no_grad
    return f"_h{s.fresh()} = {y}.register_hook(lambda g: {s.rng.choice(('g * 2', 'g + 1', 'None', 'g.clone()'))})"


@statement("gradients")
def without(s: Scene) -> Drawn:
    x = s.floating()
    y = s.floating(lambda t: t.shape == s[x].shape)
    return f"with lib.no_grad(): {s.fresh()} = {x} * {y}"


@statement("gradients")
def cleared(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.is_leaf and t.requires_grad and t.grad is not None)
    return s.rng.choice((f"{x}.grad = None", f"{x}.grad.zero_()", f"{x}.grad *= 2", f"{s.fresh()} = {x}.grad"))


@statement("gradients")
def retained(s: Scene) -> Drawn:
    y = result(s)
    return f"{y}.retain_grad()"


@statement("gradients")
def required(s: Scene) -> Drawn:
    x = s.floating(lambda t: t.is_leaf)
    if sum(s[x].untyped_storage().data_ptr() == s[y].untyped_storage().data_ptr() for y in s.tensors()) > 1:
        return None  # whether views follow depends on when torch looks
    return f"{x}.requires_grad_({s.rng.choice(('', 'True', 'False'))})"
