"""OneFlow's fused functions: the same values from ops of the registry. Captured programs fuse them again where that pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.compat.checks import require
from tritonflow.dtypes import bool_, float32
from tritonflow.errors import DimensionError
from tritonflow.framework.tensor import Tensor


def bias_add(x: Tensor, bias: Tensor, axis: int = 1) -> Any:
    """`x` plus a vector along a dimension."""
    require(bias.ndim == 1, f"Bias tensor has to be a one-dimensional vector, but got {bias.ndim} dimensions")
    if not -x.ndim <= axis < x.ndim:
        raise DimensionError(f"Dimension out of range (expected to be in range of [{-x.ndim},{x.ndim - 1}], but got {axis})")
    axis %= x.ndim
    sizes = ",".join(map(str, x.shape))
    require(
        x.shape[axis] == bias.shape[0],
        f"The size of tensor x ({sizes}) must match the size of tensor b ({bias.shape[0]},) at dimension {axis}",
    )
    return x + bias.reshape((-1, *[1] * (x.ndim - axis - 1)))


def fused_bias_add_gelu(a: Tensor, b: Tensor, *, axis: int) -> Any:
    """gelu of `a` plus a vector along a dimension."""
    return _C.gelu(bias_add(a, b, axis))


def fused_bias_add_dropout(a: Tensor, b: Tensor, *, p: float = 0.5, axis: int, generator: Any = None) -> Any:
    """Dropout of `a` plus a vector along a dimension."""
    return _dropped(bias_add(a, b, axis), p, True, generator)


def _dropped(x: Tensor, p: float, training: bool, generator: Any) -> Any:
    if not training or p == 0:
        return x
    if generator is None:
        return _C.dropout(x, p, True)
    kept = x.new_empty(tuple(x.shape)).bernoulli_(1 - p, generator=generator)
    return x * kept / (1 - p) if p < 1 else x * kept


def fused_matmul_bias(x: Tensor, weight: Tensor, bias: Tensor, _add_to_output: Tensor | None = None) -> Any:
    """x @ weight.T + bias, plus another tensor if one is given."""
    product = _C.linear(x, weight, bias)
    return product if _add_to_output is None else product + _add_to_output


def fused_mlp(x: Tensor, weights: Sequence[Tensor], biases: Sequence[Tensor], skip_final_activation: bool = False) -> Any:
    """Linear layers with relu behind each, or each but the last."""
    return fused_matmul_bias_add_relu_dropout(x, weights, biases, skip_final_activation, [0.0] * len(weights))


def fused_matmul_bias_add_relu_dropout(
    x: Tensor, weights: Sequence[Tensor], biases: Sequence[Tensor], skip_final_activation: bool,
    dropout_rate_list: Sequence[float], generator: Any = None,
) -> Any:  # fmt: skip
    """Linear layers with relu and dropout behind each; the last has none of relu if asked."""
    require(len(weights) >= 1, f"The number of weights should be greater equal than 1 but got {len(weights)}")
    require(
        len(weights) == len(biases), f"The number of weights should be equal to biases, but got {len(weights)} and {len(biases)}"
    )
    for number, (weight, bias, rate) in enumerate(zip(weights, biases, dropout_rate_list)):
        require(weight.ndim == 2, "Weight's dim size should == 2")
        require(bias.ndim == 1, "Bias's dim size should == 1")
        require(bias.shape[0] == weight.shape[0], "Bias's dim is not equal to weight's first dim.")
        require(weight.shape[1] == x.shape[-1], "weight's second dim should be equal to input's second dim.")
        x = _C.linear(x, weight, bias)
        if number + 1 < len(weights) or not skip_final_activation:
            x = _C.relu(x)
        x = _dropped(x, rate, True, generator)
    return x


def grouped_matmul(xs: Sequence[Tensor], weights: Sequence[Tensor]) -> list[Any]:
    """x @ weight.T of each pair."""
    return [_C.linear(x, weight) for x, weight in zip(xs, weights, strict=True)]


def grouped_matmul_bias(xs: Sequence[Tensor], weights: Sequence[Tensor], biases: Sequence[Tensor]) -> list[Any]:
    """x @ weight.T + bias of each triple."""
    return [_C.linear(x, weight, bias) for x, weight, bias in zip(xs, weights, biases, strict=True)]


def fast_gelu(x: Tensor) -> Any:
    """gelu by tanh."""
    return _C.gelu(x, approximate="tanh")


def gelu_with_approximate(x: Tensor, approximate: str = "none") -> Any:
    """gelu, by "tanh" if asked."""
    return _C.gelu(x, approximate=approximate)


def square_relu(x: Tensor) -> Any:
    """relu(x) ** 2."""
    return _C.relu(x).square()


def fused_fast_gelu_mul(x: Tensor, multiplier: Tensor) -> Any:
    """gelu by tanh, times another tensor."""
    return _C.geglu(x, multiplier, approximate="tanh")


def fused_glu(
    x: Tensor, w: Tensor, b: Tensor | None = None, v: Tensor | None = None, c: Tensor | None = None, activation: str = "none"
) -> Any:
    """(x @ w.T + b) * activation(x @ v.T + c); without v, the halves of x @ w.T + b take the places of both."""
    gates = {
        "none": lambda gate, x: x * gate, "sigmoid": lambda gate, x: x * _C.sigmoid(gate), "relu": lambda gate, x: x * _C.relu(gate),
        "gelu": _C.geglu, "fast_gelu": fused_fast_gelu_mul, "silu": _C.swiglu,
    }  # fmt: skip
    require(activation in gates, f"activation must be one of {', '.join(gates)}, but got {activation}")
    hidden = _C.linear(x, w, b)
    hidden, gate = hidden.chunk(2, -1) if v is None else (hidden, _C.linear(x, v, c))
    return gates[activation](gate, hidden)


def fused_scale_mask_softmax(x: Tensor, mask: Tensor, *, fill_value: float = 0.0, scale: float = 1.0) -> Any:
    """softmax along the last dimension of `scale * x`, and of a number where the mask is False."""
    return _C.softmax(_C.where(mask.to(bool_), x * scale, fill_value), -1)


def fused_scale_mask_softmax_dropout(
    x: Tensor, mask: Tensor, *, fill_value: float = 0.0, scale: float = 1.0, p: float = 0.5, training: bool = True,
    generator: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """`fused_scale_mask_softmax` with dropout, and without."""
    soft = fused_scale_mask_softmax(x, mask, fill_value=fill_value, scale=scale)
    return _dropped(soft, p, training, generator), soft


def fused_bias_add_scale_mask_softmax_dropout(
    x: Tensor, bias: Tensor, mask: Tensor, *, fill_value: float = 0.0, scale: float = 1.0, p: float = 0.5, training: bool = True,
    generator: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """`fused_scale_mask_softmax_dropout` of x + bias."""
    return fused_scale_mask_softmax_dropout(
        x + bias, mask, fill_value=fill_value, scale=scale, p=p, training=training, generator=generator
    )


def fused_scale_tril(x: Tensor, diagonal: int = 0, fill_value: float = 0, scale: float = 1) -> Any:
    """`scale * x` up to a diagonal, and a number above."""
    below = _C.tril(x.new_ones(tuple(x.shape[-2:]), dtype=None).to(bool_), diagonal)
    return _C.where(below, x * scale, fill_value)


def fused_scale_tril_softmax_mask_scale(
    a: Tensor, *, p: float = 0.5, diagonal: int, tril_scale_value: float, tril_fill_value: float = 0.0, generator: Any = None
) -> tuple[Any, Any]:
    """softmax of `fused_scale_tril` with dropout, and without."""
    soft = _C.softmax(fused_scale_tril(a, diagonal, tril_fill_value, tril_scale_value), -1)
    return _dropped(soft, p, True, generator), soft


def fused_self_attention(hidden_states: Tensor, head_size: int = 8, alpha: float = 1.0) -> tuple[Any, Any]:
    """alpha * q @ k.T, and v, of heads that lie one after the other: (steps, batch, heads * 3 * head_size)."""
    steps, batch = hidden_states.shape[:2]
    heads = hidden_states.reshape(steps, batch, -1, 3 * head_size).permute(1, 2, 0, 3)
    query, key, value = heads.split(head_size, -1)
    return _C.matmul(query, key.transpose(-1, -2)) * alpha, value


def fused_multi_head_attention_inference(
    query: Tensor, key: Tensor, value: Tensor, num_heads: int, causal: bool = False,
    query_hidden_slice_start: int = 0, query_hidden_slice_end: int = -1,
    key_hidden_slice_start: int = 0, key_hidden_slice_end: int = -1,
    value_hidden_slice_start: int = 0, value_hidden_slice_end: int = -1,
) -> Any:  # fmt: skip
    """Attention of heads that share the last dimension: (batch, steps, heads * size); of slices of that dimension if asked."""

    def heads(x: Tensor, start: int, end: int) -> Any:
        x = x[..., start : end if end >= 0 else x.shape[-1] + 1 + end]
        return x.reshape(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)

    q = heads(query, query_hidden_slice_start, query_hidden_slice_end)
    k = heads(key, key_hidden_slice_start, key_hidden_slice_end)
    v = heads(value, value_hidden_slice_start, value_hidden_slice_end)
    mixed = _C.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return mixed.transpose(1, 2).flatten(2)


def fused_weighted_sum(tensors: Sequence[Tensor], weights: Sequence[float], alpha: float = 1.0) -> Any:
    """alpha * sum(weight * tensor)."""
    require(len(tensors) == len(weights) > 0, f"fused_weighted_sum needs a weight for each tensor: {len(tensors)}, {len(weights)}")
    total = tensors[0] * (weights[0] * alpha)
    for tensor, weight in zip(tensors[1:], weights[1:]):
        total = total + tensor * (weight * alpha)
    return total


def fused_dot_feature_interaction(
    features: Sequence[Tensor], output_concat: Tensor | None = None, self_interaction: bool = False, output_padding: int = 0,
    pooling: str = "none",
) -> Any:  # fmt: skip
    """The products of every two of the features, (batch, count, size) each; pooling="sum" adds them up elementwise instead."""
    rows = _C.cat(list(features), 1)
    if pooling == "sum":
        return (rows.sum(1).square() - rows.square().sum(1)) / 2
    require(pooling == "none", f"pooling must be none or sum, but got {pooling}")
    count = rows.shape[1]
    first, second = _C.tril_indices(count, count, 0 if self_interaction else -1, device=rows.device).unbind(0)
    pairs = _C.matmul(rows, rows.transpose(1, 2))[:, first, second]
    parts = [pairs] if output_concat is None else [output_concat, pairs]
    if output_padding:
        parts.append(pairs.new_zeros((pairs.shape[0], output_padding)))
    return _C.cat(parts, 1)


def fused_cross_feature_interaction(x: Tensor, weight: Tensor, x_0: Tensor, bias: Tensor, interaction_mode: str) -> Any:
    """A cross layer (Wang et al., 2017 and 2020): "vector" (x @ w.T) * x0 + b + x; "matrix" (x @ w.T + b) * x0 + x."""
    require(interaction_mode in ("vector", "matrix"), f"interaction_mode must be vector or matrix, but got {interaction_mode}")
    product = _C.linear(x, weight)
    if interaction_mode == "vector":
        return product * x_0 + bias + x
    return (product + bias) * x_0 + x


def fused_apply_rotary_emb(
    x: Tensor, *, cos: Tensor | None = None, sin: Tensor | None = None, position_ids: Tensor | None = None, x_layout: str = "BHMK",
    output_layout: str | None = None, mode: str = "plane", tensor_index: int | None = None, k_size: int | None = None,
    base: float = 1e4, rotary_size: int | None = None,
) -> Any:  # fmt: skip
    """`apply_rotary_emb` of a tensor of (B)atches, (H)eads, positions (M) and a head's elements (K), in that order or another.

    Heads of one dimension, as in "BM(HK)", have `k_size` elements each; "BM(H2K)" and "BM(H3K)" have those of queries, keys and
    values besides, of which `tensor_index` is turned. In mode "plane" halves turn, in "interval" neighbours. Columns 2 j and 2 j + 1
    of cos and sin have the angle of pair j in mode "interval"; the first half of the columns is read in mode "plane". Position ids
    are (B, 1, M), or (B, 2, M): the first halves of heads turn by the ones, the second by the others.
    """
    require(mode in ("interval", "plane"), 'mode should be "interval" or "plane"')
    require((cos is None) == (sin is None), "cos & sin should both be given or not given.")
    heads = _heads(x, x_layout, tensor_index, k_size)
    size = heads.shape[-1]
    turned = size if rotary_size is None else rotary_size
    ways = 1 if position_ids is None else position_ids.shape[1]
    require(turned <= size, "rotary_size should be no more than k.")
    require(ways in (1, 2), "2nd dim of position_ids should be 1 or 2.")
    part = turned // ways
    require(part % 2 == 0, "k, or rotary_size if given, should be a multiple of 2 * rotary_encoding_dim.")
    if cos is None or sin is None:
        rows = heads.shape[1] if position_ids is None else int(position_ids.max()) + 1
        steps = _C.arange(0, part, 2, dtype=float32, device=x.device)
        angles = _C.arange(rows, dtype=float32, device=x.device).unsqueeze(1) * base ** (steps * (-1.0 / part))
        cos, sin = angles.cos(), angles.sin()
    else:
        require(cos.ndim == 2 and cos.shape[1] == part, "The 1st dimension of cos & sin should equal to rotary_size // ways.")
        cos, sin = (t[:, ::2] if mode == "interval" else t[:, : part // 2] for t in (cos, sin))
    outs = [
        _C.apply_rotary_emb(
            piece, cos, sin, mode == "interval", positions=None if position_ids is None else position_ids[:, way]
        )
        for way, piece in enumerate(heads.split([part] * ways + [size - turned], -1)[:ways] if ways == 2 else [heads])
    ]
    out = _C.cat([*outs, heads[..., turned:]], -1) if ways == 2 else outs[0]
    return _in_layout(out, output_layout or x_layout)


def _heads(x: Tensor, layout: str, tensor_index: int | None, k_size: int | None) -> Any:
    """A tensor of any of OneFlow's layouts as (batch, position, head, element)."""
    names = layout.replace("(", "").replace(")", "").replace("2", "").replace("3", "")
    require(sorted(names) == sorted("BHMK"), f"an unknown layout: {layout}")
    count = 3 if "3" in layout else 2 if "2" in layout else 1
    if "(" in layout:
        require(k_size is not None, f"k_size should be given with the layout {layout}")
        x = x.reshape((*x.shape[:2], -1, count, k_size))
        x = x[:, :, :, tensor_index or 0]
    return x.permute([names.index(d) for d in "BMHK"])


def _in_layout(x: Tensor, layout: str) -> Any:
    """The reverse, for a layout of one tensor."""
    require("2" not in layout and "3" not in layout, f"output_layout {layout} has several tensors")
    names = layout.replace("(", "").replace(")", "")
    x = x.permute(["BMHK".index(d) for d in names])
    return x.flatten(2) if "(" in layout else x


def skip_layer_norm(
    x: Tensor, *, gamma: Tensor | None = None, beta: Tensor | None = None, bias: Tensor | None = None, skip: Tensor | None = None,
    epsilon: float = 1e-5, alpha: float = 1e1,
) -> Any:  # fmt: skip
    """Layer normalization of x + bias + alpha * skip along the last dimension."""
    x = x if bias is None else x + bias
    if skip is None:
        return _C.layer_norm(x, (x.shape[-1],), gamma, beta, epsilon)
    return _C.add_layer_norm(x, skip if alpha == 1 else skip * alpha, (x.shape[-1],), gamma, beta, epsilon)[0]


def skip_rms_norm(
    x: Tensor, *, weight: Tensor | None = None, bias: Tensor | None = None, skip: Tensor | None = None, epsilon: float = 1e-5,
    alpha: float = 1e1,
) -> Any:  # fmt: skip
    """Root-mean-square normalization of x + bias + alpha * skip along the last dimension."""
    x = x if bias is None else x + bias
    if skip is None:
        return _C.rms_norm(x, (x.shape[-1],), weight, epsilon)
    return _C.add_rms_norm(x, skip if alpha == 1 else skip * alpha, (x.shape[-1],), weight, epsilon)[0]


def rms_layer_norm(hidden_states: Tensor, weight: Tensor, variance_epsilon: float) -> Any:
    """weight * x / sqrt(mean(x^2) + epsilon) along the last dimension, the mean in float32 of half precision."""
    return _C.rms_norm(hidden_states, tuple(weight.shape), weight, variance_epsilon)


def normalization(
    x: Tensor, moving_mean: Tensor | None = None, moving_variance: Tensor | None = None, gamma: Tensor | None = None,
    beta: Tensor | None = None, axis: int = 1, epsilon: float = 1e-5, momentum: float = 0.9, is_training: bool = False,
) -> Any:  # fmt: skip
    """Batch normalization along a dimension; `momentum` is the weight of the old statistics, as everywhere in OneFlow's `_C`."""
    require(
        (moving_mean is None) == (moving_variance is None), "Both moving_mean and moving_variance should be None or Tensor."
    )
    require(x.ndim >= 2, "NumAxes of x should be greater or equal than 2.")
    require(is_training or moving_mean is not None, "Must have moving_mean and moving_variance in eval mode.")
    moved = x.movedim(axis, 1) if axis % x.ndim != 1 else x
    out = _C.batch_norm(moved, moving_mean, moving_variance, gamma, beta, is_training, 1 - momentum, epsilon)
    return out.movedim(1, axis) if moved is not x else out


def normalization_add_relu(
    x: Tensor, addend: Tensor | None = None, moving_mean: Tensor | None = None, moving_variance: Tensor | None = None,
    gamma: Tensor | None = None, beta: Tensor | None = None, axis: int = 1, epsilon: float = 1e-5, momentum: float = 0.9,
    is_training: bool = False,
) -> Any:  # fmt: skip
    """relu of `normalization` plus another tensor."""
    out = normalization(x, moving_mean, moving_variance, gamma, beta, axis, epsilon, momentum, is_training)
    return _C.relu(out if addend is None else out + addend)


def layer_norm_affine(
    x: Tensor, gamma: Tensor, beta: Tensor, begin_norm_axis: int, begin_params_axis: int, epsilon: float
) -> Any:
    """Layer normalization of the dimensions from one on, with weight and bias."""
    require(begin_norm_axis == begin_params_axis, "begin_params_axis must be equal to begin_norm_axis")
    return _C.layer_norm(x, tuple(x.shape[begin_norm_axis:]), gamma, beta, epsilon)


def reciprocal_no_nan(x: Tensor) -> Any:
    """1 / x, and 0 where x is 0."""
    zero = x == 0
    return _C.where(zero, 0.0, 1 / _C.where(zero, 1.0, x))


def sqrt_square_sum(x: Tensor) -> Any:
    """The root of the sum of squares."""
    return x.square().sum().sqrt()


def same(x: Tensor) -> Any:
    """`x` itself: OneFlow's marks for automatic mixed precision."""
    return x
