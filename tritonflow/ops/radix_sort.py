"""The launch of a sort on a CPU: kernels/radix_sort.py."""

from __future__ import annotations

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, int32, int64
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, Output, Workspace
from tritonflow.ops.plan import Launch
from tritonflow.ops.sort_keys import RowStrides

kernels = KernelModule("radix_sort")

SHORT = 64  # elements of a row up to which counting those before each one is faster


def suits(x: TensorMeta, n: int) -> bool:
    """Whether the rows are long enough, on a CPU."""
    return facts_of(x.device).kind == "cpu" and n > SHORT


def sort_by_digits(
    x: TensorMeta, sizes: Shape, source: RowStrides, target: RowStrides, rows: int, n: int, keep: int, descending: bool
) -> tuple[Launch, list[tuple[int, DType]]]:
    """The launch that sorts `rows` rows of n elements, and its workspaces: keys, positions and counts of every program.

    Args:
        sizes: of the dimensions that stay.
    """
    each = -(-rows // kernels.PROGRAMS)
    programs = -(-rows // each)
    bits = kernels.digit_bits(n)
    width = 8 * (max(x.dtype.itemsize, 4) if x.dtype.is_floating_point else x.dtype.itemsize)
    digits = -(-width // bits)
    position = int32 if n < 1 << 31 else int64
    constants = {"DESCENDING": descending, "WIDTH": width, "BITS": bits, "BLOCK": kernels.BLOCK}
    launch = Launch(
        kernels.radix_sort, (programs,), (Input(0), *Output.several(2), *Workspace.several(3)),
        (rows, each, n, sizes, *source.layout, *target.layout, keep), constants, work=8 * rows * n * (digits + 2),
    )  # fmt: skip
    spaces = [
        (programs * 2 * n, int64 if width == 64 else int32),
        (programs * 2 * n, position),
        ((programs * digits) << bits, position),
    ]
    return launch, spaces
