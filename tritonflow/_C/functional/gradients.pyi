# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def multi_tensor_norm(tensors: Sequence[Tensor], p: float = ...) -> Tensor: ...
def multi_tensor_scale_to_norm(tensors: Sequence[Tensor], norm: Tensor, max_norm: float) -> None: ...
def multi_tensor_clip(tensors: Sequence[Tensor], bound: float) -> None: ...
def multi_tensor_unscale(tensors: Sequence[Tensor], scale: Tensor, found_inf: Tensor) -> None: ...
def amp_update_scale(scale: Tensor, growth_tracker: Tensor, found_inf: Tensor, growth_factor: float, backoff_factor: float,
        growth_interval: int) -> None: ...
