"""The launches of writes by index: one position after the other, or in parallel with positions sorted by target.

On a CPU, and for few positions, `index.put` takes them in turn. On a GPU that would be a chain of loads and stores, each of
which waits for the one before: `SortedWriting` has the road of kernels/index_sorted.py there. Both give the same bits. Sums
and products of half types, which memory would round at each position, have float32 totals: a sorted run has, and positions in
turn are written to a float32 workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, int64
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.ops.elementwise import collapse, scalar_function, triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import ERROR_WORD, Address, Input, Output, Workspace
from tritonflow.ops.plan import Launch, stride

kernels = KernelModule("index")
sorted_kernels = KernelModule("index_sorted")

Limits = tuple[Any, ...]  # sizes, or (size of the whole dimension, first index of the shard, size of the shard)


def marked(strides: Sequence[int]) -> tuple[stride, ...]:
    """Strides among a launch's sizes."""
    return tuple([stride(s) for s in strides])


class Strides(NamedTuple):
    """The strides of a tensor over the positions that are written, and over the columns of each."""

    positions: Shape
    columns: Shape


@dataclass(frozen=True)
class Writing:
    """Where values go: positions one after the other (`count_sizes`), each over independent columns (`col_sizes`).

    `limits` and `steps` are the sizes and the strides of the indexed dimensions.
    """

    count_sizes: Shape
    col_sizes: Shape
    value: Strides
    indices: list[Strides]
    out: Strides
    limits: Limits
    steps: Shape

    def launch(
        self, target: TensorMeta, to: Address, value: Input, index_inputs: tuple[Input, ...], fold: str, wrap: bool
    ) -> Launch:
        """The launch that writes; `fold` is the scalar function of the old value and the new one, "" to replace the old."""
        cols, count = prod(self.col_sizes), prod(self.count_sizes)
        function = scalar_function(fold) if fold else kernels.replace
        col_sizes = self.col_sizes or (1,)
        count_sizes = self.count_sizes or (1,)
        per_row = not any(any(i.columns) for i in self.indices)
        put = dict(kernels.config(facts_of(target.device), 1, cols, per_row)["put"])
        warps = put.pop("num_warps")
        arguments = (
            count, cols, count_sizes, col_sizes,
            _padded(self.value.positions), tuple(_padded(i.positions) for i in self.indices), self.limits, self.steps,
            _padded(self.value.columns), tuple(_padded(i.columns) for i in self.indices),
            _padded(self.out.columns), _padded(self.out.positions),
        )  # fmt: skip
        constants = {
            "PER_ROW": per_row,
            "FN": function,
            "COMPUTE": triton_dtype(target.dtype.compute),
            "WRAP": wrap,
            **put,
        }
        grid = (-(-cols // put["COLS"]) if count else 0,)
        operands = (value, index_inputs, to, ERROR_WORD)
        return Launch(kernels.put, grid, operands, arguments, constants, work=count * cols, num_warps=warps)


def _padded(strides: Shape) -> tuple[Any, ...]:
    return marked(strides) or (stride(0),)


FEW_POSITIONS = 16  # a chain of so many takes no longer than the launches of a sort
LARGE = 4  # elements of a tensor for each value that is added to it
THREADS = 2048  # of a multiprocessor
_ROUNDING = ("arithmetic.add", "arithmetic.mul")  # the functions whose results a half type rounds


def rounds_each_time(w: Writing, out: TensorMeta, fold: str) -> bool:
    """Whether memory would round at each of several positions: sums and products of half types."""
    return fold in _ROUNDING and out.dtype.compute is not out.dtype and prod(w.count_sizes) > 1


def sorted_writing(w: Writing, out: TensorMeta, fold: str, fresh: bool) -> SortedWriting | None:
    """The road by sorted positions, where it is the faster one. fresh: to zeros, which nobody has written before."""
    facts = facts_of(out.device)
    count, cols = prod(w.count_sizes), prod(w.col_sizes)
    if not cols:
        return None
    found = SortedWriting(w, out)
    if rounds_each_time(w, out, fold) and out.numel > LARGE * count * cols:  # of which no copy is made
        return found if found.fits else None
    if facts.kind == "cpu" or count <= (0 if fresh and found.covers else FEW_POSITIONS):
        return None
    busy = found.lists > 1 and cols >= facts.processors * THREADS  # columns for every thread, each with its own indices
    return None if busy or not found.fits else found


@dataclass(frozen=True)
class SortedWriting:
    """A writing to `out` whose positions are sorted by target.

    Columns that have their own indices are lists of positions, each sorted by itself.
    """

    writing: Writing
    out: TensorMeta

    @cached_property
    def own(self) -> list[int]:
        """The dimensions of the columns along which indices differ."""
        sizes, indices = self.writing.col_sizes, self.writing.indices
        return [d for d, n in enumerate(sizes) if n > 1 and any(i.columns[d] for i in indices)]

    @cached_property
    def lists(self) -> int:
        return prod([self.writing.col_sizes[d] for d in self.own])

    @cached_property
    def n(self) -> int:
        """Positions of a list."""
        return prod(self.writing.count_sizes)

    @cached_property
    def bits(self) -> int:
        """Of a key, for the position."""
        return (self.lists * self.n).bit_length()

    @cached_property
    def unit(self) -> int:
        """What the offsets of all targets are multiples of."""
        return gcd(*self.writing.steps, *self._positions(self.writing.out)) or 1

    @cached_property
    def targets(self) -> int:
        """How many targets there are: those of one list, in the order of offsets."""
        own = [limit if isinstance(limit, int) else limit[2] for limit in self.writing.limits]
        return 1 + sum((n - 1) * (step // self.unit) for n, step in zip(own, self.writing.steps))

    @property
    def covers(self) -> bool:
        """Whether the targets and their columns are all of `out`, so that a GPU's launches need no zeros in it."""
        gpu = facts_of(self.out.device).kind == "gpu"
        return gpu and self.lists == 1 and self.targets * prod(self.writing.col_sizes) == self.out.numel > 0

    @property
    def fits(self) -> bool:
        """Whether a target and a position fit in a key, below kernels.NOWHERE."""
        return (self.out.span() // self.unit).bit_length() + self.bits <= 62

    def _positions(self, strides: Strides) -> Shape:
        """The strides over all positions, list by list."""
        return (*[strides.columns[d] for d in self.own], *strides.positions)

    def _columns(self, strides: Strides) -> Shape:
        return tuple([s for d, s in enumerate(strides.columns) if d not in self.own])

    @cached_property
    def _sizes(self) -> Shape:
        return (*[self.writing.col_sizes[d] for d in self.own], *self.writing.count_sizes)

    @cached_property
    def _config(self) -> dict[str, Any]:
        cols = prod(self.writing.col_sizes) // self.lists
        config: dict[str, Any] = sorted_kernels.config(
            facts_of(self.out.device), self.n, self.lists, cols, self.out.dtype.itemsize, self.targets
        )
        return config

    def _launch(self, name: str, grid: int, operands: Sequence[Any], sizes: Sequence[Any], **constants: Any) -> Launch:
        options = dict(self._config[name])
        warps = options.pop("num_warps")
        return Launch(getattr(sorted_kernels, name), (grid,), operands, sizes, constants | options, num_warps=warps)

    @cached_property
    def _merges(self) -> list[int]:
        """The lengths of the sorted tiles before each merge."""
        lengths, length = [], self._config["sort_tiles"]["TILE"]
        while length < self.n:
            lengths.append(length)
            length *= self._config["merge_tiles"]["WAYS"]
        return lengths

    @property
    def workspaces(self) -> list[tuple[int, DType]]:
        """The keys, and what a merge makes of them."""
        return [(self.lists * self.n, int64)] * (2 if self._merges else 1)

    def sort(self, index_inputs: tuple[Input, ...], wrap: bool) -> list[Launch]:
        """The launches that check indices and sort positions."""
        w = self.writing
        sizes, strides = collapse(self._sizes, [self._positions(s) for s in (w.out, *w.indices)])
        targets, *indices = strides
        units = [s // self.unit for s in targets], [s // self.unit for s in w.steps]
        arguments = (
            self.n,
            self.bits,
            sizes,
            tuple(map(marked, indices)),
            marked(units[0]),
            w.limits,
            marked(units[1]),
        )
        tiles = -(-self.n // self._config["sort_tiles"]["TILE"])
        first = self._launch(
            "sort_tiles", self.lists * tiles, (index_inputs, Workspace(0), ERROR_WORD), arguments, WRAP=wrap
        )
        blocks = -(-self.n // self._config["merge_tiles"]["BLOCK"])
        return [first] + [
            self._launch(
                "merge_tiles",
                self.lists * blocks,
                (Workspace(k % 2), Workspace(1 - k % 2)),
                (self.n, length, length.bit_length()),
            )
            for k, length in enumerate(self._merges)
        ]

    def write(self, value: Input, fold: str, fresh: bool) -> list[Launch]:
        """The launches that write, by a function as in `Writing.launch`. fresh: sums, to zeros; or to anything where `covers`."""
        count = self.lists * self.n
        if not fold:
            return [self._along("put_last", value, -(-count // self._config["put_last"]["ROWS"]), (count,))]
        constants = {"FN": scalar_function(fold), "COMPUTE": triton_dtype(self.out.dtype.compute)}
        if fresh and self.covers:
            launches, long = [self._to_all(value, constants)], sorted_kernels.LONG
        else:
            blocks = self._config["add_runs"]
            tiles, long = -(-count // (blocks["ROWS"] * blocks["STEPS"])), blocks["LONG"]
            launches = [self._along("add_runs", value, tiles, (count,), ZEROS=fresh, **constants)]
        if self.n >= long:
            behind = (self.n.bit_length(),)
            zeros = fresh and self.covers
            launches.append(
                self._along(
                    "add_long_runs", value, count // long, (self.n,), behind, LONG=long, ZEROS=zeros, **constants
                )
            )
        return launches

    def _along(
        self, name: str, value: Input, tiles: int, before: Shape, behind: Shape = (), **constants: Any
    ) -> Launch:
        """A launch of a program for each tile of keys and COLS columns; sizes before and behind those of the layout."""
        cols, operands, layout = self._layout(value)
        sizes = (*before, cols, self.bits, stride(self.unit), *layout, *behind)
        return self._launch(name, tiles * -(-cols // self._config[name]["COLS"]), operands, sizes, **constants)

    def _to_all(self, value: Input, constants: dict[str, Any]) -> Launch:
        """The launch of a program for each tile of targets, and for each part of their columns."""
        cols, operands, layout = self._layout(value)
        blocks = self._config["add_to_all"]
        parts = sorted_kernels.column_parts(
            facts_of(self.out.device), self.targets, cols, blocks["ROWS"], blocks["COLS"]
        )
        sizes = (self.n, self.targets, cols, self.bits, stride(self.unit), self.n.bit_length(), parts, *layout)
        return self._launch("add_to_all", -(-self.targets // blocks["ROWS"]) * parts, operands, sizes, **constants)

    def _layout(self, value: Input) -> tuple[int, tuple[Any, ...], tuple[Any, ...]]:
        """The columns of a target, the operands, and the sizes and strides of positions and columns."""
        w = self.writing
        sizes, (value_strides,) = collapse(self._sizes, [self._positions(w.value)])
        col_sizes, columns = collapse(
            [m for d, m in enumerate(w.col_sizes) if d not in self.own], [self._columns(s) for s in (w.value, w.out)]
        )
        operands = (value, Workspace(len(self._merges) % 2), Output(0))
        return prod(col_sizes), operands, (sizes, col_sizes, marked(value_strides), *map(marked, columns))
