"""A tensor where an op wants a number, a size or a list of these: eager mode takes its number, and a captured program reads it."""

from __future__ import annotations

import pytest

import tritonflow as flow
from tritonflow.nn import functional as F

# by name: what is called with a tensor and a number in a tensor, and such numbers
CALLS = {
    "view": (lambda x, n: x.view(n * 2, -1), (1, 2, 4)),
    "view of a list": (lambda x, n: x.view([n * 2, -1]), (1, 2, 4)),
    "pad": (lambda x, n: F.pad(x, (0, n + 1)), (0, 2, 5)),
    "clamp": (lambda x, n: x.clamp(0, n * 2), (1, 3, 0)),
    "zeros": (lambda x, n: x.sum() + flow.zeros(n * 1, 2), (1, 3, 0)),
    "arange": (lambda x, n: x.sum() + flow.arange(n * 1), (1, 3, 4)),
    "narrow": (lambda x, n: x.narrow(0, n + 1, 2), (0, 2, 5)),
    "sum": (lambda x, n: x.view(2, 4).sum(n * 1), (0, 1, 0)),
    "roll": (lambda x, n: x.roll(n + 1, 0), (0, 1, 5)),
    "repeat": (lambda x, n: x.repeat(n + 1), (0, 1, 3)),
    "topk": (lambda x, n: x.topk(n + 1)[0], (0, 1, 3)),
    "split": (lambda x, n: x.split(n + 1)[0], (0, 1, 3)),
    "alpha": (lambda x, n: flow.add(x, x, alpha=n * 2), (0, 1, 3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_number_in_a_tensor_is_read(name: str) -> None:
    f, numbers = CALLS[name]
    compiled, x = flow.compile(f), flow.arange(8.0)
    for number in (*numbers, *numbers):
        n = flow.tensor(number)
        expected, found = f(x, n), compiled(x, n)
        assert found.shape == expected.shape and found.tolist() == expected.tolist()
    assert compiled.captures()


def test_one_program_serves_other_numbers() -> None:
    padded = flow.compile(lambda x, n: F.pad(x, (0, n + 1)))
    assert [padded(flow.ones(2), flow.tensor(n)).shape[0] for n in (2, 3, 4, 5)] == [5, 6, 7, 8]
    assert len(padded.captures()) == 1


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_a_gradient_is_not_lost_silently() -> None:
    x, most = flow.arange(4.0, requires_grad=True), flow.tensor(2.0, requires_grad=True)
    for f in (lambda x, n: x.clamp(0, n * 1), flow.compile(lambda x, n: x.clamp(0, n * 1))):
        with pytest.raises(TypeError, match="clamp"):
            f(x, most)


def test_a_graph_names_the_op_that_wants_a_number() -> None:
    class Padded(flow.nn.Graph):
        def build(self, x: flow.Tensor, n: flow.Tensor) -> flow.Tensor:
            return F.pad(x, (0, n + 1))

    with pytest.raises(RuntimeError, match=r"pad\(\) needs the value of a tensor"):
        Padded()(flow.ones(2), flow.tensor(1))
