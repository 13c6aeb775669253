"""Kernels that read again what they have written: factorisations, eigenvalues, CTC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from gpu.roads.registry import road
from gpu.roads.stage import close, host, ours, package, same_bits


@road()
def linear_algebra() -> Any:
    """Cholesky, LU, QR, eigenvalues, SVD: matrices come together again; the same bits three times."""
    flow = package()
    L, found = flow.linalg, {}
    a = torch.randn(3, 70, 70, dtype=torch.float64)
    s = a @ a.mT + 70 * torch.eye(70, dtype=torch.float64)
    x, y = ours(s), ours(a)

    def rebuilt(name: str, call: Callable[[], Any], exact: torch.Tensor, tolerance: float = 1e-10) -> None:
        runs = [host(call()) for _ in range(3)]
        same_bits(runs, name)
        error = float((runs[0] - exact).norm() / exact.norm())
        assert error < tolerance, f"{name}: {error:.1e}"
        found[name] = f"{error:.1e}"

    rebuilt("cholesky", lambda: (lambda lower: lower @ lower.mT)(L.cholesky(x)), s)
    rebuilt("solve", lambda: y @ L.solve(y, x), s, 1e-8)
    rebuilt("qr", lambda: (lambda q, r: q @ r)(*L.qr(y)), a)
    rebuilt("eigh", lambda: (lambda w, v: (v * w.unsqueeze(-2)) @ v.mT)(*L.eigh(x)), s)
    rebuilt("svd", lambda: (lambda u, w, v: (u * w.unsqueeze(-2)) @ v)(*L.svd(y)), a)
    sums = torch.view_as_real(torch.linalg.eigvals(a)).sum(1)
    rebuilt("eigvals", lambda: flow.view_as_real(L.eigvals(y)).sum(1), sums, 1e-8)
    return found


@road()
def ctc_loss() -> Any:
    """The gradient of CTC in float64."""
    F = package().nn.functional
    logits = torch.randn(50, 4, 20, dtype=torch.float64)
    given = (torch.randint(1, 20, (4, 15)), torch.full((4,), 50), torch.full((4,), 15))
    t, x = logits.clone().requires_grad_(), ours(logits, True)
    torch.nn.functional.ctc_loss(t.log_softmax(2), *given, reduction="sum").backward()
    F.ctc_loss(F.log_softmax(x, 2), *map(ours, given), reduction="sum").backward()
    return close(x.grad, t.grad, 1e-8)
