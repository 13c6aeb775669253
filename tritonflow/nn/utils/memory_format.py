"""The memory format of the weights of convolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow.nn.modules import conv

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]

if TYPE_CHECKING:
    from tritonflow.nn.modules.module import Module

M = TypeVar("M", bound="Module")


def _convert(module: Any, memory_format: Any, names: tuple[str, ...]) -> Any:
    kinds = tuple([getattr(conv, name) for name in names if hasattr(conv, name)])
    for layer in module.modules():
        if isinstance(layer, kinds):
            layer.weight.data = layer.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: M, memory_format: Any) -> M:
    """Let the weights of all two-dimensional convolutions in a module lie in a memory format; returns the module.

    Args:
        module: is changed.
        memory_format: such as `flow.channels_last`.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.convert_conv2d_weight_memory_format.html

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.Conv2d(2, 3, 2)
        >>> flow.nn.utils.convert_conv2d_weight_memory_format(layer, flow.channels_last).weight.stride()
        (8, 1, 4, 2)
    """
    return _convert(module, memory_format, ("Conv2d", "ConvTranspose2d"))


def convert_conv3d_weight_memory_format(module: M, memory_format: Any) -> M:
    """Let the weights of all three-dimensional convolutions in a module lie in a memory format; returns the module.

    Args:
        module: is changed.
        memory_format: such as `flow.channels_last_3d`.

    Source: https://pytorch.org/docs/stable/generated/torch.nn.utils.convert_conv3d_weight_memory_format.html

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.Conv3d(2, 3, 2)
        >>> flow.nn.utils.convert_conv3d_weight_memory_format(layer, flow.channels_last_3d).weight.stride()
        (16, 1, 8, 4, 2)
    """
    return _convert(module, memory_format, ("Conv3d", "ConvTranspose3d"))
