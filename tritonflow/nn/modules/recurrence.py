"""What recurrent cells and layers share: the kinds of recurrence, one step of each, and the parameters of a step.

A step gets the products `x W_ih^T + b_ih` and `h W_hh^T + b_hh`. So a layer can compute those of the inputs for all times at once.
A state is a tuple: (h,), or (h, c) for an LSTM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.errors import ArgumentTypeError, foreign_hint, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn import init
from tritonflow.nn.modules.module import Module

State = tuple[Tensor, ...]


class CellKind(NamedTuple):
    """A kind of recurrence.

    Attributes:
        gates: how many times hidden_size the products have.
        states: how many tensors its state has.
        adds: whether a step does nothing with the two products but add them: then both biases go with x's, once for all times.
        step: from x's products, h's products and the state to the new state.
    """

    gates: int
    states: int
    adds: bool
    step: Callable[..., State]


def _elman(activation: Callable[[Tensor], Tensor]) -> Callable[..., State]:
    return lambda x, products, h: (activation(x + products),)


def _lstm(x: Tensor, products: Tensor, h: Tensor, c: Tensor) -> State:
    i, f, g, o = _C.chunk(x + products, 4, -1)
    c = _C.sigmoid(f) * c + _C.sigmoid(i) * _C.tanh(g)
    return _C.sigmoid(o) * _C.tanh(c), c


def _gru(x: Tensor, products: Tensor, h: Tensor) -> State:
    (x_r, x_z, x_n), (h_r, h_z, h_n) = _C.chunk(x, 3, -1), _C.chunk(products, 3, -1)
    n = _C.tanh(x_n + _C.sigmoid(x_r + h_r) * h_n)
    return (n + _C.sigmoid(x_z + h_z) * (h - n),)


KINDS = {
    "RNN_TANH": CellKind(1, 1, True, _elman(_C.tanh)),
    "RNN_RELU": CellKind(1, 1, True, _elman(_C.relu)),
    "LSTM": CellKind(4, 2, True, _lstm),
    "GRU": CellKind(3, 1, False, _gru),
}


class Weights(NamedTuple):
    """The parameters of one recurrence: of the input, of the hidden state, and of an LSTM's projection of it."""

    ih: Tensor
    hh: Tensor
    b_ih: Tensor | None
    b_hh: Tensor | None
    hr: Tensor | None = None

    def products(self, kind: CellKind, x: Tensor) -> Tensor:
        """`x W_ih^T + b_ih`, of any number of times; and b_hh, where it can be added there."""
        if kind.adds and self.b_ih is not None and self.b_hh is not None:
            return F.linear(x, self.ih, _C.add(self.b_ih, self.b_hh))
        return F.linear(x, self.ih, self.b_ih)

    def step(self, kind: CellKind, x_products: Tensor, state: State) -> State:
        """The state after `state`."""
        products = F.linear(state[0], self.hh, None if kind.adds else self.b_hh)
        h, *others = kind.step(x_products, products, *state)
        return (h if self.hr is None else F.linear(h, self.hr), *others)


def scan(
    kind: CellKind, weights: Weights, times: Sequence[Tensor], first: State, reverse: bool
) -> tuple[list[Tensor], State]:
    """One recurrence over all times.

    Args:
        times: the products of x, a row for each sequence that is so long; the longest sequences are the first rows.
        first: the state in front.
        reverse: whether to go from the last time to the first.

    Returns:
        the outputs of all times, and the state of each sequence behind its last element, or its first one.
    """
    outputs: list[Tensor] = []
    ended: list[State] = []
    state = _rows(first, 0, times[-1].shape[0]) if reverse else first
    for products in reversed(times) if reverse else times:
        have, want = state[0].shape[0], products.shape[0]  # `len` would need the number
        if want > have:  # in reverse, the shorter sequences begin here
            state = _joined([state, _rows(first, have, want)])
        elif want < have:
            ended.append(_rows(state, want, have))
            state = _rows(state, 0, want)
        state = weights.step(kind, products, state)
        outputs.append(state[0])
    return outputs[::-1] if reverse else outputs, _joined([state, *reversed(ended)])


def _rows(state: State, start: int, stop: int) -> State:
    return tuple(s[start:stop] for s in state) if stop - start < state[0].shape[0] else state


def _joined(states: list[State]) -> State:
    return tuple(_C.cat(parts) for parts in zip(*states)) if len(states) > 1 else states[0]


def draw_uniform(module: Module, hidden_size: int) -> None:
    """Draw every parameter of a module from `[-k, k]`, `k = 1 / sqrt(hidden_size)`."""
    bound = 1 / math.sqrt(hidden_size) if hidden_size > 0 else 0
    for parameter in module.parameters():
        init.uniform_(parameter, -bound, bound)


def mode_of(nonlinearity: str) -> str:
    """The kind of an Elman network.

    Raises:
        ValueError: neither 'tanh' nor 'relu'.
    """
    if nonlinearity not in ("tanh", "relu"):
        raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
    return f"RNN_{nonlinearity.upper()}"


def as_state(kind: CellKind, hx: Any) -> State:
    """What a caller gives as the state, as a tuple.

    Raises:
        TypeError: it is not as many tensors.
    """
    state = tuple(hx) if isinstance(hx, (list, tuple)) else (hx,)
    if len(state) != kind.states or not all(isinstance(s, Tensor) for s in state):
        wanted = "a tensor" if kind.states == 1 else "two tensors (h_0, c_0)"
        raise ArgumentTypeError(f"argument 'hx' must be {wanted}")
    return state


def as_result(state: State) -> Any:
    """A state as callers get it: a tensor, or a tuple of two."""
    return state if len(state) > 1 else state[0]


def check_rank(module: Module, what: str, value: Any, ranks: tuple[int, int]) -> None:
    """Refuse an argument that is no tensor of one of the ranks.

    Raises:
        TypeError, ValueError: it is no tensor, or one of another rank.
    """
    name = type(module).__name__
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(
            f"{name}: argument '{what}' must be a tensor, not {type_name(value)}{foreign_hint(value)}"
        )
    if value.ndim not in ranks:
        raise ValueError(f"{name}: Expected {what} to be {ranks[0]}D or {ranks[1]}D, got {value.ndim}D instead")
