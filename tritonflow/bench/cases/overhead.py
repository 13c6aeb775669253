"""Calls of small operands, whose time is the host's: what an op costs besides its arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.bench.cases.written import KernelCase, Operand, forward, t
from tritonflow.bench.libraries import Make


def _few(grad: bool) -> dict[str, KernelCase]:
    """Sixteen elements, with and without a gradient that is recorded."""
    x, y, square = t(16, grad=grad), t(16), t(4, 4, grad=grad)
    calls: dict[str, tuple[Callable[..., Any], tuple[Operand, ...]]] = {
        "add": (lambda lib, x, y: x + y, (x, y)),
        "relu": (lambda lib, x: lib.relu(x), (x,)),
        "matmul": (lambda lib, x, y: x @ y, (square, t(4, 4))),
        "x[i]": (lambda lib, x: x[3], (x,)),
    }
    suffix = " with grad" if grad else ""
    return {f"host: {n}{suffix}": KernelCase(f"host: {n}{suffix}", forward(f, *xs), host=True) for n, (f, xs) in calls.items()}


def _chain(lib: Any, make: Make) -> Callable[[], Any]:
    """Eleven ops forward, and their gradients."""
    x, w = make(4, 4, grad=True), make(4, 4, grad=True)

    def step() -> Any:
        x.grad = w.grad = None
        h = lib.relu(x @ w)
        h = h * x + w
        h = lib.relu(h @ w)
        h = (h - x) * w
        lib.relu(h + x).sum().backward()
        return x.grad, w.grad

    return step


ROWS, COLUMNS = (64, 64), (64,)
OTHERS: dict[str, tuple[Callable[..., Any], tuple[Operand, ...]]] = {
    "multiply by a number": (lambda lib, x: x * 2.0, (t(16),)),
    "add in place": (lambda lib, x, y: x.add_(y), (t(16), t(16))),
    "sum": (lambda lib, x: x.sum(), (t(*ROWS),)),
    "item": (lambda lib, x: x.sum().item(), (t(*ROWS),)),
    "matmul 64": (lambda lib, x, y: x @ y, (t(*ROWS), t(*ROWS))),
    "linear": (lambda lib, x, w, b: lib.nn.functional.linear(x, w, b), (t(*ROWS), t(*ROWS), t(*COLUMNS))),
    "softmax": (lambda lib, x: lib.nn.functional.softmax(x, -1), (t(*ROWS),)),
    "layer norm": (lambda lib, x, w, b: lib.nn.functional.layer_norm(x, (32,), w, b), (t(64, 32), t(32), t(32))),
    "dropout": (lambda lib, x: lib.nn.functional.dropout(x, 0.1, True), (t(*ROWS),)),
}

WITHOUT_KERNELS: dict[str, tuple[Callable[..., Any], tuple[Operand, ...]]] = {
    "number of a tensor": (lambda lib, x: x.item(), (t(1),)),
    "view": (lambda lib, x: x.view(4, 4), (t(16),)),
    "reshape": (lambda lib, x: x.reshape(4, -1), (t(16),)),
    "flatten": (lambda lib, x: x.flatten(), (t(4, 4),)),
    "transpose": (lambda lib, x: x.transpose(0, 1), (t(4, 4),)),
    "permute": (lambda lib, x: x.permute(2, 0, 1), (t(2, 4, 4),)),
    "expand": (lambda lib, x: x.expand(4, 4), (t(1, 4),)),
    "unsqueeze": (lambda lib, x: x.unsqueeze(0), (t(16),)),
    "detach": (lambda lib, x: x.detach(), (t(16),)),
    "x[a:b]": (lambda lib, x: x[1:3], (t(4, 4),)),
    "x[:, i]": (lambda lib, x: x[:, 1], (t(4, 4),)),
    "x[None]": (lambda lib, x: x[None], (t(4, 4),)),
    "chunk": (lambda lib, x: x.chunk(2), (t(4, 4),)),
    "unbind": (lambda lib, x: x.unbind(), (t(4, 4),)),
    "empty": (lambda lib: lib.empty(4, 4), ()),
    "empty_like": (lambda lib, x: lib.empty_like(x), (t(4, 4),)),
    "zeros": (lambda lib: lib.zeros(4, 4), ()),
    "zeros_like": (lambda lib, x: lib.zeros_like(x), (t(4, 4),)),
}

CASES: dict[str, KernelCase] = {
    **_few(False),
    **_few(True),
    "host: chain of 11, forward and backward": KernelCase("host: chain of 11, forward and backward", _chain, host=True),
    **{
        f"host: {n}": KernelCase(f"host: {n}", forward(f, *xs), host=True, exact=n not in ("dropout", "empty", "empty_like"))
        for n, (f, xs) in {**OTHERS, **WITHOUT_KERNELS}.items()
    },
}
