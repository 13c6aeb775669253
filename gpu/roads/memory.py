"""Memory: to torch and back, to the host and back, and whose it is meanwhile."""

from __future__ import annotations

from typing import Any

import torch

from gpu.roads import stage
from gpu.roads.registry import road
from gpu.roads.stage import DEVICE, close, host, ours, package


@road()
def memory_of_torch() -> Any:
    """Memory goes to torch and back; what torch allocates between is its own; nothing is freed too soon."""
    flow = package()
    where: dict[str, Any] = {} if stage.stand_in else {"device": DEVICE}
    for k in range(200):
        size = 4096 + 64 * (k % 7)
        t = torch.full((size,), float(k), **where)
        x = flow.from_torch(t)
        y = x + 1
        del t, x
        junk = torch.full((size,), -1.0, **where)
        z = flow.to_torch(y) * 2
        assert float(z[0]) == float(z[-1]) == 2.0 * (k + 1), k
        del junk
    return "ok"


@road(real=True)
def dlpack() -> Any:
    """Tensors go to torch and come back by DLPack, on the device, and share their memory."""
    flow = package()
    x = ours(torch.randn(100))
    t = torch.from_dlpack(x)
    assert t.is_cuda and t.data_ptr() == x.data_ptr()
    t.mul_(2)
    torch.cuda.synchronize()
    return close(flow.from_dlpack(t) + 1, host(x) + 1, 1e-6)


@road()
def two_gigabytes_through_the_host() -> Any:
    """Large copies, pinned and not, on copy streams beside computing."""
    flow = package()
    count = 1 << (20 if stage.stand_in else 26)
    a = torch.randint(-9, 9, (count,)).float()
    x = flow.from_torch(a.clone()) if stage.stand_in else flow.tensor(a.numpy(), device="cpu").to(DEVICE)
    for _ in range(3):
        y = x + 1
        assert torch.equal(host(y), a + 1)
        assert torch.equal(flow.to_torch(y.cpu()), a + 1)
    return "ok"


@road()
def batches_of_a_loader() -> Any:
    """Batches that worker processes load and pin reach the device whole, while the step before still computes."""
    flow = package()
    data = flow.utils.data
    rows = torch.arange(4096.0).view(256, 16)
    dataset = data.TensorDataset(flow.tensor(rows.numpy(), device="cpu"))
    seen = []
    for (batch,) in data.DataLoader(dataset, batch_size=32, num_workers=2, pin_memory=not stage.stand_in):
        x = batch.to(DEVICE)
        seen.append((x * 2).sum(1))
    return close(flow.cat(seen), rows.sum(1) * 2, 1e-6)


@road()
def freed_on_another_stream() -> Any:
    """Memory that a stream still reads is given to nobody else."""
    flow = package()
    side, expected = flow.cuda.Stream(), []
    results = []
    for k in range(30):
        x = flow.full((1 << (10 if stage.stand_in else 20),), float(k), device=DEVICE)
        with flow.cuda.stream(side):
            y = x
            for _ in range(5):
                y = y + x
            results.append(y[:4])
        del x, y
        flow.full((1 << (10 if stage.stand_in else 20),), -1.0, device=DEVICE)
        expected.append(6.0 * k)
    flow.cuda.synchronize()
    assert [host(y)[0].item() for y in results] == expected
    return "ok"
