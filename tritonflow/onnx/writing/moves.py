"""Ops that move elements, and those that make tensors of numbers."""

from __future__ import annotations

from tritonflow.dtypes import int64
from tritonflow.onnx.writing.table import OpCall, writes
from tritonflow.onnx.writing.writer import is_size
from tritonflow.ops.elementwise import broadcast_shapes


@writes("contiguous_copy", "clone")
def same(call: OpCall) -> str:
    return call[0]


@writes("copy_")
def copied(call: OpCall) -> str:
    """The second input as the first one lies."""
    w, value = call.w, call.cast(1, call.meta(0).dtype)
    return value if call.meta(1).shape == call.meta(0).shape else w.op("Expand", value, w.shape(call.meta(0).shape))


@writes("fill_")
def filled(call: OpCall) -> str:
    return call.w.op("Expand", call.number("value"), call.w.shape(call.result.shape))


@writes("cat")
def cat(call: OpCall) -> str:
    return call.w.op("Concat", *call.in_result_dtype(), axis=call.attrs["dim"])


@writes("pad_edges")
def padded(call: OpCall) -> str:
    w, a = call.w, call.attrs
    modes = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    if a["mode"] not in modes:
        raise call.refuse(f"mode {a['mode']!r}")
    return w.op("Pad", call[0], w.ints([a["before"], a["after"]]), "", w.ints([a["dim"]]), mode=modes[a["mode"]])


@writes("index_get")
def index_get(call: OpCall) -> str:
    """Rows by one index tensor; several make coordinates in the last dimension."""
    w, dim, indices = call.w, call.attrs["dim"], call.names[1:]
    if len(indices) == 1:
        return w.op("Gather", call[0], call.cast(1, int64), axis=dim)
    if dim != 0:
        raise call.refuse("several index tensors that are not the first")
    shape = call.result.shape[: call.result.ndim - (call.meta(0).ndim - len(indices))]
    each = [w.op("Expand", call.cast(1 + k, int64), w.shape(shape)) for k in range(len(indices))]
    return w.op("GatherND", call[0], w.op("Concat", *[w.op("Unsqueeze", name, w.ints([-1])) for name in each], axis=-1))


@writes("gather")
def gather(call: OpCall) -> str:
    return call.w.op("GatherElements", call[0], call.cast(1, int64), axis=call.attrs["dim"])


@writes("scatter")
def scatter(call: OpCall) -> str:
    x, source = (call.cast(k, call.result.dtype) for k in (0, 1))
    kind = {"reduction": "add"} if call.attrs["accumulate"] else {}
    return call.w.op("ScatterElements", x, call.cast(2, int64), source, axis=call.attrs["dim"], **kind)


@writes("scatter_fold")
def scatter_fold(call: OpCall) -> str:
    """Without itself, the input is what leaves a fold as it is, where the index says."""
    kinds = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
    fold = call.attrs["fold"]
    if fold not in kinds or not call.attrs["include_self"]:
        raise call.refuse(f"fold {fold!r}" if fold not in kinds else "without the input itself")
    x, source = (call.cast(k, call.result.dtype) for k in (0, 1))
    return call.w.op("ScatterElements", x, call.cast(2, int64), source, axis=call.attrs["dim"], reduction=kinds[fold])


@writes("index_put")
def index_put(call: OpCall) -> str:
    """Rows of the first dimensions, by one index tensor for each."""
    w, a, x = call.w, call.attrs, call.meta(0)
    if a["dim"] != 0:
        raise call.refuse("index tensors that are not the first")
    indices = call.names[2:]
    shape = broadcast_shapes([call.meta(2 + k).shape for k in range(len(indices))])
    each = [w.op("Expand", call.cast(2 + k, int64), w.shape(shape)) for k in range(len(indices))]
    at = w.op("Concat", *[w.op("Unsqueeze", name, w.ints([-1])) for name in each], axis=-1)
    value = w.op("Expand", call.cast(1, x.dtype), w.shape([*shape, *x.shape[len(indices) :]]))
    return w.op("ScatterND", call[0], at, value, **({"reduction": "add"} if a["accumulate"] else {}))


@writes("grid_sample_points")
def grid_sample(call: OpCall) -> str:
    """Pixels and points are flat: images have their shape again, and the points lie in a column."""
    w, a, (n, c, _), points = call.w, call.attrs, call.meta(0).shape, call.meta(1).shape[1]
    modes, dims = {"bilinear": "linear", "nearest": "nearest"}, len(a["image"])
    if a["mode"] not in modes or any(a["orders"]):
        raise call.refuse(f"mode {a['mode']!r}")
    image = w.op("Reshape", call[0], w.shape([n, c, *a["image"]]))
    grid = w.op("Reshape", call[1], w.shape([n, points, *[1] * (dims - 1), dims]))
    options = {"mode": modes[a["mode"]], "padding_mode": a["padding"], "align_corners": int(a["aligned"])}
    return w.op("Reshape", w.op("GridSample", image, grid, **options), w.shape(call.result.shape))


@writes("eye")
def eye(call: OpCall) -> str:
    w, shape = call.w, [call.w.number(n, int64) for n in call.result.shape]
    rows = w.op("Unsqueeze", w.op("Range", w.number(0, int64), shape[0], w.number(1, int64)), w.ints([1]))
    columns = w.op("Range", w.number(0, int64), shape[1], w.number(1, int64))
    return w.cast(w.op("Equal", rows, columns), call.result.dtype)


@writes("tril", "triu")
def triangle(call: OpCall) -> str:
    w = call.w
    return w.op("Trilu", call[0], w.number(call.attrs["diagonal"], int64), upper=int(call.node.op.name == "triu"))


@writes("flip")
def flip(call: OpCall) -> str:
    w, dims = call.w, list(call.attrs["dims"])
    if not dims:
        return w.op("Identity", call[0])
    ends = w.ints([-(1 << 62)] * len(dims))
    return w.op("Slice", call[0], w.ints([-1] * len(dims)), ends, w.ints(dims), w.ints([-1] * len(dims)))


@writes("one_hot")
def one_hot(call: OpCall) -> str:
    w = call.w
    classes = call.attrs["num_classes"]
    depth = w.size(classes) if classes != -1 else None
    if depth is None:
        raise call.refuse("a number of classes that depends on the numbers")
    return w.op("OneHot", call.cast(0, int64), depth, w.numbers([0, 1], int64, (2,)), axis=-1)


@writes("full")
def full(call: OpCall) -> str:
    value = call.number("value")
    return call.w.op("Expand", value, call.w.shape(call.result.shape)) if call.result.ndim else call.w.op("Identity", value)


@writes("arange")
def arange(call: OpCall) -> str:
    """start + i * step for i < n."""
    w, a, dtype = call.w, call.attrs, call.result.dtype
    count, start, step = a["n"], a["start"], a["step"]
    if not any(map(is_size, (count, start, step))):
        return w.numbers([start + k * step for k in range(count)], dtype, (count,))
    zero, one = w.number(0, int64), w.number(1, int64)
    counted = w.cast(w.op("Range", zero, w.op("Squeeze", w.size(count)), one), dtype)
    return w.op("Add", w.number(start, dtype), w.op("Mul", counted, w.number(step, dtype)))
