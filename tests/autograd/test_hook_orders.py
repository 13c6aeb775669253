"""Hooks of tensors and of nodes, in each order, beside torch's."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
import torch

import tritonflow as flow

Hooked = dict[str, Any]
HOOKS: dict[str, Callable[[Any, Hooked, list[Any]], Any]] = {
    "y": lambda lib, t, log: t["y"].register_hook(lambda g: (log.append(("y", g.tolist())), g * 2)[1]),
    "y again": lambda lib, t, log: t["y"].register_hook(lambda g: (log.append(("y again", g.tolist())), g * 5)[1]),
    "retain y": lambda lib, t, log: t["y"].retain_grad(),
    "before y's node": lambda lib, t, log: t["y"].grad_fn.register_prehook(lambda gs: (gs[0] * 11,)),
    "x": lambda lib, t, log: t["x"].register_hook(lambda g: (log.append(("x", g.tolist())), g * 7)[1]),
    "after x": lambda lib, t, log: t["x"].register_post_accumulate_grad_hook(lambda x: log.append(("after", x.grad.tolist()))),
    "before x's node": lambda lib, t, log: _node(lib, t["x"]).register_prehook(lambda gs: (gs[0] * 19,)),
    "x's node": lambda lib, t, log: _node(lib, t["x"]).register_hook(lambda _, gs: log.append(("node", gs[0].tolist()))),
}
ASKED: dict[str, Callable[[Any, Hooked], Any]] = {
    "grad x": lambda lib, t: lib.autograd.grad(t["s"], [t["x"]]),
    "grad y": lambda lib, t: lib.autograd.grad(t["s"], [t["y"]]),
    "grad x y": lambda lib, t: lib.autograd.grad(t["s"], [t["x"], t["y"]]),
    "grad z y": lambda lib, t: lib.autograd.grad(t["s"], [t["z"], t["y"]], create_graph=True),
    "backward": lambda lib, t: t["s"].backward(),
    "twice": lambda lib, t: (t["s"].backward(retain_graph=True), t["s"].backward())[:0],
    "by x": lambda lib, t: t["s"].backward(inputs=[t["x"], t["x"]]),
    "by x y": lambda lib, t: t["s"].backward(inputs=[t["x"], t["y"]]),
}


def _node(lib: Any, leaf: Any) -> Any:
    return lib.autograd.graph.get_gradient_edge(leaf).node


def _hooked_results(lib: Any, hooks: tuple[str, ...], asked: str) -> Any:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = -x
    z = y * y
    tensors: Hooked = {"x": x, "y": y, "z": z, "s": z.sum()}
    log: list[Any] = []
    for name in hooks:
        HOOKS[name](lib, tensors, log)
    found = ASKED[asked](lib, tensors) or ()
    stored = [x.grad, y.grad if y.retains_grad else None]
    return [None if g is None else g.tolist() for g in (*found, *stored)], log


@pytest.mark.parametrize("asked", ASKED)
def test_hooks_of_each_kind_in_each_order_change_the_same_gradients_as_in_torch(asked: str) -> None:
    """`autograd.grad(z, [x, y])` gives y's gradient before its hooks, `autograd.grad(z, [y])` after them."""
    for hooks in [(), *permutations(HOOKS, 1), *permutations(HOOKS, 2)]:
        assert _hooked_results(flow, hooks, asked) == _hooked_results(torch, hooks, asked), hooks
