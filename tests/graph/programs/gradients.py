"""Histories, hooks and gradients of what comes from outside, and of results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import tritonflow as flow
from tests.graph.programs.program import Wrap, ones_linear, plain, program, trained_parts
from tritonflow import nn
from tritonflow.utils.checkpoint import checkpoint


@program()
def functions_of_autograd(wrap: Wrap) -> Any:
    setting = {"forward": 1.0, "backward": 1.0}

    class Scale(flow.autograd.Function):
        slope = 1.0

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * setting["forward"]

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * setting["backward"] * Scale.slope

    f, found = wrap(lambda x: Scale.apply(x)), []
    for change in (
        lambda: None, lambda: setting.update(forward=2.0), lambda: setting.update(backward=4.0), lambda: setattr(Scale, "slope", 8.0)
    ):  # fmt: skip
        change()
        x = flow.ones(2, requires_grad=True)
        y = f(x)
        y.sum().backward()
        found.append((y.tolist(), x.grad.tolist()))
    return found


@program(eager="sets whether an argument requires grad")
def arguments_whose_requires_grad_is_set(wrap: Wrap) -> Any:
    def there_and_back(x: Any, y: Any) -> Any:
        x.requires_grad = True
        z = x * 2
        x.requires_grad = False
        return (z * y).sum()

    found = []
    for f in (there_and_back, lambda x, y: (y.requires_grad_(False), y.add_(1))[1].sum(), lambda x, y: (y.detach_(), y.add_(1))[1].sum()):
        compiled = wrap(f)
        for _ in range(2):
            x, y = flow.ones(2), flow.ones(2).requires_grad_()
            result = compiled(x, y)
            x.requires_grad_()
            if result.requires_grad:
                result.backward()
            found.append(plain([result, x, y, x.grad, y.grad]))
    return found


@program()
def hidden_states_that_are_detached_in_place(wrap: Wrap) -> Any:
    weight, state = flow.ones(2).requires_grad_(), SimpleNamespace(hidden=flow.zeros(2))

    @wrap
    def of_argument(x: Any, hidden: Any) -> Any:
        hidden.detach_()
        hidden = (hidden * 0.5 + x) * weight
        return hidden, hidden.sum()

    @wrap
    def of_variable(x: Any) -> Any:
        state.hidden.detach_()
        state.hidden = (state.hidden * 0.5 + x) * weight
        return state.hidden.sum()

    found, hidden = [], flow.zeros(2)
    for _ in range(3):
        given, kept = hidden, state.hidden
        hidden, loss = of_argument(flow.ones(2), hidden)
        (loss + of_variable(flow.ones(2))).backward()
        found.append(plain([hidden, state.hidden, given, kept, weight.grad]))
    return found


@program(eager="hook on a tensor from outside|retain_grad")
def hooks_on_tensors_from_outside(wrap: Wrap) -> Any:
    found: list[Any] = []
    for register in (
        lambda p: p.register_hook(lambda g: g * 2),
        lambda p: p.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(3)),
    ):
        p = flow.ones(2).requires_grad_()
        f = wrap(lambda x, p=p, register=register: (register(p), (p * x).sum())[1])
        for _ in range(3):
            p.grad = None
            f(flow.ones(2)).backward()
            found.append(plain(p.grad))
    x, keeps = flow.ones(2).requires_grad_() * 2, wrap(lambda x: (x.retain_grad(), x * 3)[1])
    keeps(x).sum().backward()
    return found, plain(x.grad)


@program()
def gradients_that_are_zeros(wrap: Wrap) -> Any:
    def beside_a_write(a: Any, b: Any) -> Any:
        with flow.no_grad():
            b.mul_(2)
        return a.floor()

    class Nothing(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    functions = (
        beside_a_write, lambda a, b: (a.floor(), b * 2), lambda a, b: (a.sign() + b, a * b), lambda a, b: (Nothing.apply(a) + b, a * 2),
        lambda a, b: (b.exp(), a.round() * b),
    )  # fmt: skip
    found = []
    for f in map(wrap, functions):
        for chosen in (0, -1):
            a, b = flow.full((2,), 1.5).requires_grad_(), flow.full((2,), 2.5).requires_grad_()
            results = f(a, b)
            (results[chosen] if isinstance(results, tuple) else results).sum().backward()
            found.append(plain([a.grad, b.grad]))
    return found


def tenfold(x: Any) -> Any:
    x.register_hook(lambda g: g * 10)
    return x


def gradients_with_hooks(wrap: Wrap, functions: Any) -> Any:
    found = []
    for f in map(wrap, functions):
        for _ in range(2):
            x = flow.ones(2).requires_grad_()
            results = f(x)
            results = results if isinstance(results, tuple) else (results,)
            results[0].register_hook(lambda g: g + 1)
            flow.stack([y.sum() for y in results]).sum().backward()
            found.append(plain([x.grad, [y.grad for y in results if y.retains_grad]]))
    return found


@program(eager="registers a hook on a (result|view)")
def hooks_on_results(wrap: Wrap) -> Any:
    return gradients_with_hooks(
        wrap,
        (
            lambda x: tenfold(x * 2), lambda x: tenfold(x[:1]), lambda x: tenfold(x[:])[:1],
            lambda x: (lambda y: (y, tenfold(y[1:])))(x * 2), lambda x: (lambda y: (y.retain_grad(), y)[1])(x[:1]),
        ),
    )  # fmt: skip


@program()
def hooks_below_results(wrap: Wrap) -> Any:
    return gradients_with_hooks(
        wrap,
        (
            lambda x: tenfold(x * 2) * 3, lambda x: tenfold(x * 2)[1:], lambda x: (lambda y: (y[:1], y[1:]))(tenfold(x * 2)),
            lambda x: (lambda y: (y.retain_grad(), y)[1])(x * 2),
        ),
    )  # fmt: skip


@program()
def a_hook_that_is_removed_inside(wrap: Wrap) -> Any:
    p = flow.ones(2).requires_grad_()

    @wrap
    def f(x: Any) -> Any:
        with p.register_hook(lambda g: g * 2):
            loss = (p * x).sum()
            loss.backward()
        return loss

    return [(plain(f(flow.ones(2))), plain(p.grad)) for _ in range(3)]


@program(eager=r"numpy\(\)")
def what_is_done_to_tensors_is_taken_back_before_the_eager_run(wrap: Wrap) -> Any:
    p, q, other, found = flow.ones(2).requires_grad_(), flow.zeros(2), flow.full((2,), 3.0), []

    @wrap
    def f(x: Any) -> Any:
        found.append(p.requires_grad)
        p.requires_grad_(not p.requires_grad)
        q.data = other
        return x * 2 if x.sum().numpy() > 0 else x

    return [plain([f(flow.ones(2)), p, q]) for _ in range(2)], found


@program()
def compiled_functions_in_transforms(wrap: Wrap) -> Any:
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Dropout(0.5))
    nn.init.ones_(net[0].weight)
    f, x = wrap(net), flow.ones(4, 2, requires_grad=True)
    for _ in range(2):
        flow.manual_seed(3)
        checkpoint(f, x, use_reentrant=False).sum().backward()
    row = wrap(lambda r: r * r.sum())
    row(flow.ones(2))
    return (
        plain(x.grad),
        plain(net[0].weight.grad),
        plain(flow.vmap(row)(flow.ones(3, 2))),
        plain(flow.func.grad(lambda r: row(r).sum())(flow.ones(2))),
    )


@program()
def leaves_that_are_written(wrap: Wrap) -> Any:
    def f(w: Any) -> Any:
        with flow.no_grad():
            w.add_(1)
        return w * 2

    w = nn.Parameter(flow.ones(2))
    compiled = wrap(f)
    found = [plain(compiled(w)) for _ in range(3)]
    compiled(w).sum().backward()
    return found, plain(w), plain(w.grad)


@program()
def gradients_that_are_there(wrap: Wrap) -> Any:
    w = flow.ones(2, requires_grad=True)

    @wrap
    def f(x: Any) -> Any:
        loss = (w * x).sum()
        loss.backward()
        return loss.detach(), w.grad

    found = []
    for k in range(3):
        loss, grad = f(flow.full((2,), float(k)))
        found.append((plain(loss), plain(grad), grad is w.grad))
    return found


@program(eager="make the leaf outside")
def leaves_that_are_made_inside(wrap: Wrap) -> Any:
    f, found = wrap(lambda x: (lambda y: (y, y * 2))(x.detach().requires_grad_())), []
    for _ in range(2):
        y, z = f(flow.ones(2))
        z.sum().backward()
        found.append((y.is_leaf, plain(y.grad)))
    return found


@program(eager="retain_grad")
def gradients_of_results_in_the_middle(wrap: Wrap) -> Any:
    net, found = ones_linear(), []

    @wrap
    def f(x: Any) -> Any:
        hidden = net(x)
        hidden.retain_grad()
        return hidden, (hidden * hidden).sum()

    for _ in range(2):
        hidden, loss = f(flow.ones(1, 2))
        loss.backward()
        found.append((plain(hidden.grad), trained_parts(net)))
    return found


@program(eager="by retain_grad")
def gradients_that_results_keep(wrap: Wrap) -> Any:
    net, found = ones_linear(), []

    @wrap
    def f(x: Any) -> Any:
        hidden = net(x)
        hidden.retain_grad()
        (hidden * hidden).sum().backward()
        return hidden

    for _ in range(2):
        hidden = f(flow.ones(1, 2))
        found.append((plain(hidden), plain(hidden.grad), trained_parts(net)))
    return found


def batches_that_are_held(wrap: Wrap, step: Any) -> Any:
    """Results of eager mode are collected, and a function that counts its calls uses them."""
    weight, state, held, found = flow.ones(2, requires_grad=True), {"calls": 0}, [], []

    def finish() -> Any:
        loss = step(weight, held)
        state["calls"] += 1
        held.clear()
        return loss.detach()

    f = wrap(finish)
    for k in range(3):
        held += [(weight * (k + 1.0)).square(), weight.exp()[0]]
        found.append((plain(f()), plain(weight.grad), plain(state)))
    return found


@program(eager="goes on through the history of a tensor that was made outside, and frees it")
def histories_that_a_backward_frees(wrap: Wrap) -> Any:
    def step(weight: Any, held: Any) -> Any:
        loss = (held[0].sum() + held[1]) * 0.5
        weight.grad = None
        loss.backward()
        return loss

    def asked(weight: Any, held: Any) -> Any:
        (weight.grad,) = flow.autograd.grad(held[0].sum(), weight)
        return held[0]

    return batches_that_are_held(wrap, step), batches_that_are_held(wrap, asked)


@program()
def histories_that_stay(wrap: Wrap) -> Any:
    """One table of eager mode's, used in each call."""
    weight, found = flow.ones(2, requires_grad=True), []
    table = weight.exp()

    def step(x: Any) -> Any:
        loss = (table * x).sum()
        loss.backward(retain_graph=True)
        return loss.detach()

    f = wrap(step)
    for k in range(3):
        found.append((plain(f(flow.full((2,), k + 1.0))), plain(weight.grad)))
    return found


@program(eager="goes on through the history of a tensor that was made outside, and runs its hooks")
def histories_that_keep_gradients(wrap: Wrap) -> Any:
    weight, held, found = flow.ones(2, requires_grad=True), {}, []

    def step(x: Any) -> Any:
        loss = (held["y"] * x).sum()
        loss.backward(retain_graph=True)
        return loss.detach()

    f = wrap(step)
    for k in range(3):
        held["y"] = y = weight * 3
        if k < 2:
            y.retain_grad()
        else:
            y.register_hook(lambda gradient: gradient * 2)
        found.append((plain(f(flow.full((2,), k + 1.0))), plain(weight.grad), plain(y.grad if k < 2 else None)))
    return found
