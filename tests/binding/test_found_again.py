"""Views and new tensors are found by their arguments the second time: with the same results, gradients and errors as the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.interpreter import autograd

VIEWS: dict[str, Callable[[Any], Any]] = {
    "view": lambda x: x.view(2, 12),
    "view -1": lambda x: x.view((4, -1)),
    "reshape": lambda x: x.reshape(3, -1, 2),
    "transpose": lambda x: x.transpose(-1, 0),
    "permute": lambda x: x.permute(2, 0, -2),
    "T": lambda x: x[0].T,
    "mT": lambda x: x.mT,
    "t": lambda x: x[1].t(),
    "x[i]": lambda x: x[-1],
    "x[a:b]": lambda x: x[-2:],
    "x[a:b:c]": lambda x: x[::2],
    "x[:]": lambda x: x[:],
    "x[5:1]": lambda x: x[5:1],
    "x[:, i]": lambda x: x[:, -1],
    "x[i, j]": lambda x: x[0, 1],
    "x[..., a:b, None]": lambda x: x[..., 1:3, None],
    "x[None]": lambda x: x[None],
    "squeeze": lambda x: x[:, :1].squeeze(),
    "squeeze(1)": lambda x: x[:, :1].squeeze(-2),
    "unsqueeze": lambda x: x.unsqueeze(-1),
    "expand": lambda x: x[:1].expand(5, -1, 4),
    "narrow": lambda x: x.narrow(-1, -3, 2),
    "select": lambda x: x.select(-1, -2),
    "diagonal": lambda x: x.diagonal(1, -1, 0),
}
PARTS: dict[str, Callable[[Any], Any]] = {
    "chunk": lambda x: x.chunk(3, -1),
    "split": lambda x: x.split(3, 2),
    "split sizes": lambda x: x.split((1, 3), -1),
    "unbind": lambda x: x.unbind(1),
    "many parts": lambda x: x.expand(2, 3, 4).reshape(24).expand(9, 24).reshape(216).split(1),
}


def both(requires_grad: bool = False) -> tuple[Any, Any]:
    theirs = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
    return flow.from_torch(theirs).clone().requires_grad_(requires_grad), theirs.requires_grad_(requires_grad)


@pytest.mark.parametrize("name", VIEWS)
def test_views(name: str) -> None:
    """Of another tensor each time: same numbers, strides, memory, versions and gradients."""
    for _ in range(3):
        x, theirs = both(requires_grad=True)
        y, z = VIEWS[name](x), VIEWS[name](theirs)
        assert tuple(y.shape) == tuple(z.shape) and y.tolist() == z.tolist() and y.is_contiguous() == z.is_contiguous()
        assert y.impl is x.impl and (y.data_ptr() - x.data_ptr() == z.data_ptr() - theirs.data_ptr() or not y.numel())
        (y * y).sum().backward()
        (z * z).sum().backward()
        assert x.grad.tolist() == theirs.grad.tolist()
        version = y._version
        x.detach().add_(1)
        assert y._version == version + 1


@pytest.mark.parametrize("name", PARTS)
def test_parts(name: str) -> None:
    for _ in range(3):
        x, theirs = both(requires_grad=True)
        parts, expected = PARTS[name](x), PARTS[name](theirs)
        assert [part.tolist() for part in parts] == [part.tolist() for part in expected]
        (parts[1] * parts[1]).sum().backward()
        (expected[1] * expected[1]).sum().backward()
        assert x.grad.tolist() == theirs.grad.tolist()


def test_attributes_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> Any:
        raise AssertionError("the view was found before")

    functions = [f for name, f in {**VIEWS, **PARTS}.items() if name != "many parts"]
    for function in functions:
        function(both()[0])
    monkeypatch.setattr(autograd, "_view_missed", refuse)
    monkeypatch.setattr(autograd, "_view_general", refuse)
    for function in functions:
        function(both()[0])


def test_a_write_in_place_through_a_view_that_was_found() -> None:
    for _ in range(3):
        x = flow.ones(2, 3, requires_grad=True)
        y = x * 2
        y[0].mul_(5)
        y.view(3, 2)[1:].add_(1)
        y.sum().backward()
        assert x.grad.tolist() == [[10.0] * 3, [2.0] * 3]


def test_errors_are_the_same_each_time() -> None:
    x = flow.zeros(2, 3)
    x.view(3, 2), x[1], x[0:1], x.transpose(0, 1), x.chunk(2), flow.zeros(2, 3)
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: x.view(3.0, 2), TypeError, "view"),
        (lambda: x.view((3, 2.0)), TypeError, "view"),
        (lambda: x.view(4, 2), RuntimeError, "invalid for input of size 6"),
        (lambda: x.view(-1, -1), RuntimeError, "only one dimension can be inferred"),
        (lambda: x.t().view(6), RuntimeError, "not compatible"),
        (lambda: x.transpose(0, 2), IndexError, "Dimension out of range"),
        (lambda: x.transpose(0.0, 1), TypeError, "transpose"),
        (lambda: x[2], IndexError, "Index out of range"),
        (lambda: x[-3], IndexError, "Index out of range"),
        (lambda: x[0.0:1], TypeError, "slice indices must be integers"),
        (lambda: x[0:1:-1], ValueError, "step must be greater than zero"),
        (lambda: x[0, 0, 0], IndexError, "too many indices"),
        (lambda: x.chunk(0), RuntimeError, "greater than 0"),
        (lambda: x.split((1, 2)), RuntimeError, "sum exactly"),
        (lambda: flow.zeros(2.0, 3), TypeError, "zeros"),
        (lambda: flow.empty(2, -3), RuntimeError, "negative dimension"),
    ]
    for _ in range(2):
        for call, kind, text in wrong:
            with pytest.raises(kind, match=text):
                call()


def test_a_reshape_that_copies_copies_each_time() -> None:
    x = flow.arange(6).view(2, 3)
    for _ in range(3):
        y = x.t().reshape(6)
        assert y.tolist() == [0, 3, 1, 4, 2, 5] and y.impl is not x.impl and y._view is None


NEW: dict[str, Callable[[Any, Any], Any]] = {
    "zeros": lambda lib, x: lib.zeros(2, 3),
    "zeros of integers": lambda lib, x: lib.zeros((2, 3), dtype=lib.int64),
    "ones": lambda lib, x: lib.ones(3),
    "ones of bools": lambda lib, x: lib.ones(3, dtype=lib.bool),
    "zeros_like": lambda lib, x: lib.zeros_like(x),
    "zeros_like of columns": lambda lib, x: lib.zeros_like(x.t()),
    "ones_like": lambda lib, x: lib.ones_like(x, dtype=lib.float64),
    "new_zeros": lambda lib, x: x.new_zeros(2),
    "new_ones": lambda lib, x: x.new_ones((2, 2)),
}


@pytest.mark.parametrize("name", NEW)
def test_new_tensors(name: str) -> None:
    mine, theirs = flow.zeros(2, 3, dtype=flow.int32), torch.zeros(2, 3, dtype=torch.int32)
    made = []
    for _ in range(3):
        y, z = NEW[name](flow, mine), NEW[name](torch, theirs)
        assert y.tolist() == z.tolist() and str(y.dtype).split(".")[1] == str(z.dtype).split(".")[1]
        y.fill_(1)
        made.append(y)
    assert len({y.data_ptr() for y in made}) == 3


def test_empty_follows_the_default_dtype_and_device() -> None:
    for dtype in (flow.float32, flow.float64, flow.float32):
        flow.set_default_dtype(dtype)
        try:
            assert flow.empty(2, 3).dtype is dtype and flow.zeros(2).dtype is dtype and flow.ones(2).tolist() == [1.0, 1.0]
        finally:
            flow.set_default_dtype(flow.float32)
    with flow.device("meta"):
        assert flow.empty(2, 3).is_meta and flow.zeros(2).is_meta
    assert flow.empty(2, 3).is_cpu and flow.empty_like(flow.empty(2, 3, device="meta")).is_meta
    for _ in range(2):
        leaf = flow.empty(2, 3, requires_grad=True)
        assert leaf.requires_grad and leaf.is_leaf and not flow.empty(2, 3).requires_grad


def test_views_and_new_tensors_in_a_graph_after_they_were_found() -> None:
    class Graph(flow.nn.Graph):
        def build(self, x: flow.Tensor) -> flow.Tensor:
            rows = [part * k for k, part in enumerate(x.chunk(2))]
            return flow.cat(rows).view(-1)[1:] + flow.ones(5) + x.t().reshape(6)[:5] + flow.zeros_like(x).view(6)[0]

    x = flow.arange(6, dtype=flow.float32).view(2, 3)
    expected = Graph.build(None, x)  # type: ignore[arg-type]
    assert Graph()(x).tolist() == expected.tolist() == Graph.build(None, x).tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]
)
def test_item(dtype: str) -> None:
    """Of any dtype, as an element in the middle, and behind a write."""
    theirs = torch.tensor([1, -3, 0.1, 7]).to(getattr(torch, dtype))
    x = flow.from_torch(theirs)
    for k in range(4):
        found, expected = x[k].item(), theirs[k].item()
        assert found == expected and type(found) is type(expected)
        assert x[k : k + 1].view(1, 1).item() == expected
    y = flow.zeros(3, dtype=getattr(flow, dtype))
    y[1] = 1
    assert [v.item() for v in y] == [0, 1, 0]


def test_item_says_what_it_cannot_do() -> None:
    with pytest.raises(RuntimeError, match="2 elements cannot be converted to Scalar"):
        flow.zeros(2).item()
    with pytest.raises(RuntimeError, match="meta"):
        flow.zeros(1, device="meta").item()
