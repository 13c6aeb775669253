"""tt.dot, of two or three dimensions."""

from __future__ import annotations

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Op, Value
from tritonflow.triton_cpu.types import FP8, Type, is_float, size_of

from .control import copy
from .dot_pairs import PairProduct
from .dot_product import DotProduct
from .dot_quads import QuadProduct
from .dot_tiles import PairTiles, QuadTiles
from .lowering import Lowering
from .memory import StackBuffer
from .roots import lowers


@lowers("tt.dot")
def _dot(low: Lowering, op: Op) -> None:
    a, b, c = op.operands
    if len(a.type.dims) not in (2, 3):
        raise UnsupportedError(f"dot of {len(a.type.dims)} dimensions", op.line, op.text)
    kinds = {"fp8" if v.type.elem in FP8 else v.type.elem for v in (a, b)}  # two formats of fp8 may meet
    if len(kinds) > 1 or not (is_float(a.type.elem) or a.type.elem in ("i8", "i32")):
        raise UnsupportedError(f"dot of {a.type.elem} and {b.type.elem}", op.line, op.text)
    if len(a.type.dims) == 3:
        _batched(low, op)
    else:
        product(low, op).lower()


def product(low: Lowering, op: Op) -> DotProduct:
    """The product of two matrices, by the best instructions for it."""
    for kind in (PairTiles, QuadTiles, PairProduct, QuadProduct):
        if kind.fits(low, op):
            return kind(low, op)
    return DotProduct(low, op)


def _batched(low: Lowering, op: Op) -> None:
    """Three dimensions: a product of matrices for each batch, of operands in buffers."""
    buffers = [low.buffer_of(v) for v in op.operands]
    result = low.new_buffer(op.result.type)

    def one(i: str) -> None:
        operands = [_matrix(low, buffer, i, op) for buffer in buffers]
        one_product = Op("tt.dot", op.block, op.line, op.text, operands)
        one_product.results = [Value("product", Type(result.shape[1:], result.elem), op.block, one_product)]
        product(low, one_product).lower()
        copy(low, _part(low, result, i), low.values.buffers[one_product.result])

    low.b.loop("0", str(result.shape[0]), "1", one)
    low.values.buffers[op.result] = result


def _part(low: Lowering, buffer: StackBuffer, i: str) -> StackBuffer:
    rest = buffer.shape[1:]
    size = size_of(buffer.elem) * rest[0] * rest[1]
    pointer = low.b.offset(buffer.pointer, low.b.sext64("i32", low.b.mul("i32", i, str(size))))
    return StackBuffer(pointer, rest, buffer.elem)


def _matrix(low: Lowering, buffer: StackBuffer, i: str, op: Op) -> Value:
    value = Value("matrix", Type(buffer.shape[1:], buffer.elem), op.block)
    low.values.buffers[value] = _part(low, buffer, i)
    return value
