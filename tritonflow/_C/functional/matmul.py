"""Functions of the binding: matmul.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, FOREIGN as _FOREIGN, all_ints as _all_ints, all_tensors as _all_tensors, with_foreign as _with_foreign
from tritonflow.functions.generated import (add_unrounded as _add_unrounded, matmul_with_sums as _matmul_with_sums)
from tritonflow.functions.matmul import (linear as _linear, matmul as _mat_mul, unrounded_product as _unrounded_product,
        batch_matmul as _batch_matmul, bmm as _bmm, dot as _dot, mm as _mm, mv as _mv)
from tritonflow.functions.matmul_added import (addmm_scaled as _add_mm_scaled, scaled_mm as _scaled_mm, addmm as _addmm,
        baddbmm as _baddbmm, bilinear as _bilinear, lora_linear as _lora_linear, qkv_linear as _qkv_linear)
from tritonflow.functions.matmul_contractions import (cross as _cross, tensordot_dims as _tensor_dot_dims,
        tensordot_tensor as _tensor_dot_tensor, addbmm as _addbmm, addmv as _addmv, addr as _addr, chain_matmul as _chain_matmul,
        inner as _inner, kron as _kron, outer as _outer, tensordot as _tensordot, vdot as _vdot)
from tritonflow.functions.matmul_einsum import (einsum_sublists as _einsum_sublists, einsum as _einsum)
from tritonflow.functions.matmul_quantized import (dequantize_weight as _dequantize_weight, int_mm as _int_mm,
        quantize_rows as _quantize_rows, quantized_linear as _quantized_linear, scaled_int_mm as _scaled_int_mm,
        scaled_mm_blocks as _scaled_mm_blocks)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_matmul_slow = _Binding("matmul",
        "Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False, Double alpha=1.0)", _mat_mul,
        methods="matmul", autocast="lower")
def matmul(input=_missing, other=_missing, transpose_a=False, transpose_b=False, alpha=1.0, *extra, **unknown):
    """The matrix product of the last two dimensions, broadcast over the others.

    `out[..., i, j] = alpha * sum over k of input[..., i, k] * other[..., k, j]`. A vector counts as a
    row on the left and as a column on the right, and that dimension is left out of the result.

    Args:
        input: matrices or a vector.
        other: matrices or a vector.
        transpose_a: whether the last two dimensions of `input` are exchanged first.
        transpose_b: whether the last two dimensions of `other` are exchanged first.
        alpha: the factor of the product.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, k), (..., k, n) -> (..., m, n); leading dimensions are broadcast together.

    Differentiable. Under `flow.autocast` it computes in its dtype. Method: `Tensor.matmul`. Operator:
    `@`.

    Raises:
        RuntimeError: inner sizes or dtypes that differ; a tensor without dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.matmul(flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[5.0], [6.0]]))
        tensor([[17.],
                [39.]])
        >>> flow.tensor([1.0, 2.0]) @ flow.tensor([3.0, 4.0])
        tensor(11.)
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and alpha.__class__ is float and not extra and not unknown):
        return _mat_mul(input, other, transpose_a, transpose_b, alpha)
    return _matmul_slow((input, other, transpose_a, transpose_b, alpha), extra, unknown)

def __matmul__(self, other):
    """The operator of `matmul`, which says more."""
    if other.__class__ is _Tensor:
        return _mat_mul(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__matmul__", matmul, self, other)
    return matmul(self, other)

def __rmatmul__(self, other):
    """The operator of `matmul`, which says more."""
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rmatmul__", matmul, self, other)
    return matmul(other, self)

_linear_slow = _Binding("linear", "Tensor (Tensor input, Tensor weight, Tensor bias=None)", _linear, autocast="lower")
def linear(input=_missing, weight=_missing, bias=None, *extra, **unknown):
    """input @ weight transposed + bias.

    `out = input @ transpose(weight) + bias`, in one kernel.

    Args:
        input: the input.
        weight: a row for each output feature.
        bias: added to the outputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input (..., in), weight (out, in) or (in), bias (out) or () -> (..., out).

    Differentiable. Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.linear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.linear(flow.tensor([[1.0, 2.0]]), flow.tensor([[1.0, 1.0], [0.0, 2.0]]), flow.tensor([0.5, 0.0]))
        tensor([[3.5000, 4.0000]])
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and not extra
            and not unknown):
        return _linear(input, weight, bias)
    return _linear_slow((input, weight, bias), extra, unknown)

_matmul_with_sums_slow = _Binding("matmul_with_sums", "TensorTuple (Tensor a, Tensor b)", _matmul_with_sums)
def matmul_with_sums(a=_missing, b=_missing, *extra, **unknown):
    """a^T @ b and the sums of the columns of a, the gradients of a linear layer's weight and bias in programs for a GPU"""
    if a.__class__ is _Tensor and b.__class__ is _Tensor and not extra and not unknown:
        return _matmul_with_sums(a, b)
    return _matmul_with_sums_slow((a, b), extra, unknown)

_unrounded_product_slow = _Binding("unrounded_product", "Tensor (Tensor input, Tensor other)", _unrounded_product)
def unrounded_product(input=_missing, other=_missing, *extra, **unknown):
    """the product of matrices of half types in float32, of which a sum is rounded once"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _unrounded_product(input, other)
    return _unrounded_product_slow((input, other), extra, unknown)

_add_unrounded_slow = _Binding("add_unrounded", "Tensor (Tensor input, Tensor product, Scalar beta, Scalar alpha)",
        _add_unrounded)
def add_unrounded(input=_missing, product=_missing, beta=_missing, alpha=_missing, *extra, **unknown):
    """beta * input + alpha * product, with a product in float32, in the input's dtype"""
    if (input.__class__ is _Tensor and product.__class__ is _Tensor and (beta.__class__ is float or beta.__class__ is int) and
            (alpha.__class__ is float or alpha.__class__ is int) and not extra and not unknown):
        return _add_unrounded(input, product, beta, alpha)
    return _add_unrounded_slow((input, product, beta, alpha), extra, unknown)

_scaled_mm_slow = _Binding("scaled_mm",
        "Tensor (Tensor input, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor bias=None, DataType out_dtype=None)",
        _scaled_mm)
def scaled_mm(input=_missing, mat2=_missing, scale_a=_missing, scale_b=_missing, bias=None, out_dtype=None, *extra, **unknown):
    """scale_a * scale_b * (input @ mat2) + bias, of float8 matrices.

    float8 numbers cover a small range, so that matrices are stored with scales. Products are added up
    in float32.

    Args:
        input: the left matrix, of a float8 dtype.
        mat2: the right matrix, of a float8 dtype.
        scale_a: the scale of `input`, float32: one, or one for each row.
        scale_b: the scale of `mat2`, float32: one, or one for each column.
        bias: a vector for the columns, of `out_dtype` or float32.
        out_dtype: of the result: float32, float16 or bfloat16; bfloat16 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, k), (k, n) -> (m, n).

    Not differentiable: float8 has no arithmetic that a gradient could be made of.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch._scaled_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.ones(16, 16).to(flow.float8_e4m3fn)
        >>> F.scaled_mm(x, x, flow.tensor(0.5), flow.tensor(2.0), out_dtype=flow.float32)[0, 0]
        tensor(16.)
    """
    if (input.__class__ is _Tensor and mat2.__class__ is _Tensor and scale_a.__class__ is _Tensor and scale_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and (out_dtype is None or out_dtype.__class__ is _DType) and not extra
            and not unknown):
        return _scaled_mm(input, mat2, scale_a, scale_b, bias, out_dtype)
    return _scaled_mm_slow((input, mat2, scale_a, scale_b, bias, out_dtype), extra, unknown)

_int_mm_slow = _Binding("int_mm", "Tensor (Tensor input, Tensor mat2)", _int_mm)
def int_mm(input=_missing, mat2=_missing, *extra, **unknown):
    """The product of two int8 matrices, in int32.

    `out[i, j] = sum over k of input[i, k] * mat2[k, j]`, exact, modulo 2^32. `matmul` of int8 gives
    int8.

    Args:
        input: the left matrix, int8.
        mat2: the right matrix, int8.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, k), (k, n) -> (m, n).

    Dtypes:
        int8 -> int32.

    Not differentiable.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch._int_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.full((1, 2), 100, dtype=flow.int8)
        >>> F.int_mm(x, x.t())
        tensor([[20000]], dtype=tritonflow.int32)
    """
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _int_mm(input, mat2)
    return _int_mm_slow((input, mat2), extra, unknown)

_scaled_int_mm_slow = _Binding("scaled_int_mm",
        "Tensor (Tensor input, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor bias=None, *, DataType out_dtype=None)",
        _scaled_int_mm)
def scaled_int_mm(input=_missing, mat2=_missing, scale_a=_missing, scale_b=_missing, bias=None, *extra, out_dtype=None,
        **unknown):
    """scale_a * scale_b * (input @ mat2) + bias, of int8 matrices.

    Products are added up in int32. The result is rounded once.

    Args:
        input: the left matrix, int8.
        mat2: the right matrix, int8.
        scale_a: a float32 for each row of `input`.
        scale_b: a float32 for each column of `mat2`.
        bias: a vector for the columns.
        out_dtype: of the result: float32, float16 or bfloat16; float32 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, k), (k, n), (m, 1), (1, n), (n) -> (m, n).

    Not differentiable: codes are whole numbers.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch._int_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.full((1, 2), 100, dtype=flow.int8)
        >>> F.scaled_int_mm(x, x.t(), flow.tensor([[0.5]]), flow.tensor([[0.25]]))
        tensor([[2500.]])
    """
    if (input.__class__ is _Tensor and mat2.__class__ is _Tensor and scale_a.__class__ is _Tensor and scale_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and (out_dtype is None or out_dtype.__class__ is _DType) and not extra
            and not unknown):
        return _scaled_int_mm(input, mat2, scale_a, scale_b, bias, out_dtype)
    return _scaled_int_mm_slow((input, mat2, scale_a, scale_b, bias, out_dtype), extra, unknown)

_scaled_mm_blocks_slow = _Binding("scaled_mm_blocks",
        "Tensor (Tensor input, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor bias=None, DataType out_dtype=None)",
        _scaled_mm_blocks)
def scaled_mm_blocks(input=_missing, mat2=_missing, scale_a=_missing, scale_b=_missing, bias=None, out_dtype=None, *extra,
        **unknown):
    """input @ mat2 + bias, of float8 matrices with a scale for each 128 neighbours of a row, and for each block of 128 x 128.

    `out[i, j] = sum over b of scale_a[i, b] * scale_b[b, j // 128] * (sum over k in block b of input[i,
    k] * mat2[k, j])`, added up in float32.

    Args:
        input: the left matrix, float8_e4m3fn.
        mat2: the right matrix, float8_e4m3fn.
        scale_a: a float32 for each 128 columns of each row of `input`.
        scale_b: a float32 for each 128 x 128 numbers of `mat2`.
        bias: a vector for the columns.
        out_dtype: of the result: float32, float16 or bfloat16; bfloat16 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, k), (k, n), (m, ceil(k / 128)), (ceil(k / 128), ceil(n / 128)), (n) -> (m, n).

    Not differentiable: float8 has no arithmetic that a gradient could be made of.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch._scaled_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.ones(2, 256).to(flow.float8_e4m3fn)
        >>> scales = flow.tensor([[1.0, 2.0], [0.5, 0.0]]), flow.tensor([[1.0], [4.0]])
        >>> F.scaled_mm_blocks(x, x.t(), *scales, out_dtype=flow.float32)
        tensor([[1152., 1152.],
                [  64.,   64.]])
    """
    if (input.__class__ is _Tensor and mat2.__class__ is _Tensor and scale_a.__class__ is _Tensor and scale_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and (out_dtype is None or out_dtype.__class__ is _DType) and not extra
            and not unknown):
        return _scaled_mm_blocks(input, mat2, scale_a, scale_b, bias, out_dtype)
    return _scaled_mm_blocks_slow((input, mat2, scale_a, scale_b, bias, out_dtype), extra, unknown)

_quantize_rows_slow = _Binding("quantize_rows", "TensorTuple (Tensor input, DataType dtype=None, *, Int32 group=0)",
        _quantize_rows)
def quantize_rows(input=_missing, dtype=None, *extra, group=0, **unknown):
    """Codes of the rows of a matrix, each with a scale: int8, or float8_e4m3fn.

    `scale[i] = max over k of |input[i, k]| / L`, with L the largest code: 127, or 448 of float8.
    `code[i, k] = input[i, k] / scale[i]`, rounded to the nearest code, of two to the even one. A row of
    zeros has a scale of 0, and one with a NaN or an infinite number a scale of NaN.

    Args:
        input: rows, of float32, float16 or bfloat16.
        dtype: of the codes: int8, or float8_e4m3fn.
        group: how many neighbours of a row share a scale, of which the last may be fewer; 0 for the whole
            row.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (m, n) -> (m, n), (m, 1); with groups (m, n), (m, ceil(n / group)).

    Dtypes:
        float32, float16, bfloat16 -> int8 or float8_e4m3fn, float32.

    Not differentiable.

    Raises:
        RuntimeError: other dtypes, or no matrix; a negative group.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torchao's activations of Int8DynamicActivationInt8WeightConfig and Float8DynamicActivationFloat8WeightConfig.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.quantize_rows(flow.tensor([[127.0, -64.0], [0.0, 0.0]]))
        (tensor([[127, -64],
                [  0,   0]], dtype=tritonflow.int8), tensor([[1.],
                [0.]]))
        >>> codes, scales = F.quantize_rows(flow.tensor([[448.0, 3.0, 0.0, 7.0]]), flow.float8_e4m3fn, group=2)
        >>> codes.float(), scales
        (tensor([[448.,   3.,   0., 448.]]), tensor([[1.0000, 0.0156]]))
    """
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and group.__class__ is int and not extra and
            not unknown):
        return _quantize_rows(input, dtype, group)
    return _quantize_rows_slow((input, dtype, group), extra, unknown)

_quantized_linear_slow = _Binding("quantized_linear",
        "Tensor (Tensor input, Tensor weight, Tensor scales, Tensor zeros=None, Tensor bias=None, *, String form='int8', Int32 group=0)",
        _quantized_linear)
def quantized_linear(input=_missing, weight=_missing, scales=_missing, zeros=None, bias=None, *extra, form='int8', group=0,
        **unknown):
    """input @ W transposed + bias, with a weight of 8 or 4 bits.

    `W[n, k] = number(weight[n, k]) * scales[n, k // group] + zeros[n, k // group]`. Codes become
    numbers where they are loaded, and sums are float32. Gradients flow to the input and the bias.

    Args:
        input: rows, of float32, float16 or bfloat16.
        weight: codes as `flow.quantization.quantize_weight` makes them: int8, float8_e4m3fn, or words of 8
            codes.
        scales: a number for each group of each row, (out, groups).
        zeros: added to the numbers of a group, (out, groups).
        bias: added to the outputs.
        form: "int8", "float8", "int4" (two's complement) or "nf4".
        group: how many neighbours of a row share a scale, a multiple of 32; 0 for the whole row of int8 or
            float8.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., in), (out, words), (out, groups) -> (..., out).

    Differentiable.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit; a gradient is wanted of scales or zeros.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch._weight_int8pack_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> codes, scales = flow.tensor([[2, 1], [-2, 1]], dtype=flow.int8), flow.tensor([[0.5], [2.0]])
        >>> F.quantized_linear(flow.tensor([[1.0, 1.0]]), codes, scales)
        tensor([[ 1.5000, -2.0000]])
    """
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and scales.__class__ is _Tensor and
            (zeros is None or zeros.__class__ is _Tensor) and (bias is None or bias.__class__ is _Tensor) and
            form.__class__ is str and group.__class__ is int and not extra and not unknown):
        return _quantized_linear(input, weight, scales, zeros, bias, form, group)
    return _quantized_linear_slow((input, weight, scales, zeros, bias, form, group), extra, unknown)

_dequantize_weight_slow = _Binding("dequantize_weight",
        "Tensor (Tensor weight, Tensor scales, Tensor zeros=None, *, String form='int8', Int32 group=0, Int32 in_features=None, DataType dtype=None)",
        _dequantize_weight)
def dequantize_weight(weight=_missing, scales=_missing, zeros=None, *extra, form='int8', group=0, in_features=None, dtype=None,
        **unknown):
    """The weight that codes, scales and zeros stand for.

    `out[n, k] = number(weight[n, k]) * scales[n, k // group] + zeros[n, k // group]`.

    Args:
        weight: codes as `flow.quantization.quantize_weight` makes them.
        scales: a number for each group of each row, (out, groups).
        zeros: added to the numbers of a group, (out, groups).
        form: "int8", "float8", "int4" or "nf4".
        group: how many neighbours of a row share a scale; 0 for the whole row of int8 or float8.
        in_features: columns of the result; what the codes hold unless given.
        dtype: of the result; that of the scales unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (out, words), (out, groups) -> (out, in).

    Not differentiable: codes are constants, and so are their scales.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torchao's Tensor.dequantize.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.dequantize_weight(flow.tensor([[2, 1]], dtype=flow.int8), flow.tensor([[0.5]]))
        tensor([[1.0000, 0.5000]])
    """
    if (weight.__class__ is _Tensor and scales.__class__ is _Tensor and (zeros is None or zeros.__class__ is _Tensor) and
            form.__class__ is str and group.__class__ is int and (in_features is None or in_features.__class__ is int) and
            (dtype is None or dtype.__class__ is _DType) and not extra and not unknown):
        return _dequantize_weight(weight, scales, zeros, form, group, in_features, dtype)
    return _dequantize_weight_slow((weight, scales, zeros, form, group, in_features, dtype), extra, unknown)

_cross_slow = _Binding("cross", "Tensor (Tensor input, Tensor other, Int32 dim=None)", _cross, methods="cross", autocast="widest")
def cross(input=_missing, other=_missing, dim=None, *extra, **unknown):
    """The vector product along a dimension of size 3.

    `out = (a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0)`.

    Args:
        input: the input.
        other: a tensor of the same number of dimensions.
        dim: the dimension of the vectors; the first of size 3 unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        both are broadcast together; `dim` has size 3.

    Dtypes:
        The operands are of any dtype but bool.

    Differentiable. Under `flow.autocast` it computes in the widest dtype of its operands. Method:
    `Tensor.cross`.

    Raises:
        RuntimeError: no dimension of size 3; shapes that do not fit.
        NotImplementedError: a dtype that is not taken.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cross.

    Example:
        >>> import tritonflow as flow
        >>> flow.cross(flow.tensor([1.0, 0.0, 0.0]), flow.tensor([0.0, 1.0, 0.0]))
        tensor([0., 0., 1.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (dim is None or dim.__class__ is int) and not extra and
            not unknown):
        return _cross(input, other, dim)
    return _cross_slow((input, other, dim), extra, unknown)

_mm_slow = _Binding("mm", "Tensor (Tensor input, Tensor mat2)", _mm, methods="mm", autocast="lower")
def mm(input=_missing, mat2=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _mm(input, mat2)
    return _mm_slow((input, mat2), extra, unknown)

_batch_matmul_slow = _Binding("batch_matmul", "Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)",
        _batch_matmul, autocast="lower")
def batch_matmul(a=_missing, b=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    if (a.__class__ is _Tensor and b.__class__ is _Tensor and (transpose_a is False or transpose_a is True) and
            (transpose_b is False or transpose_b is True) and not extra and not unknown):
        return _batch_matmul(a, b, transpose_a, transpose_b)
    return _batch_matmul_slow((a, b, transpose_a, transpose_b), extra, unknown)

_bmm_slow = _Binding("bmm", "Tensor (Tensor input, Tensor mat2)", _bmm, methods="bmm", autocast="lower")
def bmm(input=_missing, mat2=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and mat2.__class__ is _Tensor and not extra and not unknown:
        return _bmm(input, mat2)
    return _bmm_slow((input, mat2), extra, unknown)

_mv_slow = _Binding("mv", "Tensor (Tensor input, Tensor vec)", _mv, methods="mv", autocast="lower")
def mv(input=_missing, vec=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _mv(input, vec)
    return _mv_slow((input, vec), extra, unknown)

_matrix_vector_product_slow = _Binding("matrix_vector_product", "Tensor (Tensor input, Tensor vec)", _mv, autocast="lower",
        like="mv")
def matrix_vector_product(input=_missing, vec=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and vec.__class__ is _Tensor and not extra and not unknown:
        return _mv(input, vec)
    return _matrix_vector_product_slow((input, vec), extra, unknown)

_dot_slow = _Binding("dot", "Tensor (Tensor input, Tensor other)", _dot, methods="dot", autocast="widest")
def dot(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _dot(input, other)
    return _dot_slow((input, other), extra, unknown)

_lora_linear_slow = _Binding("lora_linear",
        "Tensor (Tensor input, Tensor weight, Tensor lora_a, Tensor lora_b, Tensor bias=None, Double scaling=1.0)", _lora_linear)
def lora_linear(input=_missing, weight=_missing, lora_a=_missing, lora_b=_missing, bias=None, scaling=1.0, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and lora_a.__class__ is _Tensor and lora_b.__class__ is _Tensor
            and (bias is None or bias.__class__ is _Tensor) and scaling.__class__ is float and not extra and not unknown):
        return _lora_linear(input, weight, lora_a, lora_b, bias, scaling)
    return _lora_linear_slow((input, weight, lora_a, lora_b, bias, scaling), extra, unknown)

_qkv_linear_slow = _Binding("qkv_linear",
        "TensorTuple (Tensor input, Tensor weight, Tensor bias=None, Int32 num_heads=1, Int32 num_kv_heads=None)", _qkv_linear)
def qkv_linear(input=_missing, weight=_missing, bias=None, num_heads=1, num_kv_heads=None, *extra, **unknown):
    if (input.__class__ is _Tensor and weight.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and
            num_heads.__class__ is int and (num_kv_heads is None or num_kv_heads.__class__ is int) and not extra and not unknown):
        return _qkv_linear(input, weight, bias, num_heads, num_kv_heads)
    return _qkv_linear_slow((input, weight, bias, num_heads, num_kv_heads), extra, unknown)

_addmm_slow = _Binding("addmm",
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _addmm,
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta)", _add_mm_scaled, methods="addmm",
        autocast="lower")
def addmm(input=_missing, mat1=_missing, mat2=_missing, alpha=_missing, beta=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and beta is _missing and
            alpha is _missing and (inplace is False or inplace is True) and not extra and not unknown):
        return _addmm(input, mat1, mat2, 1, 1, inplace)
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and
            (alpha.__class__ is float or alpha.__class__ is int) and (beta.__class__ is float or beta.__class__ is int) and
            inplace is False and not extra and not unknown):
        return _add_mm_scaled(input, mat1, mat2, alpha, beta)
    return _addmm_slow((input, mat1, mat2, alpha, beta, inplace), extra, unknown)

_add_mm_scaled_over = _in_place(_add_mm_scaled)
_addmm__slow = _Binding("addmm_", "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)", _addmm,
        "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta)", _add_mm_scaled_over, methods="addmm_",
        autocast="lower", inplace=True)
def addmm_(input=_missing, mat1=_missing, mat2=_missing, alpha=_missing, beta=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and beta is _missing and
            alpha is _missing and not extra and not unknown):
        return _addmm(input, mat1, mat2, 1, 1, inplace=True)
    if (input.__class__ is _Tensor and mat1.__class__ is _Tensor and mat2.__class__ is _Tensor and
            (alpha.__class__ is float or alpha.__class__ is int) and (beta.__class__ is float or beta.__class__ is int) and
            not extra and not unknown):
        return _add_mm_scaled_over(input, mat1, mat2, alpha, beta, inplace=True)
    return _addmm__slow((input, mat1, mat2, alpha, beta), extra, unknown)

_baddbmm_slow = _Binding("baddbmm",
        "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _baddbmm,
        methods="baddbmm", autocast="lower")
def baddbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _baddbmm(input, batch1, batch2, beta, alpha, inplace)
    return _baddbmm_slow((input, batch1, batch2, beta, alpha, inplace), extra, unknown)

_baddbmm__slow = _Binding("baddbmm_", "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        _baddbmm, methods="baddbmm_", autocast="lower", inplace=True)
def baddbmm_(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _baddbmm(input, batch1, batch2, beta, alpha, inplace=True)
    return _baddbmm__slow((input, batch1, batch2, beta, alpha), extra, unknown)

_bilinear_slow = _Binding("bilinear", "Tensor (Tensor input1, Tensor input2, Tensor weight, Tensor bias=None)", _bilinear,
        autocast="widest")
def bilinear(input1=_missing, input2=_missing, weight=_missing, bias=None, *extra, **unknown):
    if (input1.__class__ is _Tensor and input2.__class__ is _Tensor and weight.__class__ is _Tensor and
            (bias is None or bias.__class__ is _Tensor) and not extra and not unknown):
        return _bilinear(input1, input2, weight, bias)
    return _bilinear_slow((input1, input2, weight, bias), extra, unknown)

_outer_slow = _Binding("outer", "Tensor (Tensor input, Tensor vec2)", _outer, methods="outer")
def outer(input=_missing, vec2=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and vec2.__class__ is _Tensor and not extra and not unknown:
        return _outer(input, vec2)
    return _outer_slow((input, vec2), extra, unknown)

_ger_slow = _Binding("ger", "Tensor (Tensor input, Tensor vec2)", _outer, methods="ger", like="outer")
def ger(input=_missing, vec2=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and vec2.__class__ is _Tensor and not extra and not unknown:
        return _outer(input, vec2)
    return _ger_slow((input, vec2), extra, unknown)

_vdot_slow = _Binding("vdot", "Tensor (Tensor input, Tensor other)", _vdot, methods="vdot", autocast="widest")
def vdot(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _vdot(input, other)
    return _vdot_slow((input, other), extra, unknown)

_inner_slow = _Binding("inner", "Tensor (Tensor input, Tensor other)", _inner, methods="inner", autocast="lower")
def inner(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _inner(input, other)
    return _inner_slow((input, other), extra, unknown)

_tensordot_slow = _Binding("tensordot", "Tensor (Tensor a, Tensor b, Int64 dims=2)", _tensordot,
        "Tensor (Tensor a, Tensor b, Tensor dims)", _tensor_dot_tensor, "Tensor (Tensor a, Tensor b, PyObject dims)",
        _tensor_dot_dims, autocast="lower")
def tensordot(a=_missing, b=_missing, dims=_missing, *extra, **unknown):
    if a.__class__ is _Tensor and b.__class__ is _Tensor and dims is _missing and not extra and not unknown:
        return _tensordot(a, b, 2)
    return _tensordot_slow((a, b, dims), extra, unknown)

_kron_slow = _Binding("kron", "Tensor (Tensor input, Tensor other)", _kron, methods="kron")
def kron(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _kron(input, other)
    return _kron_slow((input, other), extra, unknown)

_chain_matmul_slow = _Binding("chain_matmul", "Tensor (TensorTuple matrices)", _chain_matmul, autocast="lower")
def chain_matmul(matrices=_missing, *extra, **unknown):
    if matrices.__class__ is tuple and not extra and not unknown and _all_tensors(matrices):
        return _chain_matmul(matrices)
    if matrices.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _chain_matmul((matrices, *extra))
    return _chain_matmul_slow((matrices,), extra, unknown)

_addmv_slow = _Binding("addmv",
        "Tensor (Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _addmv,
        methods="addmv", autocast="lower")
def addmv(input=_missing, mat=_missing, vec=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and mat.__class__ is _Tensor and vec.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _addmv(input, mat, vec, beta, alpha, inplace)
    return _addmv_slow((input, mat, vec, beta, alpha, inplace), extra, unknown)

_addmv__slow = _Binding("addmv_", "Tensor (Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)", _addmv,
        methods="addmv_", autocast="lower", inplace=True)
def addmv_(input=_missing, mat=_missing, vec=_missing, *extra, beta=1, alpha=1, **unknown):
    if (input.__class__ is _Tensor and mat.__class__ is _Tensor and vec.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _addmv(input, mat, vec, beta, alpha, inplace=True)
    return _addmv__slow((input, mat, vec, beta, alpha), extra, unknown)

_addr_slow = _Binding("addr",
        "Tensor (Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _addr,
        methods="addr", autocast="lower")
def addr(input=_missing, vec1=_missing, vec2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and vec1.__class__ is _Tensor and vec2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _addr(input, vec1, vec2, beta, alpha, inplace)
    return _addr_slow((input, vec1, vec2, beta, alpha, inplace), extra, unknown)

_addr__slow = _Binding("addr_", "Tensor (Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)", _addr,
        methods="addr_", autocast="lower", inplace=True)
def addr_(input=_missing, vec1=_missing, vec2=_missing, *extra, beta=1, alpha=1, **unknown):
    if (input.__class__ is _Tensor and vec1.__class__ is _Tensor and vec2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _addr(input, vec1, vec2, beta, alpha, inplace=True)
    return _addr__slow((input, vec1, vec2, beta, alpha), extra, unknown)

_addbmm_slow = _Binding("addbmm",
        "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)", _addbmm,
        methods="addbmm", autocast="lower")
def addbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _addbmm(input, batch1, batch2, beta, alpha, inplace)
    return _addbmm_slow((input, batch1, batch2, beta, alpha, inplace), extra, unknown)

_addbmm__slow = _Binding("addbmm_", "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        _addbmm, methods="addbmm_", autocast="lower", inplace=True)
def addbmm_(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    if (input.__class__ is _Tensor and batch1.__class__ is _Tensor and batch2.__class__ is _Tensor and
            (beta.__class__ is int or beta.__class__ is float) and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _addbmm(input, batch1, batch2, beta, alpha, inplace=True)
    return _addbmm__slow((input, batch1, batch2, beta, alpha), extra, unknown)

_einsum_slow = _Binding("einsum", "Tensor (String equation, TensorTuple operands)", _einsum, "Tensor (PyObjectList arguments)",
        _einsum_sublists, autocast="lower")
def einsum(equation=_missing, operands=_missing, *extra, arguments=_missing, **unknown):
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
