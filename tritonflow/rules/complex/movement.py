"""Ops that move complex numbers, make them, or are linear over the real ones: they run on pairs with a last dimension more."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from tritonflow.binding.target import beside
from tritonflow.dtypes import DType, bool_, result_type, torch_name
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import creation
from tritonflow.functions.cast import cast, copy_, user_cast
from tritonflow.functions.creation_like import zeros_like
from tritonflow.functions.generated import logical_or, scalar_ne
from tritonflow.functions.unary_complex import imag, real
from tritonflow.functions.view import expand, unshared, unsqueeze
from tritonflow.functions.view_complex import complex_of_pairs, made_of, pairs_of_complex
from tritonflow.interpreter.complex_numbers import Form, no_form
from tritonflow.interpreter.dispatch import dispatch, dispatch1

Inputs = tuple[Any, ...]
Values = tuple[Any, ...]

_cast = op_expr("cast")
_where = op_expr("where")


def lifted(x: Tensor, dtype: DType) -> Tensor:
    """A tensor as complex numbers of a dtype."""
    return x if x.meta.dtype is dtype else dispatch1(_cast, x, (dtype,))  # type: ignore[no-any-return]


def joint_dtype(inputs: Inputs, numbers: Values = ()) -> DType:
    """The complex dtype that operands promote to."""
    metas = [t.meta for t in inputs if t is not None]
    return result_type([(m.dtype, m.ndim) for m in metas], [v.__class__ for v in numbers])


def number(value: Any, dtype: DType, like: Tensor) -> Tensor:
    """A complex number as a tensor without dimensions."""
    value = complex(value)
    parts = [creation.full((), part, dtype=dtype.to_real(), **beside(like)) for part in (value.real, value.imag)]
    return made_of(*parts)


def truth(x: Tensor) -> Tensor:
    """Where numbers are not 0."""
    if not x.meta.dtype.is_complex:
        return cast(x, bool_)  # type: ignore[no-any-return]
    return logical_or(scalar_ne(real(x), 0), scalar_ne(imag(x), 0))  # type: ignore[no-any-return]


def as_numbers(pairs: Tensor) -> Tensor:
    """The complex numbers of new pairs; no view of anything."""
    return unshared(complex_of_pairs(pairs))


def write_over(out: Tensor, source: Tensor) -> Tensor:
    """Write numbers over a complex tensor, through the view of its pairs. Returns the tensor."""
    copy_(pairs_of_complex(out), pairs_of_complex(lifted(source, out.meta.dtype)))
    return out


# ------------------------------------------------------------------------------------------------------ on pairs


def on_pairs(attrs_of: Callable[[Any, Values], Values] | None = None, tensors: int = 1, indices: bool = False) -> Form:
    """The form of an op that does the same to both parts.

    Args:
        attrs_of: the static attributes for pairs, of the pairs and the attributes; the same ones unless given.
        tensors: how many inputs are numbers; the others are indices. All for -1.
        indices: whether the indices have the shape of the numbers, and so a last dimension more.
    """

    def form(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
        count = len(inputs) if tensors < 0 else tensors
        dtype = joint_dtype(inputs[:count])
        pairs = [pairs_of_complex(lifted(x, dtype)) for x in inputs[:count]]
        rest = [_index_of_pairs(x) if indices else x for x in inputs[count:]]
        changed = attrs if attrs_of is None else attrs_of(pairs[0], attrs)
        return as_numbers(dispatch(op, (*pairs, *rest), changed, dynamic))

    return form


def _index_of_pairs(index: Tensor) -> Tensor:
    return expand(unsqueeze(index, index.meta.ndim), (*index.meta.shape, 2))


def _region(pairs: Tensor, attrs: Values) -> Values:
    shape, stride, elements = attrs
    return (*shape, 2), (*[2 * s for s in stride], 1), 2 * elements


def _shape_first(pairs: Tensor, attrs: Values) -> Values:
    return (*attrs[0], 2), *attrs[1:]


def _not_in_place(pairs: Tensor, attrs: Values) -> Values:
    """The op makes a new tensor; who wants it in place copies that."""
    return *attrs[:-1], False


def linear_reduction(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """sum, mean: attributes (dims, keepdim, dtype)."""
    (x,), (dims, keepdim, dtype) = inputs, attrs
    if dtype is not None:
        x = user_cast(x, dtype)
        if not dtype.is_complex:
            return dispatch1(op, x, (dims, keepdim, None))
    if not x.meta.ndim:
        return unshared(complex_of_pairs(dispatch1(op_expr("clone"), pairs_of_complex(x))))
    return as_numbers(dispatch1(op, pairs_of_complex(x), (dims, keepdim, None)))


def cumsum(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    (x,), (dim, dtype, *reverse) = inputs, attrs
    if dtype is not None:
        x = user_cast(x, dtype)
        if not dtype.is_complex:
            return dispatch1(op, x, (dim, None, *reverse))
    if not x.meta.ndim:
        return as_numbers(dispatch1(op_expr("clone"), pairs_of_complex(x)))
    return as_numbers(dispatch1(op, pairs_of_complex(x), (dim, None, *reverse)))


def by_parts(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """tril, triu, columns: the last dimensions have a meaning."""
    (x,) = inputs
    return made_of(dispatch1(op, real(x), attrs), dispatch1(op, imag(x), attrs))


# -------------------------------------------------------------------------------------------------------- casts


def cast_numbers(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """Real numbers have the imaginary part 0."""
    (x,), (dtype,) = inputs, attrs
    if dtype is bool_:
        return truth(x)
    if not dtype.is_complex:
        raise no_form(op, inputs, ())  # inside of an op it would lose the imaginary part; who casts by name comes by `discard`
    if x.meta.dtype.is_complex:
        return as_numbers(dispatch1(_cast, pairs_of_complex(x), (dtype.to_real(),)))
    part = cast(x, dtype.to_real())
    return made_of(part, zeros_like(part))


def discard(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """The real part of numbers that a user casts to a real dtype, with a warning, as in torch."""
    warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=6)
    return real(inputs[0])


# ------------------------------------------------------------------------------------------------------- choices


def _choose(condition: Tensor, x: Any, y: Any, dtype: DType, like: Tensor) -> Tensor:
    if condition.meta.dtype.is_complex:
        found = torch_name(condition.meta.dtype)
        raise DTypeError(f"where expected condition to be a boolean tensor, but got a tensor with dtype {found}")
    x, y = (v if isinstance(v, Tensor) else number(v, dtype, like) for v in (x, y))
    pairs = [pairs_of_complex(lifted(v, dtype)) for v in (x, y)]
    return as_numbers(dispatch(_where, (unsqueeze(condition, condition.meta.ndim), *pairs)))


def where(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    condition, x, y = inputs
    return _choose(condition, x, y, joint_dtype((x, y)), x)


def where_scalar_x(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    condition, y = inputs
    return _choose(condition, dynamic[0], y, joint_dtype((y,), dynamic), y)


def where_scalar_y(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    condition, x = inputs
    return _choose(condition, x, dynamic[0], joint_dtype((x,), dynamic), x)


def masked_fill(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    x, mask = inputs
    return _choose(mask, dynamic[0], x, joint_dtype((x,)), x)


def of_truth(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """any, all, nonzero, logical_and ...: whether the numbers are 0."""
    numbers = tuple([bool(value) for value in dynamic])
    return dispatch(op, tuple([truth(x) for x in inputs]), attrs, numbers)


# ------------------------------------------------------------------------------------------------------ new tensors


def _placed(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """Run an op that makes a tensor; behind its attributes may stand a placement and an sbp."""
    count = len(op.definition.attrs)
    return dispatch(op, inputs, attrs[:count], dynamic, None, *attrs[count:])


def full(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    shape, dtype, *rest = attrs
    value = complex(dynamic[0])
    if value.real == value.imag and str(value.real) == str(value.imag):
        return as_numbers(_placed(op, (), ((*shape, 2), dtype.to_real(), *rest), (value.real,)))
    parts = [_placed(op, (), (shape, dtype.to_real(), *rest), (part,)) for part in (value.real, value.imag)]
    return made_of(*parts)


def empty(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    shape, dtype, *rest = attrs
    return as_numbers(_placed(op, (), ((*shape, 2), dtype.to_real(), *rest), ()))


def of_real(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """eye, linspace, arange: the real numbers, with the imaginary part 0. Complex ends go by both parts."""
    shape, dtype, *rest = attrs
    parts = [_placed(op, (), (shape, dtype.to_real(), *rest), tuple([complex(v).real for v in dynamic]))]
    if any(complex(v).imag for v in dynamic):
        parts.append(_placed(op, (), (shape, dtype.to_real(), *rest), tuple([complex(v).imag for v in dynamic])))
    return made_of(parts[0], parts[1] if len(parts) > 1 else zeros_like(parts[0]))


def fill(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """The number that is written over the input."""
    return number(dynamic[0], inputs[0].meta.dtype, inputs[0])


def random(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    shape, dtype, *rest = attrs
    return as_numbers(_placed(op, inputs, ((*shape, 2), dtype.to_real(), *rest), dynamic))


def random_normal(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    """Half of the variance is that of the real part, half that of the imaginary one; the mean is real."""
    mean, std = dynamic
    drawn = random(op, inputs, attrs, (0.0, std / math.sqrt(2)))
    if mean:
        pairs = pairs_of_complex(drawn)
        return made_of(dispatch(op_expr("scalar_add"), (real(drawn),), (), (mean,)), pairs[..., 1])
    return drawn


# ------------------------------------------------------------------------------------------------- consistent tensors


def _to_consistent(pairs: Tensor, attrs: Values) -> Values:
    placement, sbp, through, grad_sbp, shape, check_meta = attrs
    return placement, sbp, through, grad_sbp, None if shape is None else (*shape, 2), check_meta


# ------------------------------------------------------------------------------------------------- the same to both parts

same = on_pairs()
same_to_all = on_pairs(tensors=-1)
region_grad = on_pairs(_region)
shape_first = on_pairs(_shape_first)
index_put = on_pairs(_not_in_place, tensors=2)
gather = on_pairs(indices=True)
scatter = on_pairs(_not_in_place, tensors=2, indices=True)
to_consistent = on_pairs(_to_consistent)
