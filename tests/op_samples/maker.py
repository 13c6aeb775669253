"""Random tensors for samples: of one dtype, from one generator, in every memory layout.

Samples are made of torch tensors; the tests give the same memory layout to both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
import torch

from tritonflow.registry.schema import Entry

LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded")

FLOATING = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGRAL = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
DTYPES = (*FLOATING, *INTEGRAL, torch.bool)


@dataclass
class Sample:
    """The arguments of one call; `label` says what it is for."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    label: str = ""

    def __str__(self) -> str:
        parts = [describe(a) for a in self.args] + [f"{k}={describe(v)}" for k, v in self.kwargs.items()]
        return f"({', '.join(parts)})" + (f"  [{self.label}]" if self.label else "")


def describe(value: Any) -> str:
    """A tensor by its looks, anything else as itself."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        text = f"{dtype}{list(value.shape)}"
        if not value.is_contiguous():
            text += f"/stride{list(value.stride())}"
        if value.storage_offset():
            text += f"+{value.storage_offset()}"
        return text + (f"={value.tolist()}" if value.numel() <= 6 else "")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(describe, value)) + "]"
    return repr(value)


class Maker:
    """Makes tensors of `dtype`; `thorough` asks for every layout, otherwise contiguous ones will do."""

    def __init__(self, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool = True) -> None:
        self.dtype = dtype
        self.rng = rng
        self.thorough = thorough
        self.floating = dtype.is_floating_point

    @property
    def layouts(self) -> tuple[str, ...]:
        """The memory layouts to cover."""
        return LAYOUTS if self.thorough else LAYOUTS[:1]

    def __call__(
        self, *shape: int, low: float = -3.0, high: float = 3.0, layout: str = "contiguous", dtype: torch.dtype | None = None
    ) -> torch.Tensor:
        """Values in [low, high), whole ones for integers (small, so that sums and products stay exact)."""
        dtype = dtype or self.dtype
        if dtype == torch.bool:
            values = self.mask(*shape)
        elif dtype.is_floating_point:
            values = torch.from_numpy(numpy.asarray(self.rng.uniform(low, high, shape))).to(dtype)
        else:
            bottom = max(int(low * 3), 0) if dtype == torch.uint8 else int(low * 3)
            values = torch.from_numpy(self.rng.integers(bottom, max(int(high * 3), bottom + 1), shape)).to(dtype)
        return laid_out(values, layout)

    def integers(self, low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
        """Whole numbers in [low, high)."""
        return torch.from_numpy(numpy.asarray(self.rng.integers(low, high, shape))).to(dtype)

    def mask(self, *shape: int) -> torch.Tensor:
        """Random truth values."""
        return torch.from_numpy(numpy.asarray(self.rng.random(shape) < 0.5))

    def distinct(self, *shape: int) -> torch.Tensor:
        """Values without ties (as far as the dtype has enough of them), for sorting."""
        count = int(numpy.prod(shape))
        values = self.rng.permutation(count).reshape(shape) - (0 if self.dtype == torch.uint8 else count // 2)
        scaled = torch.from_numpy(numpy.asarray(values)).to(torch.float64) * (0.25 if self.floating else 1)
        return scaled.to(self.dtype)

    def special(self, *shape: int, extreme: bool = True) -> torch.Tensor:
        """Floating values with NaN, infinities, zeros of both signs among them, and if `extreme` the smallest and largest numbers."""
        info = torch.finfo(self.dtype)
        odd = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0]
        odd += [info.max, -info.max, info.tiny] if extreme else []
        values = self(*shape, low=-4, high=4)
        flat = values.view(-1)
        for position in range(0, flat.numel(), 2):
            flat[position] = odd[int(self.rng.integers(len(odd)))]
        return values


def laid_out(values: torch.Tensor, layout: str) -> torch.Tensor:
    """The same values in another memory layout; zero-dim tensors can only be offset."""
    if layout == "transposed" and values.ndim >= 2:
        return values.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "strided" and values.ndim >= 1:
        wide = torch.zeros((*values.shape[:-1], values.shape[-1] * 2), dtype=values.dtype)
        wide[..., ::2] = values
        return wide[..., ::2]
    if layout == "offset":
        flat = torch.zeros(values.numel() + 3, dtype=values.dtype)
        flat[3:] = values.reshape(-1)
        return flat[3:].view(values.shape)
    if layout == "expanded" and values.ndim >= 1 and values.shape[0] > 0:
        return values[:1].expand(values.shape)
    return values


Kind = Callable[[Maker, Entry, dict[str, Any]], Iterator[Sample]]


def with_other_numbers(times: int) -> Callable[[Kind], Kind]:
    """The samples of a generator `times` times: shapes are the same, so that no more kernels are compiled."""

    def decorate(generator: Kind) -> Kind:
        def samples(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
            for _ in range(times):
                yield from generator(m, entry, options)

        return samples

    return decorate


KINDS: dict[str, Kind] = {}


def kind(*names: str) -> Callable[[Kind], Kind]:
    """Register a generator of samples under the names that `samples:` in the registry may give."""

    def register(function: Kind) -> Kind:
        for name in names or (function.__name__,):
            assert name not in KINDS, f"two sample generators are called {name}"
            KINDS[name] = function
        return function

    return register


def with_options(samples: Iterator[Sample], options: dict[str, Sequence[Any]]) -> Iterator[Sample]:
    """Give the samples keyword arguments, cycling through the values of each; the first sample stays without."""
    names = [n for n in options if n != "kind"]
    for number, sample in enumerate(samples):
        if number and names:
            extra = {n: list(options[n])[(number + i) % len(options[n])] for i, n in enumerate(names)}
            sample = Sample(sample.args, {**extra, **sample.kwargs}, sample.label)
        yield sample
