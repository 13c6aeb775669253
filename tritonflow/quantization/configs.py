"""What `quantize_` puts in place of linear layers and embeddings. Names and defaults are torchao's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from tritonflow import nn
from tritonflow.errors import InvalidArgumentError
from tritonflow.quantization.codes import check_groups
from tritonflow.quantization.float8 import DynamicFloat8Linear
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
class Float8WeightOnlyConfig(_WeightOnly):
    """Weights of float8_e4m3fn, with a scale for each row.

    Source: torchao.quantization.Float8WeightOnlyConfig.
    """

    @property
    def _weight(self) -> tuple[str, int, bool]:
        return "float8", 0, True


@dataclass(frozen=True)
class _DynamicProducts(QuantizationConfig):
    def check(self, name: str, module: Any) -> None:
        if isinstance(module, nn.Embedding):
            raise InvalidArgumentError(f"quantize_: {name} is an embedding, which has no products; help: use Int8WeightOnlyConfig")


@dataclass(frozen=True)
class PerRow:
    """A scale for each row of a weight, and for each token."""


@dataclass(frozen=True)
class PerBlock:
    """A scale for each block of so many rows and columns.

    Args:
        block_size: (1, 128) of inputs, (128, 128) of weights.
    """

    block_size: tuple[int, int] = (128, 128)


@dataclass(frozen=True)
class Float8DynamicActivationFloat8WeightConfig(_DynamicProducts):
    """Products of float8_e4m3fn: weights with scales, inputs with such that are found in each call.

    Args:
        granularity: `PerRow()`, for rows of weights and tokens; or `(PerBlock((1, 128)), PerBlock((128, 128)))`, for 128 neighbours
            of a token, and for blocks of weights.

    Raises:
        RuntimeError: another granularity.

    Source: torchao.quantization.Float8DynamicActivationFloat8WeightConfig, which scales whole tensors unless told.
    """

    granularity: Any = PerRow()

    def __post_init__(self) -> None:
        if self.granularity == PerRow() or self.granularity == (PerRow(), PerRow()):
            return
        pair = self.granularity if isinstance(self.granularity, (tuple, list)) else ()
        if [tuple(getattr(of, "block_size", ())) for of in pair] != [(1, 128), (128, 128)]:
            raise InvalidArgumentError(
                "Float8DynamicActivationFloat8WeightConfig: granularity must be PerRow() or"
                f" (PerBlock((1, 128)), PerBlock((128, 128))), but got {self.granularity!r}"
            )

    def of(self, module: Any) -> nn.Module:
        return DynamicFloat8Linear.of(module, 0 if self.granularity in (PerRow(), (PerRow(), PerRow())) else 128)


@dataclass(frozen=True)
class Int8DynamicActivationInt8WeightConfig(_DynamicProducts):
    """Products of int8: weights with a scale for each row, inputs with one for each token, found in each call.

    Source: torchao.quantization.Int8DynamicActivationInt8WeightConfig.
    """

    def of(self, module: Any) -> nn.Module:
        return DynamicInt8Linear.of(module)
