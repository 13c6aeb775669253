"""einsum of several operands: the order in which they are contracted changes no number."""

from __future__ import annotations

import sys

import pytest
import torch

import tritonflow as flow
from tritonflow.functions import matmul_einsum as einsum

SHAPES = ((2, 30), (30, 4), (4, 25), (25, 3))


@pytest.mark.parametrize("installed", [True, False])
def test_with_and_without_the_package_that_orders(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if installed:
        pytest.importorskip("opt_einsum")
    else:
        monkeypatch.setitem(sys.modules, "opt_einsum", None)
    tensors = [torch.rand(s, dtype=torch.float64) for s in SHAPES]
    found = flow.einsum("ab,bc,cd,de->ea", *map(flow.from_torch, tensors))
    torch.testing.assert_close(flow.to_torch(found), torch.linalg.multi_dot(tensors).T)


def test_the_cheapest_order_is_taken() -> None:
    pytest.importorskip("opt_einsum")
    terms = [einsum.Term(flow.ones(s), labels) for s, labels in zip(SHAPES, (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")))]
    sizes = {label: n for term in terms for label, n in zip(term.labels, term.tensor.shape)}
    order = einsum._order(terms, ("a", "e"), sizes)
    assert order in ([(0, 1), (0, 1), (0, 1)], [(2, 3), (0, 1), (0, 1)])  # the outer pairs, and then what they made
