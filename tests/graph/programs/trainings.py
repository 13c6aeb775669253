"""Schedulers, scalers, checkpoints and what is frozen for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tests.graph.programs.program import Wrap, calls, ones_linear, plain, program, trained_parts
from tritonflow import nn
from tritonflow.utils.checkpoint import checkpoint


class Momentum(flow.optim.Optimizer):
    """Of a user: its state is made at its first step."""

    def __init__(self, params: Any, lr: float) -> None:
        super().__init__(params, {"lr": lr})

    @flow.no_grad()  # type: ignore[misc]
    def step(self) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "m" not in state:
                    state["m"], state["steps"] = flow.zeros_like(p), 0
                state["steps"] += 1
                state["m"].mul_(0.5).add_(p.grad)
                p.sub_(state["m"], alpha=group["lr"] / state["steps"])


MAKERS: dict[str, Callable[[Any], Any]] = {
    "momentum": lambda params: flow.optim.SGD(params, lr=0.125, momentum=0.5),
    "adam": lambda params: flow.optim.Adam(params, lr=0.125),
    "a user's": lambda params: Momentum(params, 0.125),
}


class Training:
    """One parameter and its optimizer, stepped in eager mode, by flow.compile or by an nn.Graph."""

    def __init__(
        self, way: str, maker: str = "momentum", inside: Callable[[Training], Any] = lambda training: None
    ) -> None:
        self.net = nn.Module()
        self.net.w = nn.Parameter(flow.ones(2))
        self.optimizer = MAKERS[maker](self.net.parameters())
        training, net = self, self.net

        def loss_of(x: Any) -> Any:
            loss = (net.w * x).square().sum()
            loss.backward()
            return loss

        def step(x: Any) -> Any:
            training.optimizer.zero_grad()
            inside(training)
            loss = loss_of(x)
            training.optimizer.step()
            return loss

        class Graph(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(training.optimizer)

            def build(self, x: Any) -> Any:
                inside(training)
                return loss_of(x)

        self.step = {"eager": lambda: step, "compile": lambda: flow.compile(step, fullgraph=True), "graph": Graph}[
            way
        ]()

    def losses(self, count: int) -> list[float]:
        return [round(self.step(flow.ones(2)).item(), 5) for _ in range(count)]


@program()
def schedulers_inside(wrap: Wrap) -> Any:
    found = []
    for make in (
        lambda o: flow.optim.lr_scheduler.StepLR(o, 2, 0.5), lambda o: flow.optim.lr_scheduler.LambdaLR(o, lambda k: 1 / (k + 1)),
        lambda o: flow.optim.lr_scheduler.CosineAnnealingLR(o, 4),
    ):  # fmt: skip
        training = Training("eager")
        schedule = make(training.optimizer)

        def step(x: Any, training: Any = training, schedule: Any = schedule) -> Any:
            loss = training.step(x)
            schedule.step()
            return loss

        f = wrap(step)
        found.append([(round(f(flow.ones(2)).item(), 5), training.optimizer.param_groups[0]["lr"]) for _ in range(4)])
        found.append((schedule.last_epoch, schedule.get_last_lr()))
    return found


@program()
def parameters_that_are_frozen_for_a_while(wrap: Wrap) -> Any:
    made, judge = flow.ones(2).requires_grad_(), flow.full((2,), 2.0).requires_grad_()

    @wrap
    def step(x: Any) -> Any:
        judge.requires_grad_(True)
        judge.grad = made.grad = None
        ((judge * x) ** 2).sum().backward()
        with flow.no_grad():
            judge.sub_(0.1 * judge.grad)
        judge.requires_grad_(False)
        loss = (judge * made * x).sum()
        loss.backward()
        judge.requires_grad_(True)
        return loss

    return [plain([step(flow.ones(2)), judge, judge.grad, made.grad]) for _ in range(3)]


@program(eager="uses a tensor from outside, and then")
def leaves_that_are_frozen_behind_their_use(wrap: Wrap) -> Any:
    weight = flow.ones(2).requires_grad_()

    @wrap
    def f(x: Any) -> Any:
        y = weight * x
        weight.requires_grad = False
        z = weight * x * x
        weight.requires_grad = True
        return (y + z).sum()

    found = []
    for _ in range(2):
        weight.grad = None
        f(flow.full((2,), 3.0)).backward()
        found.append(plain(weight.grad))
    return found


@program()
def rates_that_a_scheduler_tells(wrap: Wrap) -> Any:
    optimizer = flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=1.0)
    scheduler = flow.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    f, found = wrap(lambda x: (x * scheduler.get_last_lr()[0], scheduler.last_step, scheduler.state_dict()["_step_count"])), []
    for _ in range(3):
        found.append(plain(f(flow.ones(1))))
        optimizer.step()
        scheduler.step()
    return found


@program()
def factors_that_a_scaler_tells(wrap: Wrap) -> Any:
    scaler = flow.amp.GradScaler("cpu", init_scale=4.0)
    f, found = wrap(lambda x: x * scaler.get_growth_factor()), []
    for factor in (2.0, 4.0):
        scaler.set_growth_factor(factor)
        found += calls(f, 1)
    return found


@program(eager="a second time in backward")
def checkpoints_of_what_sets_something(wrap: Wrap) -> Any:
    net, count, found = nn.Sequential(ones_linear(), nn.BatchNorm1d(2)), {"calls": 0}, []

    def body(x: Any) -> Any:
        count["calls"] += 1
        return net[0](x) * count["calls"]

    steps = [wrap(lambda x: checkpoint(body, x, use_reentrant=False)), wrap(lambda x: checkpoint(net, x, use_reentrant=False))]
    for step in steps:
        y = step(flow.tensor([[1.0, 2.0], [2.0, 4.0]]))
        y.sum().backward()
        found.append((plain(y), count["calls"], plain(net[1].running_mean), trained_parts(net[0])))
    return found
