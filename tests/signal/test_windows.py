"""Windows are torch's, with its keywords and errors."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow

SIGNAL: list[tuple[str, dict[str, Any]]] = [
    ("bartlett", {}), ("blackman", {}), ("cosine", {}), ("exponential", {}), ("exponential", {"tau": 2.5}),
    ("exponential", {"center": 1, "sym": False}), ("exponential", {"center": 1}), ("exponential", {"tau": -1.0}), ("gaussian", {"std": 2.0}),
    ("gaussian", {"std": 0.0}), ("general_cosine", {"a": [0.46, 0.23, 0.31]}), ("general_cosine", {"a": []}), ("general_hamming", {"alpha": 0.6}),
    ("hamming", {}), ("hann", {}), ("kaiser", {}), ("kaiser", {"beta": 3.0}), ("kaiser", {"beta": -1.0}), ("nuttall", {}),
]  # fmt: skip


def assert_same_call(name: str, ours: Any, theirs: Any, *args: Any, **kwargs: Any) -> None:
    """Both give the same window, or raise the same class of error."""
    dtype = kwargs.pop("dtype", "float32")
    try:
        expected = theirs(*args, **kwargs, dtype=getattr(torch, dtype))
    except Exception as error:
        with pytest.raises(type(error)):
            ours(*args, **kwargs, dtype=getattr(flow, dtype))
        return
    found = ours(*args, **kwargs, dtype=getattr(flow, dtype))
    assert found.requires_grad == expected.requires_grad
    flow.testing.assert_close(found, expected.detach(), rtol=1e-5, atol=2e-6, check_device=False)


@pytest.mark.parametrize(("name", "options"), SIGNAL, ids=[f"{name}-{options}" for name, options in SIGNAL])
def test_signal_window(name: str, options: dict[str, Any]) -> None:
    ours, theirs = getattr(flow.signal.windows, name), getattr(torch.signal.windows, name)
    for length in (-1, 0, 1, 2, 7):
        assert_same_call(name, ours, theirs, length, **options)
    assert_same_call(name, ours, theirs, 8, **{"sym": False, **options}, dtype="float64", requires_grad=True)
    assert_same_call(name, ours, theirs, 4, **options, dtype="float16")


@pytest.mark.parametrize("name", ["hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"])
def test_window_function(name: str) -> None:
    ours, theirs = getattr(flow, name), getattr(torch, name)
    for length in (-1, 0, 1, 2, 7):
        assert_same_call(name, ours, theirs, length)
    assert_same_call(name, ours, theirs, 8, False, dtype="float64", requires_grad=True)
    assert_same_call(name, ours, theirs, 4, dtype="int64")
    if name in ("hamming_window", "kaiser_window"):
        assert_same_call(name, ours, theirs, 8, True, 0.7)


def test_names_are_torchs() -> None:
    assert set(flow.signal.windows.__all__) == set(torch.signal.windows.__all__)
