"""Recurrent layers: one or more recurrences over sequences, in one direction or in both."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Number
from typing import TYPE_CHECKING, Any, overload

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter import autocast
from tritonflow.nn import functional as F
from tritonflow.nn.modules.module import Module
from tritonflow.nn.modules.recurrence import (
    KINDS,
    CellKind,
    State,
    Weights,
    as_result,
    as_state,
    check_rank,
    draw_uniform,
    mode_of,
    scan,
)
from tritonflow.nn.parameter import empty_parameter
from tritonflow.nn.utils.rnn import PackedSequence

States = tuple[Tensor, Tensor]  # h and c


class RNNBase(Module):
    """What recurrent layers share: their parameters, and the way of a sequence through layers and directions.

    Source: torch.nn.RNNBase.
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if mode not in KINDS:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        _check_flags(bias, batch_first)
        _check_sizes(input_size, hidden_size, num_layers, proj_size)
        _check_dropout(dropout, num_layers)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        for names, shapes in zip(self._names(), self._shapes()):
            for name, shape in zip(names, shapes):
                if name is not None:
                    self.register_parameter(name, empty_parameter(shape, device, dtype))
        self.reset_parameters()

    def _suffixes(self) -> list[str]:
        """What the names of the parameters of each recurrence end in, in the order of the states."""
        ways = ("", "_reverse") if self.bidirectional else ("",)
        return [f"_l{layer}{way}" for layer in range(self.num_layers) for way in ways]

    def _names(self) -> Iterator[tuple[str | None, ...]]:
        """The names of the parameters of each recurrence, as in `Weights`; None for those that it has not."""
        there = (True, True, self.bias, self.bias, self.proj_size > 0)
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        for suffix in self._suffixes():
            yield tuple(kind + suffix if has else None for kind, has in zip(kinds, there))

    def _shapes(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Their shapes."""
        rows, out, ways = KINDS[self.mode].gates * self.hidden_size, self._out_size, 1 + self.bidirectional
        for number in range(self.num_layers * ways):
            inside = self.input_size if number < ways else out * ways
            yield (rows, inside), (rows, out), (rows,), (rows,), (out, self.hidden_size)

    @property
    def _out_size(self) -> int:
        return self.proj_size or self.hidden_size

    @property
    def all_weights(self) -> list[list[Tensor]]:
        """The parameters of each recurrence."""
        return [[getattr(self, name) for name in names if name is not None] for names in self._names()]

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        draw_uniform(self, self.hidden_size)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The last layer's h of every time, and the state behind the last time of every layer and direction."""
        kind = KINDS[self.mode]
        if isinstance(input, PackedSequence):
            return self._forward_packed(kind, input, hx)
        check_rank(self, "input", input, (2, 3))
        batched = input.ndim == 3
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        self._check_input(input)
        output, state = self._run(kind, input, self._initial(kind, input, hx, input.shape[1], batched))
        if not batched:
            return output.squeeze(1), as_result(tuple(s.squeeze(1) for s in state))
        return output.transpose(0, 1) if self.batch_first else output, as_result(state)

    def _forward_packed(self, kind: CellKind, packed: PackedSequence, hx: Any) -> Any:
        """The same of sequences of several lengths; states are in the order in which these were given."""
        data, sizes = packed.data, packed.sizes
        if data.ndim != 2:
            raise ShapeError(f"input must have 2 dimensions, got {data.ndim}")
        self._check_input(data)
        state = _ordered(self._initial(kind, data, hx, sizes[0]), packed.sorted_indices)
        output, state = self._run(kind, data, state, sizes)
        result = PackedSequence(output, sizes, packed.sorted_indices, packed.unsorted_indices)
        return result, as_result(_ordered(state, packed.unsorted_indices))

    def _run(self, kind: CellKind, input: Tensor, state: State, sizes: list[int] | None = None) -> tuple[Tensor, State]:
        """Through all layers, from `(T, N, input_size)`, or from packed sequences with so many elements at each time."""
        recurrences = iter(zip(self._names(), zip(*[s.unbind(0) for s in state])))
        finals = []
        for layer in range(self.num_layers):
            if layer > 0 and self.dropout > 0:
                input = F.dropout(input, self.dropout, self.training)
            outputs = []
            for reverse in (False, True)[: 1 + self.bidirectional]:
                names, first = next(recurrences)
                parameters: list[Any] = [None if name is None else getattr(self, name) for name in names]
                weights = Weights(*parameters)
                products = weights.products(kind, input)
                times = products.unbind(0) if sizes is None else products.split(sizes)
                found, final = scan(kind, weights, times, first, reverse)
                outputs.append(_C.stack(found) if sizes is None else _C.cat(found))
                finals.append(final)
            input = outputs[0] if len(outputs) == 1 else _C.cat(outputs, -1)
        return input, tuple(_C.stack(parts) for parts in zip(*finals))

    def _initial(self, kind: CellKind, input: Tensor, hx: Any, batch: int, batched: bool = True) -> State:
        """The state before the first time, `(layers and directions, N, size)`."""
        count = self.num_layers * (1 + self.bidirectional)
        shapes = [(count, batch, size) for size in (self._out_size, self.hidden_size)[: kind.states]]
        if hx is None:
            return tuple(_C.new_zeros(input, shape) for shape in shapes)
        state = as_state(kind, hx)
        _check_ranks(state, batched)
        if not batched:
            state = tuple(s.unsqueeze(1) for s in state)
        for number, (s, shape) in enumerate(zip(state, shapes)):
            if tuple(s.shape) != shape:
                which = "hidden" if kind.states == 1 else f"hidden[{number}]"
                raise ShapeError(f"Expected {which} size {shape}, got {list(s.shape)}")
        return state

    def _check_input(self, input: Tensor) -> None:
        """Of sequences whose first dimension is time."""
        dtype = self.weight_ih_l0.dtype
        if input.dtype != dtype and not autocast.is_on():
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). Convert input: input.to({dtype}), or"
                f" convert model: model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise ShapeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        if input.shape[0] == 0:
            raise ShapeError("Expected sequence length to be larger than 0 in RNN")

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        usual = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0,
            "bidirectional": False,
        }
        return text + "".join(f", {name}={getattr(self, name)}" for name in usual if getattr(self, name) != usual[name])


def _ordered(state: State, indices: Tensor | None) -> State:
    """A state, `(layers and directions, N, size)`, with the sequences in another order."""
    return state if indices is None else tuple(s.index_select(1, indices) for s in state)


def _check_ranks(state: State, batched: bool) -> None:
    wanted = 3 if batched else 2
    ranks = [s.ndim for s in state]
    if any(rank != wanted for rank in ranks):
        mode = "batched" if batched else "unbatched"
        if len(ranks) == 1:
            raise ShapeError(f"For {mode} {wanted}-D input, hx should also be {wanted}-D but got {ranks[0]}-D tensor")
        raise ShapeError(
            f"For {mode} {wanted}-D input, hx and cx should also be {wanted}-D but got ({ranks[0]}-D, {ranks[1]}-D) tensors"
        )


def _check_flags(bias: Any, batch_first: Any) -> None:
    for name, value in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} should be of type bool, got: {type(value).__name__}")


def _check_sizes(input_size: Any, hidden_size: Any, num_layers: int, proj_size: int) -> None:
    for name, value in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(value, int):
            raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
        if value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


def _check_dropout(dropout: Any, num_layers: int) -> None:
    if not isinstance(dropout, Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:  # type: ignore[operator]
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:  # type: ignore[operator]
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater"
            f" than 1, but got dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )


class RNN(RNNBase):
    """An Elman network, `h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh)`, or relu in place of tanh.

    Further layers take h of the layer below for x; bidirectional ones h of both directions, the second of which goes through
    the sequence from its end. The products of x are made for all times at once.

    Args:
        input_size, hidden_size: sizes of x_t and of h_t.
        num_layers: how many layers.
        nonlinearity: 'tanh' or 'relu'.
        bias: whether to add b_ih and b_hh.
        batch_first: whether sequences are `(N, T, size)` instead of `(T, N, size)`; states are not concerned.
        dropout: the probability of dropout, while training, on h of every layer but the last.
        bidirectional: whether there is a second direction.
        device, dtype: of the parameters.

    Shape:
        x: `(T, N, input_size)`, `(N, T, input_size)` if batch_first, `(T, input_size)`, or an `nn.utils.rnn.PackedSequence`;
        h_0, zeros if not given, and h_n: `(D num_layers, N, hidden_size)` or `(D num_layers, hidden_size)` with D directions;
        result: y, h of the last layer, as x with `D hidden_size` in place of input_size, and h_n.
        weight_ih_l0: `(hidden_size, input_size)`; weight_ih_lk: `(hidden_size, D hidden_size)`; weight_hh_lk:
        `(hidden_size, hidden_size)`; bias_ih_lk, bias_hh_lk: `(hidden_size)`; those of the second direction end in `_reverse`.
        All start uniform in `[-k, k]` with `k = 1 / sqrt(hidden_size)`.

    Raises:
        TypeError, ValueError: arguments out of range, an input of another rank or dtype.
        RuntimeError: sizes that do not fit.

    Source: Elman, 1990; torch.nn.RNN.

    Example:
        >>> import tritonflow as flow
        >>> y, h = flow.nn.RNN(10, 20, num_layers=2)(flow.ones(5, 3, 10))
        >>> y.shape, h.shape
        (tritonflow.Size([5, 3, 20]), tritonflow.Size([2, 3, 20]))
    """

    if TYPE_CHECKING:

        @overload
        def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]: ...
        @overload
        def forward(self, input: PackedSequence, hx: Tensor | None = None) -> tuple[PackedSequence, Tensor]: ...
        def forward(self, input: Any, hx: Any = None) -> Any: ...

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        rest = (num_layers, bias, batch_first, dropout, bidirectional, 0, device, dtype)
        super().__init__(mode_of(nonlinearity), input_size, hidden_size, *rest)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Long short-term memory.

        i, f, o = sigmoid(W_i x_t + b_i + U_i h_{t-1} + d_i), and so for f and o
        g       = tanh(W_g x_t + b_g + U_g h_{t-1} + d_g)
        c_t     = f * c_{t-1} + i * g
        h_t     = o * tanh(c_t)

    Layers, directions and dropout are those of `RNN`.

    Args:
        input_size, hidden_size: sizes of x_t and of c_t.
        num_layers: how many layers.
        bias: whether to add b (bias_ih) and d (bias_hh).
        batch_first: whether sequences are `(N, T, size)` instead of `(T, N, size)`; states are not concerned.
        dropout: the probability of dropout, while training, on h of every layer but the last.
        bidirectional: whether there is a second direction.
        proj_size: if not 0, `h_t = W_hr (o * tanh(c_t))` has this size, less than hidden_size.
        device, dtype: of the parameters.

    Shape:
        x, y: as for `RNN`, with H = proj_size or hidden_size in place of y's hidden_size; h_0, h_n: `(D num_layers, N, H)`;
        c_0, c_n: `(D num_layers, N, hidden_size)`; result: `y, (h_n, c_n)`.
        weight_ih_lk, weight_hh_lk, bias_ih_lk, bias_hh_lk: as for `RNN`, with `4 hidden_size` rows in the order i, f, g, o;
        weight_hr_lk: `(proj_size, hidden_size)`.

    Raises:
        TypeError, ValueError: arguments out of range, an input of another rank or dtype.
        RuntimeError: sizes that do not fit.

    Source: Hochreiter and Schmidhuber, 1997; Sak et al., 2014; torch.nn.LSTM.

    Example:
        >>> import tritonflow as flow
        >>> y, (h, c) = flow.nn.LSTM(10, 20, batch_first=True, bidirectional=True)(flow.ones(3, 5, 10))
        >>> y.shape, h.shape, c.shape
        (tritonflow.Size([3, 5, 40]), tritonflow.Size([2, 3, 20]), tritonflow.Size([2, 3, 20]))
    """

    if TYPE_CHECKING:

        @overload
        def forward(self, input: Tensor, hx: States | None = None) -> tuple[Tensor, States]: ...
        @overload
        def forward(self, input: PackedSequence, hx: States | None = None) -> tuple[PackedSequence, States]: ...
        def forward(self, input: Any, hx: Any = None) -> Any: ...

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        rest = (num_layers, bias, batch_first, dropout, bidirectional, proj_size, device, dtype)
        super().__init__("LSTM", input_size, hidden_size, *rest)


class GRU(RNNBase):
    """Gated recurrent units.

        r, z = sigmoid(W_r x_t + b_r + U_r h_{t-1} + d_r), and so for z
        n    = tanh(W_n x_t + b_n + r * (U_n h_{t-1} + d_n))
        h_t  = (1 - z) * n + z * h_{t-1}

    Layers, directions and dropout are those of `RNN`.

    Args:
        input_size, hidden_size: sizes of x_t and of h_t.
        num_layers: how many layers.
        bias: whether to add b (bias_ih) and d (bias_hh).
        batch_first: whether sequences are `(N, T, size)` instead of `(T, N, size)`; states are not concerned.
        dropout: the probability of dropout, while training, on h of every layer but the last.
        bidirectional: whether there is a second direction.
        device, dtype: of the parameters.

    Shape:
        As for `RNN`; weights and biases have `3 hidden_size` rows in the order r, z, n.

    Raises:
        TypeError, ValueError: arguments out of range, an input of another rank or dtype.
        RuntimeError: sizes that do not fit.

    Source: Cho et al., 2014; torch.nn.GRU.

    Example:
        >>> import tritonflow as flow
        >>> y, h = flow.nn.GRU(10, 20)(flow.ones(5, 10))
        >>> y.shape, h.shape
        (tritonflow.Size([5, 20]), tritonflow.Size([1, 20]))
    """

    if TYPE_CHECKING:

        @overload
        def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]: ...
        @overload
        def forward(self, input: PackedSequence, hx: Tensor | None = None) -> tuple[PackedSequence, Tensor]: ...
        def forward(self, input: Any, hx: Any = None) -> Any: ...

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        rest = (num_layers, bias, batch_first, dropout, bidirectional, 0, device, dtype)
        super().__init__("GRU", input_size, hidden_size, *rest)
