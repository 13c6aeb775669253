"""Steps by sparse gradients, such as those of `Embedding(sparse=True)`; imported with the first.

An optimizer that takes them has a method `_check_sparse(group)`, which refuses options that do not go with them. Its step is that
of the same dense gradient, unless it has `_update_sparse(group, p)`.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import strided


def check_sparse_gradients(optimizer: Any) -> None:
    """Refuse sparse gradients before anything changes, where the optimizer cannot take them.

    Raises:
        RuntimeError: there is one.
    """
    for group in optimizer.param_groups:
        if any(_is_sparse(p.grad) for p in group["params"]):
            if not hasattr(optimizer, "_check_sparse"):
                raise RuntimeError(
                    f"{type(optimizer).__name__} does not support sparse gradients, please consider SparseAdam, SGD or Adagrad"
                    " instead; help: Embedding(sparse=False) has dense ones"
                )
            optimizer._check_sparse(group)


def update_sparse_ones(optimizer: Any, group: dict[str, Any], parameters: list[Tensor]) -> list[Tensor]:
    """Update the parameters whose gradients are sparse; the others are returned.

    Raises:
        RuntimeError: there is one, of any group, that the optimizer cannot take.
    """
    check_sparse_gradients(optimizer)  # of all groups, before the first one changes
    sparse = [p for p in parameters if _is_sparse(p.grad)]  # type: ignore[attr-defined]
    update = getattr(optimizer, "_update_sparse", None)
    for p in sparse:
        if update is None:
            update_densely(optimizer, group, p)
        else:
            update(group, p)
    return [p for p in parameters if not _is_sparse(p.grad)] if sparse else parameters  # type: ignore[attr-defined]


def update_densely(optimizer: Any, group: dict[str, Any], p: Tensor) -> None:
    """The step of the same dense gradient; the parameter's stays sparse."""
    grad: Any = p._grad
    p._grad = grad.to_dense()
    try:
        optimizer._update(group, [p])
    finally:
        p._grad = grad


def _is_sparse(grad: Any) -> bool:
    return grad is not None and grad.layout is not strided
