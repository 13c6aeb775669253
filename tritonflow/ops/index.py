"""Planners of reads and writes by index tensors: gather, advanced indexing, scatter, nonzero.

Each turns its op into strides over the result's dimensions: the indexed tensor has stride 0 where an index decides, and moves by
`index * step` instead (kernels/index.py).

Indices count in whole dimensions. Where a shard has only some indices of an indexed dimension, the last attribute says which: for
each index tensor (size of the whole dimension, first index of the shard). The shard's indices are read or written, others not: what
is read there is 0. A shard that is empty has the attribute as well: its indices are checked as on other ranks.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy

from tritonflow.device.provider import Provider, facts_of
from tritonflow.dtypes import int64
from tritonflow.errors import ElementIndexError, IndexOutOfRangeError
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.ops.copy import copy, zeros
from tritonflow.ops.dtype_rules import no_arithmetic
from tritonflow.ops.elementwise import collapse
from tritonflow.ops.index_writes import Limits, Strides, Writing, marked, rounds_each_time, sorted_writing
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Address, Input, Output, Workspace
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("index")
select_where = KernelModule("select_where")

Metas = tuple[TensorMeta, ...]

ADD = "arithmetic.add"


def _limits(sizes: Shape, shard: Sequence[Any]) -> Limits:
    """What each index is checked against: the size of its dimension, or of a shard (whole size, first index, own size)."""
    return tuple([(*whole, n) for n, whole in zip(sizes, *shard)]) if shard else sizes


def check_indices(indices: Metas, index_inputs: tuple[Input, ...], limits: Limits, cols: int, wrap: bool) -> Launch:
    """Looks for bad indices. As in torch there are none where no elements are read or written for an index (`cols`).

    On a shard that is empty there are: other ranks have elements there.
    """
    own = [1 if n and not any(steps) else n for n, *steps in zip(indices[0].shape, *[i.stride for i in indices])]
    sizes, strides = collapse(own, [i.stride for i in indices])
    options = dict(kernels.config(facts_of(indices[0].device), 1, cols)["check"])
    warps = options.pop("num_warps")
    n = prod(sizes) if cols or not isinstance(limits[0], int) else 0
    arguments = (n, sizes, tuple(map(marked, strides)), limits)
    grid = (-(-n // options["BLOCK"]),)
    return Launch(kernels.check, grid, (index_inputs, ERROR_WORD), arguments, {"WRAP": wrap, **options}, num_warps=warps)


class _Message(NamedTuple):
    """The text of an error, whose numbers may be symbolic."""

    sizes: tuple[int, ...]
    first_dim: int

    def __str__(self) -> str:
        where = ", ".join(f"dimension {self.first_dim + k} with size {n}" for k, n in enumerate(self.sizes))
        return f"index out of range: an index is out of bounds for {where}"


def _message(limits: Limits, first_dim: int) -> Any:
    message = _Message(tuple([n if isinstance(n, int) else n[0] for n in limits]), first_dim)
    return message if is_symbolic(message.sizes) else str(message)


@dataclass(frozen=True)
class _BadIndex:
    """Names the index that is out of range, where the host can read the index tensors.

    Attributes:
        indices: the metas of the index tensors.
        first: which input of the plan is the first of them.
        dim: the dimension that it counts in.
    """

    indices: Metas
    first: int
    limits: Limits
    dim: int
    wrap: bool

    def __call__(self, addresses: Sequence[int]) -> str | None:
        """The text of the error for inputs at these addresses; None where all indices are in range by now."""
        for k, (meta, limit) in enumerate(zip(self.indices, self.limits, strict=True)):
            size = limit if isinstance(limit, int) else limit[0]
            valid = range(-size if self.wrap else 0, size)
            for index in _elements(meta, addresses[self.first + k]):
                if index not in valid:
                    return f"index out of range: index {index} is out of bounds for dimension {self.dim + k} with size {size}"
        return None


def _elements(meta: TensorMeta, address: int) -> Iterator[int]:
    """The integers of a tensor in the host's memory, in row-major order."""
    if meta.numel:
        memory = (ctypes.c_char * (meta.span() * meta.dtype.itemsize)).from_address(address)
        steps = [step * meta.dtype.itemsize for step in meta.stride]
        yield from map(int, numpy.ndarray(meta.shape, meta.dtype.numpy, memoryview(memory), strides=steps).flat)


# -------------------------------------------------------------------------------------------------------------- reading


def index_get(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x[:, ..., indices, ...]: k index tensors of one shape for dimensions dim .. dim+k-1; attributes: (dim, wrap)."""
    (x, *indices), (dim, wrap, *shard) = inputs, attrs
    after = dim + len(indices)
    common = indices[0].shape
    y = contiguous_meta((*x.shape[:dim], *common, *x.shape[after:]), x.dtype, x.device)
    x_strides = (*x.stride[:dim], *[0] * len(common), *x.stride[after:])
    index_strides = [(*[0] * dim, *i.stride, *[0] * (x.ndim - after)) for i in indices]
    limits = _limits(x.shape[dim:after], shard)
    return _get(inputs, y, x_strides, index_strides, limits, x.stride[dim:after], dim, wrap)


def gather(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """y[i][j] = x[index[i][j]][j] for dim 0; attributes: (dim,)."""
    (x, index), (dim, *shard) = inputs, attrs
    y = contiguous_meta(index.shape, x.dtype, x.device)
    x_strides = tuple(0 if d == dim else s for d, s in enumerate(x.stride))
    limits = _limits((x.shape[dim],), shard)
    return _get(inputs, y, x_strides, [index.stride], limits, (x.stride[dim],), dim, False, ElementIndexError)


def _get(
    inputs: Metas,
    y: TensorMeta,
    x_strides: Shape,
    index_strides: list[Shape],
    limits: Limits,
    steps: Shape,
    dim: int,
    wrap: bool,
    error: type[Exception] = IndexOutOfRangeError,
) -> Plan:
    sizes, strides = collapse(y.shape, [x_strides, *index_strides, y.stride])
    rows, cols = prod(sizes[:-1]), sizes[-1]
    options = dict(kernels.config(facts_of(y.device), rows, cols)["get"])
    warps = options.pop("num_warps")
    tiles = -(-rows // options["ROWS"]) * -(-cols // options["COLS"])
    x_collapsed, *index_collapsed, y_collapsed = [marked(s) for s in strides]
    index_inputs = Input.several(len(index_strides), first=1)
    arguments = (rows, sizes, x_collapsed, tuple(index_collapsed), y_collapsed, limits, steps)
    flags = {"WRAP": wrap, "PER_ROW": all(s[-1] == 0 for s in strides[1:-1])}
    operands = (Input(0), index_inputs, Output(0), ERROR_WORD)
    read = Launch(kernels.get, (tiles if y.numel else 0,), operands, arguments, flags | options, num_warps=warps)
    launch = read if y.numel else check_indices(inputs[1:], index_inputs, limits, 0, wrap)
    named = _BadIndex(inputs[1:], 1, limits, dim, wrap)
    return Plan(inputs, (y,), [launch], index_check=_message(limits, dim), check_error=error, named_index=named)


# -------------------------------------------------------------------------------------------------------------- writing


@dataclass(frozen=True)
class _Target:
    """What is written to: a tensor that exists, a copy of the first input, or zeros.

    `start` is what it holds at first: "itself", "input" or "zeros".
    """

    out: TensorMeta
    start: str

    def begin(self, x: TensorMeta, held: TensorMeta, to: Address) -> list[Launch]:
        """The launches that fill `held`, which is `out` or a workspace."""
        if self.start == "zeros":
            return [zeros(held, to)]
        if self.start == "input":
            return [copy(x, Input(0), held, to)]
        return [] if held is self.out else [copy(self.out, Output(0), held, to)]


def _plan_writing(
    inputs: Metas, target: _Target, writing: Callable[[TensorMeta], Writing], value: Input, index_inputs: tuple[Input, ...],
    fold: str, wrap: bool, dim: int, error: type[Exception] = IndexOutOfRangeError,
) -> Plan:  # fmt: skip
    """Checks of indices, what the target holds at first, then the write.

    `writing` makes the writing to the target, or to a workspace of its shape. `fold` is the scalar function of the old value and
    the new one, "" to replace the old.
    """
    out = target.out
    w = writing(out)
    message, indices = _message(w.limits, dim), inputs[-len(index_inputs) :]
    named = _BadIndex(indices, len(inputs) - len(indices), w.limits, dim, wrap)
    fresh = target.start == "zeros"
    by_target = sorted_writing(w, out, fold, fresh)
    if by_target is not None:
        checks = by_target.sort(index_inputs, wrap)
        first = [] if fresh and by_target.covers else target.begin(inputs[0], out, Output(0))
        launches = [*checks, *first, *by_target.write(value, fold, fresh)]
        return Plan(inputs, (out,), launches, by_target.workspaces, None, message, len(checks), error, named)
    check = check_indices(indices, index_inputs, w.limits, prod(w.col_sizes), wrap)
    if rounds_each_time(w, out, fold):
        held, at = contiguous_meta(out.shape, out.dtype.compute, out.device), Workspace(0)
        first = target.begin(inputs[0], held, at)
        write = writing(held).launch(held, at, value, index_inputs, fold, wrap)
        launches, workspaces = [check, *first, write, copy(held, at, out, Output(0))], [(out.numel, held.dtype)]
        return Plan(inputs, (out,), launches, workspaces, None, message, 1, error, named)
    first = target.begin(inputs[0], out, Output(0))
    write = w.launch(out, Output(0), value, index_inputs, fold, wrap)
    return Plan(inputs, (out,), [check, *first, write], (), None, message, 1, error, named)


def _by_indices(
    x: TensorMeta, out: TensorMeta, value: TensorMeta, indices: list[TensorMeta], dim: int, shard: Sequence[Any]
) -> Writing:
    """Advanced indexing: positions run over the index tensors' shape, columns over the other dimensions."""
    after, ndim = dim + len(indices), len(indices[0].shape)

    def rest(s: Shape, count: int) -> Shape:
        return (*s[:dim], *s[dim + count :])

    none = (0,) * (x.ndim - len(indices))
    return Writing(
        indices[0].shape,
        rest(x.shape, len(indices)),
        Strides(value.stride[dim : dim + ndim], rest(value.stride, ndim)),
        [Strides(i.stride, none) for i in indices],
        Strides((0,) * ndim, rest(out.stride, len(indices))),
        _limits(x.shape[dim:after], shard),
        out.stride[dim:after],
    )


def index_put(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x with x[:, ..., indices, ...] = value (or += value); attributes: (dim, accumulate, wrap, inplace)."""
    (x, value, *indices), (dim, accumulate, wrap, inplace, *shard) = inputs, attrs
    if accumulate and x.dtype.is_storage:
        raise no_arithmetic("index_put", x.dtype, "input")
    index_inputs = Input.several(len(indices), first=2)
    return _plan_writing(
        inputs,
        _target(x, inplace),
        lambda out: _by_indices(x, out, value, indices, dim, shard),
        Input(1),
        index_inputs,
        ADD if accumulate else "",
        wrap,
        dim,
    )


def _target(x: TensorMeta, inplace: bool) -> _Target:
    return _Target(x, "itself") if inplace else _Target(x.contiguous(), "input")


def index_get_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Zeros of `shape` with dy added at the indices; attributes: (shape, dim, wrap)."""
    (dy, *indices), (shape, dim, wrap, *shard) = inputs, attrs
    dx = contiguous_meta(shape, dy.dtype, dy.device)
    index_inputs = Input.several(len(indices), first=1)
    return _plan_writing(
        inputs,
        _Target(dx, "zeros"),
        lambda out: _by_indices(dx, out, dy, list(indices), dim, shard),
        Input(0),
        index_inputs,
        ADD,
        wrap,
        dim,
    )


def scatter(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x with x[index[i][j]][j] = src[i][j] (or += ...) for dim 0; attributes: (dim, accumulate, inplace)."""
    dim, accumulate, inplace, *shard = attrs
    return _scattered(inputs, dim, ADD if accumulate else "", inplace, shard)


def scatter_fold(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x with x[index[i][j]][j] = fold(x[index[i][j]][j], src[i][j]) for dim 0; attributes: (dim, fold, include_self, inplace)."""
    dim, fold, _, inplace, *shard = attrs
    return _scattered(inputs, dim, f"arithmetic.{fold}", inplace, shard)


def _scattered(inputs: Metas, dim: int, fold: str, inplace: bool, shard: Sequence[Any]) -> Plan:
    x, src, index = inputs
    others = [d for d in range(x.ndim) if d != dim]

    def pick(s: Shape) -> Shape:
        return tuple(s[d] for d in others)

    def writing(out: TensorMeta) -> Writing:
        return Writing(
            (index.shape[dim],),
            pick(index.shape),
            Strides((src.stride[dim],), pick(src.stride)),
            [Strides((index.stride[dim],), pick(index.stride))],
            Strides((0,), pick(out.stride)),
            _limits((x.shape[dim],), shard),
            (out.stride[dim],),
        )

    return _plan_writing(
        inputs, _target(x, inplace), writing, Input(1), (Input(2),), fold, False, dim, error=ElementIndexError
    )


# ---------------------------------------------------------------------------------------------------- nonzero


def nonzero(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """The coordinates of the elements that are not zero, as rows, and their number."""
    (x,) = inputs
    coordinates = contiguous_meta((x.numel, x.ndim), int64, x.device)
    total = contiguous_meta((1,), int64, x.device)
    options = dict(select_where.config())
    warps = options.pop("num_warps")
    blocks = -(-x.numel // options["BLOCK"])
    sizes = (x.numel, x.shape, marked(x.stride))
    launches = [
        Launch(select_where.count, (blocks,), (Input(0), Workspace(0)), sizes, options, num_warps=warps),
        Launch(select_where.offsets, (1,), (Workspace(0), Output(1)), (blocks,), options, num_warps=warps),
        Launch(
            select_where.write_coordinates, (blocks,), (Input(0), Workspace(0), Output(0)), sizes, options, num_warps=warps
        ),
    ]

    def finish(provider: Provider, addresses: list[int]) -> list[TensorMeta]:
        count = (ctypes.c_int64 * 1)()
        provider.read_host(addresses[1], count)
        shape = (count[0], x.ndim)
        return [TensorMeta.get(shape, contiguous_stride(shape), int64, x.device), total]

    return Plan(inputs, (coordinates, total), launches, [(max(blocks, 1), int64)], finish)
