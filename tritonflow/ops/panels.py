"""Products on a CPU whose weight lies in panels, where it is laid out once."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.epilogue import Epilogue
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, LaunchOperand, Workspace
from tritonflow.ops.plan import Launch, stride
from tritonflow.ops.prologue import Prologues
from tritonflow.ops.scratch import Scratch
from tritonflow.ops.tuning import has_folded_weight

kernels = KernelModule("matmul_panels")

LARGEST = 32 << 20  # bytes of a weight: a larger one is not held twice


def takes_panels(facts: DeviceFacts, kind: str, matrices: int, k: int, n: int, a: Shape, c: Shape) -> bool:
    """Whether a product of a matrix with rows `a` and `c` apart is one of panels: B is laid out once, and A's rows are runs."""
    rows = matrices == 1 and a[1] == c[1] == 1 and min(k, n) > 1
    return facts.kind == "cpu" and kind == "fp32" and rows and 4 * k * n <= LARGEST and has_folded_weight()


def in_panels(
    scratch: Scratch, operand: Input, w: TensorMeta, shape: Shape, strides: Shape, panel: int, dtype: DType, function: Any
) -> Workspace:
    """A copy of matrices (groups, columns, *rows) as (groups, panels, *rows, columns of a panel). It does what a prologue would.

    Nothing is written to the columns of the last panel that are none, and nothing that is computed of these is stored.

    Args:
        shape, strides: of the matrices in w.
    """
    groups, columns, *rows = shape
    panels, depth = -(-columns // panel), 1
    inner: list[int] = []
    for size in reversed(rows):
        inner.insert(0, depth * panel)
        depth *= size
    target = scratch.memory(groups * panels * depth * panel, dtype)
    whole, step = columns // panel, strides[1]
    for count, width, first in ((whole, panel, 0), (1, columns - whole * panel, whole)):
        if count * width:
            sizes = (groups, count, *rows, width)
            view = TensorMeta.get(sizes, (strides[0], panel * step, *strides[2:], step), w.dtype, w.device)
            copied = TensorMeta.get(sizes, (panels * depth * panel, depth * panel, *inner, 1), dtype, w.device)
            source = operand.plus(first * panel * step * w.dtype.itemsize)
            scratch.copy_into(view, source, copied, target, first * depth * panel, function)
    return target


def product_launch(
    scratch: Scratch, b: TensorMeta, sizes: Shape, strides: tuple[Shape, ...], epilogue: Epilogue, prologues: Prologues
) -> Launch:
    """The launch of a product of inputs 0 and 1, of `sizes` (M, N, K) and with the strides of A, B and C."""
    m, n, k = sizes
    blocks = kernels.config(facts_of(b.device), k, n, n * k)
    a, (down, right), c = strides
    weight: LaunchOperand = in_panels(
        scratch, Input(1), b, (1, n, k), (0, right, down), blocks["PANEL"], prologues.dtype, prologues.b
    )
    fixed = {"PROLOGUE": prologues.a, "EPILOGUE": epilogue.function, **blocks}
    operands = (Input(0), weight, epilogue.operands, epilogue.targets)
    arguments = (m, n, k, stride(a[0]), stride(c[0]), *epilogue.arguments)
    return Launch(kernels.matmul_panels, (kernels.tiles(blocks, m, n),), operands, arguments, fixed, num_warps=1, num_stages=1)
