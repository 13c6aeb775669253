"""Epilogues: what the kernel of a product (of matrices, a convolution, its gradients) does with its sum, and stores.

The gradient of a norm's input has one, too, and is a product here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride
from tritonflow.ops.elementwise import collapse
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, Operands, Output
from tritonflow.ops.plan import stride

BRIEF = 16  # operations on an element

kernels = KernelModule("epilogue")


class Epilogue(NamedTuple):
    """outputs = function(sum, *operands) at every position of the product's result.

    Attributes:
        function: the scalar function.
        outputs: the metas of the results, which are contiguous, channels-last, or have padded rows; operands follow the order of
            their elements.
        parts: the sizes of the product's index, as in `PARTS`.
        shape: over which the operands have strides; its dimensions make up the parts.
        operands: of the launch, for the function.
        strides: for every operand, 0 for scalars and where a tensor is broadcast.
        inputs: the metas of operands that are not the op's own.
        operations: on an element, which a fusion counts.
    """

    function: Any
    outputs: tuple[TensorMeta, ...]
    parts: Shape = ()
    shape: Shape = ()
    operands: tuple[Operands, ...] = ()
    strides: tuple[Shape, ...] = ()
    inputs: tuple[TensorMeta, ...] = ()
    operations: int = 0

    @property
    def targets(self) -> tuple[Output, ...]:
        """The outputs as operands of a launch."""
        return Output.several(len(self.outputs))

    @property
    def is_plain(self) -> bool:
        """Whether the sum is only stored."""
        return self.function is kernels.identity

    @property
    def is_light(self) -> bool:
        """Whether the sum is only stored, or a bias added before: other functions take registers beside the sums."""
        return self.function is kernels.identity or self.function is kernels.add_bias

    @property
    def is_brief(self) -> bool:
        """Whether its functions take few instructions: casts, sums, products."""
        return self.is_light or 0 < self.operations <= BRIEF

    @property
    def arguments(self) -> tuple[tuple[Shape, ...], tuple[Any, ...]]:
        """The kernel's `operand_sizes` and `operand_strides`."""
        if not self.operands:
            return (), ()
        dims = dims_of_parts(self.shape, self.parts)
        assert dims is not None
        merged = [collapse(self.shape[d], [step[d] for step in self.strides]) for d in dims]
        strides = [tuple([tuple(map(stride, part[k])) for _, part in merged]) for k in range(len(self.operands))]
        return tuple([sizes for sizes, _ in merged]), tuple(strides)


def rows_and_columns(result: TensorMeta) -> Shape:
    """The parts of an index into matrices: the row, counted through the batch, and the column."""
    return (prod(result.shape[:-1]), result.shape[-1])


def planes(result: TensorMeta) -> Shape:
    """The parts of an index into images: image, channel, pixel; of channels-last ones image, pixel, channel."""
    n, c, *size = result.shape
    return (n, prod(size), c) if result.is_channels_last else (n, c, prod(size))


def filters(result: TensorMeta) -> Shape:
    """The parts of an index into the filters of a convolution: output channel; input channel and tap."""
    return (result.shape[0], prod(result.shape[1:]))


# By the fusion class of an op that takes an epilogue.
PARTS = {
    "matmul": rows_and_columns,
    "weight_gradient": rows_and_columns,
    "row_gradients": rows_and_columns,
    "conv": planes,
    "conv_filter": filters,
}


def store_only(output: TensorMeta) -> Epilogue:
    """The sum is the result."""
    return Epilogue(kernels.identity, (output,))


def biased(output: TensorMeta, parts: Shape, bias: TensorMeta | None) -> Epilogue:
    """The sum plus input 2, a vector along one part, if there is one."""
    if bias is None:
        return store_only(output)
    strides = along_bias(output, parts, bias)
    return Epilogue(kernels.add_bias, (output,), parts, parts, (Input(2),), (strides,))


def along_bias(output: TensorMeta, parts: Shape, bias: TensorMeta) -> Shape:
    """The strides of a bias over the parts of a product's index: its channels are the last part of channels-last images."""
    last = output.is_channels_last
    return tuple([bias.stride[0] if part == (len(parts) - 1 if last else 1) else 0 for part in range(len(parts))])


def scaled(output: TensorMeta, scale_a: TensorMeta, scale_b: TensorMeta, bias: TensorMeta | None) -> Epilogue:
    """The sum times a scale of its row (input 2) and one of its column (input 3), plus a bias of its column (input 4)."""
    strides = [tuple([0 if n == 1 else s for n, s in zip(m.shape, m.stride)]) for m in (scale_a, scale_b)]
    function = kernels.scaled
    if bias is not None:
        function, strides = kernels.scaled_with_bias, [*strides, (0, bias.stride[0])]
    operands = Input.several(len(strides), first=2)
    return Epilogue(function, (output,), output.shape, output.shape, operands, tuple(strides))


def dims_of_parts(shape: Shape, parts: Shape) -> list[slice] | None:
    """The dimensions of `shape` that make up each part; None where one would lie in two.

    >>> dims_of_parts((8, 128, 256), (1024, 256))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    found: list[slice] = []
    start = 0
    for size in parts:
        end = start
        while end < len(shape) and prod(shape[start:end]) != size:
            end += 1
        if prod(shape[start:end]) != size:
            return None
        found.append(slice(start, end))
        start = end
    return found[:-1] + [slice(found[-1].start, len(shape))] if prod(shape[start:]) == 1 else None


def part_strides(shape: Shape, dims: Sequence[slice], strides: Shape) -> Shape:
    """The strides over `shape` of a tensor that has one stride for each part."""
    found: list[int] = []
    for d, step in zip(dims, strides):
        found += [step * s for s in contiguous_stride(shape[d])]
    return tuple(found)
