"""Functions of `torch` itself that programs know from `torch.nn.functional`: their arguments are those of torch's C++ library.

A `reduction` is a number there: 0 is "none", 1 is "mean", 2 is "sum".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError

F = flow.nn.functional
_REDUCTIONS = ("none", "mean", "sum")


def _reduction(number: int) -> str:
    if number not in (0, 1, 2):
        raise InvalidArgumentError(f"{number} is not a valid value for reduction: expected 0 (none), 1 (mean) or 2 (sum)")
    return _REDUCTIONS[number]


def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, pos_weight: Any = None, reduction: int = 1
) -> Any:
    """`F.binary_cross_entropy_with_logits`."""
    return F.binary_cross_entropy_with_logits(input, target, weight, reduction=_reduction(reduction), pos_weight=pos_weight)


def kl_div(input: Any, target: Any, reduction: int = 1, *, log_target: bool = False) -> Any:
    """`F.kl_div`."""
    return F.kl_div(input, target, reduction=_reduction(reduction), log_target=log_target)


def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: int = 1) -> Any:
    """`F.cosine_embedding_loss`."""
    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_reduction(reduction))


def hinge_embedding_loss(input: Any, target: Any, margin: float = 1.0, reduction: int = 1) -> Any:
    """`F.hinge_embedding_loss`."""
    return F.hinge_embedding_loss(input, target, margin, reduction=_reduction(reduction))


def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: int = 1) -> Any:
    """`F.margin_ranking_loss`."""
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_reduction(reduction))


def poisson_nll_loss(input: Any, target: Any, log_input: bool, full: bool, eps: float, reduction: int) -> Any:
    """`F.poisson_nll_loss`."""
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_reduction(reduction))


def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False,
    reduction: int = 1,
) -> Any:  # fmt: skip
    """`F.triplet_margin_loss`."""
    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_reduction(reduction))


def ctc_loss(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 1,
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """`F.ctc_loss`."""
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction), zero_infinity)


def instance_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, use_input_stats: bool, momentum: float,
    eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    """`F.instance_norm`."""
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def convolution(
    input: Any, weight: Any, bias: Any, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], transposed: bool,
    output_padding: Sequence[int], groups: int,
) -> Any:  # fmt: skip
    """`F.conv1d` to `F.conv3d`, or their transposes, by the dimensions of `input`."""
    dims = input.ndim - 2
    if dims not in (1, 2, 3):
        raise InvalidArgumentError(f"convolution(): expected an input of 3 to 5 dimensions, but got {input.ndim}")
    if transposed:
        function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[dims - 1]
        return function(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return (F.conv1d, F.conv2d, F.conv3d)[dims - 1](input, weight, bias, stride, padding, dilation, groups)


def adaptive_max_pool1d(input: Any, output_size: Any) -> tuple[Any, Any]:
    """`F.adaptive_max_pool1d` with indices."""
    return F.adaptive_max_pool1d(input, output_size, return_indices=True)


def max_pool1d_with_indices(
    input: Any, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """`F.max_pool1d` with indices."""
    return F.max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode, True)


def lstm_cell(input: Any, hx: Sequence[Any], w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> tuple[Any, Any]:
    """One step of an LSTM: gates i, f, g, o of `input w_ih^T + b_ih + h w_hh^T + b_hh`; c' = f c + i g, h' = o tanh(c')."""
    h, c = hx
    enter, forget, new, out = (F.linear(input, w_ih, b_ih) + F.linear(h, w_hh, b_hh)).chunk(4, -1)
    c = forget.sigmoid() * c + enter.sigmoid() * new.tanh()
    return out.sigmoid() * c.tanh(), c


def gru_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of a GRU: gates r, z and n = tanh(x_n + r h_n); h' = (1 - z) n + z h."""
    reset, update, new = F.linear(input, w_ih, b_ih).chunk(3, -1)
    reset_h, update_h, new_h = F.linear(hx, w_hh, b_hh).chunk(3, -1)
    z = (update + update_h).sigmoid()
    n = (new + (reset + reset_h).sigmoid() * new_h).tanh()
    return n + z * (hx - n)


def rnn_tanh_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of an Elman network: tanh(input w_ih^T + b_ih + h w_hh^T + b_hh)."""
    return (F.linear(input, w_ih, b_ih) + F.linear(hx, w_hh, b_hh)).tanh()


def rnn_relu_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """The same with a ReLU."""
    return (F.linear(input, w_ih, b_ih) + F.linear(hx, w_hh, b_hh)).relu()


def frobenius_norm(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """sqrt of the sum of squares over `dim`."""
    return flow.linalg.vector_norm(input, 2, dim, keepdim)


def nuclear_norm(input: Any, dim: Any = (-2, -1), keepdim: bool = False) -> Any:
    """The sum of singular values."""
    return flow.linalg.matrix_norm(input, "nuc", dim, keepdim)


def norm_except_dim(v: Any, pow: int = 2, dim: int = 0) -> Any:
    """The norms over all dimensions but one, which the result is as long in; of the whole tensor where `dim` is -1."""
    if dim == -1:
        return flow.linalg.vector_norm(v, pow)
    return flow.linalg.vector_norm(v, pow, [k for k in range(v.ndim) if k != dim % v.ndim], True)


def _sample_dirichlet(input: Any, generator: Any = None) -> Any:
    """Shares that add up to 1, of concentrations along the last dimension."""
    if generator is not None:
        raise NotYetImplementedError("_sample_dirichlet: a generator is not taken; manual_seed() seeds the default one")
    return flow.distributions.Dirichlet(input).sample()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        binary_cross_entropy_with_logits, kl_div, cosine_embedding_loss, hinge_embedding_loss, margin_ranking_loss,
        poisson_nll_loss, triplet_margin_loss, ctc_loss, instance_norm, convolution, adaptive_max_pool1d,
        max_pool1d_with_indices, lstm_cell, gru_cell, rnn_tanh_cell, rnn_relu_cell, frobenius_norm, nuclear_norm, norm_except_dim,
        _sample_dirichlet,
    )
}  # fmt: skip
