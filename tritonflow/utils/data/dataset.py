"""Datasets over tritonflow's tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.utils.data.sampler import permutation
from tritonflow.utils.data.torch_classes import Dataset, Subset

if TYPE_CHECKING:
    from tritonflow.utils.data.torch_classes import SizedSource

T = TypeVar("T")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample i is the i-th slice of each tensor.

    Args:
        *tensors: of equal size in their first dimension.

    Raises:
        AssertionError: the sizes differ.

    Source: torch.utils.data.TensorDataset.

    Example:
        >>> import tritonflow as flow
        >>> data = flow.utils.data.TensorDataset(flow.ones(3, 2), flow.tensor([4, 5, 6]))
        >>> len(data), data[1][1].item()
        (3, 5)
    """

    def __init__(self, *tensors: Tensor) -> None:
        if not tensors:
            raise ValueError("TensorDataset needs at least one tensor")
        if any(t.shape[0] != tensors[0].shape[0] for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


def random_split(
    dataset: SizedSource[T], lengths: Sequence[int | float], generator: Generator | None = None
) -> list[Subset[T]]:
    """Split at random into subsets of these lengths, or of fractions that add up to one.

    Raises:
        ValueError: fractions outside [0, 1] or lengths that don't add up to the dataset's.

    Source: torch.utils.data.random_split.

    Example:
        >>> from tritonflow.utils.data import random_split
        >>> [len(part) for part in random_split(range(10), [0.7, 0.3])]
        [7, 3]
    """
    size = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1 + 1e-9 and not all(isinstance(n, int) for n in lengths):
        for i, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts = [math.floor(size * fraction) for fraction in lengths]
        for i in range(size - sum(counts)):
            counts[i % len(counts)] += 1
    else:
        counts = [int(n) for n in lengths]
    if sum(counts) != size:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = permutation(size, generator)
    ends = [sum(counts[: i + 1]) for i in range(len(counts))]
    return [Subset(dataset, order[end - count : end]) for end, count in zip(ends, counts)]
