"""`to_global` and `to_local` for tensors in lists, tuples and dicts, such as state dicts."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.binding.annotations import PlacementLike
from tritonflow.framework.sbp import Sbp
from tritonflow.framework.tensor import Tensor

SbpOf = Sbp | Sequence[Sbp] | Callable[[Any, Tensor], Any] | None


def to_global(
    input: Any, placement: PlacementLike | None = None, sbp: SbpOf = None, warn_on_non_tensor_leaf: bool = True, **options: Any
) -> Any:
    """The same structure with consistent tensors.

    Args:
        input: a tensor, or tensors in lists, tuples and dicts. Every rank of the world gives the same structure.
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
