"""Modules of few bits in place of a model's linear layers and embeddings."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeVar

from tritonflow import nn
from tritonflow.binding.annotations import DeviceLike
from tritonflow.errors import ArgumentTypeError
from tritonflow.nn.modules.attention import NonDynamicallyQuantizableLinear
from tritonflow.quantization.codes import FLOATS
from tritonflow.quantization.configs import QuantizationConfig

M = TypeVar("M", bound=nn.Module)
Filter = Callable[[nn.Module, str], bool]


def is_linear(module: nn.Module, name: str) -> bool:
    """Whether a module is a linear layer that computes as one: the filter of `quantize_` unless another is given."""
    return isinstance(module, nn.Linear) and not isinstance(module, NonDynamicallyQuantizableLinear)


def quantize_(
    model: M, config: QuantizationConfig, filter_fn: Filter | None = None, device: DeviceLike | None = None
) -> M:
    """Replace a model's linear layers by such with weights of few bits, in place.

    A weight that several modules share is quantised once for each. Nothing is changed where one of them is refused.

    Args:
        model: a module; its parts are replaced, or it is the linear layer itself.
        config: what replaces them, such as `Int8WeightOnlyConfig()`.
        filter_fn: which modules, of a module and its name; linear layers unless given. It may choose embeddings, too. Modules
            of other kinds stay as they are.
        device: to which the model is moved first.

    Returns:
        The model; another module where it is itself replaced.

    Raises:
        TypeError: no configuration.
        RuntimeError: groups that do not divide the columns of a weight, or one that is not finite; it names the module.

    Source: torchao.quantization.quantize_.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.quantization import Int4WeightOnlyConfig, quantize_
        >>> model = flow.nn.Sequential(flow.nn.Linear(256, 64), flow.nn.ReLU())
        >>> quantize_(model, Int4WeightOnlyConfig(group_size=64))
        Sequential(
          (0): QuantizedLinear(in_features=256, out_features=64, bias=True, form=int4, group=64, zeros=True)
          (1): ReLU()
        )
    """
    if not isinstance(config, QuantizationConfig):
        raise ArgumentTypeError(f"quantize_(): config must be a configuration such as Int8WeightOnlyConfig(), not {config!r}")
    if device is not None:
        model.to(device)
    chosen = [(name, module) for name, module in _named(model) if _fits(module) and (filter_fn or is_linear)(module, name)]
    for name, module in chosen:
        config.check(name or type(module).__name__, module)
    made = {id(module): config.of(module).train(module.training) for _, module in chosen}
    if id(model) in made:
        return made[id(model)]  # type: ignore[return-value]
    for owner in list(model.modules()):
        for name, module in list(owner._modules.items()):
            if id(module) in made:
                setattr(owner, name, made[id(module)])
    return model


def _named(model: nn.Module) -> list[tuple[str, nn.Module]]:
    return list(model.named_modules())


def _fits(module: nn.Module) -> bool:
    """Whether there is a module of few bits for this one."""
    return isinstance(module, (nn.Linear, nn.Embedding)) and module.weight.dtype in FLOATS


def quantize(model: M, config: Any, filter_fn: Filter | None = None, device: DeviceLike | None = None) -> M:
    """`quantize_` of a copy of the model, which itself stays as it is.

    Args:
        model: a module.
        config: what replaces its linear layers, such as `flow.quantization.Int8WeightOnlyConfig()`.
        filter_fn: which modules, of a module and its name; linear layers unless given.
        device: of the copy.

    Raises:
        TypeError: no configuration.
        RuntimeError: groups that do not divide the columns of a weight, or one that is not finite.

    Source: torchao.quantization.quantize_, of a copy.

    Example:
        >>> import tritonflow as flow
        >>> flow.quantize(flow.nn.Linear(256, 64), flow.quantization.Int8WeightOnlyConfig())
        QuantizedLinear(in_features=256, out_features=64, bias=True, form=int8, group=0, zeros=False)
    """
    return quantize_(copy.deepcopy(model), config, filter_fn, device)
