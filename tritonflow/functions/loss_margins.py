"""Functors of losses with margins: of vectors that should be near or apart, and of classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, int64
from tritonflow.errors import ArgumentValueError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, scalar_add, scalar_sub_reversed, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import zeros
from tritonflow.functions.distance import pairwise_distance
from tritonflow.functions.elementwise import clamp_min
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import logsigmoid, minimum, mul, relu, scalar_ge, scalar_mul
from tritonflow.functions.index import index_select, one_hot
from tritonflow.functions.index_gather import gather
from tritonflow.functions.loss import check_reduction, named_reduction, reduced
from tritonflow.functions.reduction import mean
from tritonflow.functions.reduction import sum as total_of
from tritonflow.functions.scan_sort import cumprod
from tritonflow.functions.unary import negative
from tritonflow.functions.view import reshape, unsqueeze
from tritonflow.ops.dtype_rules import require


@function(
    "Tensor (Tensor input1, Tensor input2, Tensor target, Double margin=0, Bool size_average=None, Bool reduce=None, String"
    " reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.margin_ranking_loss", samples="vector_loss",
    tolerance="reduction", autocast="float32",
)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """max(-target * (input1 - input2) + margin, 0).

    It is 0 where the two are in the right order, at least the margin apart.

    Args:
        input1: scores.
        input2: scores.
        target: 1 where input1 should be greater, -1 where input2 should.
        margin: how much greater.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, the same, the same -> (); the same with reduction="none".

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: the numbers of dimensions differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.margin_ranking_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> a, b = flow.tensor([3.0, 1.0]), flow.tensor([1.0, 3.0])
        >>> F.margin_ranking_loss(a, b, flow.tensor([1.0, 1.0]), margin=1.0, reduction="none")
        tensor([0., 3.])
    """
    reduction = named_reduction(size_average, reduce, reduction)
    if not input1.meta.ndim == input2.meta.ndim == target.meta.ndim:
        raise ShapeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return reduced(clamp_min(scalar_add(mul(negative(target), sub(input1, input2)), margin), 0), reduction)


@function(
    "Tensor (Tensor input1, Tensor input2, Tensor target, Double margin=0, Bool size_average=None, Bool reduce=None, String"
    " reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.cosine_embedding_loss", samples="vector_loss", tolerance="norm",
    autocast="float32",
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """1 - cos(input1, input2) where target is 1, max(cos(input1, input2) - margin, 0) where it is -1.

    Args:
        input1: vectors.
        input2: vectors.
        target: 1 where both should be alike, -1 where they should not.
        margin: the cosine from which on a pair of -1 has a loss.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, D), (N, D), (N) -> (); (N) with reduction="none"; without N for one pair.

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: the numbers of dimensions do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.cosine_embedding_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> a, b = flow.tensor([[1.0, 0.0], [1.0, 0.0]]), flow.tensor([[0.0, 1.0], [1.0, 0.0]])
        >>> F.cosine_embedding_loss(a, b, flow.tensor([1.0, -1.0]), reduction="none")
        tensor([1., 1.])
    """
    reduction = named_reduction(size_average, reduce, reduction)
    ndim = target.meta.ndim
    if ndim not in (0, 1):
        raise ShapeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.meta.ndim == input2.meta.ndim == ndim + 1:
        raise ShapeError(
            f"{ndim}D target tensor expects {ndim + 1}D input tensors, but found inputs with sizes"
            f" {list(input1.meta.shape)} and {list(input2.meta.shape)}."
        )
    cosine = cosine_of(input1, input2, ndim)
    near = where_scalar_y(target == 1, scalar_sub_reversed(1, cosine), 0.0)
    apart = where_scalar_y(target == -1, clamp_min(scalar_add(cosine, -margin), 0), 0.0)
    return reduced(add(near, apart), reduction)


def cosine_of(x1: Tensor, x2: Tensor, dim: int) -> Any:
    """The cosine with 1e-12 added to both squared norms, as torch's loss has it."""
    product = total_of(mul(x1, x2), (dim,))
    norms = mul(scalar_add(total_of(mul(x1, x1), (dim,)), 1e-12), scalar_add(total_of(mul(x2, x2), (dim,)), 1e-12))
    return product / norms.sqrt()


@function(
    "Tensor (Tensor anchor, Tensor positive, Tensor negative, Double margin=1.0, Double p=2, Double eps=1e-6, Bool "
    "swap=False, Bool size_average=None, Bool reduce=None, String reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.triplet_margin_loss", samples="vector_loss", tolerance="norm",
    autocast="float32",
)
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """max(distance(anchor, positive) - distance(anchor, negative) + margin, 0).

    The distance is `pairwise_distance`. After Balntas, Riba, Ponsa and Mikolajczyk, Learning local
    feature descriptors with triplets, 2016.

    Args:
        anchor: vectors.
        positive: vectors that should be near.
        negative: vectors that should be at least the margin farther away.
        margin: a positive number.
        p: which norm of a difference.
        eps: what is added to every difference.
        swap: whether the distance of positive and negative stands for that of anchor and negative where it
            is less.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, D), (N, D), (N, D) -> (); (N) with reduction="none"; without N for one triplet.

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction, or a margin that is not positive.
        RuntimeError: the numbers of dimensions differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.triplet_margin_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> anchor, near, far = flow.tensor([[0.0, 0.0]]), flow.tensor([[1.0, 0.0]]), flow.tensor([[0.0, 9.0]])
        >>> F.triplet_margin_loss(anchor, near, far).item(), round(F.triplet_margin_loss(anchor, far, near).item(), 3)
        (0.0, 9.0)
    """
    # swap: a negative counts as near as it is to the nearer of anchor and positive (Balntas et al., 2016).
    reduction = named_reduction(size_average, reduce, reduction)
    if margin <= 0:
        raise ArgumentValueError(f"margin must be greater than 0, got {margin}")
    ranks = [x.meta.ndim for x in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise ShapeError(
            f"The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor"
            f" {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(clamp_min(scalar_add(sub(near, far), margin), 0), reduction)


@function(
    "Tensor (Tensor input, Tensor target, Tensor weight=None, Bool size_average=None, Bool reduce=None, String "
    "reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.multilabel_soft_margin_loss", samples="label_loss",
    tolerance="norm",
)
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """The mean over classes of binary cross entropies of logits.

    Args:
        input: logits.
        target: 0 or 1 for each class.
        weight: a factor for each class.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C), (N, C) -> (); (N) with reduction="none".

    Raises:
        ValueError: another reduction.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.multilabel_soft_margin_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.multilabel_soft_margin_loss(flow.zeros(1, 3), flow.tensor([[1.0, 0.0, 1.0]]))
        tensor(0.6931)
    """
    reduction = named_reduction(size_average, reduce, reduction)
    likelihood = add(mul(target, logsigmoid(input)), mul(scalar_sub_reversed(1, target), logsigmoid(negative(input))))
    loss = negative(likelihood if weight is None else mul(likelihood, weight))
    return reduced(mean(loss, (-1,)), reduction)


def _rows(name: str, input: Tensor) -> tuple[Tensor, int, int]:
    """(n, c) of scores of one sample or of a batch."""
    require(name, "floating", input.meta.dtype, "input")
    shape = input.meta.shape
    if len(shape) > 2 or (len(shape) == 2 and not shape[1]) or (len(shape) == 1 and not shape[0]):
        raise ShapeError(
            f"{name}: Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(shape)}"
        )
    n, c = shape if len(shape) == 2 else (1, max(input.meta.numel, 1))
    return reshape(input, (n, c)), n, c


@function(
    "Tensor (Tensor input, Tensor target, Scalar p=1, Scalar margin=1.0, Tensor weight=None, Bool size_average=None, Bool "
    "reduce=None, String reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.multi_margin_loss", samples="label_loss", tolerance="norm",
    autocast="float32",
)
def multi_margin_loss(
    input: Tensor, target: Tensor, p: float = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """The mean over classes j other than y of max(margin - input[y] + input[j], 0) ** p.

    With weights each summand is multiplied by weight[y].

    Args:
        input: scores.
        target: a class index for each sample.
        p: 1 or 2.
        margin: how much greater the score of the right class should be.
        weight: a factor for each class.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C), (N) -> (); (N) with reduction="none"; without N for one sample.

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction or p.
        RuntimeError: shapes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.multi_margin_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.multi_margin_loss(flow.tensor([[0.0, 0.5, 3.0]]), flow.tensor([2]))
        tensor(0.)
        >>> F.multi_margin_loss(flow.tensor([[0.0, 0.5, 3.0]]), flow.tensor([1]))
        tensor(1.3333)
    """
    reduction = named_reduction(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ArgumentValueError("only p == 1 and p == 2 supported")
    x, n, c = _rows("multi_margin_loss", input)
    if target.meta.ndim > 1 or target.meta.numel != n:
        raise ShapeError(f"inconsistent target size, expected {n} but got {list(target.meta.shape)}")
    if weight is not None and weight.meta.ndim != 1:
        raise ArgumentValueError("weight must be one-dimensional")
    if weight is not None and weight.meta.shape != (c,):
        raise ShapeError(f"inconsistent weight size, expected {c} but got {list(weight.meta.shape)}")
    y = reshape(target, (n, 1))
    hinge = relu(scalar_add(sub(x, gather(x, 1, y)), margin))
    hinge = mul(hinge, hinge) if p == 2 else hinge
    if weight is not None:
        hinge = mul(hinge, unsqueeze(index_select(weight, 0, reshape(target, (n,))), 1))
    others = where_scalar_y(one_hot(reshape(target, (n,)), c) == 0, hinge, 0.0)
    loss = mean(others, (1,))
    return reduced(loss if input.meta.ndim == 2 else reshape(loss, ()), reduction)


@function(
    "Tensor (Tensor input, Tensor target, Bool size_average=None, Bool reduce=None, String reduction='mean')",
    export="nn.functional", reference="torch.nn.functional.multilabel_margin_loss", samples="label_loss", tolerance="norm",
    autocast="float32",
)
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Any:
    """The mean over classes j of max(1 - input[y] + input[j], 0), summed over the targets y before the first negative one.

    The classes j are those that are no target.

    Args:
        input: scores.
        target: class indices of each sample, the first negative number ends them.
        size_average: deprecated, see `reduction`.
        reduce: deprecated, see `reduction`.
        reduction: `"mean"` or `"sum"` of the elements, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C), (N, C) -> (); (N) with reduction="none"; without N for one sample.

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another reduction.
        RuntimeError: the shapes differ, or the input has no classes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.multilabel_margin_loss.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> scores = flow.tensor([0.1, 0.2, 0.4, 0.8])
        >>> F.multilabel_margin_loss(scores, flow.tensor([3, 0, -1, 1]))  # the targets are 3 and 0
        tensor(0.8500)
    """
    # Targets of a sample are the classes before its first negative number.
    reduction = named_reduction(size_average, reduce, reduction)
    x, n, c = _rows("multilabel_margin_loss", input)
    if target.meta.shape != input.meta.shape:
        raise ShapeError(
            f"inconsistent target size: {list(target.meta.shape)} for input of size: {list(input.meta.shape)}"
        )
    y = reshape(target, (n, c))
    given = cast(cumprod(cast(scalar_ge(y, 0), int64), 1), bool_)
    at = where_scalar_y(given, y, 0)
    counts = zeros((n, c), dtype=int64, **beside(input)).scatter_add(1, at, cast(given, int64))
    is_other = unsqueeze(counts == 0, 1)
    hinge = relu(scalar_add(sub(unsqueeze(x, 1), unsqueeze(gather(x, 1, at), 2)), 1))
    hinge = where_scalar_y(is_other & unsqueeze(given, 2), hinge, 0.0)
    loss = scalar_mul(total_of(hinge, (1, 2)), 1.0 / c)
    return reduced(loss if input.meta.ndim == 2 else reshape(loss, ()), reduction)


@function(
    "Tensor (Tensor anchor, Tensor positive, Tensor negative, *, PyObject distance_function=None, Double margin=1.0, Bool swap="
    "False, String reduction='mean')",
    export="nn.functional", samples={"none": "takes a function: tests/nn/test_layers_of_several_inputs.py"},
)
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    """`max(d(anchor, positive) - d(anchor, negative) + margin, 0)`, reduced, for any distance d.

    Args:
        anchor: examples.
        positive: examples that should be near.
        negative: examples that should be at least the margin farther away.
        distance_function: d, of two batches a distance for each pair; `pairwise_distance` unless given.
        margin: a positive number.
        swap: whether d(positive, negative) stands for d(anchor, negative) where it is less.
        reduction: `"mean"` or `"sum"` of the losses, or `"none"`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        three times (N, ...) -> (); the shape of the distances with reduction="none".

    Raises:
        ValueError: a margin of 0 or less, another reduction.
        RuntimeError: the numbers of dimensions differ.

    Source: torch.nn.functional.triplet_margin_with_distance_loss.

    Example:
        >>> import tritonflow as flow
        >>> a, b = flow.zeros(1, 2), flow.ones(1, 2)
        >>> d = lambda x, y: (x - y).abs().sum(-1)
        >>> flow.nn.functional.triplet_margin_with_distance_loss(a, b, a, distance_function=d).item()
        3.0
    """
    check_reduction(reduction)
    if margin <= 0:
        raise ArgumentValueError(f"margin must be greater than 0, got {margin}")
    distance = pairwise_distance if distance_function is None else distance_function
    ranks = [x.meta.ndim for x in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise ShapeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor"
            f" {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced(clamp_min(scalar_add(sub(near, far), margin), 0), reduction)
