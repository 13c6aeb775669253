"""How a tensor prints: as torch's do, with NumPy laying out the numbers."""

from __future__ import annotations

from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.data_exchange import CPU, read
from tritonflow.functional.functors.cast import cast
from tritonflow.functional.functors.view import detach
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.wire.world import this_rank

_options: dict[str, Any] = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """How tensors print from now on.

    Args:
        precision: digits behind the point.
        threshold: number of elements from which the middle is left out.
        edgeitems: how many are shown at the ends then.
        linewidth: characters in a line.
        profile: "default", "short" or "full" set the others first.
        sci_mode: scientific notation always, never, or (None) where the range of values asks for it.
    """
    profiles: dict[str | None, dict[str, Any]] = {
        None: {},
        "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
        "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
        "full": {"precision": 4, "threshold": 1 << 62, "edgeitems": 3, "linewidth": 80},
    }
    if profile not in profiles:
        raise ValueError(f"set_printoptions(): profile must be 'default', 'short' or 'full', not {profile!r}")
    _options.update(profiles[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options.update({name: value for name, value in given.items() if value is not None})
    _options["sci_mode"] = sci_mode


def representation(x: Tensor) -> str:
    """The text of a tensor; of a consistent one the numbers that this rank has, so that one rank alone may print it."""
    if x.is_lazy:
        return f"tensor(..., size={tuple(x.meta.shape)}, dtype={x.dtype})"
    prefix = "tensor("
    if x.is_global:
        parts = _consistent_parts(x, prefix)
    else:
        parts = [_numbers(x, prefix)]
        if x.meta.numel == 0 and x.meta.ndim != 1:
            parts.append(f"size={tuple(x.meta.shape)}")
        if x.device is not CPU:
            parts.append(f"device='{x.device}'")
    if not _is_default(x):
        parts.append(f"dtype={x.dtype}")
    node = x._node
    if isinstance(node, AccumulateGrad):
        parts.append("requires_grad=True")
    elif node is not None:
        parts.append(f"grad_fn=<{node.name()}>")
    return prefix + ", ".join(parts) + ")"


def _consistent_parts(x: Tensor, prefix: str) -> list[str]:
    """The numbers of this rank's shard, which piece it is, and how the tensor lies over the ranks."""
    meta: Any = x.meta
    rank, box = this_rank().index, meta.box
    described = [f"placement={meta.placement}", f"sbp={meta.sbp}"]
    if box is None:
        return ["...", f"rank {rank} is not in {meta.placement.ranks.tolist()}", f"size={meta.shape}", *described]
    numbers = _numbers(Tensor(meta.local, x.impl, x.ptr), prefix)
    if all(one.is_broadcast for one in meta.sbp):
        return [numbers, *([f"size={meta.shape}"] if meta.numel == 0 and meta.ndim != 1 else []), *described]
    pieces = [f"{_dim_name(dim, meta.ndim)} {box[dim][0]}:{box[dim][1]}" for dim in sorted({s.dim for s in meta.sbp if s.is_split})]
    shares = [f"share {k} of {n} ({s.op})" for s, k, n in zip(meta.sbp, meta.coordinate, meta.placement.shape) if s.is_partial]
    return [numbers, f"rank {rank} of {meta.placement.ranks.tolist()}", *pieces, *shares, f"size={meta.shape}", *described]


def _dim_name(dim: int, ndim: int) -> str:
    return ("rows", "columns")[dim] if ndim == 2 or dim == 0 else f"dim {dim}"


def _is_default(x: Tensor) -> bool:
    if x.meta.numel == 0:
        return x.dtype is dtypes.get_default_dtype()
    return x.dtype in (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool_)


def _numbers(x: Tensor, prefix: str) -> str:
    if x.meta.numel == 0:
        return "[]"
    if not x.meta.dtype.has_numpy:
        x = cast(detach(x), dtypes.float32)
    array = read(x)
    text = numpy.array2string(
        array,
        max_line_width=_options["linewidth"],
        precision=_options["precision"],
        suppress_small=_suppress(array),
        separator=", ",
        prefix=prefix,
        threshold=_options["threshold"],
        edgeitems=_options["edgeitems"],
        floatmode="maxprec_equal",
        formatter=_formatter(array),
    )
    return text


def _suppress(array: numpy.ndarray[Any, Any]) -> bool | None:
    return None if _options["sci_mode"] is None else not _options["sci_mode"]


def _formatter(array: numpy.ndarray[Any, Any]) -> Any:
    digits = _options["precision"]
    if array.dtype.kind == "f" and _options["sci_mode"]:
        return {"float_kind": lambda value: f"{value:.{digits}e}"}
    if array.dtype.kind == "f" and array.ndim == 0:
        value = float(array)
        if numpy.isfinite(value) and (value == int(value) or not 1e-4 <= abs(value) < 1e8):
            return None
        return {"float_kind": lambda v: f"{v:.{digits}f}"}
    return None
