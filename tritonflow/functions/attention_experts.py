"""Functors of mixtures of experts: products of groups, the choice of experts, and the way of tokens to them and back."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import int32, int64
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.generated import (
    div,
    moe_combine,
    moe_positions,
    moe_route,
    moe_spread,
    mul,
    scalar_div,
    scalar_mul,
    sigmoid,
)
from tritonflow.functions.index_gather import gather
from tritonflow.functions.matmul import check_same_dtype, matmul
from tritonflow.functions.reduction import mean
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.reduction_calculus import diff
from tritonflow.functions.softmax import softmax
from tritonflow.functions.view import narrow
from tritonflow.interpreter.dispatch import dispatch3
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.recording import wants_gradient

_grouped_product = op_expr("grouped_product")


@function(
    "Tensor (Tensor mat_a, Tensor mat_b, *, Tensor offs=None, Tensor bias=None, PyObject out_dtype=None)",
    export="nn.functional",
    samples={"none": "torch takes bfloat16 only: tests/nn/test_layers_of_several_inputs.py compares groups one by one"},
)
def grouped_mm(
    mat_a: Tensor, mat_b: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: Any = None
) -> Any:
    """Matrix products of groups of rows or of columns.

    Groups end at offs[g]. With a 3-d mat_b the rows of group g of mat_a are multiplied by mat_b[g];
    with a 3-d mat_a the columns of group g of mat_b by mat_a[g]; of two 2-d matrices the columns and
    rows of group g give product g. Two 3-d tensors are a batch.

    Args:
        mat_a: left matrices.
        mat_b: right matrices.
        offs: where each group ends, integers that rise; what lies behind the last end gives zeros, or adds
            nothing.
        bias: not taken.
        out_dtype: the dtype of mat_a, which the result has.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, K), (G, K, N) -> (M, N); (G, M, K), (K, N) -> (M, N); (M, K), (K, N) -> (G, M, N); (G, M, K),
        (G, K, N) -> (G, M, N).

    Raises:
        RuntimeError: other dimensions, sizes that do not fit, another out_dtype, a bias, no offs with a 2-d
            matrix, or offs without one.
        IndexError: offs that do not rise, or that lie outside.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.grouped_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> rows, weights = flow.ones(3, 2), flow.stack([flow.eye(2), 10 * flow.eye(2)])
        >>> F.grouped_mm(rows, weights, offs=flow.tensor([1, 3]))  # one row, then two
        tensor([[ 1.,  1.],
                [10., 10.],
                [10., 10.]])
    """
    # Products of groups: rows of mat_a up to offs[g] with mat_b[g]; or columns of both; or a batch.
    a, b = mat_a.meta.shape, mat_b.meta.shape
    if len(a) not in (2, 3) or len(b) not in (2, 3):
        raise ShapeError(f"grouped_mm(): mat_a and mat_b must have 2 or 3 dimensions, got {len(a)} and {len(b)}")
    if a[-1] != b[-2]:
        raise ShapeError(f"grouped_mm(): contraction dimension of mat_a and mat_b must match, got {a[-1]} and {b[-2]}")
    if out_dtype not in (None, mat_a.meta.dtype):
        raise DTypeError(f"grouped_mm(): out_dtype must be that of mat_a, {mat_a.meta.dtype}, but got {out_dtype}")
    if len(a) == 3 and len(b) == 3:
        if offs is not None:
            raise InvalidArgumentError("grouped_mm(): Have to provide offsets only for 2d matrices")
        return matmul(mat_a, mat_b)
    if offs is None:
        raise InvalidArgumentError("grouped_mm(): Have to provide offsets if there is a 2d matrix")
    if bias is not None:
        raise InvalidArgumentError("grouped_mm(): Bias not supported yet")
    check_same_dtype(mat_a, mat_b)
    if offs.meta.ndim != 1:
        raise ShapeError("grouped_mm(): offs has to be 1D")
    if offs.meta.dtype not in (int32, int64):
        raise DTypeError(f"grouped_mm(): Offsets have to be int32 or int64, but got {offs.meta.dtype}")
    groups = a[0] if len(a) == 3 else b[0] if len(b) == 3 else offs.meta.shape[0]
    if groups != offs.meta.shape[0]:
        raise ShapeError("grouped_mm(): matrix batch sizes have to match")
    return grouped_product(mat_a, mat_b, offs)


@functor("GroupedProduct")
def grouped_product(mat_a: Tensor, mat_b: Tensor, offs: Tensor) -> Any:
    """The products of groups that end at offs[g], by the ranks of the factors."""
    return dispatch3(_grouped_product, mat_a, mat_b, offs)


@function(
    "TensorTuple (Tensor logits, Int32 k, *, String scoring_func='softmax', Bool renormalize=False, Tensor "
    "e_score_correction_bias=None, Int32 num_expert_group=1, Int32 topk_group=1, Double routed_scaling_factor=1.0)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_experts.py"}, tolerance="norm",
)
def moe_topk(
    logits: Tensor, k: int, scoring_func: str = "softmax", renormalize: bool = False,
    e_score_correction_bias: Tensor | None = None, num_expert_group: int = 1, topk_group: int = 1,
    routed_scaling_factor: float = 1.0,
) -> Any:  # fmt: skip
    """The k experts of each token, and their weights.

    Experts are chosen by their scores, softmax or sigmoid of the logits, plus a bias that balances them: it
    takes no part in the weights. Of equal scores the first is chosen, and NaN counts as the largest. With groups,
    the best groups are chosen first, and then experts of these: by the largest score, or with a bias by the sum
    of the two largest, as DeepSeek-V2 and V3. One launch; gradients go to the logits by way of the weights.

    Args:
        logits: a score of each expert for each token.
        k: how many experts a token has.
        scoring_func: "softmax" over all experts, or "sigmoid" of each.
        renormalize: whether the weights of a token are divided by their sum.
        e_score_correction_bias: added to the scores for the choice.
        num_expert_group: how many groups of equal size the experts form, in order.
        topk_group: how many groups are chosen.
        routed_scaling_factor: by which the weights are multiplied.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T, E) -> (T, k), (T, k): weights, in float32 for half types, and indices in int64.

    Raises:
        RuntimeError: logits that are no matrix, or a bias of another shape.
        ValueError: another scoring_func, more experts than there are to choose from, or groups that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: vllm.model_executor.layers.fused_moe.grouped_topk.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.moe_topk(flow.tensor([[0.0, 2.0, 1.0, 2.0]]), 2, renormalize=True)
        (tensor([[0.5000, 0.5000]]), tensor([[1, 3]]))
    """
    if logits.meta.ndim != 2:
        raise ShapeError(f"moe_topk(): logits must be (tokens, experts), but got {list(logits.meta.shape)}")
    experts = logits.meta.shape[1]
    if scoring_func not in ("softmax", "sigmoid"):
        raise ArgumentValueError(f"moe_topk(): scoring_func must be 'softmax' or 'sigmoid', but got '{scoring_func}'")
    if not 1 <= topk_group <= num_expert_group or experts % num_expert_group:
        raise ArgumentValueError(
            f"moe_topk(): {experts} experts, num_expert_group {num_expert_group} and topk_group {topk_group} do not fit"
        )
    choice = experts // num_expert_group * topk_group
    if not 1 <= k <= choice:
        raise ArgumentValueError(f"moe_topk(): k must be in 1 to {choice}, the experts to choose from, but got {k}")
    bias = e_score_correction_bias
    if bias is not None and bias.meta.shape != (experts,):
        raise ShapeError(f"moe_topk(): e_score_correction_bias must be ({experts},), but got {list(bias.meta.shape)}")
    scale = float(routed_scaling_factor)
    weights, indices = moe_route(logits, bias, k, scoring_func, renormalize, num_expert_group, topk_group, scale)
    if not (is_grad_enabled() and wants_gradient(logits)):
        return weights, indices
    wide = cast(logits, weights.meta.dtype)
    chosen = gather(softmax(wide, 1) if scoring_func == "softmax" else sigmoid(wide), 1, indices)
    if renormalize:
        chosen = div(chosen, total_of(chosen, (1,), True))
    return scalar_mul(chosen, scale), indices


@function(
    "TensorTuple (Tensor input, Tensor indices, Int32 num_experts)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_experts.py"}, tolerance="exact",
)
def moe_permute(input: Tensor, indices: Tensor, num_experts: int) -> Any:
    """A row for each token and expert, in the order of the experts; no number of rows goes to the host.

    Rows of one expert stand in the order of the tokens. Token t's j-th row is row `row_id_map[t, j]`. The rows of
    expert e end at `offs[e]`, as `grouped_mm` takes it. What has an index outside of the experts stands behind
    the last end. No token is dropped.

    Args:
        input: tokens.
        indices: the experts of each token, of int32 or int64.
        num_experts: E.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T, D), (T, k) -> (T k, D), (T, k), (E): rows, row_id_map in int64, and offs in int32.

    Raises:
        RuntimeError: tensors that are no matrices, or different numbers of tokens.
        ValueError: num_experts that is not above 0.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: transformer_engine.pytorch.moe_permute.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> rows, row_id_map, offs = F.moe_permute(flow.tensor([[1.0], [2.0]]), flow.tensor([[2, 0], [0, 2]]), 3)
        >>> rows.flatten(), offs  # expert 0 has both tokens, expert 1 none
        (tensor([1., 2., 1., 2.]), tensor([2, 2, 4], dtype=tritonflow.int32))
    """
    x, pairs = input.meta, indices.meta
    if x.ndim != 2 or pairs.ndim != 2 or x.shape[0] != pairs.shape[0]:
        raise ShapeError(
            f"moe_permute(): expected (tokens, features) and (tokens, k), but got {list(x.shape)} and {list(pairs.shape)}"
        )
    if num_experts < 1:
        raise ArgumentValueError(f"moe_permute(): num_experts must be above 0, but got {num_experts}")
    positions, ends = moe_positions(indices, num_experts)
    return moe_spread(input, positions, None), positions, ends


@function(
    "Tensor (Tensor input, Tensor row_id_map, Tensor merging_probs=None)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_experts.py"}, tolerance="norm",
)
def moe_unpermute(input: Tensor, row_id_map: Tensor, merging_probs: Tensor | None = None) -> Any:
    """The sums of the rows of each token, times their weights: what `moe_permute` has spread, together again.

        out[t] = sum over j of merging_probs[t, j] * input[row_id_map[t, j]]

    Sums are in the order of j and in float32 for half types, so that each run gives the same bits.

    Args:
        input: rows, as `moe_permute` orders them.
        row_id_map: as `moe_permute` gives it: each row stands in it once.
        merging_probs: the weights; default 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T k, D), (T, k), (T, k) -> (T, D).

    Raises:
        RuntimeError: shapes that do not fit.
        IndexError: a row_id_map outside of the rows, or with a row twice.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: transformer_engine.pytorch.moe_unpermute.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> rows, row_id_map, offs = F.moe_permute(flow.tensor([[1.0], [2.0]]), flow.tensor([[2, 0], [0, 2]]), 3)
        >>> F.moe_unpermute(rows, row_id_map, flow.tensor([[0.5, 0.5], [1.0, 2.0]])).flatten()
        tensor([1., 6.])
    """
    x, pairs = input.meta, row_id_map.meta
    if x.ndim != 2 or pairs.ndim != 2 or x.shape[0] != pairs.numel:
        raise ShapeError(
            f"moe_unpermute(): expected (tokens * k, features) and (tokens, k), but got {list(x.shape)} and {list(pairs.shape)}"
        )
    if merging_probs is not None and merging_probs.meta.shape != pairs.shape:
        raise ShapeError(f"moe_unpermute(): merging_probs must be {list(pairs.shape)}, but got {list(merging_probs.meta.shape)}")
    return moe_combine(input, row_id_map, merging_probs, True)


@function(
    "Tensor (Tensor logits, Tensor indices)",
    export="nn.functional", samples={"none": "torch has no such function: tests/ops/test_experts.py"}, tolerance="norm",
)
def moe_load_balancing_loss(logits: Tensor, indices: Tensor) -> Any:
    """How unevenly tokens go to experts: 1 * k where they go evenly.

        loss = E * sum over e of (tokens of expert e) / T * mean over t of softmax(logits[t])[e]

    After Fedus et al., Switch Transformers, 2021.

    Args:
        logits: of the router.
        indices: the experts of each token.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T, E), (T, k) -> ().

    Raises:
        RuntimeError: tensors that are no matrices, or different numbers of tokens.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: transformers.models.mixtral.modeling_mixtral.load_balancing_loss_func.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.moe_load_balancing_loss(flow.zeros(4, 2), flow.tensor([[0], [1], [0], [1]]))
        tensor(1.)
    """
    x, pairs = logits.meta, indices.meta
    if x.ndim != 2 or pairs.ndim != 2 or x.shape[0] != pairs.shape[0]:
        raise ShapeError(
            "moe_load_balancing_loss(): expected (tokens, experts) and (tokens, k), but got"
            f" {list(x.shape)} and {list(pairs.shape)}"
        )
    tokens, experts = x.shape
    _, ends = moe_positions(indices, experts)
    counts = cast(diff(ends, 1, -1, scalar_mul(narrow(ends, 0, 0, 1), 0)), x.dtype.compute)
    share = mean(softmax(cast(logits, x.dtype.compute), 1), (0,))
    return cast(scalar_mul(total_of(mul(scalar_div(counts, tokens), share)), experts), x.dtype)
