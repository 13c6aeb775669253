# Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable
from typing import Any
from tritonflow.framework.tensor import Tensor


_methods: dict[str, Callable[..., Any]]


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = ..., eps: float = ...) -> Tensor: ...
