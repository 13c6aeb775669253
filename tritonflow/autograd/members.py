"""Tensor's member for gradients that this room has."""

from __future__ import annotations

from typing import Any

from tritonflow.autograd.backward import backward as backward_of
from tritonflow.framework.tensor import Tensor


def backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add d(self)/d(leaf) to the `.grad` of every leaf that requires grad; see `flow.autograd.backward`.

    Args:
        gradient: d(something scalar)/d(self), of this tensor's shape; may be left out if it has one element.
        retain_graph: whether saved tensors stay for a second backward; as `create_graph` unless given.
        create_graph: whether the gradients can be differentiated again.
        inputs: the leaves that get gradients; all unless given.

    Raises:
        RuntimeError: no gradient for a tensor of several elements, or what was saved is gone or was changed in place.

    Source: torch.Tensor.backward.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
    """
    backward_of(self, gradient, retain_graph, create_graph, inputs=inputs)


METHODS: dict[str, Any] = {"backward": backward}
