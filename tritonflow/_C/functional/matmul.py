"""Functions of the binding: matmul.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.matmul import (addmm as _add_mm, baddbmm as _badd_bmm, batch_matmul as _batch_mat_mul,
        dot as _dot, linear as _linear, matmul as _mat_mul, matrix_vector_product as _matrix_vector_product, mm as _mm,
        scaled_mm as _scaled_mm)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_matmul_slow = _Binding("matmul", "Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False)", _mat_mul,
        methods="matmul", autocast="lower")
def matmul(input=_missing, other=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the matrix product of the last two dimensions, broadcast over the others"""
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and not extra and not unknown):
        return _mat_mul(input, other, transpose_a, transpose_b)
    return _matmul_slow((input, other, transpose_a, transpose_b), extra, unknown)

def __matmul__(self, other):
    if other.__class__ is _Tensor:
        return _mat_mul(self, other)
    return matmul(self, other)

_mm_slow = _Binding("mm", "Tensor (Tensor input, Tensor mat2)", _mm, methods="mm", autocast="lower")
def mm(input=_missing, mat2=_missing, *extra, **unknown):
    """the product of two matrices"""
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _mm(input, mat2)
    return _mm_slow((input, mat2), extra, unknown)

_batch_matmul_slow = _Binding("batch_matmul", "Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)",
        _batch_mat_mul, autocast="lower")
def batch_matmul(a=_missing, b=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the products of two batches of matrices"""
    if (a.__class__ is _Tensor and b.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and not extra and not unknown):
        return _batch_mat_mul(a, b, transpose_a, transpose_b)
    return _batch_matmul_slow((a, b, transpose_a, transpose_b), extra, unknown)

_bmm_slow = _Binding("bmm", "Tensor (Tensor input, Tensor mat2)", _batch_mat_mul, methods="bmm", autocast="lower")
def bmm(input=_missing, mat2=_missing, *extra, **unknown):
    """the products of two batches of matrices"""
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _batch_mat_mul(input, mat2)
    return _bmm_slow((input, mat2), extra, unknown)

_matrix_vector_product_slow = _Binding("matrix_vector_product", "Tensor (Tensor input, Tensor vec)", _matrix_vector_product,
        autocast="lower")
def matrix_vector_product(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector"""
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _matrix_vector_product_slow((input, vec), extra, unknown)

_mv_slow = _Binding("mv", "Tensor (Tensor input, Tensor vec)", _matrix_vector_product, methods="mv", autocast="lower")
def mv(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector"""
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _mv_slow((input, vec), extra, unknown)

_dot_slow = _Binding("dot", "Tensor (Tensor input, Tensor other)", _dot, methods="dot", autocast="widest")
def dot(input=_missing, other=_missing, *extra, **unknown):
    """the inner product of two vectors"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _dot(input, other)
    return _dot_slow((input, other), extra, unknown)

_linear_slow = _Binding("linear", "Tensor (Tensor input, Tensor weight, Tensor bias=None)", _linear, autocast="lower")
def linear(input=_missing, weight=_missing, bias=None, *extra, **unknown):
    """input @ weight transposed + bias"""
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and not extra
            and not unknown):
        return _linear(input, weight, bias)
    return _linear_slow((input, weight, bias), extra, unknown)

_addmm_slow = _Binding("addmm", "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)", _add_mm,
        methods="addmm", autocast="lower")
def addmm(input=_missing, mat1=_missing, mat2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * mat1 @ mat2"""
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add_mm(input, mat1, mat2, beta, alpha)
    return _addmm_slow((input, mat1, mat2, beta, alpha), extra, unknown)

_baddbmm_slow = _Binding("baddbmm", "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        _badd_bmm, methods="baddbmm", autocast="lower")
def baddbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * batch1 @ batch2"""
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _badd_bmm(input, batch1, batch2, beta, alpha)
    return _baddbmm_slow((input, batch1, batch2, beta, alpha), extra, unknown)

_scaled_mm_slow = _Binding("scaled_mm",
        "Tensor (Tensor input, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor bias=None, DataType out_dtype=None)",
        _scaled_mm)
def scaled_mm(input=_missing, mat2=_missing, scale_a=_missing, scale_b=_missing, bias=None, out_dtype=None, *extra, **unknown):
    """scale_a * scale_b * (input @ mat2) + bias, of float8 matrices"""
    if (input.__class__ is _Tensor and mat2.__class__ is _Tensor and scale_a.__class__ is _Tensor and scale_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and (out_dtype is None or out_dtype.__class__ is _DType) and not extra
            and not unknown):
        return _scaled_mm(input, mat2, scale_a, scale_b, bias, out_dtype)
    return _scaled_mm_slow((input, mat2, scale_a, scale_b, bias, out_dtype), extra, unknown)

_methods = _publish(globals())
