# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = ..., ignore_index: int = ..., reduction: str = ...,
        label_smoothing: float = ...) -> Tensor: ...
def cross_entropy_grad(grad: Tensor, input: Tensor, target: Tensor, lse: Tensor, totals: Tensor, weight: Tensor | None = ...,
        reduction: str = ..., ignore_index: int = ..., smooth: bool = ..., label_smoothing: float = ...) -> Tensor: ...
def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = ..., ignore_index: int = ...,
        reduction: str = ...) -> Tensor: ...
def nll_loss_grad(grad: Tensor, target: Tensor, totals: Tensor, weight: Tensor | None = ..., shape: Sequence[int] = ...,
        reduction: str = ..., ignore_index: int = ...) -> Tensor: ...
def mse_loss(input: Tensor, target: Tensor, reduction: str = ...) -> Tensor: ...
