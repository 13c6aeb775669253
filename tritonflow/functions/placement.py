"""Functors between local and consistent tensors, and from one placement and sbp to another."""

from __future__ import annotations

from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.errors import ArgumentValueError, LocalityError, NotYetImplementedError, PlacementError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, Sbp, broadcast, nd_sbp, nd_text, partial_sum, plain
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.recording import edges_of
from tritonflow.thread_state import slow_path, thread_state

_clone = op_expr("clone")
_cast_to_consistent = op_expr("cast_to_consistent")
_cast_from_consistent = op_expr("cast_from_consistent")
_consistent_to_consistent = op_expr("consistent_to_consistent")

SbpList = tuple[Sbp, ...]


@functor("ToGlobal")
def to_global(
    input: Tensor,
    placement: Placement | None = None,
    sbp: SbpList | None = None,
    grad_sbp: SbpList | None = None,
    check_meta: bool | None = None,
    copy: bool = False,
) -> Any:
    if not input.meta.is_local:
        return global_to_global(input, placement, sbp, grad_sbp, bool(check_meta), copy)
    if slow_path.count and thread_state.global_mode is not None:
        mode = thread_state.global_mode
        placement, sbp = placement or mode.placement, sbp or mode.sbp
    if placement is None or sbp is None:
        raise ArgumentValueError("Converting a local tensor to global tensor must have placement and sbp parameters.")
    return local_to_global(input, placement, sbp, None, grad_sbp, check_meta, copy)


@function(
    "Tensor (Tensor input, Placement placement, SbpList sbp, Shape shape=None, *, SbpList grad_sbp=None, Bool "
    "check_meta=None, Bool copy=False)",
    methods="local_to_global", reference="none", samples={"none": "needs a placement: tests/consistent/test_api.py"},
)
def local_to_global(
    input: Tensor,
    placement: Placement,
    sbp: SbpList,
    shape: tuple[int, ...] | None = None,
    grad_sbp: SbpList | None = None,
    check_meta: bool | None = None,
    copy: bool = False,
) -> Any:
    """A consistent tensor of a shape that is known, of local ones.

    As `flow.to_global`, for local tensors only.

    Args:
        input: the input.
        placement: the devices.
        sbp: how it lies over each dimension of the placement.
        shape: of the whole; default what the shards make.
        grad_sbp: how the gradient lies.
        check_meta: whether all ranks compare shapes and dtypes first; default True.
        copy: whether it never shares the input's memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        a shard on each rank -> the whole.

    Method: `Tensor.local_to_global`.

    Raises:
        RuntimeError: an sbp that does not fit the placement or the shape, or an input that is consistent.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.Tensor.local_to_global.

    Example:
        >>> import tritonflow as flow
        >>> placement = flow.placement("cpu", [0])
        >>> flow.local_to_global(flow.ones(2), placement, flow.sbp.broadcast).is_global
        True
    """
    if not input.meta.is_local:
        raise LocalityError("Expected local tensor for local_to_global but got global tensor!")
    ndim = input.meta.ndim if shape is None else len(shape)
    sbp = nd_sbp("to_global", sbp, placement.ndim, ndim)
    back = _dual("to_global", input, sbp) if grad_sbp is None else _of_pieces("to_global", grad_sbp, sbp, placement, ndim)
    through = whole(sbp) if grad_sbp is None else back  # so that of a broadcast tensor the first rank has all of the gradient
    moved = data_exchange.to_device(input, placement.device())
    if copy and moved is input:
        moved = dispatch1(_clone, input)
    return dispatch(_cast_to_consistent, (moved,), (placement, sbp, through, back, shape, check_meta is not False))


@function(
    "Tensor (Tensor input, Placement placement=None, SbpList sbp=None, *, SbpList grad_sbp=None, Bool check_meta=False, "
    "Bool copy=False)",
    methods="global_to_global", reference="none", samples={"none": "needs a placement: tests/consistent/test_api.py"},
)
def global_to_global(
    input: Tensor,
    placement: Placement | None = None,
    sbp: SbpList | None = None,
    grad_sbp: SbpList | None = None,
    check_meta: bool = False,
    copy: bool = False,
) -> Any:
    """A consistent tensor that lies otherwise.

    As `flow.to_global`, for consistent tensors only. The tensor itself where it lies so already.

    Args:
        input: the input.
        placement: the devices; default its own.
        sbp: how it lies over each dimension of the placement; default as it does.
        grad_sbp: how the gradient lies.
        check_meta: whether all ranks compare shapes and dtypes first.
        copy: whether it never shares the input's memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.global_to_global`.

    Raises:
        RuntimeError: an sbp that does not fit the placement or the shape, a placement of other callers, or a local input.
        ValueError: no sbp for a placement of another number of dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.Tensor.global_to_global.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.zeros(2, placement=flow.placement("cpu", [0]), sbp=flow.sbp.broadcast)
        >>> flow.global_to_global(x, sbp=flow.sbp.split(0)).sbp
        (tritonflow.sbp.split(dim=0),)
    """
    meta: Any = input.meta
    if meta.is_local:
        raise LocalityError("Expected global tensor for global_to_global but got local tensor!")
    placement = placement or meta.placement
    if placement is not meta.placement and placement.callers != meta.placement.callers:
        raise PlacementError(
            f"to_global(): ranks {list(meta.placement.callers)} know the tensor over {meta.placement}, but {placement} is for"
            f" tensors of ranks {list(placement.callers)}; help: x.to_local().to_global(...)"
        )
    if sbp is None and placement.ndim != meta.placement.ndim:
        raise ArgumentValueError(
            f"to_global(): a tensor over a placement with {meta.placement.ndim} dimensions goes to one with {placement.ndim}:"
            " give the argument 'sbp', one for each dimension"
        )
    sbp = meta.sbp if sbp is None else nd_sbp("to_global", sbp, placement.ndim, meta.ndim)
    if grad_sbp is None:
        back = whole(meta.sbp)
        if placement is meta.placement and sbp == meta.sbp and not check_meta:
            return dispatch1(_clone, input) if copy else input
    else:
        back = nd_sbp("to_global", grad_sbp, meta.placement.ndim, meta.ndim)
    result = dispatch(_consistent_to_consistent, (input,), (placement, sbp, meta.placement, back, check_meta))
    return dispatch1(_clone, result) if copy else result


@functor("ToLocal")
def to_local(input: Tensor, grad_sbp: SbpList | None = None, copy: bool = False) -> Any:
    meta: Any = input.meta
    if meta.is_local:
        raise LocalityError("Expected global tensor for to_local but got local tensor!")
    if grad_sbp is None:
        back = _dual("to_local", input, meta.sbp)
    else:
        back = _of_pieces("to_local", grad_sbp, meta.sbp, meta.placement, meta.ndim)
    shard = dispatch(_cast_from_consistent, (input,), (meta.shape, meta.placement, back))
    return dispatch1(_clone, shard) if copy else shard


def _dual(function: str, x: Tensor, sbp: NdSbp) -> NdSbp:
    """How the gradients of shards make the gradient of the whole, and the other way round: of a broadcast tensor they add up.

    Raises:
        NotImplementedError: x requires grad, and its shards are candidates of a maximum or minimum.
    """
    if any(one.op in ("max", "min") for one in sbp) and thread_state.grad_enabled and edges_of((x,))[0] is not None:
        raise NotYetImplementedError(
            f"{function}(): the gradient of the shards of a tensor with sbp {nd_text(sbp)} is not supported yet."
            " help: give grad_sbp, or detach the tensor"
        )
    return tuple([one if one.is_split else broadcast if one.is_partial else partial_sum for one in sbp])


def _of_pieces(function: str, grad_sbp: SbpList, sbp: NdSbp, placement: Placement, ndim: int) -> NdSbp:
    """How the gradients of shards lie, as the user says.

    Raises:
        PlacementError: other dimensions would be split than those of the tensor, so that no rank's gradient had its shard's shape.
    """
    back = nd_sbp(function, grad_sbp, placement.ndim, ndim)
    if [one.dim for one in plain(back, placement.shape)] != [one.dim for one in plain(sbp, placement.shape)]:
        raise PlacementError(
            f"{function}(): the gradient of a shard has the shape of the shard, so grad_sbp splits what sbp splits;"
            f" got grad_sbp {nd_text(back)} for sbp {nd_text(sbp)}"
        )
    return back


def whole(sbp: NdSbp) -> NdSbp:
    """The same with broadcast for partial."""
    return tuple([broadcast if one.is_partial else one for one in sbp])
