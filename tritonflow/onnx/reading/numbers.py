"""Ops on numbers that the host knows: index arithmetic, which stays symbolic in a program for many sizes."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.dtypes import DType, iinfo
from tritonflow.onnx.reading.values import MOST_KNOWN, Known, as_list, as_number, axes_of

Function = Callable[..., Any]


def in_dtype(value: Any, dtype: DType) -> Any:
    """A number as the dtype has it: integers wrap around, float32 rounds."""
    if dtype is flow.bool:
        return bool(value)
    if dtype.is_floating_point:
        return ctypes.c_float(value).value if dtype is flow.float32 else float(value)
    if type(value) is not int:
        return value
    limits = iinfo(dtype)
    return (value - limits.min) % (limits.max - limits.min + 1) + limits.min


def _quotient(a: Any, b: Any) -> Any:
    """Towards zero, as ONNX has it for integers."""
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def _remainder(node: Any, a: Any, b: Any) -> Any:
    return a - b * _quotient(a, b) if node.get("fmod", 0) else a % b


def _least(*values: Any) -> Any:
    result = values[0]
    for value in values[1:]:
        result = value if value < result else result
    return result


def _greatest(*values: Any) -> Any:
    result = values[0]
    for value in values[1:]:
        result = value if value > result else result
    return result


def _elementwise(function: Function, *values: Known, dtype: DType | None = None) -> Any:
    """A function of each element, with broadcasting."""
    lengths = {len(value.numbers) for value in values if value.rank} - {1}
    if len(lengths) > 1:
        return NotImplemented  # ops on tensors say what is wrong
    rank = max(value.rank for value in values)
    count = lengths.pop() if lengths else 1
    columns = [value.numbers * count if len(value.numbers) == 1 else value.numbers for value in values]
    dtype = dtype or values[-1].dtype
    return Known(tuple(in_dtype(function(*row), dtype) for row in zip(*columns)), rank, dtype)


def _pointwise(function: Function, dtype: DType | None = None) -> Function:
    return lambda node, *values: _elementwise(function, *values, dtype=dtype)


def _rounding(function: Function) -> Function:
    def run(node: Any, x: Known) -> Any:
        finite = all(isinstance(n, int) or math.isfinite(n) for n in x.numbers)
        return _elementwise(function, x) if finite else NotImplemented

    return run


def _divide(node: Any, a: Known, b: Known) -> Any:
    return NotImplemented if any(type(n) in (int, float) and n == 0 for n in b.numbers) else _elementwise(_quotient, a, b)


def _modulo(node: Any, a: Known, b: Known) -> Any:
    if a.dtype.is_floating_point or any(type(n) is int and n == 0 for n in b.numbers):
        return NotImplemented
    return _elementwise(lambda x, y: _remainder(node, x, y), a, b)


def _square_root(node: Any, x: Known) -> Any:
    return _elementwise(math.sqrt, x) if all(n >= 0 for n in x.numbers) else NotImplemented


def _cast(node: Any, x: Known, like: Known | None = None) -> Any:
    dtype = node.dtype("to") if like is None else like.dtype
    if dtype in (flow.int64, flow.int32, flow.bool):
        whole = not x.dtype.is_floating_point or dtype is flow.bool
        if not whole and not all(math.isfinite(n) for n in x.numbers):
            return NotImplemented
        return _elementwise((lambda n: n) if whole else int, x, dtype=dtype)
    if dtype in (flow.float32, flow.float64):
        return _elementwise(float, x, dtype=dtype)
    return NotImplemented


def _gather(node: Any, data: Known, indices: Known) -> Any:
    if not data.rank or not all(-len(data.numbers) <= i < len(data.numbers) for i in indices.numbers):
        return NotImplemented
    return Known(tuple(data.numbers[int(i)] for i in indices.numbers), indices.rank, data.dtype)


def _slice(node: Any, data: Known, starts: Any = None, ends: Any = None, axes: Any = None, steps: Any = None) -> Any:
    if not data.rank:
        return NotImplemented
    start = as_number(starts) if starts is not None else node.attributes["starts"][0]
    end = as_number(ends) if ends is not None else node.attributes["ends"][0]
    step = int(as_number(steps, 1))
    if step < 0 and end < -len(data.numbers):
        end = None
    return Known(data.numbers[slice(int(start), None if end is None else int(end), step)], 1, data.dtype)


def _concat(node: Any, *values: Known) -> Any:
    if any(value.rank == 0 for value in values):
        return NotImplemented
    return Known(tuple(n for value in values for n in value.numbers), 1, values[0].dtype)


def _unsqueeze(node: Any, x: Known, axes: Known | None = None) -> Any:
    given = axes_of(node, axes)
    return Known(x.numbers, 1, x.dtype) if x.rank == 0 and given in ([0], [-1]) else NotImplemented


def _squeeze(node: Any, x: Known, axes: Known | None = None) -> Any:
    if x.rank == 0:
        return x
    given = axes_of(node, axes)
    if given == [] or (given is None and len(x.numbers) != 1):
        return x
    return Known(x.numbers, 0, x.dtype) if len(x.numbers) == 1 else NotImplemented


def _reshape(node: Any, x: Known, shape: Known) -> Any:
    sizes = as_list(shape)
    if sizes == []:
        return Known(x.numbers, 0, x.dtype) if len(x.numbers) == 1 else NotImplemented
    fits = len(sizes) == 1 and (sizes[0] == -1 or (sizes[0] == len(x.numbers) and sizes[0] != 0))
    return Known(x.numbers, 1, x.dtype) if fits else NotImplemented


def _range(node: Any, start: Known, limit: Known, delta: Known) -> Any:
    numbers = [as_number(each) for each in (start, limit, delta)]
    if start.dtype.is_floating_point or any(type(n) is not int for n in numbers) or numbers[2] == 0:
        return NotImplemented
    found = range(*numbers)
    return Known(tuple(found), 1, start.dtype) if len(found) <= MOST_KNOWN else NotImplemented


def _constant_of_shape(node: Any, shape: Known) -> Any:
    value = node.get("value")
    number = 0.0 if value is None else value.reshape(-1)[0].item()
    dtype = flow.float32 if value is None else node.dtype_of(value)
    if len(shape.numbers) > 1 or dtype not in (flow.int64, flow.int32, flow.bool):
        return NotImplemented
    count = shape.numbers[0] if shape.numbers else 1
    if type(count) is not int or not 0 <= count <= MOST_KNOWN:
        return NotImplemented
    return Known((number,) * count, len(shape.numbers), dtype)


def _reduce(function: Function, start: Any) -> Function:
    def reduce(node: Any, x: Known, axes: Known | None = None) -> Any:
        given = axes_of(node, axes)
        if not x.numbers or given not in (None, [0], [-1]) or (given is None and node.get("noop_with_empty_axes", 0)):
            return NotImplemented
        result = x.numbers[0] if start is None else start
        for number in x.numbers[1:] if start is None else x.numbers:
            result = function(result, number)
        return Known((in_dtype(result, x.dtype),), x.rank if node.get("keepdims", 1) else 0, x.dtype)

    return reduce


def _where(node: Any, condition: Known, a: Known, b: Known) -> Any:
    return _elementwise(lambda c, x, y: x if c else y, condition, a, b)


def _expand(node: Any, x: Known, shape: Known) -> Any:
    sizes = as_list(shape)
    if len(sizes) != 1 or type(sizes[0]) is not int or len(x.numbers) != 1 or not 1 <= sizes[0] <= MOST_KNOWN:
        return NotImplemented
    return Known(x.numbers * sizes[0], 1, x.dtype)


def _split(node: Any, x: Known, sizes: Known | None = None) -> Any:
    given = as_list(sizes) if sizes is not None else node.get("split")
    if given is None or not x.rank or sum(given) != len(x.numbers):
        return NotImplemented
    parts, start = [], 0
    for size in given:
        parts.append(Known(x.numbers[start : start + size], 1, x.dtype))
        start += size
    return tuple(parts)


def _logical(function: Function) -> Function:
    return _pointwise(function, dtype=flow.bool)


NUMBERS: dict[str, Function] = {
    "Add": _pointwise(operator.add), "Sub": _pointwise(operator.sub), "Mul": _pointwise(operator.mul), "Div": _divide,
    "Mod": _modulo, "Neg": _pointwise(operator.neg), "Abs": _pointwise(abs), "Sqrt": _square_root,
    "Min": _pointwise(_least), "Max": _pointwise(_greatest), "Floor": _rounding(math.floor), "Ceil": _rounding(math.ceil),
    "Equal": _logical(operator.eq), "Greater": _logical(operator.gt), "Less": _logical(operator.lt),
    "GreaterOrEqual": _logical(operator.ge), "LessOrEqual": _logical(operator.le), "Not": _logical(operator.not_),
    "And": _logical(lambda a, b: a and b), "Or": _logical(lambda a, b: a or b), "Where": _where,
    "Cast": _cast, "CastLike": _cast, "Identity": lambda node, x: x, "Gather": _gather, "Slice": _slice, "Concat": _concat,
    "Unsqueeze": _unsqueeze, "Squeeze": _squeeze, "Reshape": _reshape, "Range": _range, "Expand": _expand, "Split": _split,
    "ConstantOfShape": _constant_of_shape, "ReduceProd": _reduce(operator.mul, 1), "ReduceSum": _reduce(operator.add, 0),
    "ReduceMin": _reduce(_least, None), "ReduceMax": _reduce(_greatest, None),
}  # fmt: skip
"""By op type a function of the node and known numbers. It gives NotImplemented where an op on tensors has to do it."""
