"""Functors of products that are added to something, or scaled, and of bilinear forms."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, DType, bfloat16, bool_, float16, float32, result_type
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import ones
from tritonflow.functions.generated import add_unrounded, scalar_mul
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.matmul import (
    HALVES,
    check_batches,
    check_matrices,
    check_product,
    check_same_dtype,
    linear,
    matmul,
    unrounded_product,
)
from tritonflow.functions.matmul_quantized import scaled_mm_blocks
from tritonflow.functions.view import expand, reshape, unshared
from tritonflow.functions.view_parts import split_sections
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.recording import wants_gradient

_scaled_mm = op_expr("scaled_mm")



def add_product(input: Tensor, product: Tensor, beta: Any, alpha: Any, inplace: bool) -> Any:
    """beta * input + alpha * product, of the product's shape. An input times 0 is not read: its infinities and NaN go.

    Raises:
        RuntimeError: the input does not broadcast to the product.
    """
    own = input.meta.shape
    if inplace and own != product.meta.shape:
        raise ShapeError(f"The input tensor {list(own)} must have the shape of the product {list(product.meta.shape)}")
    broad = input if own == product.meta.shape else expand(input, product.meta.shape)
    if product.meta.dtype is float32 and input.meta.dtype in HALVES and beta != 0:
        out = add_unrounded(broad, product, beta, alpha)
        return copy_(input, out) if inplace else out
    if product.meta.dtype.category == INTEGER:  # of which torch cuts the fractions off
        beta, alpha = int(beta), int(alpha)
    if beta == 0:
        dtype = input.meta.dtype
        if dtype not in HALVES:
            dtype = result_type([(dtype, input.meta.ndim), (product.meta.dtype, product.meta.ndim)])
        out = cast(product if alpha == 1 else scalar_mul(product, alpha), dtype)
        if wants_gradient(input):  # its gradient is 0, not none
            out = add(masked_fill(broad, ones((), dtype=bool_, **beside(input)), 0), out)
    else:
        out = add(broad if beta == 1 else scalar_mul(broad, beta), product, alpha=alpha)
    return copy_(input, out) if inplace else out


@function(
    "Tensor (Tensor input, Tensor weight, Tensor lora_a, Tensor lora_b, Tensor bias=None, Double scaling=1.0)",
    export="nn.functional", reference="op_references.lora_linear", samples="lora_linear", tolerance="matmul",
)
def lora_linear(
    input: Tensor, weight: Tensor, lora_a: Tensor, lora_b: Tensor, bias: Tensor | None = None, scaling: float = 1.0
) -> Any:
    """A linear layer with an adapter of low rank: input @ weight.T + bias + scaling * (input @ lora_a.T) @ lora_b.T.

    The weight is not changed, and weight + scaling * lora_b @ lora_a is never made. In a graph the sum is part
    of the last product. After Hu et al., LoRA, 2021.

    Args:
        input: the rows.
        weight: the layer's weight.
        lora_a: the adapter's first weight, of r rows.
        lora_b: the second one, of r columns.
        bias: an addend for each column.
        scaling: the factor of the adapter, often alpha / r.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., K), (N, K), (r, K), (N, r), (N) -> (..., N).

    Raises:
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.linear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x, weight = flow.tensor([[1.0, 2.0]]), flow.eye(2)
        >>> F.lora_linear(x, weight, flow.tensor([[1.0, 1.0]]), flow.tensor([[1.0], [0.0]]), scaling=10.0)
        tensor([[31.,  2.]])
    """
    if not (input.meta.dtype.is_floating_point or input.meta.dtype.is_complex):
        raise DTypeError(f"lora_linear(): input must be floating or complex, as the scaling is, but got {input.meta.dtype}")
    base = linear(input, weight, bias)
    adapter = linear(linear(input, lora_a, None), lora_b, None)
    if adapter.meta.shape != base.meta.shape:
        raise ShapeError(
            f"lora_linear(): the adapter gives {list(adapter.meta.shape)}, the layer {list(base.meta.shape)}: expected lora_b of"
            f" {weight.meta.shape[0]} rows, but got {list(lora_b.meta.shape)}"
        )
    return add_product(base, adapter, 1, float(scaling), False)


@function(
    "TensorTuple (Tensor input, Tensor weight, Tensor bias=None, Int32 num_heads=1, Int32 num_kv_heads=None)",
    export="nn.functional", reference="op_references.qkv_linear", samples="qkv_linear", tolerance="matmul",
)
def qkv_linear(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, num_heads: int = 1, num_kv_heads: int | None = None
) -> Any:
    """Queries, keys and values of all heads by one product; they are views of its result, and nothing is copied.

    Args:
        input: the rows.
        weight: the weights of queries, keys and values, one below the other, each head's rows together.
        bias: an addend for each column.
        num_heads: how many heads the queries have.
        num_kv_heads: how many heads keys and values have; as many unless given.
        out: a tuple of tensors that the results are written into; not while gradients are recorded.

    Shape:
        (..., K), ((H + 2 G) D, K), ((H + 2 G) D) -> (..., H, D), (..., G, D), (..., G, D).

    Raises:
        RuntimeError: rows of the weight that the heads do not divide; shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.linear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> q, k, v = F.qkv_linear(flow.ones(2, 3, 8), flow.ones(16, 8), num_heads=2, num_kv_heads=1)
        >>> q.shape, k.shape
        (tritonflow.Size([2, 3, 2, 4]), tritonflow.Size([2, 3, 1, 4]))
    """
    shared = num_heads if num_kv_heads is None else num_kv_heads
    heads = num_heads + 2 * shared
    rows = weight.meta.shape[0] if weight.meta.ndim == 2 else 0
    if num_heads < 1 or shared < 1 or weight.meta.ndim != 2 or rows % heads:
        raise ShapeError(
            f"qkv_linear(): expected a weight whose rows {num_heads} + 2 * {shared} heads divide, but got {list(weight.meta.shape)}"
        )
    product = linear(input, weight, bias)
    by_head = reshape(product, (*product.meta.shape[:-1], heads, rows // heads))
    return split_sections(by_head, (num_heads, shared, shared), -2)


@function(
    "Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    "Tensor (Tensor input, Tensor mat1, Tensor mat2, Scalar alpha, Scalar beta) => AddMmScaled",
    methods=("addmm", "addmm_"), samples="addmm", tolerance="matmul", autocast="lower",
)
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * mat1 @ mat2.

    `out = beta * input + alpha * (mat1 @ mat2)`. With beta = 0 NaN of the input is ignored.

    Overloads:
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Scalar = 1, alpha: Scalar = 1) -> Tensor`
        - `addmm(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Scalar, beta: Scalar) -> Tensor`

    Args:
        input: what is added, broadcast to the product.
        mat1: the left matrix.
        mat2: the right matrix.
        beta: the factor of `input`.
        alpha: the factor of the product.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, mat1 (m, k), mat2 (k, n) -> (m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.addmm` and `Tensor.addmm_`.

    Raises:
        RuntimeError: not two matrices; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.addmm(flow.ones(2, 2), flow.eye(2), flow.eye(2), beta=2, alpha=3)
        tensor([[5., 2.],
                [2., 5.]])
    """
    check_matrices(mat1, mat2)
    check_same_dtype(input, mat1)
    product = unrounded_product(mat1, mat2)
    return add_product(input, product, beta, alpha, inplace)


@functor("AddMmScaled")
def addmm_scaled(input: Tensor, mat1: Tensor, mat2: Tensor, alpha: Any, beta: Any) -> Any:
    """OneFlow's order, alpha first."""
    return addmm(input, mat1, mat2, beta, alpha)


@function(
    "Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Bool inplace=False)",
    methods=("baddbmm", "baddbmm_"), samples="baddbmm", tolerance="matmul", autocast="lower",
)
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1, inplace: bool = False) -> Any:
    """beta * input + alpha * batch1 @ batch2.

    `out = beta * input + alpha * (batch1 @ batch2)`. With beta = 0 NaN of the input is ignored.

    Args:
        input: what is added, broadcast to the products.
        batch1: the left matrices.
        batch2: the right matrices.
        beta: the factor of `input`.
        alpha: the factor of the products.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        input, batch1 (b, m, k), batch2 (b, k, n) -> (b, m, n).

    Under `flow.autocast` it computes in its dtype. Methods: `Tensor.baddbmm` and `Tensor.baddbmm_`.

    Raises:
        RuntimeError: not two batches; sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.baddbmm.

    Example:
        >>> import tritonflow as flow
        >>> flow.baddbmm(flow.ones(1), flow.ones(2, 1, 3), flow.ones(2, 3, 1)).flatten()
        tensor([4., 4.])
    """
    check_batches(batch1, batch2)
    check_same_dtype(input, batch1)
    product = unrounded_product(batch1, batch2)
    return add_product(input, product, beta, alpha, inplace)


@functor("ScaledMm")
def scaled_mm(
    input: Tensor,
    mat2: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias: Tensor | None = None,
    out_dtype: DType | None = None,
) -> Any:
    a, b, dtype = input.meta, mat2.meta, out_dtype or bfloat16
    for name, meta in (("mat1", a), ("mat2", b)):
        if meta.ndim != 2:
            raise ShapeError(f"{name} must be a matrix")
        if not meta.dtype.is_storage:
            raise DTypeError(f"Expected both mat1 and mat2 to be float8 matrices, but {name} is of {meta.dtype}")
    check_product(a.shape, b.shape, False, False)
    if dtype not in (float32, float16, bfloat16):
        raise DTypeError(f"Only bf16, fp16 and fp32 output types are supported by scaled_mm, not {dtype}")
    m, n = a.shape[0], b.shape[1]
    if scale_a.meta.ndim == scale_b.meta.ndim == 2 and scale_b.meta.shape[0] > 1:  # for blocks of 128
        return scaled_mm_blocks(input, mat2, scale_a, scale_b, bias, dtype)
    if bias is not None and (bias.meta.shape != (n,) or bias.meta.dtype not in (dtype, float32)):
        came = f"{list(bias.meta.shape)}, {bias.meta.dtype}"
        raise ShapeError(f"Bias must be a vector of size {n} in {dtype} or float32, but got {came}")
    scales = _scales(scale_a, scale_b, m, n)
    return dispatch(_scaled_mm, (input, mat2, *scales, bias), (dtype,))


def _scales(scale_a: Tensor, scale_b: Tensor, m: int, n: int) -> tuple[Tensor, Tensor]:
    """Scales as matrices: one for each operand, or one for each row of the first and each column of the second.

    Raises:
        RuntimeError: they are neither, or not float32.
    """
    a, b = scale_a.meta, scale_b.meta
    if a.dtype is float32 and b.dtype is float32:
        if a.numel == b.numel == 1:
            return reshape(scale_a, (1, 1)), reshape(scale_b, (1, 1))
        if a.shape == (m, 1) and b.shape == (1, n):
            return scale_a, scale_b
    raise DTypeError(
        f"Invalid scaling configuration: scale_a and scale_b should be float32, and of one element each, or ({m}, 1) and"
        f" (1, {n}), but are {a.dtype} {list(a.shape)} and {b.dtype} {list(b.shape)}"
    )


@function(
    "Tensor (Tensor input1, Tensor input2, Tensor weight, Tensor bias=None)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.bilinear", samples="bilinear", tolerance="matmul",
    autocast="widest",
)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """input1 weight[o] input2 + bias[o] for every output o.

        out[..., o] = sum over i, j of input1[..., i] * weight[o, i, j] * input2[..., j] + bias[o]

    Args:
        input1: vectors.
        input2: vectors.
        weight: a matrix for each output.
        bias: a number for each output.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., D1), (..., D2), (O, D1, D2) -> (..., O).

    Under `flow.autocast` it computes in the widest dtype of its operands.

    Raises:
        RuntimeError: sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.bilinear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.bilinear(flow.tensor([[1.0, 2.0]]), flow.tensor([[3.0, 4.0]]), flow.ones(1, 2, 2))
        tensor([[21.]])
    """
    # y[..., o] = sum_ij input1[..., i] weight[o, i, j] input2[..., j] + bias[o].
    x1, x2, w = input1.meta.shape, input2.meta.shape, weight.meta.shape
    if not x1 or not x2:
        raise ShapeError("bilinear(): inputs must have a dimension, got one without")
    if x1[:-1] != x2[:-1]:
        raise ShapeError(f"bilinear(): input batch dimensions do not match: got {list(x1)} and {list(x2)}")
    if len(w) != 3 or x1[-1] != w[1] or x2[-1] != w[2]:
        raise ShapeError(f"bilinear(): sizes of inputs {list(x1)} and {list(x2)} do not match weight size: got {list(w)}")
    if bias is not None and bias.meta.shape != w[:1]:
        raise ShapeError(f"bilinear(): bias size does not match weight size: got {list(bias.meta.shape)} but expected {[w[0]]}")
    dtype = input1.meta.dtype
    halves = dtype in HALVES and input2.meta.dtype is dtype
    left = (unrounded_product if halves else matmul)(
        reshape(input1, (-1, w[1])), reshape(weight.permute(1, 0, 2), (w[1], w[0] * w[2]))
    )
    products = reshape(left, (-1, w[0], w[2])) * reshape(input2, (-1, 1, w[2]))
    result = unshared(reshape(products.sum(2, dtype=products.dtype), (*x1[:-1], w[0])))
    result = result if bias is None else result + bias
    return cast(result, dtype) if halves and (bias is None or bias.meta.dtype is dtype) else result
