"""The launches of a sort on a GPU, by keys of 64 bits: kernels/sort_keys.py."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, int64
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Address, Input, Output, Workspace
from tritonflow.ops.plan import Launch, stride

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


def sort_by_keys(
    sizes: Shape, source: RowStrides, target: RowStrides, rows: int, n: int, keep: int, descending: bool
) -> tuple[list[Launch], list[tuple[int, DType]]]:
    """The launches that sort `rows` rows of n elements, and the workspaces of their keys.

    Args:
        sizes: of the dimensions that stay.
    """
    found = kernels.passes(n, keep)
    options = kernels.config(found.tile)
    widths = [merge.width for merge in found.merges]

    def results(k: int) -> tuple[tuple[Address, ...], RowStrides]:
        """What launch k writes, and where: keys, or elements and positions if it is the last one."""
        if k == len(widths):
            return Output.several(2), target
        return (Workspace(k % 2),), RowStrides(tuple([s * widths[k] for s in contiguous_stride(sizes)]), 1)

    outs, to = results(0)
    blocks, warps = _blocks(options["sort_tiles"])
    layout = (sizes, *source.layout, *to.layout)
    launches = [
        Launch(
            kernels.sort_tiles, (rows * -(-n // found.tile),), (Input(0), outs), (n, *layout, found.keep),
            {"DESCENDING": descending, **blocks}, num_warps=warps,
        )
    ]  # fmt: skip
    blocks, warps = _blocks(options["merge_tiles"])
    for k, (width, length, kept) in enumerate(found.merges):
        outs, to = results(k + 1)
        layout = (sizes, *source.layout, *to.layout)
        arguments = (width, length, *layout, kept, length.bit_length())
        grid = (rows * -(-width // blocks["BLOCK"]),)
        operands = (Input(0), Workspace(k % 2), outs)
        launches.append(Launch(kernels.merge_tiles, grid, operands, arguments, blocks, num_warps=warps))
    return launches, [(rows * width, int64) for width in widths[:2]]


def _blocks(config: dict[str, int]) -> tuple[dict[str, int], int]:
    """The constexprs of a configuration, and its warps."""
    return {k: v for k, v in config.items() if k != "num_warps"}, config["num_warps"]
