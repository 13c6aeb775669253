"""Matrix products: shared memory, tensor descriptors, several launches, precision."""

from __future__ import annotations

from typing import Any

import torch

from gpu.roads import stage
from gpu.roads.registry import road
from gpu.roads.stage import close, host, ours, package, same_bits


@road()
def shared_memory() -> Any:
    """Products in half types: more than 48 KiB of shared memory, wgmma."""
    found = []
    for dtype in (torch.bfloat16, torch.float16):
        for m, n, k in ((1024, 768, 512), (300, 257, 500), (64, 4096, 256)):
            a, b = torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)
            found.append(close(ours(a) @ ours(b), a.double() @ b.double(), 1e-2))
    return " ".join(found)


def _operands(transposed: bool, rows: int, columns: int) -> tuple[torch.Tensor, Any]:
    """A matrix on the host and ours, stored by rows or by columns."""
    t = torch.randn(columns, rows).bfloat16() if transposed else torch.randn(rows, columns).bfloat16()
    x = ours(t)
    return (t.t(), x.t()) if transposed else (t, x)


def _product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """In float32, by torch where it is fast."""
    return a.float() @ b.float() if stage.stand_in else (a.cuda().float() @ b.cuda().float()).cpu()


@road()
def descriptors() -> Any:
    """Persistent products by tensor descriptors (TMA), which lie in scratch memory; all four layouts; twice in a row."""
    side, depth = (2560, 512) if stage.stand_in else (4608, 1024)
    found = []
    for left in (False, True):
        for right in (False, True):
            (a, x), (b, y) = _operands(left, side, depth), _operands(right, depth, side)
            same_bits([host(x @ y) for _ in range(2)], "a product")
            found.append(close(x @ y, _product(a, b), 6e-3))
    return " ".join(found)


@road()
def descriptors_on_streams() -> Any:
    """Descriptors of several streams at once: each stream has scratch memory of its own."""
    flow = package()
    side, depth = (2560, 512) if stage.stand_in else (4608, 1024)
    (a, x), (b, y) = _operands(False, side, depth), _operands(False, depth, side)
    expected, results = _product(a, b), []
    flow.cuda.synchronize()
    for stream in [flow.cuda.Stream() for _ in range(3)]:
        with flow.cuda.stream(stream):
            for _ in range(3):
                z = x @ y
            results.append(z)
    flow.cuda.synchronize()
    same_bits([host(z) for z in results], "a product on another stream")
    return close(results[-1], expected, 6e-3)


@road()
def split_k() -> Any:
    """Two launches and a workspace; a product of one row; thin ones."""
    found = []
    for m, k, n in ((8, 8192, 64), (1, 4096, 4096), (512, 16384, 64)):
        a, b = torch.randn(m, k).bfloat16(), torch.randn(k, n).bfloat16()
        found.append(close(ours(a) @ ours(b), a.double() @ b.double(), 1e-2))
    return " ".join(found)


@road()
def float32_products() -> Any:
    """By the precision policy: three products in TF32, IEEE, TF32."""
    flow = package()
    a, b = torch.randn(700, 900), torch.randn(900, 640)
    exact, found = a.double() @ b.double(), {}
    for precision, tolerance in (("highest", 1e-6), ("high", 2e-3), ("medium", 2e-2)):
        flow.set_float32_matmul_precision(precision)
        found[precision] = close(ours(a) @ ours(b), exact, tolerance)
    return found


@road()
def batches_of_products() -> Any:
    """bmm with operands that broadcast, baddbmm, and the gradients of a linear layer with a bias."""
    flow = package()
    a, b = torch.randn(6, 70, 90).bfloat16(), torch.randn(90, 50).bfloat16()
    found = [close(ours(a) @ ours(b), a.double() @ b.double(), 1e-2)]
    x, w, bias = (ours(t, True) for t in (a.float(), torch.randn(50, 90), torch.randn(50)))
    t = [host(each).double().requires_grad_() for each in (x, w, bias)]
    flow.nn.functional.linear(x, w, bias).square().mean().backward()
    torch.nn.functional.linear(*t).square().mean().backward()
    return found + [close(each.grad, other.grad, 2e-3) for each, other in zip((x, w, bias), t)]
