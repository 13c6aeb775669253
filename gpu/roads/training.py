"""What training needs besides kernels: random numbers, autocast, scaled gradients, states on disk."""

from __future__ import annotations

import io
from typing import Any

import torch

from gpu.roads.registry import road
from gpu.roads.stage import DEVICE, close, host, ours, package


@road()
def random_numbers() -> Any:
    """Moments of draws; dropout's share; the generator goes on, and gives the CPU's numbers."""
    flow = package()
    flow.manual_seed(3)
    x = flow.randn(100_003, device=DEVICE)
    a, b = host(x), host(flow.randn(100_003, device=DEVICE))
    assert abs(a.mean()) < 0.02 and abs(a.std() - 1) < 0.02 and not (a == b).any()
    z = host(flow.nn.functional.dropout(flow.ones(1 << 20, device=DEVICE), 0.3))
    share = float((z == 0).double().mean())
    assert abs(share - 0.3) < 0.01, share
    return f"mean {a.mean():.4f} std {a.std():.4f} dropped {share:.3f}"


@road()
def mixed_precision() -> Any:
    """autocast in both half types, a gradient scaler that meets an infinity."""
    flow = package()
    F, nn, found = flow.nn.functional, flow.nn, []
    for dtype in ("float16", "bfloat16"):
        flow.manual_seed(0)
        model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5)).to(DEVICE)
        optimizer, scaler = flow.optim.SGD(model.parameters(), lr=0.1), flow.amp.GradScaler(init_scale=2.0**24)
        x, target = ours(torch.randn(32, 20)), ours(torch.randint(0, 5, (32,)))
        losses = []
        for _ in range(30):
            optimizer.zero_grad()
            with flow.autocast(DEVICE, dtype=getattr(flow, dtype)):
                loss = F.cross_entropy(model(x), target)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
        assert losses[-1] < losses[0], losses
        found.append(f"{dtype} {losses[0]:.3f} -> {losses[-1]:.3f}, scale {scaler.get_scale():g}")
    return found


@road()
def states_on_disk() -> Any:
    """A model and its optimizer are saved on the device, and loaded there and on the host."""
    flow = package()
    model = flow.nn.Linear(5, 3).to(DEVICE)
    optimizer = flow.optim.Adam(model.parameters())
    x = ours(torch.randn(4, 5))
    model(x).sum().backward()
    optimizer.step()
    file = io.BytesIO()
    flow.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
    found = []
    for device in (DEVICE, "cpu"):
        file.seek(0)
        loaded = flow.load(file, map_location=device)
        other = flow.nn.Linear(5, 3).to(device)
        other.load_state_dict(loaded["model"])
        found.append(close(other(x.to(device)).to("cpu"), host(model(x)), 1e-6))
    return found
