"""Optimizers, schedulers and whole training steps inside of a compiled function."""

from __future__ import annotations

import copy
from typing import Any

import tritonflow as flow
from tests.graph.situations.situation import Wrap, grid, leaf, linear, row, situation

optim = flow.optim
EVERY = ("SGD", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adadelta", "Adagrad", "RMSprop", "Rprop", "ASGD")


def training(wrap: Wrap, optimizer: Any, net: Any, zero: bool = True) -> Any:
    """A compiled step: backward, and a step of the optimizer."""

    @wrap
    def step(x):
        if zero:
            optimizer.zero_grad()
        loss = (net(x) ** 2).sum()
        loss.backward()
        optimizer.step()
        return loss

    return step


def every_step(name: str) -> Any:
    def program(wrap: Wrap) -> Any:
        net = linear()
        optimizer = getattr(optim, name)(net.parameters(), lr=0.01)
        step = training(wrap, optimizer, net)
        return [step(grid()) for _ in range(3)], net, len(optimizer.state)

    program.__name__, program.__module__ = f"steps_of_{name}", __name__
    return program


def only_the_step(name: str) -> Any:
    def program(wrap: Wrap) -> Any:
        net = linear()
        optimizer = getattr(optim, name)(net.parameters(), lr=0.01)
        step = wrap(lambda: optimizer.step())
        for k in range(3):
            net.zero_grad()
            (net(grid()) * (k + 1)).sum().backward()
            step()
        return net

    program.__name__, program.__module__ = f"only_the_step_of_{name}", __name__
    return program


for _name in EVERY:
    situation("test_optimizers")(every_step(_name))
    situation("test_compiled_optimizers")(only_the_step(_name))


@situation("test_optimizers")
def the_bound_step_is_compiled(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    step = wrap(optimizer.step)
    for _ in range(2):
        net.zero_grad()
        net(grid()).sum().backward()
        step()
    return net


@situation("test_optimizers")
def an_optimizer_of_the_users(wrap: Wrap) -> Any:
    class Plain(optim.Optimizer):
        def __init__(self, parameters):
            super().__init__(parameters, {"lr": 0.1})

        @flow.no_grad()
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad, alpha=-group["lr"])

    net = linear()
    optimizer = Plain(net.parameters())
    step = training(wrap, optimizer, net)
    losses = [step(grid()), step(grid())]
    optimizer.param_groups[0]["lr"] = 0.01
    return losses, step(grid()), net


@situation("test_optimizers")
def an_optimizer_of_the_users_with_momentum(wrap: Wrap) -> Any:
    class Heavy(optim.Optimizer):
        def __init__(self, parameters):
            super().__init__(parameters, {"lr": 0.01})

        @flow.no_grad()
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    if not state:
                        state["momentum"] = flow.zeros_like(p)
                        state["steps"] = 0
                    state["steps"] += 1
                    state["momentum"].mul_(0.9).add_(p.grad)
                    p.sub_(state["momentum"] * group["lr"] / state["steps"])

    net = linear()
    optimizer = Heavy(net.parameters())
    step = training(wrap, optimizer, net)
    return [step(grid()) for _ in range(3)], net, optimizer.state[net.weight]


@situation("test_optimizers")
def the_learning_rate_changes_outside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    losses = [step(grid())]
    optimizer.param_groups[0]["lr"] = 0.01
    losses.append(step(grid()))
    optimizer.param_groups[0]["lr"] *= 0.1
    return [*losses, step(grid())], net


@situation("test_optimizers")
def the_learning_rate_is_set_inside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    @wrap
    def step(x, rate):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()

    step(grid(), 0.1)
    step(grid(), 0.01)
    return net, optimizer.param_groups[0]["lr"]


@situation("test_optimizers")
def the_learning_rate_decays_inside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    @wrap
    def step(x):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] *= 0.5

    for _ in range(3):
        step(grid())
    return net, optimizer.param_groups[0]["lr"]


@situation("test_optimizers")
def the_learning_rate_is_read_inside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    f = wrap(lambda x: net(x) * optimizer.param_groups[0]["lr"])
    first = f(grid())
    optimizer.param_groups[0]["lr"] = 0.5
    return first, f(grid())


@situation("test_compiled_optimizers")
def a_learning_rate_that_is_a_tensor(wrap: Wrap) -> Any:
    net = linear()
    rate = flow.tensor(0.1)
    optimizer = optim.Adam(net.parameters(), lr=rate, foreach=False)
    step = training(wrap, optimizer, net)
    losses = [step(grid())]
    rate.fill_(0.01)
    return [*losses, step(grid())], net


@situation("test_optimizers")
def other_options_change_outside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    step = training(wrap, optimizer, net)
    losses = [step(grid())]
    optimizer.param_groups[0]["momentum"] = 0.0
    losses.append(step(grid()))
    optimizer.param_groups[0]["weight_decay"] = 0.5
    return [*losses, step(grid())], net


@situation("test_optimizers")
def several_groups(wrap: Wrap) -> Any:
    a, b = linear(), linear()
    optimizer = optim.AdamW([{"params": a.parameters(), "lr": 0.1}, {"params": b.parameters()}], lr=0.01)
    step = training(wrap, optimizer, flow.nn.Sequential(a, b))
    return [step(grid()), step(grid())], a, b


@situation("test_optimizers")
def a_group_is_added(wrap: Wrap) -> Any:
    a, b = linear(), linear()
    optimizer = optim.SGD(a.parameters(), lr=0.01)
    step = training(wrap, optimizer, flow.nn.Sequential(a, b))
    losses = [step(grid())]
    optimizer.add_param_group({"params": b.parameters(), "lr": 0.02})
    return [*losses, step(grid())], a, b


@situation("test_compiled_optimizers")
def the_state_is_cleared(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    losses = [step(grid()), step(grid())]
    optimizer.state.clear()
    return [*losses, step(grid())], net


@situation("test_compiled_optimizers")
def a_state_is_replaced(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    losses = [step(grid()), step(grid())]
    optimizer.state[net.weight]["exp_avg"] = flow.zeros(3, 3)
    return [*losses, step(grid())], net


@situation("test_optimizers")
def a_state_dict_of_an_optimizer(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    step(grid())
    kept = copy.deepcopy(optimizer.state_dict())
    weights = copy.deepcopy(net.state_dict())
    step(grid())
    net.load_state_dict(weights)
    optimizer.load_state_dict(kept)
    return step(grid()), net, sorted(kept)


@situation("test_compiled_optimizers")
def a_gradient_is_none(wrap: Wrap) -> Any:
    a, b = linear(), linear()
    optimizer = optim.Adam([*a.parameters(), *b.parameters()], lr=0.1)
    step = wrap(lambda: optimizer.step())
    for k in range(3):
        optimizer.zero_grad()
        (a(grid()) if k == 1 else b(a(grid()))).sum().backward()
        step()
    return a, b


@situation("test_optimizers")
def gradients_accumulate(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net, zero=False)
    return [step(grid()) for _ in range(3)], net, net.weight.grad


@situation("test_optimizers")
def zero_grad_that_writes_zeros(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    @wrap
    def step(x):
        net(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)

    step(grid())
    grad = net.weight.grad
    step(grid())
    return net, grad, net.weight.grad


@situation("test_optimizers")
def zero_grad_behind_the_step(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.Adam(net.parameters(), lr=0.1)

    @wrap
    def step(x):
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return [step(grid()) for _ in range(3)], net, net.weight.grad


@situation("test_optimizers")
def an_optimizer_over_an_input(wrap: Wrap) -> Any:
    x = leaf()
    optimizer = optim.Adam([x], lr=0.1)

    @wrap
    def step(t):
        optimizer.zero_grad()
        loss = (t * t).sum()
        loss.backward()
        optimizer.step()
        return loss

    return step(x), step(x), x


@situation("test_optimizers")
def an_optimizer_is_an_argument(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def step(batch, model, optimizer):
        optimizer.zero_grad()
        loss = model(**batch).sum()
        loss.backward()
        optimizer.step()
        return loss

    optimizer = optim.Adam(net.parameters(), lr=0.1)
    return [step({"input": grid()}, net, optimizer) for _ in range(2)], net


@situation("test_optimizers")
def an_optimizer_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(weight, x):
        optimizer = optim.SGD([weight], lr=0.1)
        loss = (weight * x).sum()
        loss.backward()
        optimizer.step()
        return loss

    weight = leaf()
    return f(weight, row()), f(weight, row()), weight


@situation("test_optimizers")
def a_step_with_a_closure(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.01)

    @wrap
    def step(x):
        def closure():
            optimizer.zero_grad()
            loss = (net(x) ** 2).sum()
            loss.backward()
            return loss

        return optimizer.step(closure)

    return [step(grid()), step(grid())], net


@situation("test_optimizers")
def lbfgs(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.LBFGS(net.parameters(), max_iter=2)

    @wrap
    def loss_of(x):
        return (net(x) ** 2).mean()

    def closure():
        optimizer.zero_grad()
        loss = loss_of(grid())
        loss.backward()
        return loss

    return optimizer.step(closure), net


@situation("test_optimizers")
def only_the_model_is_compiled(wrap: Wrap) -> Any:
    net = linear()
    f = wrap(net)
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = (f(grid()) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses, net


@situation("test_compiled_optimizers")
def schedulers_outside(wrap: Wrap) -> Any:
    results = []
    for kind, options in (("StepLR", {"step_size": 1}), ("ExponentialLR", {"gamma": 0.5}), ("CosineAnnealingLR", {"T_max": 4})):
        net = linear()
        optimizer = optim.SGD(net.parameters(), lr=0.1)
        scheduler = getattr(optim.lr_scheduler, kind)(optimizer, **options)
        step = training(wrap, optimizer, net)
        for _ in range(3):
            step(grid())
            scheduler.step()
        results.append((net, scheduler.get_last_lr()))
    return results


@situation("test_compiled_optimizers")
def a_scheduler_inside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)

    @wrap
    def step(x):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        scheduler.step()

    for _ in range(3):
        step(grid())
    return net, scheduler.get_last_lr(), scheduler.last_epoch


@situation("test_compiled_optimizers")
def a_one_cycle_scheduler_with_momentum(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=5)
    step = training(wrap, optimizer, net)
    for _ in range(3):
        step(grid())
        scheduler.step()
    return net, scheduler.get_last_lr()


@situation("test_compiled_optimizers")
def a_scheduler_of_a_function(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (epoch + 1))
    step = training(wrap, optimizer, net)
    for _ in range(3):
        step(grid())
        scheduler.step()
    return net


@situation("test_optimizers")
def clipping_inside(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    @wrap
    def step(x):
        optimizer.zero_grad()
        net(x).sum().backward()
        norm = flow.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        return norm

    return step(grid()), step(grid() * 0.01), net


@situation("test_optimizers")
def a_grad_scaler(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    scaler = flow.amp.GradScaler("cpu", init_scale=4.0)

    @wrap
    def step(x):
        optimizer.zero_grad()
        scaler.scale(net(x).sum()).backward()
        scaler.step(optimizer)
        scaler.update()

    step(grid())
    step(grid())
    return net, scaler.get_scale()


@situation("test_optimizers")
def step_hooks(wrap: Wrap) -> Any:
    calls: list[str] = []
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    losses = [step(grid())]
    handle = optimizer.register_step_pre_hook(lambda *each: calls.append("before"))
    optimizer.register_step_post_hook(lambda *each: calls.append("behind"))
    losses.append(step(grid()))
    handle.remove()
    return [*losses, step(grid())], net, calls


@situation("test_optimizers")
def two_optimizers(wrap: Wrap) -> Any:
    a, b = linear(), linear()
    first, second = optim.SGD(a.parameters(), lr=0.1), optim.Adam(b.parameters(), lr=0.1)

    @wrap
    def step(x):
        first.zero_grad()
        second.zero_grad()
        loss = b(a(x)).sum()
        loss.backward()
        first.step()
        second.step()
        return loss

    return [step(grid()), step(grid())], a, b


@situation("test_optimizers")
def a_parameter_in_two_groups_of_memory(wrap: Wrap) -> Any:
    memory = flow.arange(6.0)
    a, b = memory[:4].detach().requires_grad_(), memory[2:].detach().requires_grad_()
    optimizer = optim.SGD([a, b], lr=0.5)

    @wrap
    def step():
        optimizer.zero_grad()
        (a.sum() + b.sum() * 2).backward()
        optimizer.step()

    step()
    step()
    return memory, a, b


@situation("test_optimizers")
def frozen_parameters(wrap: Wrap) -> Any:
    net = flow.nn.Sequential(linear(), linear())
    net[0].requires_grad_(False)
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    step = training(wrap, optimizer, net)
    losses = [step(grid())]
    net[0].requires_grad_(True)
    return [*losses, step(grid())], net


@situation("test_optimizers")
def maximize_and_weight_decay(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.5, maximize=True, amsgrad=True)
    step = training(wrap, optimizer, net)
    return [step(grid()) for _ in range(2)], net


@situation("test_optimizers")
def manual_steps_without_an_optimizer(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def step(x):
        loss = net(x).sum()
        grads = flow.autograd.grad(loss, list(net.parameters()))
        with flow.no_grad():
            for p, grad in zip(net.parameters(), grads):
                p -= grad * 0.1
        return loss

    return [step(grid()) for _ in range(2)], net


@situation("test_optimizers")
def a_step_counter_of_the_users(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    count = {"steps": 0}

    @wrap
    def step(x):
        count["steps"] += 1
        loss = net(x).sum() / count["steps"]
        optimizer.zero_grad()
        loss.backward()
        if count["steps"] % 2 == 0:
            optimizer.step()
        return loss

    return [step(grid()) for _ in range(4)], net, count


@situation("test_optimizers")
def gradient_accumulation_with_a_counter(wrap: Wrap) -> Any:
    net = linear()
    optimizer = optim.SGD(net.parameters(), lr=0.1)

    @wrap
    def step(x, last):
        (net(x).sum() / 2).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()

    for k in range(4):
        step(grid() * (k + 1), k % 2 == 1)
    return net


@situation("test_repros")
def a_scheduler_is_made_inside(wrap: Wrap) -> Any:
    net = linear()

    @wrap
    def f(x, optimizer):
        scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1)
        return x * 2, scheduler

    optimizer = optim.SGD(net.parameters(), lr=0.1)
    y, scheduler = f(grid(), optimizer)
    return y, scheduler.get_last_lr(), optimizer.param_groups[0]["initial_lr"]
