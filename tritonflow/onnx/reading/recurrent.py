"""Recurrent layers: RNN, GRU and LSTM, step by step along the sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op

_ACTIVATIONS: dict[str, Callable[[Any, float | None, float | None], Any]] = {
    "relu": lambda x, a, b: flow.relu(x), "tanh": lambda x, a, b: flow.tanh(x), "sigmoid": lambda x, a, b: flow.sigmoid(x),
    "affine": lambda x, a, b: _or(a, 1.0) * x + _or(b, 0.0), "leakyrelu": lambda x, a, b: F.leaky_relu(x, _or(a, 0.01)),
    "thresholdedrelu": lambda x, a, b: flow.where(x > _or(a, 1.0), x, 0),
    "scaledtanh": lambda x, a, b: _or(a, 1.0) * flow.tanh(_or(b, 1.0) * x),
    "hardsigmoid": lambda x, a, b: flow.clamp(_or(a, 0.2) * x + _or(b, 0.5), 0, 1),
    "elu": lambda x, a, b: F.elu(x, _or(a, 1.0)), "softsign": lambda x, a, b: F.softsign(x),
    "softplus": lambda x, a, b: F.softplus(x),
}  # fmt: skip

_WITH_ALPHA = ("affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu")
_WITH_BETA = ("affine", "scaledtanh", "hardsigmoid")


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _activations(node: Any, default: list[str], directions: int) -> list[list[Callable[[Any], Any]]]:
    """The functions of each direction. Their alphas and betas are listed in their order, for those that have one."""
    names = [name.lower() for name in node.get("activations") or default * directions]
    alphas, betas = iter(node.get("activation_alpha") or ()), iter(node.get("activation_beta") or ())
    made: list[Callable[[Any], Any]] = []
    for name in names:
        if name not in _ACTIVATIONS:
            raise NotImplementedError(f"the activation {name!r} of {node.op} is not supported")
        alpha = next(alphas, None) if name in _WITH_ALPHA else None
        beta = next(betas, None) if name in _WITH_BETA else None
        made.append(_bound(_ACTIVATIONS[name], alpha, beta, node.get("clip")))
    if len(made) != len(default) * directions:
        raise ValueError(f"{node.op} of {directions} directions has {len(default) * directions} activations, not {len(made)}")
    return [made[k * len(default) : (k + 1) * len(default)] for k in range(directions)]


def _bound(function: Callable[..., Any], alpha: float | None, beta: float | None, clip: float | None) -> Callable[[Any], Any]:
    return lambda x: function(x if clip is None else flow.clamp(x, -clip, clip), alpha, beta)


Step = Callable[..., tuple[Any, ...]]


def _run(node: Any, gates: int, default: list[str], make: Callable[..., Step], inputs: Any) -> tuple[Any, ...]:
    """All directions: Y (length, directions, batch, hidden), and the last states (directions, batch, hidden).

    Args:
        gates: how many W has.
        make: from activations, R, its bias and peepholes of a direction to a step: of what W gives, and the states before it.
        inputs: X, W, R, B, sequence_lens, states, peepholes.
    """
    x, weights, recurrences, biases, lengths, states, peepholes = inputs
    swapped = bool(node.get("layout", 0))
    if swapped:
        x, states = flow.transpose(x, 0, 1), [None if each is None else flow.transpose(each, 0, 1) for each in states]
    directions, hidden = weights.shape[0], recurrences.shape[-1]
    functions = _activations(node, default, directions)
    outputs, ends = [], []
    for k in range(directions):
        backward = node.get("direction", "forward") == "reverse" or k == 1
        bias = None if biases is None else biases[k]
        own = None if bias is None else bias[: gates * hidden]
        other = None if bias is None else bias[gates * hidden :]
        step = make(functions[k], recurrences[k], other, None if peepholes is None else peepholes[k])
        zeros = flow.zeros((x.shape[1], hidden), dtype=x.dtype, device=x.device)
        before = tuple(zeros if each is None else each[k] for each in states)
        y, end = _along(F.linear(x, weights[k], own), before, step, backward, lengths)
        outputs.append(y)
        ends.append(end)
    result = flow.stack(outputs, 1)
    last = [flow.stack(each) for each in zip(*ends)]
    if swapped:
        result, last = flow.permute(result, (2, 0, 1, 3)), [flow.transpose(each, 0, 1) for each in last]
    return (result, *last)


def _along(x: Any, states: tuple[Any, ...], step: Step, backward: bool, lengths: Any) -> tuple[Any, tuple[Any, ...]]:
    """One direction. Behind the end of a sequence its states stay as they are, and its outputs are 0."""
    count = x.shape[0]
    outputs: list[Any] = [None] * count
    for t in reversed(range(count)) if backward else range(count):
        new = step(x[t], *states)
        output = new[0]
        if lengths is not None:
            inside = flow.unsqueeze(lengths > t, 1)
            new = tuple(flow.where(inside, after, before) for after, before in zip(new, states))
            output = flow.where(inside, output, 0)
        outputs[t], states = output, new
    return flow.stack(outputs), states


@op("RNN")
def _rnn(node: Any, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None) -> Any:
    def make(functions: Any, recurrence: Any, bias: Any, peepholes: Any) -> Step:
        return lambda given, state: (functions[0](given + F.linear(state, recurrence, bias)),)

    return _run(node, 1, ["tanh"], make, (x, w, r, b, lengths, [h], None))


@op("GRU")
def _gru(node: Any, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None) -> Any:
    def make(functions: Any, recurrence: Any, bias: Any, peepholes: Any) -> Step:
        hidden = recurrence.shape[-1]
        inner, outer = functions
        gates = None if bias is None else bias[: 2 * hidden]
        new = None if bias is None else bias[2 * hidden :]

        def after(given: Any, state: Any) -> tuple[Any, ...]:
            both = inner(given[:, : 2 * hidden] + F.linear(state, recurrence[: 2 * hidden], gates))
            update, reset = both[:, :hidden], both[:, hidden:]
            if node.get("linear_before_reset", 0):
                candidate = reset * F.linear(state, recurrence[2 * hidden :], new)
            else:
                candidate = F.linear(reset * state, recurrence[2 * hidden :], new)
            return ((1 - update) * outer(given[:, 2 * hidden :] + candidate) + update * state,)

        return after

    return _run(node, 3, ["sigmoid", "tanh"], make, (x, w, r, b, lengths, [h], None))


@op("LSTM")
def _lstm(
    node: Any, x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None, c: Any = None, p: Any = None
) -> Any:
    def make(functions: Any, recurrence: Any, bias: Any, peepholes: Any) -> Step:
        hidden = recurrence.shape[-1]
        inner, middle, outer = functions

        def after(given: Any, state: Any, cell: Any) -> tuple[Any, ...]:
            gates = given + F.linear(state, recurrence, bias)
            write, output, forget, new = (gates[:, k * hidden : (k + 1) * hidden] for k in range(4))
            if peepholes is not None:
                write, forget = write + peepholes[:hidden] * cell, forget + peepholes[2 * hidden :] * cell
            write = inner(write)
            forget = 1 - write if node.get("input_forget", 0) else inner(forget)
            cell = forget * cell + write * middle(new)
            if peepholes is not None:
                output = output + peepholes[hidden : 2 * hidden] * cell
            return inner(output) * outer(cell), cell

        return after

    return _run(node, 4, ["sigmoid", "tanh", "tanh"], make, (x, w, r, b, lengths, [h, c], p))
