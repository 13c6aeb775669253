"""`to_global` and `to_local` for tensors in lists, tuples and dicts, such as state dicts."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.binding.annotations import PlacementLike
from tritonflow.dtypes import from_name
from tritonflow.framework.placement import Placement, placement_of
from tritonflow.framework.sbp import Sbp
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.rank_metas import ask
from tritonflow.wire.world import this_rank

SbpOf = Sbp | Sequence[Sbp] | Callable[[Any, Tensor], Any] | None


def to_global(
    input: Any, placement: PlacementLike | None = None, sbp: SbpOf = None, warn_on_non_tensor_leaf: bool = True, **options: Any
) -> Any:
    """The same structure with consistent tensors.

    Args:
        input: a tensor, or tensors in lists, tuples and dicts. Every rank of the placement gives the same structure. What other ranks
            give does not count: they may give None. For tensors that are consistent already, they are all to give them.
        placement: over which ranks.
        sbp: how; or a function of the input and a tensor of it that says how that one lies.
        warn_on_non_tensor_leaf: whether to warn of what is no tensor; it stays as it is.
        options: grad_sbp, check_meta and copy of `Tensor.to_global`.

    Source: oneflow.utils.global_view.to_global.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.global_view import to_global
        >>> state = to_global({"a": flow.ones(2)}, flow.placement.all("cpu"), flow.sbp.split(0))
        >>> state["a"].sbp
        (tritonflow.sbp.split(dim=0),)
    """

    found = None if any(x.is_global for x in _tensors(input)) else placement_of(placement)
    if found is not None and found.size < len(found.callers):
        input = _known_outside(input, found)

    def convert(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return _left(leaf, warn_on_non_tensor_leaf)
        wanted = sbp(input, leaf) if callable(sbp) and not isinstance(sbp, Sbp) else sbp
        return leaf.to_global(placement, wanted, **options)

    return _mapped(input, convert)


def to_local(input: Any, *, copy: bool = False) -> Any:
    """The same structure with this rank's shards; what is local, or no tensor, stays as it is, with a warning.

    Source: oneflow.utils.global_view.to_local.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.utils.global_view import to_local
        >>> to_local([flow.ones(2, placement=flow.placement.all("cpu"), sbp=flow.sbp.broadcast)])
        [tensor([1., 1.])]
    """

    def convert(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return _left(leaf, True)
        if leaf.is_local:
            warnings.warn("The tensor should be global, local tensor will remain the same.", stacklevel=3)
            return leaf
        return leaf.to_local(copy=copy)

    return _mapped(input, convert)


class _Absent(NamedTuple):
    """A tensor of which a rank has nothing.

    Attributes:
        dtype: the name of its dtype.
        ndim: how many dimensions it has.
    """

    dtype: str
    ndim: int


def _known_outside(input: Any, placement: Placement) -> Any:
    """The input; on ranks outside of its placement what its first rank gives, with tensors of no elements."""
    first, me = placement.order[0], this_rank().index
    own = _mapped(input, lambda x: _Absent(x.dtype.name, x.ndim) if isinstance(x, Tensor) else x) if me == first else None
    told = ask(own, "to_global", placement.callers)[first]
    if me in placement.order:
        return input
    return _mapped(told, lambda x: _C.empty((0,) * x.ndim, dtype=from_name(x.dtype)) if isinstance(x, _Absent) else x)


def _tensors(value: Any) -> list[Tensor]:
    found: list[Tensor] = []
    _mapped(value, lambda leaf: found.append(leaf) if isinstance(leaf, Tensor) else None)
    return found


def _left(leaf: Any, warn: bool) -> Any:
    if warn:
        warnings.warn(f"Non-Tensor type: {type(leaf)} encountered, it will remain the same.", stacklevel=4)
    return leaf


def _mapped(value: Any, convert: Callable[[Any], Any]) -> Any:
    kind = type(value)
    if kind in (list, tuple):
        return kind([_mapped(item, convert) for item in value])
    if isinstance(value, (dict, OrderedDict)):
        return kind({key: _mapped(item, convert) for key, item in value.items()})
    return convert(value)
