"""Functions of torch itself whose arguments are those of its C++ library."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError
from tritonflow.mock_torch.aten_names import FUNCTIONS

random = numpy.random.default_rng(0)


def x(*shape: int) -> Any:
    return random.standard_normal(shape)


def some(*shape: int) -> Any:
    return random.uniform(0.1, 0.9, shape)


A, B, C = x(3, 4), x(3, 4), x(3, 4)
SIGNS = numpy.array([1.0, -1.0, 1.0])
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *(("binary_cross_entropy_with_logits", (A, some(3, 4), some(4), some(4), k), {}) for k in range(3)),
    *(("kl_div", (A, some(3, 4), k), {"log_target": k > 1}) for k in range(3)),
    ("cosine_embedding_loss", (A, B, SIGNS, 0.1, 2), {}), ("hinge_embedding_loss", (A, numpy.sign(B), 0.5, 1), {}),
    ("margin_ranking_loss", (A[:, 0], B[:, 0], SIGNS, 0.1, 0), {}), ("poisson_nll_loss", (A, some(3, 4), True, True, 1e-8, 1), {}),
    ("triplet_margin_loss", (A, B, C, 1.0, 2.0, 1e-6, True, 2), {}),
    ("instance_norm", (x(2, 3, 5), x(3), x(3), None, None, True, 0.1, 1e-5, True), {}),
    ("convolution", (x(2, 4, 7), x(6, 2, 3), x(6), [2], [1], [1], False, [0], 2), {}),
    ("convolution", (x(2, 4, 5, 6), x(4, 3, 3, 2), None, [2, 1], [1, 0], [1, 1], True, [1, 0], 1), {}),
    ("adaptive_max_pool1d", (x(2, 3, 8), 3), {}), ("max_pool1d_with_indices", (x(2, 3, 8), 3), {}),
    ("max_pool1d_with_indices", (x(2, 3, 8), 3, 2, 1), {}),
    ("lstm_cell", (A, [x(3, 5), x(3, 5)], x(20, 4), x(20, 5), x(20), x(20)), {}), ("gru_cell", (A, x(3, 5), x(15, 4), x(15, 5), x(15), x(15)), {}),
    ("rnn_tanh_cell", (A, x(3, 5), x(5, 4), x(5, 5)), {}), ("rnn_relu_cell", (A, x(3, 5), x(5, 4), x(5, 5), x(5), x(5)), {}),
    ("frobenius_norm", (x(2, 3, 4), [1, 2], True), {}), ("nuclear_norm", (x(3, 4),), {}), ("nuclear_norm", (x(2, 3, 4), (0, 2), True), {}),
    ("norm_except_dim", (x(2, 3, 4), 2, 1), {}), ("norm_except_dim", (x(2, 3), 2, -1), {}),
]  # fmt: skip


def results(package: Any, function: Any, args: Any, options: Any) -> list[Any]:
    def tensor(value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], numpy.ndarray):
            return [tensor(each) for each in value]
        return package.tensor(value) if isinstance(value, numpy.ndarray) else value

    found = function(*map(tensor, args), **options)
    return [each.tolist() for each in (found if isinstance(found, tuple) else [found])]


@pytest.mark.parametrize(("name", "args", "options"), CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_as_torch(name: str, args: Any, options: Any) -> None:
    expected = results(torch, getattr(torch, name), args, options)
    actual = results(flow, FUNCTIONS[name], args, options)
    assert len(actual) == len(expected)
    for a, b in zip(actual, expected):
        numpy.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_ctc_loss() -> None:
    args = (numpy.log(some(6, 2, 5)), random.integers(1, 5, (2, 3)), [6, 5], [3, 2], 0, 2)
    expected = results(torch, torch.ctc_loss, args, {})
    numpy.testing.assert_allclose(results(flow, FUNCTIONS["ctc_loss"], args, {}), expected, rtol=1e-10)


def test_shares() -> None:
    """Means are those of the concentrations; torchvision's Mixup draws so."""
    shares = FUNCTIONS["_sample_dirichlet"](flow.tensor([1.0, 3.0]).expand(4000, 2))
    assert flow.allclose(shares.sum(-1), flow.ones(4000)) and abs(float(shares[:, 1].mean()) - 0.75) < 0.02
    with pytest.raises(NotImplementedError, match="manual_seed"):
        FUNCTIONS["_sample_dirichlet"](flow.ones(2), flow.Generator())


def test_all_are_compared_and_programs_get_them() -> None:
    assert {name for name, *_ in CALLS} | {"ctc_loss", "_sample_dirichlet"} == set(FUNCTIONS)
    with flow.mock_torch.enable():
        import torch as mocked
    assert mocked.lstm_cell is FUNCTIONS["lstm_cell"]
    with pytest.raises(InvalidArgumentError, match="not a valid value for reduction"):
        mocked.kl_div(flow.ones(2), flow.ones(2), 3)
    with pytest.raises(InvalidArgumentError, match="3 to 5 dimensions"):
        mocked.convolution(flow.ones(2, 2), flow.ones(1, 1, 1), None, [1], [0], [1], False, [0], 1)
