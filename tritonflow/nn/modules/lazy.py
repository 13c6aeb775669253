"""Layers that learn their input's size at their first call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C, dtypes
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, _BatchNorm
from tritonflow.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    _ConvNd,
)
from tritonflow.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from tritonflow.nn.modules.linear import Linear
from tritonflow.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin:
    """The part of a layer that waits for its first input: a subclass gives shapes in `initialize_parameters`.

    After the first call the layer is of the class `cls_to_become`.

    Source: torch.nn.modules.lazy.LazyModuleMixin.

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.nn.LazyLinear(3)
        >>> layer.has_uninitialized_params()
        True
        >>> layer(flow.ones(2, 5)).shape, layer
        (tritonflow.Size([2, 3]), Linear(in_features=5, out_features=3, bias=True))
    """

    cls_to_become: type[Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        module: Any = self
        module._initialize_hook = module.register_forward_pre_hook(_infer_parameters, with_kwargs=True)
        module._load_hook = module.register_load_state_dict_pre_hook(_take_shapes)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give parameters and buffers their shapes, from the arguments of the first call."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or a buffer has no shape yet."""
        module: Any = self
        return any(is_lazy(t) for table in (module._parameters, module._buffers) for t in table.values())


def _infer_parameters(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    module.initialize_parameters(*args, **kwargs)
    if module.has_uninitialized_params():
        raise RuntimeError(f"module {module._get_name()} has not been fully initialized")
    module._initialize_hook.remove()
    module._load_hook.remove()
    del module._initialize_hook, module._load_hook
    if module.cls_to_become is not None:
        module.__class__ = module.cls_to_become


def _take_shapes(module: Any, state_dict: Any, prefix: str, *rest: Any) -> None:
    """Parameters and buffers that a state dict brings get its shapes."""
    for table in (module._parameters, module._buffers):
        for name, tensor in table.items():
            value = state_dict.get(prefix + name)
            if is_lazy(tensor) and value is not None and not is_lazy(value):
                tensor.materialize(tuple(value.shape))


class LazyLinear(LazyModuleMixin, Linear):
    """`Linear` whose in_features is the size of its first input's last dimension.

    Source: torch.nn.LazyLinear.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyLinear(3)(flow.ones(2, 5)).shape
        tritonflow.Size([2, 3])
    """

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: DeviceLike | None = None, dtype: DType | None = None) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw the parameters again, once they have shapes."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """From `(*, in_features)`."""
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            layer: Any = self
            layer.weight.materialize((self.out_features, self.in_features))
            if layer.bias is not None:
                layer.bias.materialize((self.out_features,))
            self.reset_parameters()
        self.in_features = input.shape[-1]  # a state dict may have brought the weight


class _LazyConv(LazyModuleMixin):
    """What lazy convolutions of any rank share."""

    def __init__(self, out_channels: int, kernel_size: int | Sequence[int], *args: Any, **kwargs: Any) -> None:
        base: Any = self.cls_to_become
        window = _arguments(base, (kernel_size, *args), kwargs)
        wanted, where = window.pop("bias", True), {k: window.pop(k, None) for k in ("device", "dtype")}
        groups = window.get("groups", 1)
        super().__init__(groups, groups, bias=False, **window)
        layer: Any = self
        layer.in_channels, layer.out_channels = 0, out_channels
        layer.weight = UninitializedParameter(**where)
        if wanted:
            layer.bias = UninitializedParameter(**where)

    def reset_parameters(self) -> None:
        """Draw the parameters again, once they have shapes."""
        layer: Any = self
        if not self.has_uninitialized_params() and layer.in_channels != 0:
            _ConvNd.reset_parameters(layer)

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """From `(N, C, *)` or `(C, *)`."""
        layer: Any = self
        if not self.has_uninitialized_params():
            return
        rank = len(layer.kernel_size)
        if input.ndim not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {type(self).__name__}, but got input of size:"
                f" {tuple(input.shape)}"
            )
        layer.in_channels = input.shape[-rank - 1]
        if layer.in_channels % layer.groups:
            raise ValueError("in_channels must be divisible by groups")
        if layer.out_channels % layer.groups:
            raise ValueError("out_channels must be divisible by groups")
        first, second = layer.out_channels, layer.in_channels
        if layer.transposed:
            first, second = second, first
        layer.weight.materialize((first, second // layer.groups, *layer.kernel_size))
        if layer.bias is not None:
            layer.bias.materialize((layer.out_channels,))
        self.reset_parameters()


def _arguments(base: type[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a convolution behind its channels, by name."""
    names = ["kernel_size", "stride", "padding", "dilation", "groups", "bias", "padding_mode", "device", "dtype"]
    if base.transposed:
        names[3:6] = ["output_padding", "groups", "bias", "dilation"]
    if len(args) > len(names):
        raise TypeError(f"Lazy{base.__name__}() takes at most {len(names) + 1} arguments")
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        if name not in names or name in given:
            raise TypeError(f"Lazy{base.__name__}() got an unexpected or repeated argument '{name}'")
        given[name] = value
    return given


class LazyConv1d(_LazyConv, Conv1d):
    """`Conv1d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConv1d(5, 2)(flow.ones(1, 2, 4)).shape
        tritonflow.Size([1, 5, 3])
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """`Conv2d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConv2d(5, 2)(flow.ones(1, 2, 4, 4)).shape
        tritonflow.Size([1, 5, 3, 3])
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """`Conv3d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConv3d(5, 2)(flow.ones(1, 2, 4, 4, 4)).shape
        tritonflow.Size([1, 5, 3, 3, 3])
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """`ConvTranspose1d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConvTranspose1d(5, 2)(flow.ones(1, 2, 4)).shape
        tritonflow.Size([1, 5, 5])
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """`ConvTranspose2d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConvTranspose2d(5, 2)(flow.ones(1, 2, 4, 4)).shape
        tritonflow.Size([1, 5, 5, 5])
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """`ConvTranspose3d` whose in_channels are those of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyConvTranspose3d(5, 2)(flow.ones(1, 2, 4, 4, 4)).shape
        tritonflow.Size([1, 5, 5, 5, 5])
    """

    cls_to_become = ConvTranspose3d


class _LazyNorm(LazyModuleMixin):
    """What lazy batch and instance norms share."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: DeviceLike | None = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype)
        layer: Any = self
        layer.affine, layer.track_running_stats = affine, track_running_stats
        if affine:
            layer.weight = UninitializedParameter(device=device, dtype=dtype)
            layer.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            layer.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            layer.running_var = UninitializedBuffer(device=device, dtype=dtype)
            layer.num_batches_tracked = _C.zeros((), device=device, dtype=dtypes.int64)

    def reset_parameters(self) -> None:
        """Weight 1, bias 0, statistics as at the start, once there are shapes."""
        layer: Any = self
        if not self.has_uninitialized_params() and layer.num_features != 0:
            _BatchNorm.reset_parameters(layer)

    def reset_running_stats(self) -> None:
        """Mean 0, variance 1, no batch seen, once there are shapes."""
        layer: Any = self
        if not self.has_uninitialized_params() and layer.num_features != 0:
            _BatchNorm.reset_running_stats(layer)

    def initialize_parameters(self, input: Tensor) -> None:
        """From `(N, C, *)`."""
        layer: Any = self
        if self.has_uninitialized_params():
            layer.num_features = input.shape[1]
            for tensor in (layer.weight, layer.bias, layer.running_mean, layer.running_var):
                if is_lazy(tensor):
                    tensor.materialize((layer.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """`BatchNorm1d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyBatchNorm1d()(flow.ones(2, 3, 4)).abs().max().item()
        0.0
    """

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """`BatchNorm2d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyBatchNorm2d()(flow.ones(2, 3, 4, 4)).abs().max().item()
        0.0
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """`BatchNorm3d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyBatchNorm3d()(flow.ones(2, 3, 4, 4, 4)).abs().max().item()
        0.0
    """

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, InstanceNorm1d):
    """`InstanceNorm1d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyInstanceNorm1d()(flow.ones(2, 3, 4)).abs().max().item()
        0.0
    """

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNorm, InstanceNorm2d):
    """`InstanceNorm2d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyInstanceNorm2d()(flow.ones(2, 3, 4, 4)).abs().max().item()
        0.0
    """

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNorm, InstanceNorm3d):
    """`InstanceNorm3d` whose num_features are the channels of its first input.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.LazyInstanceNorm3d()(flow.ones(2, 3, 4, 4, 4)).abs().max().item()
        0.0
    """

    cls_to_become = InstanceNorm3d
