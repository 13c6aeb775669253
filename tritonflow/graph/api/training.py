"""What a training graph does behind `build`: gradients unscaled and clipped, optimizers stepped, captured like everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tritonflow import _C
from tritonflow.errors import ArgumentValueError, CaptureError
from tritonflow.execution.lazy import eager
from tritonflow.graph.capture.capture import Capture
from tritonflow.optim import Optimizer


def begin(capture: Capture, optimizers: Sequence[Optimizer], scaler: Any, micro_steps: int) -> None:
    """Let every parameter start without a gradient, and `backward` with the loss's scale, divided by the number of micro-steps."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                capture.write_gradient(parameter)
    if scaler is not None and optimizers:
        with eager():
            scaler.begin(optimizers[0].param_groups[0]["params"][0])
        capture.gradient_scales.append(scaler.scale)
    if micro_steps > 1:
        capture.gradient_scales.append(lambda grad: _C.mul(grad, 1.0 / micro_steps))


@contextmanager
def refuse_steps(name: str, optimizers: Sequence[Optimizer]) -> Iterator[None]:
    """A block, that of `build`, in which the optimizers must not be stepped."""

    def refuse(optimizer: Optimizer, *_: Any) -> None:
        raise CaptureError(
            f"{name}: build() calls step() of the {type(optimizer).__name__} that add_optimizer() was given, which the graph does"
            " itself: leave it out"
        )

    handles = [optimizer.register_step_pre_hook(refuse) for optimizer in optimizers]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def finish(name: str, capture: Capture, optimizers: Sequence[Optimizer], scaler: Any) -> None:
    """Step the optimizers on what `backward` left. A group's option "lr_scale", OneFlow's of graphs, multiplies its learning rate.

    Raises:
        RuntimeError: no parameter of an optimizer has a gradient.
    """
    for optimizer in optimizers:
        if all(p.grad is None for group in optimizer.param_groups for p in group["params"]):
            raise CaptureError(
                f"{name}: no parameter of {type(optimizer).__name__} has a gradient: build() must call backward() on a loss that"
                " depends on them"
            )
        if scaler is not None:
            scaler.unscale_(optimizer)
        optimizer.clip_grad()
        with capture.stepping(optimizer), _scaled_rates(optimizer):
            if scaler is None:
                optimizer.step()
            else:
                scaler.step(optimizer)
    if scaler is not None and optimizers:
        scaler.update()


@contextmanager
def _scaled_rates(optimizer: Optimizer) -> Iterator[None]:
    """A block in which the learning rates of groups are multiplied by their scales."""
    rates = [(group, group["lr"]) for group in optimizer.param_groups if "lr_scale" in group]
    for group, rate in rates:
        group["lr"] = rate * group["lr_scale"]
    try:
        yield
    finally:
        for group, rate in rates:
            group["lr"] = rate


def refuse_foreign(name: str, optimizers: Sequence[Optimizer], known: set[int]) -> None:
    """Refuse optimizers over parameters that the graph does not have.

    Raises:
        ValueError: naming the graph and the optimizer.
    """
    for optimizer in optimizers:
        foreign = [p for group in optimizer.param_groups for p in group["params"] if id(p) not in known]
        if foreign:
            raise ArgumentValueError(
                f"{name}: {type(optimizer).__name__} has {len(foreign)} parameters that belong to no module of the graph, the"
                f" first of shape {tuple(foreign[0].shape)}: set the module that holds them as an attribute of the graph"
            )
