"""Ops that move elements: shapes, joins, parts, pads."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import as_list, as_number, axes_of, known, positive, product_of


@op("Shape", numbers=True)
def _shape(node: Any, x: Any) -> Any:
    return known(list(x.shape)[slice(node.get("start", 0), node.get("end"))])


@op("Size", numbers=True)
def _size(node: Any, x: Any) -> Any:
    return known(product_of(x.shape))


@op("Reshape", numbers=(1,))
def _reshape(node: Any, x: Any, shape: Any) -> Any:
    sizes = as_list(shape)
    if not node.get("allowzero", 0):
        for k, size in enumerate(sizes):
            if type(size) is int and size == 0:
                if k >= x.ndim:
                    raise ValueError(f"size 0 of dimension {k} means the input's, which has {x.ndim} dimensions")
                sizes[k] = x.shape[k]
    return flow.reshape(x, sizes)


@op("Flatten")
def _flatten(node: Any, x: Any) -> Any:
    axis = node.get("axis", 1)
    axis = axis + x.ndim if axis < 0 else axis
    return flow.reshape(x, (product_of(x.shape[:axis]), product_of(x.shape[axis:])))


@op("Squeeze", numbers=(1,))
def _squeeze(node: Any, x: Any, axes: Any = None) -> Any:
    given = axes_of(node, axes)
    if given is None:
        return flow.squeeze(x)
    for axis in given:
        if x.shape[axis] != 1:
            raise ValueError(f"dimension {axis} has size {x.shape[axis]}; only dimensions of size 1 can be left out")
    return flow.squeeze(x, given) if given else x


@op("Unsqueeze", numbers=(1,))
def _unsqueeze(node: Any, x: Any, axes: Any = None) -> Any:
    given = axes_of(node, axes) or []
    for axis in sorted(positive(axis, x.ndim + len(given)) for axis in given):
        x = flow.unsqueeze(x, axis)
    return x


@op("Transpose")
def _transpose(node: Any, x: Any) -> Any:
    return flow.permute(x, node.get("perm") or list(reversed(range(x.ndim))))


@op("Expand", numbers=(1,))
def _expand(node: Any, x: Any, shape: Any) -> Any:
    sizes = as_list(shape)
    sizes = [1] * (x.ndim - len(sizes)) + sizes
    own = [1] * (len(sizes) - x.ndim) + list(x.shape)
    return flow.broadcast_to(x, [size if _is_one(want) else want for size, want in zip(own, sizes)])


def _is_one(size: Any) -> bool:
    return bool(size == 1)


@op("Tile", numbers=(1,))
def _tile(node: Any, x: Any, repeats: Any) -> Any:
    return flow.tile(x, as_list(repeats))


@op("Concat")
def _concat(node: Any, *values: Any) -> Any:
    return flow.cat(list(values), node.get("axis", 1))


@op("Split", numbers=(1,))
def _split(node: Any, x: Any, sizes: Any = None) -> Any:
    axis = node.get("axis", 0)
    given = as_list(sizes) if sizes is not None else node.get("split")
    if given is None:
        parts, size = node.get("num_outputs", len(node.outputs)), x.shape[axis]
        each = (size + parts - 1) // parts
        given = [each] * (parts - 1) + [size - each * (parts - 1)]
    if len(given) != len(node.outputs):
        raise ValueError(f"{len(given)} sizes for {len(node.outputs)} outputs")
    return tuple(flow.split(x, list(given), axis))


@op("Slice", numbers=(1, 2, 3, 4))
def _slice(node: Any, x: Any, starts: Any = None, ends: Any = None, axes: Any = None, steps: Any = None) -> Any:
    first = as_list(starts) if starts is not None else node.get("starts")
    last = as_list(ends) if ends is not None else node.get("ends")
    dims = axes_of(node, axes)
    dims = list(range(len(first))) if dims is None else [positive(axis, x.ndim) for axis in dims]
    strides = [1] * len(first) if steps is None else as_list(steps)
    for dim, start, end, step in zip(dims, first, last, strides):
        x = _part(x, dim, start, end, step)
    return x


def _part(x: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    before = (slice(None),) * dim
    far = 2**31 - 1
    if step > 0:
        stop = None if type(end) is int and end >= far else end
        return x[before + (slice(start, stop, step),)]
    size = x.shape[dim]
    start = start + size if start < 0 else start
    end = end + size if end < 0 else end
    start = size - 1 if start > size - 1 else start
    end = -1 if end < -1 else end
    flipped = flow.flip(x, [dim])
    return flipped[before + (slice(size - 1 - start, size - 1 - end, -step),)]


@op("Pad", numbers=(1, 2, 3))
def _pad(node: Any, x: Any, pads: Any = None, value: Any = None, axes: Any = None) -> Any:
    widths = as_list(pads) if pads is not None else node.get("pads", node.get("paddings"))
    dims = list(range(x.ndim)) if axes is None else [positive(int(axis), x.ndim) for axis in as_list(axes)]
    if len(widths) != 2 * len(dims):
        raise ValueError(f"pads of {len(dims)} dimensions are {2 * len(dims)} numbers, but got {len(widths)}")
    pairs = {dim: (widths[k], widths[k + len(dims)]) for k, dim in enumerate(dims)}
    mode, number = node.get("mode", "constant"), as_number(value, node.get("value", 0))
    if mode == "constant":
        return F.pad(x, [pad for dim in reversed(range(x.ndim)) for pad in pairs.get(dim, (0, 0))], value=number)
    for dim, (begin, end) in pairs.items():
        if not (type(begin) is int and type(end) is int and begin == end == 0):
            x = _padded_along(x, dim, begin, end, mode)
    return x


def _padded_along(x: Any, dim: int, begin: Any, end: Any, mode: str) -> Any:
    moved = flow.movedim(x, dim, -1)
    cut = moved[..., (-begin if begin < 0 else 0) : (moved.shape[-1] + end if end < 0 else moved.shape[-1])]
    rows = flow.reshape(cut, (1, product_of(cut.shape[:-1]), cut.shape[-1]))
    widths = [begin if begin > 0 else 0, end if end > 0 else 0]
    rows = F.pad(rows, widths, mode={"edge": "replicate", "wrap": "circular"}.get(mode, mode))
    return flow.movedim(flow.reshape(rows, (*cut.shape[:-1], rows.shape[-1])), -1, dim)


@op("CenterCropPad", numbers=(1,))
def _center_crop_pad(node: Any, x: Any, shape: Any) -> Any:
    dims = node.get("axes") or list(range(x.ndim))
    for axis, want in zip(dims, as_list(shape)):
        dim = positive(axis, x.ndim)
        size = x.shape[dim]
        if want < size:
            x = flow.narrow(x, dim, (size - want) // 2, want)
        elif want > size:
            begin = (want - size) // 2
            x = F.pad(x, [0, 0] * (x.ndim - 1 - dim) + [begin, want - size - begin])
    return x


@op("DepthToSpace")
def _depth_to_space(node: Any, x: Any) -> Any:
    block = node.get("blocksize")
    n, c, h, w = x.shape
    if node.get("mode", "DCR") == "CRD":
        return F.pixel_shuffle(x, block)
    parts = flow.reshape(x, (n, block, block, c // (block * block), h, w))
    return flow.reshape(flow.permute(parts, (0, 3, 4, 1, 5, 2)), (n, c // (block * block), h * block, w * block))


@op("SpaceToDepth")
def _space_to_depth(node: Any, x: Any) -> Any:
    block = node.get("blocksize")
    n, c, h, w = x.shape
    parts = flow.reshape(x, (n, c, h // block, block, w // block, block))
    order = (0, 1, 3, 5, 2, 4) if node.get("mode", "DCR") == "CRD" else (0, 3, 5, 1, 2, 4)
    return flow.reshape(flow.permute(parts, order), (n, c * block * block, h // block, w // block))


@op("Trilu", numbers=(1,))
def _trilu(node: Any, x: Any, k: Any = None) -> Any:
    diagonal = int(as_number(k, 0))
    return flow.triu(x, diagonal) if node.get("upper", 1) else flow.tril(x, diagonal)


@op("Range", numbers=True, scoped=True)
def _range(node: Any, scope: Any, start: Any, limit: Any, delta: Any) -> Any:
    dtype = start.dtype
    first, last, step = (as_number(each) for each in (start, limit, delta))
    if not dtype.is_floating_point:
        return flow.arange(first, last, step, dtype=dtype, device=scope.device)
    count = max(-(-(last - first) // step), 0)
    return flow.arange(int(count), device=scope.device).to(dtype) * step + first


@op("ConstantOfShape", numbers=(0,), scoped=True)
def _constant_of_shape(node: Any, scope: Any, shape: Any) -> Any:
    value = node.get("value")
    number, dtype = (0.0, flow.float32) if value is None else (value.reshape(-1)[0].item(), node.dtype_of(value))
    return flow.full(as_list(shape), number, dtype=dtype, device=scope.device)


@op("EyeLike", numbers=True, scoped=True)
def _eye_like(node: Any, scope: Any, x: Any) -> Any:
    rows, columns = x.shape
    dtype = x.dtype if node.get("dtype") is None else node.dtype("dtype")
    k = node.get("k", 0)
    distance = flow.arange(columns, device=scope.device) - flow.arange(rows, device=scope.device).unsqueeze(1)
    return (distance == k).to(dtype)


@op("Col2Im", numbers=(1, 2))
def _col2im(node: Any, x: Any, image: Any, block: Any) -> Any:
    sizes, kernel = as_list(image), as_list(block)
    pads = node.get("pads") or [0] * 4
    if len(sizes) != 2 or pads[:2] != pads[2:]:
        raise NotImplementedError("Col2Im is supported for two dimensions with equal pads before and behind")
    return F.fold(x, sizes, kernel, node.get("dilations") or 1, pads[:2], node.get("strides") or 1)
