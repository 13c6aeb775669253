"""Fixtures: tensors without memory, and generated bindings."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tests.binding.bindings import build_binding, make_tensor
from tritonflow.framework.tensor import Tensor


@pytest.fixture
def tensor() -> Tensor:
    """A tensor without memory, of shape (2, 3)."""
    return make_tensor(2, 3)


@pytest.fixture
def scalar_tensor(monkeypatch: pytest.MonkeyPatch) -> Tensor:
    """A zero-dim tensor whose item() is 7."""
    monkeypatch.setattr(Tensor, "item", lambda self: 7, raising=False)
    tensor = make_tensor()
    tensor.impl.is_lazy = False
    return tensor


@pytest.fixture
def bind() -> Callable[..., SimpleNamespace]:
    """`build_binding`."""
    return build_binding
