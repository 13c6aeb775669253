"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from tritonflow import _C
from tritonflow.framework.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Parameters one after the other, flattened; differentiable.

    Args:
        parameters: tensors on one device.

    Raises:
        TypeError: they are on different devices.

    Source: torch.nn.utils.parameters_to_vector.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.parameters_to_vector(flow.nn.Linear(3, 2).parameters()).shape
        tritonflow.Size([8])
    """
    flat = [p.reshape((-1,)) for p in _on_one_device(parameters)]
    return _C.cat(flat)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give each parameter its piece of the vector; the pieces are views of it.

    Args:
        vec: as long as the parameters together.
        parameters: tensors on one device, which are changed.

    Raises:
        TypeError: `vec` is no tensor, or the parameters are on different devices.
        ValueError: the vector is not as long as the parameters together.

    Source: torch.nn.utils.vector_to_parameters.

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.Linear(2, 1)
        >>> flow.nn.utils.vector_to_parameters(flow.tensor([1.0, 2.0, 3.0]), layer.parameters())
        >>> layer.weight.tolist(), layer.bias.tolist()
        ([[1.0, 2.0]], [3.0])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected Tensor, but got: {type(vec)}")
    parameters = _on_one_device(parameters)
    total = sum(p.numel() for p in parameters)
    if vec.ndim != 1 or vec.numel() != total:
        raise ValueError(f"expected a vector of {total} elements, but got a tensor of shape {tuple(vec.shape)}")
    start = 0
    for p in parameters:
        p.data = vec[start : start + p.numel()].reshape(tuple(p.shape)).detach()
        start += p.numel()


def _on_one_device(parameters: Iterable[Tensor]) -> list[Tensor]:
    parameters = list(parameters)
    devices = {str(p.device if p.meta.is_local else p.placement) for p in parameters}  # type: ignore[attr-defined]
    if len(devices) > 1:
        raise TypeError(f"Found parameters on different devices: {', '.join(sorted(devices))}; this is not supported")
    return parameters
