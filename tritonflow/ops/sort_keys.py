"""The launches of a sort on a GPU, by keys of 64 bits: kernels/sort_keys.py."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, int64
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Address, Input, Output, Workspace
from tritonflow.ops.plan import Launch, stride
from tritonflow.ops.scratch import Scratch

kernels = KernelModule("sort_keys")


class RowStrides(NamedTuple):
    """Where rows lie: the strides of the dimensions that stay, and the stride along the sorted one."""

    strides: Shape
    step: int

    @property
    def layout(self) -> tuple[Any, ...]:
        """As sizes of a launch."""
        return (*self.strides[:-1], stride(self.strides[-1])), stride(self.step)


def suits(x: TensorMeta) -> bool:
    """Whether an element and a position fit in a key, on a GPU."""
    return facts_of(x.device).kind == "gpu" and x.dtype.itemsize <= 4 and x.numel < 1 << 32


class SortedRows(NamedTuple):
    """The rows that are sorted.

    Attributes:
        total: how many there are.
        n: elements of each.
        sizes: of the dimensions that stay.
        source: where they lie.
    """

    total: int
    n: int
    sizes: Shape
    source: RowStrides

    def dense(self, width: int) -> RowStrides:
        """Where rows of so many keys lie, one behind the other."""
        return RowStrides(tuple([s * width for s in contiguous_stride(self.sizes)]), 1)


class _Tiles(NamedTuple):
    """What a first launch sorts: `n` keys of each row, of elements or `keys`; with a `block`, of the elements of those blocks."""

    n: int
    keys: Workspace | None = None
    block: int = 0


def sort_by_keys(
    rows: SortedRows, target: RowStrides, keep: int, descending: bool
) -> tuple[list[Launch], list[tuple[int, DType]]]:
    """The launches that sort rows, of which `keep` elements stay, and the workspaces of their keys."""
    scratch = Scratch()
    tiles, block = _Tiles(rows.n), kernels.block_for(rows.n, keep)
    if block:
        chosen = scratch.memory(rows.total * keep, int64)
        of_blocks = _block_keys(scratch, rows, block, descending)
        scratch.launches += _sorted(scratch, rows, of_blocks, ((chosen,), rows.dense(keep)), keep, descending)
        tiles = _Tiles(keep * block, chosen, block)
    scratch.launches += _sorted(scratch, rows, tiles, (Output.several(2), target), keep, descending)
    return scratch.launches, scratch.workspaces


def _block_keys(scratch: Scratch, rows: SortedRows, block: int, descending: bool) -> _Tiles:
    """The smallest key of each block."""
    blocks = -(-rows.n // block)
    keys = scratch.memory(rows.total * blocks, int64)
    options, warps = _blocks(kernels.config(kernels.TILE)["block_keys"])
    high = options["ELEMENTS"] // block
    launch = Launch(
        kernels.block_keys, (rows.total * -(-blocks // high),), (Input(0), keys), (rows.n, rows.sizes, *rows.source.layout),
        {"DESCENDING": descending, "BLOCK": block, "ROWS": high}, num_warps=warps,
    )  # fmt: skip
    scratch.launches.append(launch)
    return _Tiles(blocks, keys)


def _sorted(
    scratch: Scratch,
    rows: SortedRows,
    tiles: _Tiles,
    target: tuple[tuple[Address, ...], RowStrides],
    keep: int,
    descending: bool,
) -> list[Launch]:
    """The launches that sort keys. The last one writes to `target`: keys, or elements and positions."""
    found = kernels.passes(tiles.n, keep)
    options = kernels.config(found.tile)
    widths = [merge.width for merge in found.merges]
    spaces = [scratch.memory(rows.total * width, int64) for width in widths[:2]]

    def results(k: int) -> tuple[tuple[Address, ...], RowStrides]:
        """What launch k writes, and where."""
        return target if k == len(widths) else ((spaces[k % 2],), rows.dense(widths[k]))

    outs, to = results(0)
    blocks, warps = _blocks(options["sort_tiles"])
    layout = (rows.sizes, *rows.source.layout, *to.layout)
    constants = {"DESCENDING": descending, "FIRST": kernels.first_keys(found), "BLOCK": tiles.block, **blocks}
    launches = [
        Launch(
            kernels.sort_tiles, (rows.total * -(-tiles.n // found.tile),), (Input(0), tiles.keys, outs),
            (tiles.n, rows.n, *layout, found.keep), constants, num_warps=warps,
        )
    ]  # fmt: skip
    blocks, warps = _blocks(options["merge_tiles"])
    for k, (width, length, kept) in enumerate(found.merges):
        outs, to = results(k + 1)
        layout = (rows.sizes, *rows.source.layout, *to.layout)
        arguments = (width, length, *layout, kept, length.bit_length())
        grid = (rows.total * -(-width // blocks["BLOCK"]),)
        launches.append(
            Launch(kernels.merge_tiles, grid, (Input(0), spaces[k % 2], outs), arguments, blocks, num_warps=warps)
        )
    return launches


def _blocks(config: dict[str, int]) -> tuple[dict[str, int], int]:
    """The constexprs of a configuration, and its warps."""
    return {k: v for k, v in config.items() if k != "num_warps"}, config["num_warps"]
