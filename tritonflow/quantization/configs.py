"""What `quantize_` puts in place of linear layers and embeddings. Names and defaults are torchao's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from tritonflow import nn
from tritonflow.errors import InvalidArgumentError
from tritonflow.quantization.codes import check_groups
from tritonflow.quantization.modules import DynamicInt8Linear, QuantizedEmbedding, QuantizedLinear


@dataclass(frozen=True)
class QuantizationConfig(ABC):
    """Base of configurations."""

    @abstractmethod
    def check(self, name: str, module: Any) -> None:
        """Raises RuntimeError if a module cannot be quantised so."""

    @abstractmethod
    def of(self, module: Any) -> nn.Module:
        """What stands for a linear layer or an embedding."""


@dataclass(frozen=True)
class _WeightOnly(QuantizationConfig):
    @property
    def _weight(self) -> tuple[str, int, bool]:
        """The form, the group, and whether there are no zeros."""
        raise NotImplementedError

    def check(self, name: str, module: Any) -> None:
        form, group, _ = self._weight
        check_groups(f"quantize_: {name}", form, group, module.weight.shape[1])

    def of(self, module: Any) -> nn.Module:
        return (QuantizedEmbedding if isinstance(module, nn.Embedding) else QuantizedLinear).of(module, *self._weight)


@dataclass(frozen=True)
class Int8WeightOnlyConfig(_WeightOnly):
    """Weights of 8 bits, symmetric.

    Args:
        group_size: how many neighbours of a row share a scale: 32, 64, 128 or a multiple of 256; None for whole rows.

    Source: torchao.quantization.Int8WeightOnlyConfig.
    """

    group_size: int | None = None

    @property
    def _weight(self) -> tuple[str, int, bool]:
        return "int8", self.group_size or 0, True


@dataclass(frozen=True)
class Int4WeightOnlyConfig(_WeightOnly):
    """Weights of 4 bits, in groups.

    Args:
        group_size: how many neighbours of a row share a scale: 32, 64, 128 or a multiple of 256.
        symmetric: whether groups have no zero points.

    Source: torchao.quantization.Int4WeightOnlyConfig, whose groups have zero points, too.
    """

    group_size: int = 128
    symmetric: bool = False

    @property
    def _weight(self) -> tuple[str, int, bool]:
        return "int4", self.group_size, self.symmetric


@dataclass(frozen=True)
class NF4WeightOnlyConfig(_WeightOnly):
    """Weights of 4 bits, whose 16 numbers are quantiles of the normal distribution.

    Args:
        group_size: how many neighbours of a row share a scale: 32, 64, 128 or a multiple of 256.

    Source: Dettmers et al., QLoRA, https://arxiv.org/abs/2305.14314
    """

    group_size: int = 64

    @property
    def _weight(self) -> tuple[str, int, bool]:
        return "nf4", self.group_size, True


@dataclass(frozen=True)
class Int8DynamicActivationInt8WeightConfig(QuantizationConfig):
    """Products of int8: weights with a scale for each row, inputs with one for each token, found in each call.

    Source: torchao.quantization.Int8DynamicActivationInt8WeightConfig.
    """

    def check(self, name: str, module: Any) -> None:
        if isinstance(module, nn.Embedding):
            raise InvalidArgumentError(f"quantize_: {name} is an embedding, which has no products; help: use Int8WeightOnlyConfig")

    def of(self, module: Any) -> nn.Module:
        return DynamicInt8Linear.of(module)
