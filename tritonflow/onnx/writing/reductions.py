"""Sums over dimensions, and what is made of them: norms, softmax, the largest ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import bool_, float32, int32, int64
from tritonflow.onnx.writing.table import OpCall, writes
from tritonflow.onnx.writing.writer import expression_of

_SUMS = {"sum": "ReduceSum", "mean": "ReduceMean", "prod": "ReduceProd", "amax": "ReduceMax", "amin": "ReduceMin"}


def _dims(call: OpCall) -> list[int]:
    """Which dimensions."""
    dim = call.attrs["dim"]
    given = range(call.meta(0).ndim) if dim is None or dim == () else (dim,) if isinstance(dim, int) else dim
    return [d % max(call.meta(0).ndim, 1) for d in given]


def _reduced(call: OpCall, kind: str, x: str, keep: bool | None = None) -> str:
    dims = _dims(call)
    keepdims = int(call.attrs.get("keepdim", False) if keep is None else keep)
    if not dims:  # of a scalar
        return call.w.op("Identity", x)
    return call.w.op(kind, x, call.w.ints(dims), keepdims=keepdims)


@writes(*_SUMS)
def reduced(call: OpCall) -> str:
    return _reduced(call, _SUMS[call.node.op.name], call.cast(0, call.result.dtype))


@writes("any", "all")
def logical(call: OpCall) -> str:
    numbers = call.w.cast(call.cast(0, bool_), int32)
    return call.w.cast(_reduced(call, "ReduceMax" if call.node.op.name == "any" else "ReduceMin", numbers), bool_)


@writes("max_all", "min_all")
def extreme(call: OpCall) -> Sequence[str | None]:
    """Positions of one of all are not ONNX's."""
    return _reduced(call, "ReduceMax" if call.node.op.name == "max_all" else "ReduceMin", call[0]), None


@writes("max_dim", "min_dim")
def extreme_of_dim(call: OpCall) -> Sequence[str | None]:
    if not call.meta(0).ndim:
        return call[0], call.w.number(0, int64)
    (dim,), kind = _dims(call), "Max" if call.node.op.name == "max_dim" else "Min"
    keep = int(call.attrs["keepdim"])
    position = call.w.op(f"Arg{kind}", call[0], axis=dim, keepdims=keep)
    return _reduced(call, f"Reduce{kind}", call[0]), position


@writes("argmax", "argmin")
def position(call: OpCall) -> str:
    kind = "ArgMax" if call.node.op.name == "argmax" else "ArgMin"
    if call.attrs["dim"] is None:
        flat = call.w.op("Reshape", call[0], call.w.ints([-1]))
        found = call.w.op(kind, flat, axis=0, keepdims=0)
        return call.w.op("Reshape", found, call.w.ints([1] * call.result.ndim)) if call.result.ndim else found
    if not call.meta(0).ndim:
        return call.w.number(0, int64)
    (dim,) = _dims(call)
    return call.w.op(kind, call[0], axis=dim, keepdims=int(call.attrs["keepdim"]))


@writes("var", "std", "var_mean")
def variance(call: OpCall) -> str | Sequence[str | None]:
    w, x, name, dtype = call.w, call[0], call.node.op.name, call.result.dtype
    mean = _reduced(call, "ReduceMean", x, keep=True)
    deviation = w.op("Sub", x, mean)
    total = _reduced(call, "ReduceSum", w.op("Mul", deviation, deviation))
    count = expression_of(1)
    for d in _dims(call):
        count = count * expression_of(call.meta(0).shape[d])
    degrees: Any = count - call.attrs["correction"] if count.constant is None else count.constant - call.attrs["correction"]
    found = w.op("Div", total, w.number(degrees, dtype))
    if name == "std":
        return w.op("Sqrt", found)
    return (found, _reduced(call, "ReduceMean", x)) if name == "var_mean" else found


@writes("norm")
def norm(call: OpCall) -> str:
    kinds: dict[Any, str] = {2: "ReduceL2", 1: "ReduceL1", float("inf"): "ReduceMax", float("-inf"): "ReduceMin"}
    order = call.attrs["order"]
    if order not in kinds:
        raise call.refuse(f"order {order}")
    x = call.cast(0, call.result.dtype)
    return _reduced(call, kinds[order], x if order in (1, 2) else call.w.op("Abs", x))


@writes("softmax", "log_softmax")
def softmax(call: OpCall) -> str:
    kind = "Softmax" if call.node.op.name == "softmax" else "LogSoftmax"
    x = call.cast(0, call.result.dtype)
    if not call.result.ndim:
        raise call.refuse("of a scalar")
    return call.w.op(kind, x, axis=call.attrs["dim"])


@writes("cumsum")
def cumsum(call: OpCall) -> str:
    w = call.w
    if not call.result.ndim:
        return call.cast(0, call.result.dtype)
    return w.op("CumSum", call.cast(0, call.result.dtype), w.number(call.attrs["dim"], int64), reverse=int(call.attrs["reverse"]))


@writes("sort")
def sort(call: OpCall) -> Sequence[str | None]:
    if not call.meta(0).ndim:
        return call[0], call.w.number(0, int64)
    dim = call.attrs["dim"]
    size = call.w.size(call.meta(0).shape[dim])
    keep = call.attrs["keep"]
    count = size if keep is None else call.w.size(keep)
    values, indices = call.w.ops("TopK", 2, call[0], count, axis=dim, largest=int(call.attrs["descending"]), sorted=1)
    return values, indices


# ---- norms


@writes("layer_norm", "add_layer_norm")
def layer_norm(call: OpCall) -> Sequence[str | None]:
    w, a, dtype = call.w, call.attrs, call.result.dtype
    added = call.node.op.name == "add_layer_norm"
    x = w.op("Add", call[0], call[1]) if added else call[0]
    weight, bias = call.names[-2:]
    shape = call.meta(0).shape[call.meta(0).ndim - a["dims"] :]
    if a["center"]:
        scale = weight or w.op("Expand", w.number(1, dtype), w.shape(shape))
        y = w.op("LayerNormalization", x, scale, *[bias or ""][: bias is not None], axis=-a["dims"], epsilon=float(a["eps"]))
    else:
        wide = x if dtype is float32 or dtype.itemsize == 8 else w.cast(x, float32)
        own = dtype if wide == x else float32
        axes = w.ints([*range(-a["dims"], 0)])
        mean = w.op("ReduceMean", w.op("Mul", wide, wide), axes, keepdims=1)
        root = w.op("Sqrt", w.op("Add", mean, w.number(a["eps"], own)))
        y = w.op("Div", wide, root)
        y = y if own is dtype else w.cast(y, dtype)
        y = y if weight is None else w.op("Mul", y, weight)
        y = y if bias is None else w.op("Add", y, bias)
    return (y, x, None, None) if added else (y, None, None)


@writes("batch_norm_eval")
def batch_norm(call: OpCall) -> Sequence[str | None]:
    w, (x, weight, bias, mean, variance) = call.w, call.names
    assert x is not None and mean is not None and variance is not None
    dtype = call.meta(3).dtype
    shape = w.shape([call.meta(0).shape[1]])
    scale = weight or w.op("Expand", w.number(1, dtype), shape)
    shift = bias or w.op("Expand", w.number(0, dtype), shape)
    return w.op("BatchNormalization", x, scale, shift, mean, variance, epsilon=float(call.attrs["eps"])), None
