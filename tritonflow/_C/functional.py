"""The functional API: picks a signature, checks the arguments, calls the functor.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

# ruff: noqa: F401 (functors are imported to be registered)
from functools import partial

import tritonflow._C.functors
import tritonflow.functional.functors.arithmetic
import tritonflow.functional.functors.conv
import tritonflow.functional.functors.index
import tritonflow.functional.functors.join
import tritonflow.functional.functors.loss
import tritonflow.functional.functors.matmul
import tritonflow.functional.functors.selection
import tritonflow.functional.functors.softmax
import tritonflow.functional.functors.view
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Size, Tensor
from tritonflow.functional.arguments import Binding, all_ints, all_tensors
from tritonflow.functional.library import find_functor
from tritonflow.functional.prototype import MISSING as _missing

_add = find_functor("Add")
_add_mm = find_functor("AddMm")
_as_strided = find_functor("AsStrided")
_as_strided_grad = find_functor("AsStridedGrad")
_badd_bmm = find_functor("BaddBmm")
_batch_mat_mul = find_functor("BatchMatMul")
_cat = find_functor("Cat")
_chunk = find_functor("Chunk")
_contiguous = find_functor("Contiguous")
_conv1d = find_functor("Conv1d")
_conv1d_named_padding = find_functor("Conv1dNamedPadding")
_conv2d = find_functor("Conv2d")
_conv2d_named_padding = find_functor("Conv2dNamedPadding")
_conv_bias_grad = find_functor("ConvBiasGrad")
_conv_data_grad = find_functor("ConvDataGrad")
_conv_filter_grad = find_functor("ConvFilterGrad")
_conv_transpose2d = find_functor("ConvTranspose2d")
_cross_entropy = find_functor("CrossEntropy")
_cross_entropy_grad = find_functor("CrossEntropyGrad")
_detach = find_functor("Detach")
_diagonal = find_functor("Diagonal")
_diagonal_grad = find_functor("DiagonalGrad")
_div = find_functor("Div")
_dot = find_functor("Dot")
_embedding = find_functor("Embedding")
_exp = find_functor("Exp")
_expand = find_functor("Expand")
_expand_as = find_functor("ExpandAs")
_expand_reduced = find_functor("ExpandReduced")
_flatten = find_functor("Flatten")
_gather = find_functor("Gather")
_gather_grad = find_functor("GatherGrad")
_hstack = find_functor("Hstack")
_index_add = find_functor("IndexAdd")
_index_get = find_functor("IndexGet")
_index_get_grad = find_functor("IndexGetGrad")
_index_put = find_functor("IndexPut")
_index_put_grad = find_functor("IndexPutGrad")
_index_select = find_functor("IndexSelect")
_linear = find_functor("Linear")
_log = find_functor("Log")
_log_softmax = find_functor("LogSoftmax")
_log_softmax_grad = find_functor("LogSoftmaxGrad")
_masked_select = find_functor("MaskedSelect")
_mat_mul = find_functor("MatMul")
_matrix_transpose = find_functor("MatrixTranspose")
_matrix_vector_product = find_functor("MatrixVectorProduct")
_mm = find_functor("Mm")
_movedim = find_functor("Movedim")
_mse_loss = find_functor("MseLoss")
_mul = find_functor("Mul")
_nll_loss = find_functor("NLLLoss")
_nll_loss_grad = find_functor("NLLLossGrad")
_narrow = find_functor("Narrow")
_non_zero = find_functor("NonZero")
_one_hot = find_functor("OneHot")
_permute = find_functor("Permute")
_permute_inverse = find_functor("PermuteInverse")
_pow = find_functor("Pow")
_reduce_sum = find_functor("ReduceSum")
_region = find_functor("Region")
_region_grad = find_functor("RegionGrad")
_relu = find_functor("Relu")
_repeat = find_functor("Repeat")
_reshape = find_functor("Reshape")
_reshape_as = find_functor("ReshapeAs")
_scalar_add = find_functor("ScalarAdd")
_scalar_add_reversed = find_functor("ScalarAddReversed")
_scalar_div = find_functor("ScalarDiv")
_scalar_div_reversed = find_functor("ScalarDivReversed")
_scalar_mul = find_functor("ScalarMul")
_scalar_mul_reversed = find_functor("ScalarMulReversed")
_scalar_pow = find_functor("ScalarPow")
_scalar_pow_reversed = find_functor("ScalarPowReversed")
_scalar_sub = find_functor("ScalarSub")
_scalar_sub_reversed = find_functor("ScalarSubReversed")
_scatter = find_functor("Scatter")
_scatter_add = find_functor("ScatterAdd")
_scatter_grad = find_functor("ScatterGrad")
_scatter_scalar = find_functor("ScatterScalar")
_scatter_source_grad = find_functor("ScatterSourceGrad")
_select = find_functor("Select")
_select_grad = find_functor("SelectGrad")
_slice = find_functor("Slice")
_slice_grad = find_functor("SliceGrad")
_softmax = find_functor("Softmax")
_softmax_grad = find_functor("SoftmaxGrad")
_split = find_functor("Split")
_split_sections = find_functor("SplitSections")
_squeeze = find_functor("Squeeze")
_stack = find_functor("Stack")
_sub = find_functor("Sub")
_sum_to = find_functor("SumTo")
_tile = find_functor("Tile")
_transpose = find_functor("Transpose")
_unbind = find_functor("Unbind")
_unfold_tensor = find_functor("UnfoldTensor")
_unfold_tensor_grad = find_functor("UnfoldTensorGrad")
_unsqueeze = find_functor("Unsqueeze")
_view = find_functor("View")
_view_as = find_functor("ViewAs")
_vstack = find_functor("Vstack")
_where = find_functor("Where")
_where_scalar_x = find_functor("WhereScalarX")
_where_scalar_y = find_functor("WhereScalarY")

_add_slow = Binding(
    "add",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False) => Add",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False) => ScalarAdd",
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1) => ScalarAddReversed",
    ),
    (_add, _scalar_add, _scalar_add_reversed),
    is_method=True,
)


def add(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input + alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Scalar input, Tensor other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _add(input, other, alpha, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_add(input, other, alpha, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_add_reversed(input, other, alpha)
    return _add_slow((input, other, alpha, inplace), extra, unknown)


_add__slow = Binding(
    "add_",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1) => Add",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1) => ScalarAdd",
    ),
    (partial(_add, inplace=True), partial(_scalar_add, inplace=True)),
    is_method=True,
)


def add_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input + alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add(input, other, alpha, inplace=True)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _scalar_add(input, other, alpha, inplace=True)
    return _add__slow((input, other, alpha), extra, unknown)


_sub_slow = Binding(
    "sub",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False) => Sub",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False) => ScalarSub",
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1) => ScalarSubReversed",
    ),
    (_sub, _scalar_sub, _scalar_sub_reversed),
    is_method=True,
)


def sub(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input - alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Scalar input, Tensor other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _sub(input, other, alpha, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_sub(input, other, alpha, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_sub_reversed(input, other, alpha)
    return _sub_slow((input, other, alpha, inplace), extra, unknown)


_sub__slow = Binding(
    "sub_",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1) => Sub",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1) => ScalarSub",
    ),
    (partial(_sub, inplace=True), partial(_scalar_sub, inplace=True)),
    is_method=True,
)


def sub_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input - alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _sub(input, other, alpha, inplace=True)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _scalar_sub(input, other, alpha, inplace=True)
    return _sub__slow((input, other, alpha), extra, unknown)


_mul_slow = Binding(
    "mul",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Mul",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarMul",
        "Tensor (Scalar input, Tensor other) => ScalarMulReversed",
    ),
    (_mul, _scalar_mul, _scalar_mul_reversed),
    is_method=True,
)


def mul(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * other

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _mul(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_mul(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_mul_reversed(input, other)
    return _mul_slow((input, other, inplace), extra, unknown)


_mul__slow = Binding(
    "mul_",
    ("Tensor (Tensor input, Tensor other) => Mul", "Tensor (Tensor input, Scalar other) => ScalarMul"),
    (partial(_mul, inplace=True), partial(_scalar_mul, inplace=True)),
    is_method=True,
)


def mul_(input=_missing, other=_missing, *extra, **unknown):
    """In place: input * other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _mul(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_mul(input, other, inplace=True)
    return _mul__slow((input, other), extra, unknown)


_div_slow = Binding(
    "div",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Div",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarDiv",
        "Tensor (Scalar input, Tensor other) => ScalarDivReversed",
    ),
    (_div, _scalar_div, _scalar_div_reversed),
    is_method=True,
)


def div(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input / other, true division unless rounded

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _div(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_div(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_div_reversed(input, other)
    return _div_slow((input, other, inplace), extra, unknown)


_div__slow = Binding(
    "div_",
    ("Tensor (Tensor input, Tensor other) => Div", "Tensor (Tensor input, Scalar other) => ScalarDiv"),
    (partial(_div, inplace=True), partial(_scalar_div, inplace=True)),
    is_method=True,
)


def div_(input=_missing, other=_missing, *extra, **unknown):
    """In place: input / other, true division unless rounded

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _div(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_div(input, other, inplace=True)
    return _div__slow((input, other), extra, unknown)


_pow_slow = Binding(
    "pow",
    (
        "Tensor (Tensor input, Tensor exponent) => Pow",
        "Tensor (Tensor input, Scalar exponent) => ScalarPow",
        "Tensor (Scalar input, Tensor exponent) => ScalarPowReversed",
    ),
    (_pow, _scalar_pow, _scalar_pow_reversed),
    is_method=True,
)


def pow(input=_missing, exponent=_missing, *extra, **unknown):
    """input ** exponent

    Tensor (Tensor input, Tensor exponent)
    Tensor (Tensor input, Scalar exponent)
    Tensor (Scalar input, Tensor exponent)
    """
    if input.__class__ is Tensor and exponent.__class__ is Tensor and not extra and not unknown:
        return _pow(input, exponent)
    if (
        input.__class__ is Tensor
        and (exponent.__class__ is float or exponent.__class__ is int)
        and not extra
        and not unknown
    ):
        return _scalar_pow(input, exponent)
    if (
        (input.__class__ is float or input.__class__ is int)
        and exponent.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _scalar_pow_reversed(input, exponent)
    return _pow_slow((input, exponent), extra, unknown)


_exp_slow = Binding("exp", ("Tensor (Tensor x, Bool inplace=False) => Exp",), (_exp,), is_method=True)


def exp(x=_missing, inplace=False, *extra, **unknown):
    """e ** x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp(x, inplace)
    return _exp_slow((x, inplace), extra, unknown)


_exp__slow = Binding("exp_", ("Tensor (Tensor x) => Exp",), (partial(_exp, inplace=True),), is_method=True)


def exp_(x=_missing, *extra, **unknown):
    """In place: e ** x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _exp(x, inplace=True)
    return _exp__slow((x,), extra, unknown)


_log_slow = Binding("log", ("Tensor (Tensor x) => Log",), (_log,), is_method=True)


def log(x=_missing, *extra, **unknown):
    """the natural logarithm

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _log(x)
    return _log_slow((x,), extra, unknown)


_relu_slow = Binding("relu", ("Tensor (Tensor x, Bool inplace=False) => Relu",), (_relu,), is_method=True)


def relu(x=_missing, inplace=False, *extra, **unknown):
    """max(x, 0)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _relu(x, inplace)
    return _relu_slow((x, inplace), extra, unknown)


_relu__slow = Binding("relu_", ("Tensor (Tensor x) => Relu",), (partial(_relu, inplace=True),), is_method=True)


def relu_(x=_missing, *extra, **unknown):
    """In place: max(x, 0)

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _relu(x, inplace=True)
    return _relu__slow((x,), extra, unknown)


_where_slow = Binding(
    "where",
    (
        "Tensor (Tensor condition, Tensor x, Tensor y) => Where",
        "Tensor (Tensor condition, Scalar x, Tensor y) => WhereScalarX",
        "Tensor (Tensor condition, Tensor x, Scalar y) => WhereScalarY",
    ),
    (_where, _where_scalar_x, _where_scalar_y),
)


def where(condition=_missing, x=_missing, y=_missing, *extra, **unknown):
    """x where the condition holds, otherwise y

    Tensor (Tensor condition, Tensor x, Tensor y)
    Tensor (Tensor condition, Scalar x, Tensor y)
    Tensor (Tensor condition, Tensor x, Scalar y)
    """
    if condition.__class__ is Tensor and x.__class__ is Tensor and y.__class__ is Tensor and not extra and not unknown:
        return _where(condition, x, y)
    if (
        condition.__class__ is Tensor
        and (x.__class__ is float or x.__class__ is int)
        and y.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _where_scalar_x(condition, x, y)
    if (
        condition.__class__ is Tensor
        and x.__class__ is Tensor
        and (y.__class__ is float or y.__class__ is int)
        and not extra
        and not unknown
    ):
        return _where_scalar_y(condition, x, y)
    return _where_slow((condition, x, y), extra, unknown)


_sum_slow = Binding(
    "sum",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => ReduceSum",),
    (_reduce_sum,),
    is_method=True,
)


def sum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the sum over some dimensions, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _reduce_sum(input, dim, keepdim, dtype)
    return _sum_slow((input, dim, keepdim, dtype), extra, unknown)


_expand_reduced_slow = Binding(
    "expand_reduced",
    ("Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False) => ExpandReduced",),
    (_expand_reduced,),
)


def expand_reduced(input=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a sum, broadcast over the dimensions that were summed

    Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _expand_reduced(input, shape, dim, keepdim)
    return _expand_reduced_slow((input, shape, dim, keepdim), extra, unknown)


_matmul_slow = Binding(
    "matmul",
    ("Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False) => MatMul",),
    (_mat_mul,),
    is_method=True,
)


def matmul(input=_missing, other=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the matrix product of the last two dimensions, broadcast over the others

    Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (transpose_a is False or transpose_a is True)
        and (transpose_b is False or transpose_b is True)
        and not extra
        and not unknown
    ):
        return _mat_mul(input, other, transpose_a, transpose_b)
    return _matmul_slow((input, other, transpose_a, transpose_b), extra, unknown)


_mm_slow = Binding("mm", ("Tensor (Tensor input, Tensor mat2) => Mm",), (_mm,), is_method=True)


def mm(input=_missing, mat2=_missing, *extra, **unknown):
    """the product of two matrices

    Tensor (Tensor input, Tensor mat2)
    """
    if input.__class__ is Tensor and mat2.__class__ is Tensor and not extra and not unknown:
        return _mm(input, mat2)
    return _mm_slow((input, mat2), extra, unknown)


_batch_matmul_slow = Binding(
    "batch_matmul",
    ("Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False) => BatchMatMul",),
    (_batch_mat_mul,),
)


def batch_matmul(a=_missing, b=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the products of two batches of matrices

    Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)
    """
    if (
        a.__class__ is Tensor
        and b.__class__ is Tensor
        and (transpose_a is False or transpose_a is True)
        and (transpose_b is False or transpose_b is True)
        and not extra
        and not unknown
    ):
        return _batch_mat_mul(a, b, transpose_a, transpose_b)
    return _batch_matmul_slow((a, b, transpose_a, transpose_b), extra, unknown)


_bmm_slow = Binding("bmm", ("Tensor (Tensor input, Tensor mat2) => BatchMatMul",), (_batch_mat_mul,), is_method=True)


def bmm(input=_missing, mat2=_missing, *extra, **unknown):
    """the products of two batches of matrices

    Tensor (Tensor input, Tensor mat2)
    """
    if input.__class__ is Tensor and mat2.__class__ is Tensor and not extra and not unknown:
        return _batch_mat_mul(input, mat2)
    return _bmm_slow((input, mat2), extra, unknown)


_matrix_vector_product_slow = Binding(
    "matrix_vector_product", ("Tensor (Tensor input, Tensor vec) => MatrixVectorProduct",), (_matrix_vector_product,)
)


def matrix_vector_product(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Tensor (Tensor input, Tensor vec)
    """
    if input.__class__ is Tensor and vec.__class__ is Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _matrix_vector_product_slow((input, vec), extra, unknown)


_mv_slow = Binding(
    "mv", ("Tensor (Tensor input, Tensor vec) => MatrixVectorProduct",), (_matrix_vector_product,), is_method=True
)


def mv(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Tensor (Tensor input, Tensor vec)
    """
    if input.__class__ is Tensor and vec.__class__ is Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _mv_slow((input, vec), extra, unknown)


_dot_slow = Binding("dot", ("Tensor (Tensor input, Tensor other) => Dot",), (_dot,), is_method=True)


def dot(input=_missing, other=_missing, *extra, **unknown):
    """the inner product of two vectors

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _dot(input, other)
    return _dot_slow((input, other), extra, unknown)


_linear_slow = Binding("linear", ("Tensor (Tensor input, Tensor weight, Tensor bias=None) => Linear",), (_linear,))


def linear(input=_missing, weight=_missing, bias=None, *extra, **unknown):
    """input @ weight transposed + bias

    Tensor (Tensor input, Tensor weight, Tensor bias=None)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and not extra
        and not unknown
    ):
        return _linear(input, weight, bias)
    return _linear_slow((input, weight, bias), extra, unknown)


_addmm_slow = Binding(
    "addmm",
    ("Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) => AddMm",),
    (_add_mm,),
    is_method=True,
)


def addmm(input=_missing, mat1=_missing, mat2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * mat1 @ mat2

    Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and mat1.__class__ is Tensor
        and mat2.__class__ is Tensor
        and (beta.__class__ is int or beta.__class__ is float)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add_mm(input, mat1, mat2, beta, alpha)
    return _addmm_slow((input, mat1, mat2, beta, alpha), extra, unknown)


_baddbmm_slow = Binding(
    "baddbmm",
    ("Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) => BaddBmm",),
    (_badd_bmm,),
    is_method=True,
)


def baddbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * batch1 @ batch2

    Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and batch1.__class__ is Tensor
        and batch2.__class__ is Tensor
        and (beta.__class__ is int or beta.__class__ is float)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _badd_bmm(input, batch1, batch2, beta, alpha)
    return _baddbmm_slow((input, batch1, batch2, beta, alpha), extra, unknown)


_softmax_slow = Binding(
    "softmax", ("Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None) => Softmax",), (_softmax,), is_method=True
)


def softmax(x=_missing, dim=None, *extra, dtype=None, **unknown):
    """exp(x) / sum(exp(x)) along a dimension

    Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None)
    """
    if (
        x.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _softmax(x, dim, dtype)
    return _softmax_slow((x, dim, dtype), extra, unknown)


_softmax_grad_slow = Binding(
    "softmax_grad", ("Tensor (Tensor grad, Tensor y, Int32 dim) => SoftmaxGrad",), (_softmax_grad,)
)


def softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """y * (grad - sum(grad * y))

    Tensor (Tensor grad, Tensor y, Int32 dim)
    """
    if grad.__class__ is Tensor and y.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _softmax_grad(grad, y, dim)
    return _softmax_grad_slow((grad, y, dim), extra, unknown)


_log_softmax_slow = Binding(
    "log_softmax",
    ("Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None) => LogSoftmax",),
    (_log_softmax,),
    is_method=True,
)


def log_softmax(x=_missing, dim=None, *extra, dtype=None, **unknown):
    """x - log(sum(exp(x))) along a dimension

    Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None)
    """
    if (
        x.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _log_softmax(x, dim, dtype)
    return _log_softmax_slow((x, dim, dtype), extra, unknown)


_log_softmax_grad_slow = Binding(
    "log_softmax_grad", ("Tensor (Tensor grad, Tensor y, Int32 dim) => LogSoftmaxGrad",), (_log_softmax_grad,)
)


def log_softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """grad - exp(y) * sum(grad)

    Tensor (Tensor grad, Tensor y, Int32 dim)
    """
    if grad.__class__ is Tensor and y.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _log_softmax_grad(grad, y, dim)
    return _log_softmax_grad_slow((grad, y, dim), extra, unknown)


_cross_entropy_slow = Binding(
    "cross_entropy",
    (
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0) => CrossEntropy",
    ),
    (_cross_entropy,),
)


def cross_entropy(
    input=_missing,
    target=_missing,
    weight=None,
    ignore_index=-100,
    reduction="mean",
    label_smoothing=0.0,
    *extra,
    **unknown,
):
    """the cross entropy of logits and class indices or class probabilities

    Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0)
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and ignore_index.__class__ is int
        and reduction.__class__ is str
        and label_smoothing.__class__ is float
        and not extra
        and not unknown
    ):
        return _cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    return _cross_entropy_slow((input, target, weight, ignore_index, reduction, label_smoothing), extra, unknown)


_cross_entropy_grad_slow = Binding(
    "cross_entropy_grad",
    (
        "Tensor (Tensor grad, Tensor input, Tensor target, Tensor lse, Tensor parts, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0) => CrossEntropyGrad",
    ),
    (_cross_entropy_grad,),
)


def cross_entropy_grad(
    grad=_missing,
    input=_missing,
    target=_missing,
    lse=_missing,
    parts=_missing,
    weight=None,
    reduction="mean",
    ignore_index=-100,
    smooth=False,
    label_smoothing=0.0,
    *extra,
    **unknown,
):
    """the gradient of cross_entropy with class indices

    Tensor (Tensor grad, Tensor input, Tensor target, Tensor lse, Tensor parts, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0)
    """
    if (
        grad.__class__ is Tensor
        and input.__class__ is Tensor
        and target.__class__ is Tensor
        and lse.__class__ is Tensor
        and parts.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and reduction.__class__ is str
        and ignore_index.__class__ is int
        and (smooth is False or smooth is True)
        and label_smoothing.__class__ is float
        and not extra
        and not unknown
    ):
        return _cross_entropy_grad(
            grad, input, target, lse, parts, weight, reduction, ignore_index, smooth, label_smoothing
        )
    return _cross_entropy_grad_slow(
        (grad, input, target, lse, parts, weight, reduction, ignore_index, smooth, label_smoothing), extra, unknown
    )


_nll_loss_slow = Binding(
    "nll_loss",
    (
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean') => NLLLoss",
    ),
    (_nll_loss,),
)


def nll_loss(input=_missing, target=_missing, weight=None, ignore_index=-100, reduction="mean", *extra, **unknown):
    """the negative log-likelihood of class indices

    Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean')
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and ignore_index.__class__ is int
        and reduction.__class__ is str
        and not extra
        and not unknown
    ):
        return _nll_loss(input, target, weight, ignore_index, reduction)
    return _nll_loss_slow((input, target, weight, ignore_index, reduction), extra, unknown)


_nll_loss_grad_slow = Binding(
    "nll_loss_grad",
    (
        "Tensor (Tensor grad, Tensor target, Tensor parts, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100) => NLLLossGrad",
    ),
    (_nll_loss_grad,),
)


def nll_loss_grad(
    grad=_missing,
    target=_missing,
    parts=_missing,
    weight=None,
    shape=(),
    reduction="mean",
    ignore_index=-100,
    *extra,
    **unknown,
):
    """the gradient of nll_loss

    Tensor (Tensor grad, Tensor target, Tensor parts, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100)
    """
    if (
        grad.__class__ is Tensor
        and target.__class__ is Tensor
        and parts.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and reduction.__class__ is str
        and ignore_index.__class__ is int
        and not extra
        and not unknown
    ):
        return _nll_loss_grad(grad, target, parts, weight, shape, reduction, ignore_index)
    return _nll_loss_grad_slow((grad, target, parts, weight, shape, reduction, ignore_index), extra, unknown)


_mse_loss_slow = Binding(
    "mse_loss", ("Tensor (Tensor input, Tensor target, String reduction='mean') => MseLoss",), (_mse_loss,)
)


def mse_loss(input=_missing, target=_missing, reduction="mean", *extra, **unknown):
    """(input - target) ** 2

    Tensor (Tensor input, Tensor target, String reduction='mean')
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and reduction.__class__ is str
        and not extra
        and not unknown
    ):
        return _mse_loss(input, target, reduction)
    return _mse_loss_slow((input, target, reduction), extra, unknown)


_conv2d_slow = Binding(
    "conv2d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1) => Conv2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1) => Conv2dNamedPadding",
    ),
    (_conv2d, _conv2d_named_padding),
)


def conv2d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1, 1),
    padding=_missing,
    dilation=(1, 1),
    groups=1,
    *extra,
    **unknown,
):
    """2-d convolution (cross-correlation) of images with filters

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1)
    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and padding is _missing
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv2d(input, weight, bias, stride, (0, 0), dilation, groups)
    return _conv2d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)


_conv1d_slow = Binding(
    "conv1d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1) => Conv1d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1) => Conv1dNamedPadding",
    ),
    (_conv1d, _conv1d_named_padding),
)


def conv1d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1,),
    padding=_missing,
    dilation=(1,),
    groups=1,
    *extra,
    **unknown,
):
    """1-d convolution (cross-correlation) of signals with filters

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1)
    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and padding is _missing
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv1d(input, weight, bias, stride, (0,), dilation, groups)
    return _conv1d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)


_conv_transpose2d_slow = Binding(
    "conv_transpose2d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1) => ConvTranspose2d",
    ),
    (_conv_transpose2d,),
)


def conv_transpose2d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1, 1),
    padding=(0, 0),
    output_padding=(0, 0),
    groups=1,
    dilation=(1, 1),
    *extra,
    **unknown,
):
    """the gradient of conv2d as an op, also called deconvolution

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (output_padding.__class__ is Size or output_padding.__class__ is tuple and all_ints(output_padding))
        and groups.__class__ is int
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and not extra
        and not unknown
    ):
        return _conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _conv_transpose2d_slow(
        (input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown
    )


_conv_data_grad_slow = Binding(
    "conv_data_grad",
    (
        "Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups) => ConvDataGrad",
    ),
    (_conv_data_grad,),
)


def conv_data_grad(
    grad=_missing,
    weight=_missing,
    shape=_missing,
    stride=_missing,
    padding=_missing,
    dilation=_missing,
    groups=_missing,
    *extra,
    **unknown,
):
    """the gradient of conv2d's input

    Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)
    """
    if (
        grad.__class__ is Tensor
        and weight.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv_data_grad(grad, weight, shape, stride, padding, dilation, groups)
    return _conv_data_grad_slow((grad, weight, shape, stride, padding, dilation, groups), extra, unknown)


_conv_filter_grad_slow = Binding(
    "conv_filter_grad",
    (
        "Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups) => ConvFilterGrad",
    ),
    (_conv_filter_grad,),
)


def conv_filter_grad(
    grad=_missing,
    x=_missing,
    shape=_missing,
    stride=_missing,
    padding=_missing,
    dilation=_missing,
    groups=_missing,
    *extra,
    **unknown,
):
    """the gradient of conv2d's weight

    Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv_filter_grad(grad, x, shape, stride, padding, dilation, groups)
    return _conv_filter_grad_slow((grad, x, shape, stride, padding, dilation, groups), extra, unknown)


_conv_bias_grad_slow = Binding("conv_bias_grad", ("Tensor (Tensor grad) => ConvBiasGrad",), (_conv_bias_grad,))


def conv_bias_grad(grad=_missing, *extra, **unknown):
    """the sum over all dimensions but the channels

    Tensor (Tensor grad)
    """
    if grad.__class__ is Tensor and not extra and not unknown:
        return _conv_bias_grad(grad)
    return _conv_bias_grad_slow((grad,), extra, unknown)


_nonzero_slow = Binding(
    "nonzero", ("Tensor (Tensor input, Bool as_tuple=False) => NonZero",), (_non_zero,), is_method=True
)


def nonzero(input=_missing, as_tuple=False, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Tensor (Tensor input, Bool as_tuple=False)
    """
    if input.__class__ is Tensor and (as_tuple is False or as_tuple is True) and not extra and not unknown:
        return _non_zero(input, as_tuple)
    return _nonzero_slow((input, as_tuple), extra, unknown)


_argwhere_slow = Binding("argwhere", ("Tensor (Tensor input) => NonZero",), (_non_zero,), is_method=True)


def argwhere(input=_missing, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _non_zero(input)
    return _argwhere_slow((input,), extra, unknown)


_masked_select_slow = Binding(
    "masked_select", ("Tensor (Tensor input, Tensor mask) => MaskedSelect",), (_masked_select,), is_method=True
)


def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    """the elements where the mask is true, as a vector

    Tensor (Tensor input, Tensor mask)
    """
    if input.__class__ is Tensor and mask.__class__ is Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)


_index_get_slow = Binding(
    "index_get", ("Tensor (Tensor input, TensorTuple indices, Int32 dim=0, Bool wrap=True) => IndexGet",), (_index_get,)
)


def index_get(input=_missing, indices=_missing, dim=0, wrap=True, *extra, **unknown):
    """the elements at index tensors for neighbouring dimensions

    Tensor (Tensor input, TensorTuple indices, Int32 dim=0, Bool wrap=True)
    """
    if (
        input.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (wrap is True or wrap is False)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_get(input, indices, dim, wrap)
    return _index_get_slow((input, indices, dim, wrap), extra, unknown)


_index_get_grad_slow = Binding(
    "index_get_grad",
    ("Tensor (Tensor dy, TensorTuple indices, Shape shape, Int32 dim, Bool wrap) => IndexGetGrad",),
    (_index_get_grad,),
)


def index_get_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, wrap=_missing, *extra, **unknown):
    """zeros with dy added at the indices

    Tensor (Tensor dy, TensorTuple indices, Shape shape, Int32 dim, Bool wrap)
    """
    if (
        dy.__class__ is Tensor
        and indices.__class__ is tuple
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and (wrap is False or wrap is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_get_grad(dy, indices, shape, dim, wrap)
    return _index_get_grad_slow((dy, indices, shape, dim, wrap), extra, unknown)


_index_put_slow = Binding(
    "index_put",
    (
        "Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool inplace=False) => IndexPut",
    ),
    (_index_put,),
)


def index_put(
    input=_missing, value=_missing, indices=_missing, dim=0, accumulate=False, inplace=False, *extra, **unknown
):
    """input with value written (or added) at index tensors for neighbouring dimensions

    Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and value.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (accumulate is False or accumulate is True)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_put(input, value, indices, dim, accumulate, inplace)
    return _index_put_slow((input, value, indices, dim, accumulate, inplace), extra, unknown)


_index_put_grad_slow = Binding(
    "index_put_grad",
    ("Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate) => IndexPutGrad",),
    (_index_put_grad,),
)


def index_put_grad(dy=_missing, indices=_missing, dim=_missing, accumulate=_missing, *extra, **unknown):
    """Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate)"""
    if (
        dy.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (accumulate is False or accumulate is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_put_grad(dy, indices, dim, accumulate)
    return _index_put_grad_slow((dy, indices, dim, accumulate), extra, unknown)


_index_select_slow = Binding(
    "index_select", ("Tensor (Tensor input, Int32 dim, Tensor index) => IndexSelect",), (_index_select,), is_method=True
)


def index_select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """the entries of a dimension at the indices of a vector

    Tensor (Tensor input, Int32 dim, Tensor index)
    """
    if input.__class__ is Tensor and dim.__class__ is int and index.__class__ is Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)


_index_add_slow = Binding(
    "index_add",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False) => IndexAdd",
    ),
    (_index_add,),
    is_method=True,
)


def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input with alpha * source added at the indices of a vector along a dimension

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and source.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)


_index_add__slow = Binding(
    "index_add_",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1) => IndexAdd",),
    (partial(_index_add, inplace=True),),
    is_method=True,
)


def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    """In place: input with alpha * source added at the indices of a vector along a dimension

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and source.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _index_add(input, dim, index, source, alpha, inplace=True)
    return _index_add__slow((input, dim, index, source, alpha), extra, unknown)


_gather_slow = Binding(
    "gather",
    ("Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False) => Gather",),
    (_gather,),
    is_method=True,
)


def gather(input=_missing, dim=_missing, index=_missing, *extra, sparse_grad=False, **unknown):
    """y[i][j] = input[index[i][j]][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (sparse_grad is False or sparse_grad is True)
        and not extra
        and not unknown
    ):
        return _gather(input, dim, index, sparse_grad)
    return _gather_slow((input, dim, index, sparse_grad), extra, unknown)


_gather_grad_slow = Binding(
    "gather_grad", ("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape) => GatherGrad",), (_gather_grad,)
)


def gather_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """zeros with dy added where gather read

    Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)
    """
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _gather_grad(dy, dim, index, shape)
    return _gather_grad_slow((dy, dim, index, shape), extra, unknown)


_scatter_slow = Binding(
    "scatter",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None, Bool inplace=False) => Scatter",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None, Bool inplace=False) => ScatterScalar",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None, Bool inplace=False) => ScatterScalar",
    ),
    (_scatter, _scatter_scalar, _scatter_scalar),
    is_method=True,
)


def scatter(
    input=_missing,
    dim=_missing,
    index=_missing,
    src=_missing,
    *extra,
    reduce=None,
    inplace=False,
    value=_missing,
    **unknown,
):
    """input with input[index[i][j]][j] = src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None, Bool inplace=False)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None, Bool inplace=False)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (reduce is None or reduce.__class__ is str)
        and (inplace is False or inplace is True)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter(input, dim, index, src, reduce, inplace)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (src.__class__ is float or src.__class__ is int)
        and (reduce is None or reduce.__class__ is str)
        and (inplace is False or inplace is True)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter_scalar(input, dim, index, src, reduce, inplace)
    return _scatter_slow((input, dim, index, src, reduce, inplace, value), extra, unknown)


_scatter__slow = Binding(
    "scatter_",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None) => Scatter",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None) => ScatterScalar",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None) => ScatterScalar",
    ),
    (partial(_scatter, inplace=True), partial(_scatter_scalar, inplace=True), partial(_scatter_scalar, inplace=True)),
    is_method=True,
)


def scatter_(
    input=_missing, dim=_missing, index=_missing, src=_missing, *extra, reduce=None, value=_missing, **unknown
):
    """In place: input with input[index[i][j]][j] = src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (reduce is None or reduce.__class__ is str)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter(input, dim, index, src, reduce, inplace=True)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (src.__class__ is float or src.__class__ is int)
        and (reduce is None or reduce.__class__ is str)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter_scalar(input, dim, index, src, reduce, inplace=True)
    return _scatter__slow((input, dim, index, src, reduce, value), extra, unknown)


_scatter_add_slow = Binding(
    "scatter_add",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False) => ScatterAdd",),
    (_scatter_add,),
    is_method=True,
)


def scatter_add(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, inplace=False, **unknown):
    """input with input[index[i][j]][j] += src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)


_scatter_add__slow = Binding(
    "scatter_add_",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor src) => ScatterAdd",),
    (partial(_scatter_add, inplace=True),),
    is_method=True,
)


def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    """In place: input with input[index[i][j]][j] += src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)


_scatter_grad_slow = Binding(
    "scatter_grad", ("Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate) => ScatterGrad",), (_scatter_grad,)
)


def scatter_grad(dy=_missing, dim=_missing, index=_missing, accumulate=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate)"""
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (accumulate is False or accumulate is True)
        and not extra
        and not unknown
    ):
        return _scatter_grad(dy, dim, index, accumulate)
    return _scatter_grad_slow((dy, dim, index, accumulate), extra, unknown)


_scatter_source_grad_slow = Binding(
    "scatter_source_grad",
    ("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape) => ScatterSourceGrad",),
    (_scatter_source_grad,),
)


def scatter_source_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)"""
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _scatter_source_grad(dy, dim, index, shape)
    return _scatter_source_grad_slow((dy, dim, index, shape), extra, unknown)


_embedding_slow = Binding(
    "embedding",
    ("Tensor (Tensor weight, Tensor indices, Int64 padding_idx=None, Bool scale_grad_by_freq=False) => Embedding",),
    (_embedding,),
)


def embedding(weight=_missing, indices=_missing, padding_idx=None, scale_grad_by_freq=False, *extra, **unknown):
    """rows of a table

    Tensor (Tensor weight, Tensor indices, Int64 padding_idx=None, Bool scale_grad_by_freq=False)
    """
    if (
        weight.__class__ is Tensor
        and indices.__class__ is Tensor
        and (padding_idx is None or padding_idx.__class__ is int)
        and (scale_grad_by_freq is False or scale_grad_by_freq is True)
        and not extra
        and not unknown
    ):
        return _embedding(weight, indices, padding_idx, scale_grad_by_freq)
    return _embedding_slow((weight, indices, padding_idx, scale_grad_by_freq), extra, unknown)


_one_hot_slow = Binding("one_hot", ("Tensor (Tensor input, Int64 num_classes=-1) => OneHot",), (_one_hot,))


def one_hot(input=_missing, num_classes=-1, *extra, **unknown):
    """1 at the class of each index, else 0, in a new last dimension

    Tensor (Tensor input, Int64 num_classes=-1)
    """
    if input.__class__ is Tensor and num_classes.__class__ is int and not extra and not unknown:
        return _one_hot(input, num_classes)
    return _one_hot_slow((input, num_classes), extra, unknown)


_view_slow = Binding("view", ("Tensor (Tensor x, Shape shape) => View",), (_view,), is_method=True)


def view(x=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor x, Shape shape)"""
    if (
        x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _view(x, shape)
    if x.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _view(x, (shape, *extra))
    return _view_slow((x, shape), extra, unknown)


_reshape_slow = Binding("reshape", ("Tensor (Tensor input, Shape shape) => Reshape",), (_reshape,), is_method=True)


def reshape(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _reshape(input, shape)
    if input.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _reshape(input, (shape, *extra))
    return _reshape_slow((input, shape), extra, unknown)


_flatten_slow = Binding(
    "flatten", ("Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1) => Flatten",), (_flatten,), is_method=True
)


def flatten(input=_missing, start_dim=0, end_dim=-1, *extra, **unknown):
    """Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)"""
    if (
        input.__class__ is Tensor
        and start_dim.__class__ is int
        and end_dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _flatten(input, start_dim, end_dim)
    return _flatten_slow((input, start_dim, end_dim), extra, unknown)


_permute_slow = Binding("permute", ("Tensor (Tensor input, Int32List dims) => Permute",), (_permute,), is_method=True)


def permute(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _permute(input, dims)
    if input.__class__ is Tensor and dims.__class__ is int and not unknown and all_ints(extra):
        return _permute(input, (dims, *extra))
    return _permute_slow((input, dims), extra, unknown)


_permute_inverse_slow = Binding(
    "permute_inverse", ("Tensor (Tensor input, Int32List dims) => PermuteInverse",), (_permute_inverse,)
)


def permute_inverse(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _permute_inverse(input, dims)
    return _permute_inverse_slow((input, dims), extra, unknown)


_transpose_slow = Binding(
    "transpose", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,), is_method=True
)


def transpose(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _transpose_slow((input, dim0, dim1), extra, unknown)


_swapaxes_slow = Binding("swapaxes", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,))


def swapaxes(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapaxes_slow((input, dim0, dim1), extra, unknown)


_swapdims_slow = Binding("swapdims", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,))


def swapdims(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapdims_slow((input, dim0, dim1), extra, unknown)


_t_slow = Binding("t", ("Tensor (Tensor input) => MatrixTranspose",), (_matrix_transpose,), is_method=True)


def t(input=_missing, *extra, **unknown):
    """Tensor (Tensor input)"""
    if input.__class__ is Tensor and not extra and not unknown:
        return _matrix_transpose(input)
    return _t_slow((input,), extra, unknown)


_movedim_slow = Binding(
    "movedim",
    ("Tensor (Tensor input, Int32List source, Int32List destination) => Movedim",),
    (_movedim,),
    is_method=True,
)


def movedim(input=_missing, source=_missing, destination=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List source, Int32List destination)"""
    if (
        input.__class__ is Tensor
        and (source.__class__ is Size or source.__class__ is tuple and all_ints(source))
        and (destination.__class__ is Size or destination.__class__ is tuple and all_ints(destination))
        and not extra
        and not unknown
    ):
        return _movedim(input, source, destination)
    return _movedim_slow((input, source, destination), extra, unknown)


_expand_slow = Binding("expand", ("Tensor (Tensor input, Shape shape) => Expand",), (_expand,), is_method=True)


def expand(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _expand(input, shape)
    if input.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _expand(input, (shape, *extra))
    return _expand_slow((input, shape), extra, unknown)


_broadcast_to_slow = Binding("broadcast_to", ("Tensor (Tensor input, Shape shape) => Expand",), (_expand,))


def broadcast_to(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _expand(input, shape)
    return _broadcast_to_slow((input, shape), extra, unknown)


_expand_as_slow = Binding(
    "expand_as", ("Tensor (Tensor input, Tensor other) => ExpandAs",), (_expand_as,), is_method=True
)


def expand_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _expand_as(input, other)
    return _expand_as_slow((input, other), extra, unknown)


_view_as_slow = Binding("view_as", ("Tensor (Tensor input, Tensor other) => ViewAs",), (_view_as,), is_method=True)


def view_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _view_as(input, other)
    return _view_as_slow((input, other), extra, unknown)


_reshape_as_slow = Binding(
    "reshape_as", ("Tensor (Tensor input, Tensor other) => ReshapeAs",), (_reshape_as,), is_method=True
)


def reshape_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _reshape_as(input, other)
    return _reshape_as_slow((input, other), extra, unknown)


_sum_to_slow = Binding("sum_to", ("Tensor (Tensor input, Shape shape) => SumTo",), (_sum_to,))


def sum_to(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _sum_to(input, shape)
    return _sum_to_slow((input, shape), extra, unknown)


_squeeze_slow = Binding(
    "squeeze", ("Tensor (Tensor input, Int32List[1] dim=None) => Squeeze",), (_squeeze,), is_method=True
)


def squeeze(input=_missing, dim=None, *extra, **unknown):
    """Tensor (Tensor input, Int32List[1] dim=None)"""
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and not extra
        and not unknown
    ):
        return _squeeze(input, dim)
    if input.__class__ is Tensor and dim.__class__ is int and not unknown and all_ints(extra):
        return _squeeze(input, (dim, *extra))
    return _squeeze_slow((input, dim), extra, unknown)


_unsqueeze_slow = Binding(
    "unsqueeze", ("Tensor (Tensor input, Int32 dim) => Unsqueeze",), (_unsqueeze,), is_method=True
)


def unsqueeze(input=_missing, dim=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim)"""
    if input.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _unsqueeze_slow((input, dim), extra, unknown)


_expand_dims_slow = Binding("expand_dims", ("Tensor (Tensor input, Int32 dim) => Unsqueeze",), (_unsqueeze,))


def expand_dims(input=_missing, dim=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim)"""
    if input.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _expand_dims_slow((input, dim), extra, unknown)


_select_slow = Binding(
    "select", ("Tensor (Tensor input, Int32 dim, Int32 index) => Select",), (_select,), is_method=True
)


def select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim, Int32 index)"""
    if input.__class__ is Tensor and dim.__class__ is int and index.__class__ is int and not extra and not unknown:
        return _select(input, dim, index)
    return _select_slow((input, dim, index), extra, unknown)


_select_grad_slow = Binding(
    "select_grad", ("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index) => SelectGrad",), (_select_grad,)
)


def select_grad(dy=_missing, shape=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and index.__class__ is int
        and not extra
        and not unknown
    ):
        return _select_grad(dy, shape, dim, index)
    return _select_grad_slow((dy, shape, dim, index), extra, unknown)


_narrow_slow = Binding(
    "narrow", ("Tensor (Tensor input, Int32 dim, Int64 start, Int64 length) => Narrow",), (_narrow,), is_method=True
)


def narrow(input=_missing, dim=_missing, start=_missing, length=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)"""
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and start.__class__ is int
        and length.__class__ is int
        and not extra
        and not unknown
    ):
        return _narrow(input, dim, start, length)
    return _narrow_slow((input, dim, start, length), extra, unknown)


_slice_slow = Binding(
    "slice", ("Tensor (Tensor x, Int64List start, Int64List stop, Int64List step) => Slice",), (_slice,)
)


def slice(x=_missing, start=_missing, stop=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor x, Int64List start, Int64List stop, Int64List step)"""
    if (
        x.__class__ is Tensor
        and (start.__class__ is Size or start.__class__ is tuple and all_ints(start))
        and (stop.__class__ is Size or stop.__class__ is tuple and all_ints(stop))
        and (step.__class__ is Size or step.__class__ is tuple and all_ints(step))
        and not extra
        and not unknown
    ):
        return _slice(x, start, stop, step)
    return _slice_slow((x, start, stop, step), extra, unknown)


_slice_grad_slow = Binding(
    "slice_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step) => SliceGrad",),
    (_slice_grad,),
)


def slice_grad(
    dy=_missing, shape=_missing, dim=_missing, start=_missing, length=_missing, step=_missing, *extra, **unknown
):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and start.__class__ is int
        and length.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _slice_grad(dy, shape, dim, start, length, step)
    return _slice_grad_slow((dy, shape, dim, start, length, step), extra, unknown)


_region_grad_slow = Binding(
    "region_grad",
    ("Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements) => RegionGrad",),
    (_region_grad,),
)


def region_grad(dy=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (region_stride.__class__ is Size or region_stride.__class__ is tuple and all_ints(region_stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _region_grad(dy, shape, region_stride, elements)
    return _region_grad_slow((dy, shape, region_stride, elements), extra, unknown)


_region_slow = Binding(
    "region", ("Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements) => Region",), (_region,)
)


def region(x=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    """Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements)"""
    if (
        x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (region_stride.__class__ is Size or region_stride.__class__ is tuple and all_ints(region_stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _region(x, shape, region_stride, elements)
    return _region_slow((x, shape, region_stride, elements), extra, unknown)


_as_strided_slow = Binding(
    "as_strided",
    ("Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None) => AsStrided",),
    (_as_strided,),
    is_method=True,
)


def as_strided(input=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    """Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (storage_offset is None or storage_offset.__class__ is int)
        and not extra
        and not unknown
    ):
        return _as_strided(input, size, stride, storage_offset)
    return _as_strided_slow((input, size, stride, storage_offset), extra, unknown)


_as_strided_grad_slow = Binding(
    "as_strided_grad",
    ("Tensor (Tensor dy, Shape shape, Shape size, Shape stride, Int64 elements) => AsStridedGrad",),
    (_as_strided_grad,),
)


def as_strided_grad(dy=_missing, shape=_missing, size=_missing, stride=_missing, elements=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Shape size, Shape stride, Int64 elements)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _as_strided_grad(dy, shape, size, stride, elements)
    return _as_strided_grad_slow((dy, shape, size, stride, elements), extra, unknown)


_diagonal_slow = Binding(
    "diagonal",
    ("Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1) => Diagonal",),
    (_diagonal,),
    is_method=True,
)


def diagonal(input=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    """Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)"""
    if (
        input.__class__ is Tensor
        and offset.__class__ is int
        and dim1.__class__ is int
        and dim2.__class__ is int
        and not extra
        and not unknown
    ):
        return _diagonal(input, offset, dim1, dim2)
    return _diagonal_slow((input, offset, dim1, dim2), extra, unknown)


_diagonal_grad_slow = Binding(
    "diagonal_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2) => DiagonalGrad",),
    (_diagonal_grad,),
)


def diagonal_grad(dy=_missing, shape=_missing, offset=_missing, dim1=_missing, dim2=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and offset.__class__ is int
        and dim1.__class__ is int
        and dim2.__class__ is int
        and not extra
        and not unknown
    ):
        return _diagonal_grad(dy, shape, offset, dim1, dim2)
    return _diagonal_grad_slow((dy, shape, offset, dim1, dim2), extra, unknown)


_unfold_tensor_slow = Binding(
    "unfold_tensor",
    ("Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step) => UnfoldTensor",),
    (_unfold_tensor,),
    is_method=True,
)


def unfold_tensor(x=_missing, dimension=_missing, size=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step)"""
    if (
        x.__class__ is Tensor
        and dimension.__class__ is int
        and size.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _unfold_tensor(x, dimension, size, step)
    return _unfold_tensor_slow((x, dimension, size, step), extra, unknown)


_unfold_tensor_grad_slow = Binding(
    "unfold_tensor_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step) => UnfoldTensorGrad",),
    (_unfold_tensor_grad,),
)


def unfold_tensor_grad(dy=_missing, shape=_missing, dim=_missing, size=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and size.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _unfold_tensor_grad(dy, shape, dim, size, step)
    return _unfold_tensor_grad_slow((dy, shape, dim, size, step), extra, unknown)


_split_slow = Binding(
    "split",
    (
        "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0) => Split",
        "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0) => SplitSections",
    ),
    (_split, _split_sections),
    is_method=True,
)


def split(x=_missing, split_size_or_sections=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)
    TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0)
    """
    if (
        x.__class__ is Tensor
        and split_size_or_sections.__class__ is int
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _split(x, split_size_or_sections, dim)
    if (
        x.__class__ is Tensor
        and (
            split_size_or_sections.__class__ is Size
            or split_size_or_sections.__class__ is tuple
            and all_ints(split_size_or_sections)
        )
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _split_sections(x, split_size_or_sections, dim)
    return _split_slow((x, split_size_or_sections, dim), extra, unknown)


_chunk_slow = Binding(
    "chunk", ("TensorTuple (Tensor x, Int64 chunks, Int32 dim=0) => Chunk",), (_chunk,), is_method=True
)


def chunk(x=_missing, chunks=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int64 chunks, Int32 dim=0)"""
    if x.__class__ is Tensor and chunks.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _chunk(x, chunks, dim)
    return _chunk_slow((x, chunks, dim), extra, unknown)


_unbind_slow = Binding("unbind", ("TensorTuple (Tensor x, Int32 dim=0) => Unbind",), (_unbind,), is_method=True)


def unbind(x=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int32 dim=0)"""
    if x.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unbind(x, dim)
    return _unbind_slow((x, dim), extra, unknown)


_contiguous_slow = Binding("contiguous", ("Tensor (Tensor input) => Contiguous",), (_contiguous,), is_method=True)


def contiguous(input=_missing, *extra, **unknown):
    """Tensor (Tensor input)"""
    if input.__class__ is Tensor and not extra and not unknown:
        return _contiguous(input)
    return _contiguous_slow((input,), extra, unknown)


_cat_slow = Binding("cat", ("Tensor (TensorTuple tensors, Int32 dim=0) => Cat",), (_cat,))


def cat(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _cat(tensors, dim)
    return _cat_slow((tensors, dim), extra, unknown)


_concat_slow = Binding("concat", ("Tensor (TensorTuple tensors, Int32 dim=0) => Cat",), (_cat,))


def concat(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _cat(tensors, dim)
    return _concat_slow((tensors, dim), extra, unknown)


_stack_slow = Binding("stack", ("Tensor (TensorTuple tensors, Int32 dim=0) => Stack",), (_stack,))


def stack(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _stack(tensors, dim)
    return _stack_slow((tensors, dim), extra, unknown)


_hstack_slow = Binding("hstack", ("Tensor (TensorTuple tensors) => Hstack",), (_hstack,))


def hstack(tensors=_missing, *extra, **unknown):
    """Tensor (TensorTuple tensors)"""
    if tensors.__class__ is tuple and not extra and not unknown and all_tensors(tensors):
        return _hstack(tensors)
    if tensors.__class__ is Tensor and not unknown and all_tensors(extra):
        return _hstack((tensors, *extra))
    return _hstack_slow((tensors,), extra, unknown)


_vstack_slow = Binding("vstack", ("Tensor (TensorTuple tensors) => Vstack",), (_vstack,))


def vstack(tensors=_missing, *extra, **unknown):
    """Tensor (TensorTuple tensors)"""
    if tensors.__class__ is tuple and not extra and not unknown and all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is Tensor and not unknown and all_tensors(extra):
        return _vstack((tensors, *extra))
    return _vstack_slow((tensors,), extra, unknown)


_repeat_slow = Binding("repeat", ("Tensor (Tensor input, Shape repeats) => Repeat",), (_repeat,), is_method=True)


def repeat(input=_missing, repeats=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape repeats)"""
    if (
        input.__class__ is Tensor
        and (repeats.__class__ is Size or repeats.__class__ is tuple and all_ints(repeats))
        and not extra
        and not unknown
    ):
        return _repeat(input, repeats)
    if input.__class__ is Tensor and repeats.__class__ is int and not unknown and all_ints(extra):
        return _repeat(input, (repeats, *extra))
    return _repeat_slow((input, repeats), extra, unknown)


_tile_slow = Binding("tile", ("Tensor (Tensor input, Shape dims) => Tile",), (_tile,), is_method=True)


def tile(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _tile(input, dims)
    if input.__class__ is Tensor and dims.__class__ is int and not unknown and all_ints(extra):
        return _tile(input, (dims, *extra))
    return _tile_slow((input, dims), extra, unknown)


_detach_slow = Binding("detach", ("Tensor (Tensor x) => Detach",), (_detach,), is_method=True)


def detach(x=_missing, *extra, **unknown):
    """Tensor (Tensor x)"""
    if x.__class__ is Tensor and not extra and not unknown:
        return _detach(x)
    return _detach_slow((x,), extra, unknown)
