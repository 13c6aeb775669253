"""Where the batching rules of ops are found, which are made of ops of rooms above this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from tritonflow.framework.meta import Shape
from tritonflow.framework.tensor import Tensor

Rule = Callable[[Any], Any]  # of a BatchedCall; gives the wholes of the outputs: one, or a tuple if the op has several


class BatchingRules(NamedTuple):
    """What the interpreter of batched tensors is given.

    Attributes:
        by_name: the rules by names of ops.
        otherwise: the rule of all other ops.
        by_strides: the view of a tensor with a shape, strides, and so many elements behind its first.
        repeated: so many copies of a tensor along a new first dimension.
    """

    by_name: Mapping[str, Rule]
    otherwise: Rule
    by_strides: Callable[[Tensor, Shape, Shape, int], Tensor]
    repeated: Callable[[Tensor, int], Tensor]


_finders: list[Callable[[], BatchingRules]] = []


def find_rules_by(finder: Callable[[], BatchingRules]) -> None:
    """Have the rules found by this function, which is called once."""
    _finders.append(finder)


@cache
def batching_rules() -> BatchingRules:
    """The rules."""
    (finder,) = _finders
    return finder()
