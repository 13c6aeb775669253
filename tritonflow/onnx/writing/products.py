"""Products of matrices, convolutions, pools and attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.dtypes import bool_
from tritonflow.onnx.writing.table import OpCall, writes
from tritonflow.onnx.writing.writer import OnnxWriter, expression_of


def _swapped(w: OnnxWriter, name: str, ndim: int) -> str:
    """With the last two dimensions exchanged."""
    return w.op("Transpose", name, perm=[*range(ndim - 2), ndim - 1, ndim - 2])


@writes("matmul", "unrounded_product")
def matmul(call: OpCall) -> str:
    sides = [call.cast(k, call.result.dtype) for k in (0, 1)]
    for k, key in enumerate(("transpose_a", "transpose_b")):
        if call.attrs.get(key) and call.meta(k).ndim > 1:
            sides[k] = _swapped(call.w, sides[k], call.meta(k).ndim)
    return call.w.op("MatMul", *sides)


@writes("add_unrounded")
def add_unrounded(call: OpCall) -> str:
    """beta times the first plus alpha times the product."""
    sides = call.in_result_dtype()
    for k, name in enumerate(("beta", "alpha")):
        if call.attrs[name] != 1:
            sides[k] = call.w.op("Mul", sides[k], call.number(name))
    return call.w.op("Add", *sides)


@writes("linear")
def linear(call: OpCall) -> str:
    w, bias = call.w, call.names[2]
    if call.meta(0).ndim == 2:
        return w.op("Gemm", call[0], call[1], *[bias or ""][: bias is not None], transB=1)
    product = w.op("MatMul", call[0], _swapped(w, call[1], 2))
    return product if bias is None else w.op("Add", product, bias)


# ---- convolutions and pools


def _windows(attrs: dict[str, Any]) -> dict[str, Any]:
    """Strides, padding and dilation as ONNX has them."""
    padding = list(attrs["padding"])
    found = {"strides": list(attrs["stride"]), "pads": [*padding, *padding]}
    return {**found, "dilations": list(attrs["dilation"])} if "dilation" in attrs else found


@writes("conv2d")
def conv(call: OpCall) -> str:
    names = [call[0], call[1], *[name for name in call.names[2:] if name is not None]]
    return call.w.op("Conv", *names, group=call.attrs["groups"], kernel_shape=_kernel(call, 1), **_windows(call.attrs))


def _kernel(call: OpCall, position: int) -> list[int]:
    return [int(n) for n in call.meta(position).shape[2:]]


@writes("conv_transpose_biased", "conv_data_grad")
def conv_transpose(call: OpCall) -> str:
    names = [call[0], call[1], *[name for name in call.names[2:] if name is not None]]
    a, kernel = call.attrs, _kernel(call, 1)
    rest = []
    for d, size in enumerate(call.result.shape[2:]):
        reach = a["dilation"][d] * (kernel[d] - 1) + 1 - 2 * a["padding"][d] - a["stride"][d]
        left = (expression_of(size) - expression_of(call.meta(0).shape[2 + d]) * a["stride"][d] - reach).constant
        if left is None:
            raise call.refuse("its output has a size that is none of a transposed convolution")
        rest.append(left)
    more = {"output_padding": rest} if any(rest) else {}
    return call.w.op("ConvTranspose", *names, group=a["groups"], kernel_shape=kernel, **_windows(a), **more)


@writes("max_pool2d")
def max_pool(call: OpCall) -> Sequence[str | None]:
    a = call.attrs
    name = call.w.op("MaxPool", call[0], kernel_shape=list(a["kernel_size"]), ceil_mode=int(a["ceil_mode"]), **_windows(a))
    return name, None


@writes("avg_pool2d")
def avg_pool(call: OpCall) -> str:
    w, a = call.w, call.attrs
    kernel, divisor = list(a["kernel_size"]), a["divisor_override"]
    included = int(a["count_include_pad"] or divisor is not None)
    if divisor is not None and a["ceil_mode"]:
        raise call.refuse("divisor_override with ceil_mode")
    name = w.op(
        "AveragePool", call[0], kernel_shape=kernel, ceil_mode=int(a["ceil_mode"]), count_include_pad=included, **_windows(a)
    )
    if divisor is None:
        return name
    elements = 1
    for n in kernel:
        elements *= n
    return w.op("Mul", name, w.number(elements / divisor, call.result.dtype))


@writes("adaptive_avg_pool2d")
def adaptive(call: OpCall) -> str:
    sizes, wanted = call.meta(0).shape[2:], call.attrs["output_size"]
    if not all(type(n) is int and n % m == 0 for n, m in zip(sizes, wanted)):
        raise call.refuse(f"averages of {list(sizes)} into {list(wanted)}, which windows of one size do not give")
    kernel = [n // m for n, m in zip(sizes, wanted)]
    return call.w.op("AveragePool", call[0], kernel_shape=kernel, strides=kernel)


@writes("resample")
def resample(call: OpCall) -> str:
    """One dimension of other sizes."""
    w, a = call.w, call.attrs
    kinds: dict[str, dict[str, Any]] = {
        "nearest": {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
        "nearest-exact": {"mode": "nearest", "coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_ceil"},
        "linear": {"mode": "linear", "coordinate_transformation_mode": "pytorch_half_pixel"},
        "cubic": {"mode": "cubic", "coordinate_transformation_mode": "half_pixel", "cubic_coeff_a": -0.75},
    }
    if a["mode"] not in kinds:
        raise call.refuse(f"mode {a['mode']!r}")
    kind = dict(kinds[a["mode"]])
    if a["aligned"]:
        kind["coordinate_transformation_mode"] = "align_corners"
    size, given = a["size"], call.meta(0).shape[a["dim"]]
    if not a["aligned"] and type(size) is type(given) is int and abs(a["scale"] * size - given) > 1e-9 * given:
        raise call.refuse("a scale that is not that of the sizes")
    return w.op("Resize", call.cast(0, call.result.dtype), "", "", w.size(size), axes=[a["dim"]], **kind)


# ---- attention


@writes("scaled_dot_product_attention")
def attention(call: OpCall) -> Sequence[str | None]:
    """softmax(scale q k' + mask) v. Where a boolean mask leaves a row nothing, the weights are `empty`."""
    w, a = call.w, call.attrs
    if a.get("rate"):
        raise call.refuse("dropout: call eval()")
    (query, key, value), mask = (call[k] for k in range(3)), call.names[3]
    dtype, groups = call.result.dtype, _groups(call)
    if groups != 1:
        key, value = (_repeated(call, k, groups) for k in (1, 2))
    scores = w.op("MatMul", w.op("Mul", query, call.number("scale")), _swapped(w, key, call.meta(1).ndim))
    is_bool = mask is not None and call.meta(3).dtype is bool_
    if mask is not None:
        fill = w.number(a["fill"], dtype)
        scores = w.op("Where", mask, scores, fill) if is_bool else w.op("Add", scores, call.cast(3, dtype))
    if a["is_causal"]:
        shape = w.shape([call.meta(0).shape[-2], call.meta(1).shape[-2]])
        ones = w.op("Expand", w.numbers([True], bool_, ()), shape)
        scores = w.op("Where", w.op("Trilu", ones, upper=0), scores, w.number(float("-inf"), dtype))
    weights = w.op("Softmax", scores, axis=-1)
    if is_bool:
        weights = w.op("Where", w.op("IsNaN", weights), w.number(a["empty"], dtype), weights)
    return w.op("MatMul", weights, value), None


def _groups(call: OpCall) -> int:
    """How many heads of queries share one of keys."""
    if call.meta(0).ndim < 3:
        return 1
    heads, shared = (expression_of(call.meta(k).shape[-3]) for k in (0, 1))
    found = heads.divided(shared)
    constant = None if found is None else found.constant
    if constant is None:
        raise call.refuse("heads whose groups differ from run to run")
    return constant


def _repeated(call: OpCall, position: int, groups: int) -> str:
    """Each head `groups` times."""
    w, shape = call.w, call.meta(position).shape
    ahead = w.op("Unsqueeze", call[position], w.ints([-3]))
    many = w.op("Expand", ahead, w.shape([*shape[:-2], groups, *shape[-2:]]))
    return w.op("Reshape", many, w.shape([*shape[:-3], expression_of(shape[-3]) * groups, *shape[-2:]]))
