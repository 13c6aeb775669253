"""Functions of the binding: matmul.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functional.functors.contractions import (addbmm as _add_bmm, addmv as _add_mv, addr as _add_r,
        chain_matmul as _chain_mat_mul, cross as _cross, inner as _inner, kron as _kron, outer as _outer,
        tensordot as _tensor_dot, tensordot_dims as _tensor_dot_dims, tensordot_tensor as _tensor_dot_tensor, vdot as _v_dot)
from tritonflow.functional.functors.einsum import (einsum as _einsum, einsum_sublists as _einsum_sublists)
from tritonflow.functional.functors.matmul import (addmm as _add_mm, addmm_scaled as _add_mm_scaled, baddbmm as _badd_bmm,
        batch_matmul as _batch_mat_mul, dot as _dot, linear as _linear, matmul as _mat_mul,
        matrix_vector_product as _matrix_vector_product, mm as _mm, scaled_mm as _scaled_mm)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing
from tritonflow.functional.torch_calls import in_place as _in_place

_matmul_slow = _Binding("matmul",
        "Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False, Double alpha=1.0)", _mat_mul,
        methods="matmul", autocast="lower")
def matmul(input=_missing, other=_missing, transpose_a=False, transpose_b=False, alpha=1.0, *extra, **unknown):
    """the matrix product of the last two dimensions, broadcast over the others

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Differentiable in `input` and `other`. Under `flow.autocast` it computes in its dtype. Method:
    `Tensor.matmul`. Operator: `@`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matmul.
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and alpha.__class__ is float and not extra and not unknown):
        return _mat_mul(input, other, transpose_a, transpose_b, alpha)
    return _matmul_slow((input, other, transpose_a, transpose_b, alpha), extra, unknown)

def __matmul__(self, other):
    if other.__class__ is _Tensor:
        return _mat_mul(self, other)
    return matmul(self, other)

def __rmatmul__(self, other):
    return matmul(other, self)

_mm_slow = _Binding("mm", "Tensor (Tensor input, Tensor mat2)", _mm, methods="mm", autocast="lower")
def mm(input=_missing, mat2=_missing, *extra, **unknown):
    """the product of two matrices

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.mm`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mm.
    """
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _mm(input, mat2)
    return _mm_slow((input, mat2), extra, unknown)

_batch_matmul_slow = _Binding("batch_matmul", "Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)",
        _batch_mat_mul, autocast="lower")
def batch_matmul(a=_missing, b=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the products of two batches of matrices

    Args:
        a: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bmm.
    """
    if (a.__class__ is _Tensor and b.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and not extra and not unknown):
        return _batch_mat_mul(a, b, transpose_a, transpose_b)
    return _batch_matmul_slow((a, b, transpose_a, transpose_b), extra, unknown)

_bmm_slow = _Binding("bmm", "Tensor (Tensor input, Tensor mat2)", _batch_mat_mul, methods="bmm", autocast="lower")
def bmm(input=_missing, mat2=_missing, *extra, **unknown):
    """the products of two batches of matrices

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.bmm`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bmm.
    """
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _batch_mat_mul(input, mat2)
    return _bmm_slow((input, mat2), extra, unknown)

_matrix_vector_product_slow = _Binding("matrix_vector_product", "Tensor (Tensor input, Tensor vec)", _matrix_vector_product,
        autocast="lower")
def matrix_vector_product(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mv.
    """
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _matrix_vector_product_slow((input, vec), extra, unknown)

_mv_slow = _Binding("mv", "Tensor (Tensor input, Tensor vec)", _matrix_vector_product, methods="mv", autocast="lower")
def mv(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.mv`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mv.
    """
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _mv_slow((input, vec), extra, unknown)

_dot_slow = _Binding("dot", "Tensor (Tensor input, Tensor other)", _dot, methods="dot", autocast="widest")
def dot(input=_missing, other=_missing, *extra, **unknown):
    """the inner product of two vectors

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in the widest dtype of its operands. Method: `Tensor.dot`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dot.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _dot(input, other)
    return _dot_slow((input, other), extra, unknown)

_linear_slow = _Binding("linear", "Tensor (Tensor input, Tensor weight, Tensor bias=None)", _linear, autocast="lower")
def linear(input=_missing, weight=_missing, bias=None, *extra, **unknown):
    """input @ weight transposed + bias

    Args:
        input: the input.
        bias: added to the result; left out unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Differentiable in `input`, `weight` and `bias`. Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.linear.
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and not extra
            and not unknown):
        return _linear(input, weight, bias)
    return _linear_slow((input, weight, bias), extra, unknown)

_addmm_slow = _Binding("addmm",
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _add_mm,
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta)", _add_mm_scaled, methods="addmm",
        autocast="lower")
def addmm(input=_missing, mat1=_missing, mat2=_missing, alpha=_missing, beta=_missing, *extra, inplace=False, **unknown):
    """beta * input + alpha * mat1 @ mat2

    Overloads:
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor`
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Number, beta: Number) -> Tensor`

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addmm` and `Tensor.addmm_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmm.
    """
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and beta is _missing and
            alpha is _missing and (inplace is False or inplace is True) and not extra and not unknown):
        return _add_mm(input, mat1, mat2, 1, 1, inplace)
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and
            (alpha.__class__ is float or alpha.__class__ is int) and (beta.__class__ is float or beta.__class__ is int) and
            inplace is False and not extra and not unknown):
        return _add_mm_scaled(input, mat1, mat2, alpha, beta)
    return _addmm_slow((input, mat1, mat2, alpha, beta, inplace), extra, unknown)

_add_mm_scaled_over = _in_place(_add_mm_scaled)
_addmm__slow = _Binding("addmm_", "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)", _add_mm,
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta)", _add_mm_scaled_over, methods="addmm_",
        autocast="lower", inplace=True)
def addmm_(input=_missing, mat1=_missing, mat2=_missing, alpha=_missing, beta=_missing, *extra, **unknown):
    """In place: beta * input + alpha * mat1 @ mat2

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.addmm`.

    Overloads:
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor`
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Number, beta: Number) -> Tensor`

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmm.
    """
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and beta is _missing and
            alpha is _missing and not extra and not unknown):
        return _add_mm(input, mat1, mat2, 1, 1, inplace=True)
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and
            (alpha.__class__ is float or alpha.__class__ is int) and (beta.__class__ is float or beta.__class__ is int) and
            not extra and not unknown):
        return _add_mm_scaled_over(input, mat1, mat2, alpha, beta, inplace=True)
    return _addmm__slow((input, mat1, mat2, alpha, beta), extra, unknown)

_baddbmm_slow = _Binding("baddbmm",
        "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _badd_bmm,
        methods="baddbmm", autocast="lower")
def baddbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    """beta * input + alpha * batch1 @ batch2

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.baddbmm` and `Tensor.baddbmm_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.baddbmm.
    """
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _badd_bmm(input, batch1, batch2, beta, alpha, inplace)
    return _baddbmm_slow((input, batch1, batch2, beta, alpha, inplace), extra, unknown)

_baddbmm__slow = _Binding("baddbmm_", "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        _badd_bmm, methods="baddbmm_", autocast="lower", inplace=True)
def baddbmm_(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    """In place: beta * input + alpha * batch1 @ batch2

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.baddbmm`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.baddbmm.
    """
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _badd_bmm(input, batch1, batch2, beta, alpha, inplace=True)
    return _baddbmm__slow((input, batch1, batch2, beta, alpha), extra, unknown)

_scaled_mm_slow = _Binding("scaled_mm",
        "Tensor (Tensor input, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor bias=None, DataType out_dtype=None)",
        _scaled_mm)
def scaled_mm(input=_missing, mat2=_missing, scale_a=_missing, scale_b=_missing, bias=None, out_dtype=None, *extra, **unknown):
    """scale_a * scale_b * (input @ mat2) + bias, of float8 matrices

    Args:
        input: the input.
        bias: added to the result; left out unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Not differentiable: float8 has no arithmetic that a gradient could be made of.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scaled_mm.
    """
    if (input.__class__ is _Tensor and mat2.__class__ is _Tensor and scale_a.__class__ is _Tensor and scale_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and (out_dtype is None or out_dtype.__class__ is _DType) and not extra
            and not unknown):
        return _scaled_mm(input, mat2, scale_a, scale_b, bias, out_dtype)
    return _scaled_mm_slow((input, mat2, scale_a, scale_b, bias, out_dtype), extra, unknown)

_addmv_slow = _Binding("addmv",
        "Tensor (Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _add_mv,
        methods="addmv", autocast="lower")
def addmv(input=_missing, mat=_missing, vec=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    """beta * input + alpha * mat @ vec

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addmv` and `Tensor.addmv_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmv.
    """
    if (input.__class__ is _Tensor and mat.__class__ is _Tensor and vec.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _add_mv(input, mat, vec, beta, alpha, inplace)
    return _addmv_slow((input, mat, vec, beta, alpha, inplace), extra, unknown)

_addmv__slow = _Binding("addmv_", "Tensor (Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)", _add_mv,
        methods="addmv_", autocast="lower", inplace=True)
def addmv_(input=_missing, mat=_missing, vec=_missing, *extra, beta=1, alpha=1, **unknown):
    """In place: beta * input + alpha * mat @ vec

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.addmv`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmv.
    """
    if (input.__class__ is _Tensor and mat.__class__ is _Tensor and vec.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add_mv(input, mat, vec, beta, alpha, inplace=True)
    return _addmv__slow((input, mat, vec, beta, alpha), extra, unknown)

_addr_slow = _Binding("addr",
        "Tensor (Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _add_r,
        methods="addr", autocast="lower")
def addr(input=_missing, vec1=_missing, vec2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    """beta * input + alpha * outer(vec1, vec2)

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addr` and `Tensor.addr_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addr.
    """
    if (input.__class__ is _Tensor and vec1.__class__ is _Tensor and vec2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _add_r(input, vec1, vec2, beta, alpha, inplace)
    return _addr_slow((input, vec1, vec2, beta, alpha, inplace), extra, unknown)

_addr__slow = _Binding("addr_", "Tensor (Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)", _add_r,
        methods="addr_", autocast="lower", inplace=True)
def addr_(input=_missing, vec1=_missing, vec2=_missing, *extra, beta=1, alpha=1, **unknown):
    """In place: beta * input + alpha * outer(vec1, vec2)

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.addr`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addr.
    """
    if (input.__class__ is _Tensor and vec1.__class__ is _Tensor and vec2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add_r(input, vec1, vec2, beta, alpha, inplace=True)
    return _addr__slow((input, vec1, vec2, beta, alpha), extra, unknown)

_addbmm_slow = _Binding("addbmm",
        "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _add_bmm,
        methods="addbmm", autocast="lower")
def addbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    """beta * input + alpha * the sum of the products of a batch

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addbmm` and `Tensor.addbmm_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addbmm.
    """
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _add_bmm(input, batch1, batch2, beta, alpha, inplace)
    return _addbmm_slow((input, batch1, batch2, beta, alpha, inplace), extra, unknown)

_addbmm__slow = _Binding("addbmm_", "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        _add_bmm, methods="addbmm_", autocast="lower", inplace=True)
def addbmm_(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    """In place: beta * input + alpha * the sum of the products of a batch

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.addbmm`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addbmm.
    """
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add_bmm(input, batch1, batch2, beta, alpha, inplace=True)
    return _addbmm__slow((input, batch1, batch2, beta, alpha), extra, unknown)

_outer_slow = _Binding("outer", "Tensor (Tensor input, Tensor vec2)", _outer, methods="outer")
def outer(input=_missing, vec2=_missing, *extra, **unknown):
    """all products of an element of one vector and an element of another

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.outer`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.outer.
    """
    if input.__class__ is _Tensor and vec2.__class__ is _Tensor and not extra and not unknown:
        return _outer(input, vec2)
    return _outer_slow((input, vec2), extra, unknown)

_ger_slow = _Binding("ger", "Tensor (Tensor input, Tensor vec2)", _outer, methods="ger")
def ger(input=_missing, vec2=_missing, *extra, **unknown):
    """Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.ger`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ger.
    """
    if input.__class__ is _Tensor and vec2.__class__ is _Tensor and not extra and not unknown:
        return _outer(input, vec2)
    return _ger_slow((input, vec2), extra, unknown)

_vdot_slow = _Binding("vdot", "Tensor (Tensor input, Tensor other)", _v_dot, methods="vdot", autocast="widest")
def vdot(input=_missing, other=_missing, *extra, **unknown):
    """the inner product of two vectors

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in the widest dtype of its operands. Method: `Tensor.vdot`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vdot.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _v_dot(input, other)
    return _vdot_slow((input, other), extra, unknown)

_inner_slow = _Binding("inner", "Tensor (Tensor input, Tensor other)", _inner, methods="inner", autocast="lower")
def inner(input=_missing, other=_missing, *extra, **unknown):
    """the products of the rows of two tensors

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.inner`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.inner.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _inner(input, other)
    return _inner_slow((input, other), extra, unknown)

_tensordot_slow = _Binding("tensordot", "Tensor (Tensor a, Tensor b, Int64 dims=2)", _tensor_dot,
        "Tensor (Tensor a, Tensor b, Tensor dims)", _tensor_dot_tensor, "Tensor (Tensor a, Tensor b, PyObject dims)",
        _tensor_dot_dims, autocast="lower")
def tensordot(a=_missing, b=_missing, dims=_missing, *extra, **unknown):
    """the sum of products over pairs of dimensions

    Args:
        a: the input.
        dims: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tensordot.
    """
    if a.__class__ is _Tensor and b.__class__ is _Tensor and dims is _missing and not extra and not unknown:
        return _tensor_dot(a, b, 2)
    return _tensordot_slow((a, b, dims), extra, unknown)

_kron_slow = _Binding("kron", "Tensor (Tensor input, Tensor other)", _kron, methods="kron")
def kron(input=_missing, other=_missing, *extra, **unknown):
    """every element of the first times the whole of the second

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Method: `Tensor.kron`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.kron.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _kron(input, other)
    return _kron_slow((input, other), extra, unknown)

_cross_slow = _Binding("cross", "Tensor (Tensor input, Tensor other, Int32 dim=None)", _cross, methods="cross", autocast="widest")
def cross(input=_missing, other=_missing, dim=None, *extra, **unknown):
    """the vector product along a dimension of size 3

    Args:
        input: the input.
        other: a tensor.
        dim: the dimension; a negative one counts from the end. All elements unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Dtypes:
        The operands are of any dtype but bool.

    Differentiable in `input` and `other`. Under `flow.autocast` it computes in the widest dtype of its
    operands. Method: `Tensor.cross`.

    Raises:
        NotImplementedError: a dtype that is not taken.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cross.
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _cross(input, other, dim)
    return _cross_slow((input, other, dim), extra, unknown)

_chain_matmul_slow = _Binding("chain_matmul", "Tensor (TensorTuple matrices)", _chain_mat_mul, autocast="lower")
def chain_matmul(matrices=_missing, *extra, **unknown):
    """the product of matrices, in the order that multiplies least

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.chain_matmul.
    """
    if matrices.__class__ is tuple and not extra and not unknown and _all_tensors(matrices):
        return _chain_mat_mul(matrices)
    if matrices.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _chain_mat_mul((matrices, *extra))
    return _chain_matmul_slow((matrices,), extra, unknown)

_einsum_slow = _Binding("einsum", "Tensor (String equation, TensorTuple operands)", _einsum, "Tensor (PyObjectList arguments)",
        _einsum_sublists, autocast="lower")
def einsum(equation=_missing, operands=_missing, *extra, arguments=_missing, **unknown):
    """sums of products, named by the letters of dimensions

    Overloads:
        - `einsum(equation: str, operands: Sequence[Tensor]) -> Tensor`
        - `einsum(equation: str, *operands: Tensor) -> Tensor`
        - `einsum(arguments: Sequence[Any]) -> Tensor`
        - `einsum(*arguments: int) -> Tensor`

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.einsum.
    """
    if (equation.__class__ is str and operands.__class__ is tuple and arguments is _missing and not extra and not unknown and
            _all_tensors(operands)):
        return _einsum(equation, operands)
    if (equation.__class__ is str and operands.__class__ is _Tensor and arguments is _missing and not unknown and
            _all_tensors(extra)):
        return _einsum(equation, (operands, *extra))
    if equation.__class__ is int and operands is _missing and arguments is _missing and not unknown and _all_ints(extra):
        return _einsum_sublists((equation, *extra))
    return _einsum_slow((equation, operands, arguments), extra, unknown)

_methods = _publish(globals())
