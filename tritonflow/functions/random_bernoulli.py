"""Functors of draws by probabilities: Bernoulli numbers, dropout."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import target_like
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentValueError, DTypeNotImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation_like import empty_like
from tritonflow.functions.generated import mul, scalar_mul
from tritonflow.functions.random import check_probability, draw, factor_of, local_state, pass_over, state_of
from tritonflow.functions.random_generator import Generator
from tritonflow.interpreter.dispatch import dispatch, dispatch_first
from tritonflow.interpreter.recording import record_zeros

_bernoulli = op_expr("random_bernoulli")
_bernoulli_of = op_expr("random_bernoulli_of")
_dropout = op_expr("random_dropout")


@function(
    "Tensor (Tensor input, *, Generator generator=None)",
    "Tensor (Tensor input, Float p, *, Generator generator=None) => BernoulliProb",
    "Tensor (Tensor input, *, Float p, Generator generator=None, DataType dtype) => BernoulliCast",
    "Tensor (Tensor input, *, Generator generator=None, DataType dtype) => BernoulliOfCast",
    methods="bernoulli", samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def bernoulli(input: Tensor, generator: Generator | None = None) -> Any:
    """1 with the probability that the input (or p) says, else 0.

    Overloads:
        - `bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, p: float, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, *, p: float, generator: Generator | None = None, dtype: DType) -> Tensor`
        - `bernoulli(input: Tensor, *, generator: Generator | None = None, dtype: DType) -> Tensor`

    Args:
        input: probabilities, or with p only the shape and the dtype.
        generator: draws the numbers; the device's default generator unless given.
        p: one probability for all.
        dtype: of the result; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.bernoulli`.

    Raises:
        RuntimeError: a probability outside 0 to 1.
        NotImplementedError: an input without p that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bernoulli.

    Example:
        >>> import tritonflow as flow
        >>> flow.bernoulli(flow.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
    if not input.meta.dtype.is_floating_point:
        raise DTypeNotImplementedError(f"bernoulli: expected a floating point tensor, got {input.meta.dtype}")
    where = target_like("bernoulli", input, input.meta.ndim)
    state = state_of(generator, where)
    drawn = dispatch(_bernoulli_of, (input, state))
    pass_over(state, where, input.meta.numel)
    return record_zeros(drawn, (input,))


@functor("BernoulliProb")
def bernoulli_prob(input: Tensor, p: float, generator: Generator | None = None) -> Any:
    check_probability("bernoulli", p)
    where = target_like("bernoulli", input, input.meta.ndim)
    return draw(_bernoulli, (input.meta.shape, input.meta.dtype), (float(p),), where, generator)


@functor("BernoulliOfCast")
def bernoulli_of_cast(input: Tensor, generator: Generator | None, dtype: DType) -> Any:
    """OneFlow's form: the result in a dtype."""
    return cast(bernoulli(input, generator), dtype)


@functor("BernoulliCast")
def bernoulli_cast(input: Tensor, p: float, generator: Generator | None, dtype: DType) -> Any:
    """OneFlow's form: the result in a dtype."""
    return cast(bernoulli_prob(input, p, generator), dtype)


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None, Tensor addend=None)",
    export=("flow", "nn.functional"),
    samples={"none": "random: tests/ops/test_random.py looks at distributions, seeds and dtypes"},
)
def dropout(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, generator: Generator | None = None,
    addend: Tensor | None = None,
) -> Any:  # fmt: skip
    """Zeros with probability p, the rest divided by 1 - p.

    Every element is drawn by itself; the mean stays. After Srivastava et al., Dropout, 2014.

    Args:
        input: the input.
        p: the probability of a zero.
        training: whether elements are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        generator: draws the numbers; the device's default generator unless given.
        addend: is added to the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.nn.functional.dropout.

    Example:
        >>> import tritonflow as flow
        >>> flow.dropout(flow.ones(3), p=0.5, training=False)
        tensor([1., 1., 1.])
        >>> sorted(set(flow.dropout(flow.ones(100)).tolist()))
        [0.0, 2.0]
    """
    if not 0 <= p <= 1:
        raise ArgumentValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if addend is not None:
        total = add(dropout(input, p, training, False, generator), addend)
        return copy_(input, total) if inplace else total
    if not training or p == 0 or known_equal(input.meta.numel, 0):
        return input
    scale = factor_of(p)
    if inplace:
        mask = bernoulli_prob(empty_like(input), 1 - p, generator)
        return mul(input, scalar_mul(mask, scale), inplace=True)
    if input.meta.is_local:
        return dispatch_first(_dropout, (input, local_state(generator, input.meta.device)), (), (float(p), scale))
    where = target_like("dropout", input, input.meta.ndim)
    state = state_of(generator, where)
    dropped = dispatch(_dropout, (input, state), (), (float(p), scale))[0]
    pass_over(state, where, input.meta.numel)
    return dropped
