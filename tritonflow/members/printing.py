"""How a tensor prints: as torch's do."""

from __future__ import annotations

from typing import Any

from tritonflow import dtypes
from tritonflow.binding.data_exchange import CPU, read
from tritonflow.device.device import META
from tritonflow.framework.capture_errors import value_unknown
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.functions.cast import cast
from tritonflow.functions.view import detach
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.members.number_layout import numbers_text
from tritonflow.members.print_options import PRINT_OPTS
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank


def representation(x: Tensor, class_name: str | None = None) -> str:
    """The text of a tensor; of a consistent one the numbers that this rank has, so that one rank alone may print it.

    Args:
        class_name: what the text begins with; the name of the class without it, and `tensor` for `Tensor`.
    """
    if x.impl.__class__ is BatchedTensorImpl:
        whole = representation(x.impl.whole).replace("\n", "\n    ")
        return f"BatchedTensor(lvl={x.impl.level.depth + 1}, bdim=0, value=\n    {whole}\n)"
    if x.is_lazy:
        if thread_state.observer.is_capturing:  # the text would be the same in each run
            raise value_unknown()
        return f"tensor(..., size={tuple(x.meta.shape)}, dtype={x.dtype})"
    prefix = f"{class_name or ('tensor' if type(x) is Tensor else type(x).__name__)}("
    numbers, *parts = (_consistent_parts if x.is_global else _local_parts)(x, len(prefix))
    if not _is_default(x):
        parts.append(f"dtype={x.dtype}")
    node = x._node
    if isinstance(node, AccumulateGrad):
        parts.append("requires_grad=True")
    elif node is not None:
        parts.append(f"grad_fn=<{node.name()}>")
    return _with_parts(prefix + numbers, parts, len(prefix))


def _with_parts(text: str, parts: list[str], indent: int) -> str:
    """The text with the parts behind it, each on a new line if it does not fit; torch counts one character too many at first."""
    column = len(text) - text.rfind("\n") + 1
    for part in parts:
        if column + len(part) + 2 > PRINT_OPTS.linewidth:
            text += ",\n" + " " * indent + part
            column = indent + len(part)
        else:
            text += ", " + part
            column += len(part) + 2
    return text + ")"


def _local_parts(x: Tensor, indent: int) -> list[str]:
    size = f"size={tuple(x.meta.shape)}"
    if x.meta.device is META:
        return ["...", "device='meta'", size]
    is_described = x.meta.ndim != 1 if x.meta.numel == 0 else not PRINT_OPTS.edgeitems
    place = [] if x.device is CPU else [f"device='{x.device}'"]
    return [_numbers(x, indent), *place, *([size] if is_described else [])]


def _consistent_parts(x: Tensor, indent: int) -> list[str]:
    """The numbers of this rank's shard, which piece it is, and how the tensor lies over the ranks."""
    meta: Any = x.meta
    rank, box = this_rank().index, meta.box
    described = [f"placement={meta.placement}", f"sbp={meta.sbp}"]
    if box is None:
        return ["...", f"rank {rank} is not in {meta.placement.ranks.tolist()}", f"size={meta.shape}", *described]
    numbers = "..." if x.is_meta else _numbers(Tensor(meta.local, x.impl, x.ptr), indent)
    if all(one.is_broadcast for one in meta.sbp):
        is_described = x.is_meta or (meta.numel == 0 and meta.ndim != 1)
        return [numbers, *([f"size={meta.shape}"] if is_described else []), *described]
    pieces = [f"{_dim_name(dim, meta.ndim)} {box[dim][0]}:{box[dim][1]}" for dim in sorted({s.dim for s in meta.sbp if s.is_split})]
    shares = [f"share {k} of {n} ({s.op})" for s, k, n in zip(meta.sbp, meta.coordinate, meta.placement.shape) if s.is_partial]
    return [numbers, f"rank {rank} of {meta.placement.ranks.tolist()}", *pieces, *shares, f"size={meta.shape}", *described]


def _dim_name(dim: int, ndim: int) -> str:
    return ("rows", "columns")[dim] if ndim == 2 or dim == 0 else f"dim {dim}"


def _is_default(x: Tensor) -> bool:
    """Whether the numbers tell the dtype."""
    default = dtypes.get_default_dtype()
    if x.meta.numel == 0 or x.meta.device is META:
        return x.dtype is default
    pairs = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
    return x.dtype in (default, pairs, dtypes.int64, dtypes.bool_)


def _numbers(x: Tensor, indent: int) -> str:
    if x.meta.numel == 0:
        return "[]"
    if not x.meta.dtype.has_numpy:
        x = cast(detach(x), dtypes.complex64 if x.meta.dtype.is_complex else dtypes.float32)
    return numbers_text(read(x), indent)
