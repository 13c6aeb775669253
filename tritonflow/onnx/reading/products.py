"""Products of matrices."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.onnx.reading.table import op


@op("MatMul")
def _matmul(node: Any, a: Any, b: Any) -> Any:
    return product(a, b)


def product(a: Any, b: Any) -> Any:
    """A product of matrices; integers are multiplied exactly, in float64 where they have up to 32 bits."""
    if a.dtype.is_floating_point:
        return flow.matmul(a, b)
    if a.dtype in (flow.int64, flow.uint64):
        raise NotImplementedError("MatMul of integers of 64 bits is not supported")
    return flow.matmul(a.to(flow.float64), b.to(flow.float64)).to(flow.int64).to(a.dtype)


@op("Gemm")
def _gemm(node: Any, a: Any, b: Any, c: Any = None) -> Any:
    a = a.t() if node.get("transA", 0) else a
    b = b.t() if node.get("transB", 0) else b
    alpha, beta = node.get("alpha", 1.0), node.get("beta", 1.0)
    if c is None or beta == 0:
        result = product(a, b)
        return result if alpha == 1 else result * alpha
    if a.dtype.is_floating_point:
        return flow.addmm(c, a, b, beta=beta, alpha=alpha)
    if (alpha, beta) != (1, 1):
        raise NotImplementedError("Gemm of integers with alpha or beta is not supported")
    return product(a, b) + c


@op("Einsum")
def _einsum(node: Any, *values: Any) -> Any:
    return flow.einsum(node.get("equation").replace(" ", ""), *values)


@op("Det")
def _det(node: Any, x: Any) -> Any:
    return flow.linalg.det(x)
