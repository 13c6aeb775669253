"""Recurrent cells: one step in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module
from tritonflow.nn.modules.recurrence import (
    KINDS,
    State,
    Weights,
    as_result,
    as_state,
    check_rank,
    draw_uniform,
    mode_of,
)
from tritonflow.nn.parameter import empty_parameter


class RNNCellBase(Module):
    """What cells share: their parameters, and a step from `(N, input_size)` or `(input_size)`.

    Source: torch.nn.RNNCellBase.
    """

    mode = ""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = empty_parameter((rows, input_size), device, dtype)
        self.weight_hh = empty_parameter((rows, hidden_size), device, dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, empty_parameter((rows,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        draw_uniform(self, self.hidden_size)

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        """One step from the state `hx`, zeros if None."""
        kind = KINDS[self.mode]
        check_rank(self, "input", input, (1, 2))
        state = None if hx is None else as_state(kind, hx)
        for number, s in enumerate(state or ()):
            check_rank(self, _called(number, kind.states), s, (1, 2))
        batched = input.ndim == 2
        if not batched:
            input = input.unsqueeze(0)
            state = state and tuple(s.unsqueeze(0) for s in state)
        if state is None:
            state = (
                _C.zeros((input.shape[0], self.hidden_size), dtype=input.dtype, **beside(input)),
            ) * kind.states
        self._check_sizes(input, state)
        weights = Weights(self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        state = weights.step(kind, weights.products(kind, input), state)
        return as_result(state if batched else tuple(s.squeeze(0) for s in state))

    def _check_sizes(self, input: Tensor, state: State) -> None:
        if input.shape[1] != self.input_size:
            raise ShapeError(f"input has inconsistent input_size: got {input.shape[1]} expected {self.input_size}")
        expected = (input.shape[0], self.hidden_size)
        for number, s in enumerate(state):
            if tuple(s.shape) != expected:
                which = _called(number, len(state))
                raise ShapeError(f"{type(self).__name__}: Expected {which} size {expected}, got {tuple(s.shape)}")

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        return text if self.bias is True else f"{text}, bias={self.bias}"


def _called(number: int, count: int) -> str:
    return "hidden" if count == 1 else f"hx[{number}]"


class RNNCell(RNNCellBase):
    """`h' = tanh(W_ih x + b_ih + W_hh h + b_hh)`, or relu in place of tanh.

    Args:
        input_size, hidden_size: sizes of x and of h.
        bias: whether to add b_ih and b_hh.
        nonlinearity: 'tanh' or 'relu'.
        device, dtype: of the parameters.

    Shape:
        x: `(N, input_size)` or `(input_size)`; h and h': `(N, hidden_size)` or `(hidden_size)`, zeros if h is not given;
        weight_ih: `(hidden_size, input_size)`; weight_hh: `(hidden_size, hidden_size)`; bias_ih, bias_hh: `(hidden_size)`.
        All start uniform in `[-k, k]` with `k = 1 / sqrt(hidden_size)`.

    Raises:
        ValueError: an unknown nonlinearity, an input of another rank.
        RuntimeError: sizes that do not fit.

    Source: Elman, 1990; torch.nn.RNNCell.

    Example:
        >>> import tritonflow as flow
        >>> cell = flow.nn.RNNCell(10, 20)
        >>> h = None
        >>> for x in flow.ones(6, 3, 10):
        ...     h = cell(x, h)
        >>> h.shape
        tritonflow.Size([3, 20])
    """

    if TYPE_CHECKING:

        def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor: ...

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity
        self.mode = mode_of(nonlinearity)

    def extra_repr(self) -> str:
        text = super().extra_repr()
        return text if self.nonlinearity == "tanh" else f"{text}, nonlinearity={self.nonlinearity}"


class LSTMCell(RNNCellBase):
    """A step of long short-term memory.

        i, f, o = sigmoid(W_i x + b_i + U_i h + d_i), and so for f and o
        g       = tanh(W_g x + b_g + U_g h + d_g)
        c'      = f * c + i * g
        h'      = o * tanh(c')

    Args:
        input_size, hidden_size: sizes of x and of h and c.
        bias: whether to add b (bias_ih) and d (bias_hh).
        device, dtype: of the parameters.

    Shape:
        x: `(N, input_size)` or `(input_size)`; h, c, h', c': `(N, hidden_size)` or `(hidden_size)`, zeros if `(h, c)` is not given;
        weight_ih: `(4 hidden_size, input_size)`, rows in the order i, f, g, o; weight_hh: `(4 hidden_size, hidden_size)`;
        bias_ih, bias_hh: `(4 hidden_size)`. All start uniform in `[-k, k]` with `k = 1 / sqrt(hidden_size)`.

    Raises:
        ValueError: an input of another rank.
        RuntimeError: sizes that do not fit.

    Source: Hochreiter and Schmidhuber, 1997; torch.nn.LSTMCell.

    Example:
        >>> import tritonflow as flow
        >>> h, c = flow.nn.LSTMCell(10, 20)(flow.ones(3, 10))
        >>> h.shape, c.shape
        (tritonflow.Size([3, 20]), tritonflow.Size([3, 20]))
    """

    mode = "LSTM"

    if TYPE_CHECKING:

        def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]: ...

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: DeviceLike | None = None, dtype: DType | None = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)


class GRUCell(RNNCellBase):
    """A step of a gated recurrent unit.

        r, z = sigmoid(W_r x + b_r + U_r h + d_r), and so for z
        n    = tanh(W_n x + b_n + r * (U_n h + d_n))
        h'   = (1 - z) * n + z * h

    Args:
        input_size, hidden_size: sizes of x and of h.
        bias: whether to add b (bias_ih) and d (bias_hh).
        device, dtype: of the parameters.

    Shape:
        x: `(N, input_size)` or `(input_size)`; h and h': `(N, hidden_size)` or `(hidden_size)`, zeros if h is not given;
        weight_ih: `(3 hidden_size, input_size)`, rows in the order r, z, n; weight_hh: `(3 hidden_size, hidden_size)`;
        bias_ih, bias_hh: `(3 hidden_size)`. All start uniform in `[-k, k]` with `k = 1 / sqrt(hidden_size)`.

    Raises:
        ValueError: an input of another rank.
        RuntimeError: sizes that do not fit.

    Source: Cho et al., 2014; torch.nn.GRUCell.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.GRUCell(10, 20)(flow.ones(3, 10), flow.zeros(3, 20)).shape
        tritonflow.Size([3, 20])
    """

    mode = "GRU"

    if TYPE_CHECKING:

        def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor: ...

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: DeviceLike | None = None, dtype: DType | None = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)
