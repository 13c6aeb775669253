"""Histograms with weights, densities and numbers outside of the range; indices into the dimensions of a shape; masked sums."""

import pytest
import torch
import torch.masked

import tritonflow as flow

X = [0.0, 0.5, 1.0, 1.0, 2.0, float("nan"), 3.0, -1.0]


def both(function):
    """What torch and flow give, as nested lists."""

    def plain(found):
        return [plain(v) for v in found] if isinstance(found, (tuple, list)) else found.tolist()

    return plain(function(torch)), plain(function(flow))


CASES = {
    "numbers": lambda f: f.histogram(f.tensor(X), 4, range=(0.0, 2.0)),
    "edges, weight, density": lambda f: f.histogram(f.tensor(X), f.tensor([0.0, 1.0, 2.0]), weight=f.arange(8.0), density=True),
    "equal numbers": lambda f: f.tensor([1.0, 1.0]).histogram(bins=2),
    "none": lambda f: f.histogram(f.tensor([]), 2),
    "points": lambda f: f.histogramdd(f.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]), bins=[3, 2], weight=f.arange(3.0)),
    "points, density": lambda f: f.histogramdd(f.tensor([[0.0, 1.0], [1.0, 0.0], [9.0, 2.0]]), 2, [0.0, 2.0, 0.0, 1.0], density=True),
    "indices": lambda f: f.unravel_index(f.tensor([[1234], [5678]]), (10, 10, 10, 10)),
    "masked softmax": lambda f: f.masked.softmax(f.tensor([[1.0, 2.0], [3.0, 4.0]]), 1, mask=f.tensor([[True, False], [True, True]])),
    "masked var": lambda f: f.masked.var(f.tensor([[1.0, 2.0, 5.0]]), 1, correction=1.5, mask=f.tensor([True, True, True])),
    "masked amax": lambda f: f.masked.amax(f.tensor([[1, 2], [3, 4]]), 0, mask=f.tensor([[True, False], [True, False]])),
}


@pytest.mark.parametrize("name", CASES)
def test_as_torch(name):
    expected, found = both(CASES[name])
    torch.testing.assert_close(torch.tensor(found[0]), torch.tensor(expected[0]), equal_nan=True)
    assert len(found) == len(expected)
    for mine, right in zip(found[1:], expected[1:]):
        torch.testing.assert_close(mine, right)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (NotImplementedError, lambda: flow.histogram(flow.tensor([1, 2]), 3)),
        (RuntimeError, lambda: flow.histogram(flow.tensor([1.0]), 0)),
        (RuntimeError, lambda: flow.histogram(flow.tensor([1.0]), 2, range=(3.0, 1.0))),
        (TypeError, lambda: flow.unravel_index(flow.tensor([1.0]), 5)),
        (ValueError, lambda: flow.unravel_index(flow.tensor([1]), (2, -1))),
        (ValueError, lambda: flow.masked.mean(flow.tensor([1, 2]))),
        (IndexError, lambda: flow.masked.sum(flow.tensor([1.0]), 3)),
    ],
)
def test_what_is_refused(kind, call):
    with pytest.raises(kind):
        call()
