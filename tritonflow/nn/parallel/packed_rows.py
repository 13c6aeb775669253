"""Packed rows: what each rank has of several tensors, as one vector, so that all of them go over the wire as one.

Two tensors of (4, 3) and (2, 2) over two ranks, each of which has half of the rows of both:

    rank 0's vector      a[0:2]  b[0:1]            packed: the vectors of all ranks as the rows of a matrix
    rank 1's vector      a[2:4]  b[1:2]

    gather    every rank sends its vector to all, and unpacks the matrix into whole tensors
    reduce    every rank packs its whole tensors, sends a row to each rank, and adds the rows that come, in the order of the ranks

A rank's part of a tensor begins at a multiple of 8 elements of its vector, which kernels read at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tritonflow.boxing.program import buffer_of
from tritonflow.boxing.views import Window, merged, whole
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.execution.transfer import allocate
from tritonflow.framework.meta import TensorMeta, contiguous_meta, numel_of
from tritonflow.framework.shards import Range, Shape, balanced
from tritonflow.framework.tensor import Tensor
from tritonflow.wire import verbs
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank

ALIGNMENT = 8  # elements

Copies = list[tuple[int, Window, Window]]  # (the number of a tensor, of the matrix, of the tensor)

_copy, _combine_shares, _in_order = op_expr("copy_"), op_expr("combine_shares"), OpContext(("sum",))


def even_rows(shapes: Sequence[Shape], count: int) -> list[list[Range]]:
    """For each tensor the rows of each of `count` ranks, as `sbp.split(0)` has them."""
    return [[balanced(shape[0], count, k) for k in range(count)] for shape in shapes]


class PackedRows:
    """Where the rows of each rank are.

    Args:
        ranks: over which ranks.
        shapes: of the tensors, which have at least one dimension.
        rows: for each tensor the range of rows of each rank.
        dtype: of the vectors that are sent.
        device: where everything is.

    Attributes:
        sizes: of the vectors, by rank in the order of `ranks`, in elements.
        own: for each tensor the window of this rank's rows in its vector.
        own_rows: for each tensor the range of this rank's rows.
    """

    def __init__(
        self, ranks: Ranks, shapes: Sequence[Shape], rows: Sequence[Sequence[Range]], dtype: DType, device: Device
    ) -> None:
        self.ranks, self.shapes, self.dtype, self.device = ranks, list(shapes), dtype, device
        self._rows = rows
        self._me = ranks.index(this_rank().index)
        self._starts: list[list[int]] = []  # by rank and tensor
        self.sizes: list[int] = []
        for k in range(len(ranks)):
            end, starts = 0, []
            for shape, of_tensor in zip(shapes, rows):
                starts.append(end)
                first, last = of_tensor[k]
                end += -(-((last - first) * numel_of(shape[1:])) // ALIGNMENT) * ALIGNMENT
            self._starts.append(starts)
            self.sizes.append(end)
        self._width = max(self.sizes, default=0)
        self.own_rows = [of_tensor[self._me] for of_tensor in rows]
        self._copies: dict[tuple[TensorMeta, ...], Copies] = {}
        self._windows: dict[TensorMeta, list[Window]] = {}

    def vector(self, dtype: DType | None = None, device: Device | None = None) -> TensorMeta:
        """The meta of this rank's vector, or of one with the same elements in another dtype or on another device."""
        return contiguous_meta((self.sizes[self._me],), dtype or self.dtype, device or self.device)

    @cached_property
    def own(self) -> list[Window]:
        """For each tensor the window of this rank's rows in its vector."""
        return self.windows(self.vector())

    def windows(self, meta: TensorMeta) -> list[Window]:
        """For each tensor the window of this rank's rows in a vector of this meta."""
        found = self._windows.get(meta)
        if found is None:
            starts = self._starts[self._me]
            found = self._windows[meta] = [whole(meta).run(start, self._part(t, self._me)) for t, start in enumerate(starts)]
        return found

    @property
    def nbytes(self) -> int:
        """Of the matrix."""
        return self._matrix().nbytes

    def _part(self, t: int, k: int) -> Shape:
        first, last = self._rows[t][k]
        return (last - first, *self.shapes[t][1:])

    def _matrix(self) -> TensorMeta:
        return contiguous_meta((len(self.ranks), self._width), self.dtype, self.device)

    def _windows_of(self, metas: tuple[TensorMeta, ...]) -> Copies:
        """What lies where in the matrix, in as few pairs of windows as there can be."""
        found = self._copies.get(metas)
        if found is None:
            matrix = whole(contiguous_meta((len(self.ranks) * self._width,), self.dtype, self.device))
            found = self._copies[metas] = []
            for t, meta in enumerate(metas):
                pairs = []
                for k, (first, last) in enumerate(self._rows[t]):
                    box = ((first, last), *[(0, n) for n in meta.shape[1:]])
                    if first < last and meta.numel:
                        pairs.append((matrix.run(k * self._width + self._starts[k][t], self._part(t, k)), whole(meta).box(box)))
                found += [(t, *pair) for pair in merged(pairs)]
        return found

    def gather(self, vector: Tensor, what: str) -> Tensor:
        """The matrix of the vectors of all ranks. Nobody waits for it; what reads it does.

        Args:
            vector: this rank's.
            what: it has, for errors and profiles; the same text on all ranks.
        """
        matrix = allocate(self._matrix())
        nbytes = self.dtype.itemsize
        sizes = [size * nbytes for size in self.sizes]
        own = [sizes[self._me]] * len(sizes)
        verbs.exchange(self.ranks, buffer_of(vector), own, buffer_of(matrix), sizes, what, 0, self._width * nbytes)
        return matrix

    def unpack(self, matrix: Tensor, tensors: Sequence[Tensor]) -> None:
        """Write a matrix into whole tensors, of `shapes` and any dtype. They are written as memory: no version counts it."""
        for t, of_matrix, of_tensor in self._windows_of(tuple([x.meta for x in tensors])):
            _write(of_tensor.of(tensors[t]), of_matrix.of(matrix))

    def reduce(self, tensors: Sequence[Tensor], scale: float, what: str) -> Tensor:
        """The sums over the ranks of `scale` times whole tensors, in the order of the ranks: this rank's rows of them.

        Args:
            tensors: of `shapes`, of any dtype.
            scale: by which each summand is multiplied.
            what: they are, for errors and profiles; the same text on all ranks.

        Returns:
            A vector; `own` are its windows.
        """
        return self.reduce_packed(self.pack(tensors), scale, what)

    def pack(self, tensors: Sequence[Tensor]) -> Tensor:
        """The matrix of whole tensors."""
        tensors = [x if x.meta.is_contiguous else eager_local.contiguous_copy(x) for x in tensors]
        matrix = allocate(self._matrix())
        for t, of_matrix, of_tensor in self._windows_of(tuple([x.meta for x in tensors])):
            _write(of_matrix.of(matrix), of_tensor.of(tensors[t]))
        return matrix

    def reduce_packed(self, matrix: Any, scale: float, what: str) -> Tensor:
        """As `reduce`, of a matrix, which is overwritten."""
        if scale != 1:
            matrix.mul_(scale)
        size, nbytes = self.sizes[self._me], self.dtype.itemsize
        shares = allocate(contiguous_meta((len(self.ranks), size), self.dtype, self.device))
        sizes, own = [n * nbytes for n in self.sizes], [size * nbytes] * len(self.ranks)
        verbs.exchange(self.ranks, buffer_of(matrix), sizes, buffer_of(shares), own, what, self._width * nbytes)
        result: Tensor = eager_local.apply(_combine_shares, (shares,), _in_order)
        return result


def _write(target: Tensor, x: Tensor) -> None:
    eager_local.apply(_copy, (target, x), OpContext(out=target))
