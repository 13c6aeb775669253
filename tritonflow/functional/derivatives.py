"""Derivatives by op: the generated formulas, and the few that are written by hand.

A derivative is a function of the grad node and the gradients of the outputs. It returns a tuple with the gradient of every input,
None for those that are not wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tritonflow.execution.op_expr import op_expr

Derivative = Callable[..., tuple[Any, ...]]


def register_derivatives(derivatives: Mapping[str, Derivative], inplace: Mapping[str, Derivative]) -> None:
    """Set the derivatives of ops, and of their in-place forms where those have one of their own, by the ops' names."""
    for name, function in derivatives.items():
        op_expr(name).derivative = function
    for name, function in inplace.items():
        op_expr(name).inplace_derivative = function
