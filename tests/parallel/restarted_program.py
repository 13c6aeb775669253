"""A training that is killed and started again: what tests of restarts run under torchrun.

    torchrun ... restarted_program.py FOLDER STEPS DROPOUT KILLS

KILLS says when a rank of each start kills itself, "rank:steps:milliseconds" joined by commas: so long behind so many steps. Rank 0
writes a line with each loss to FOLDER/losses, and at the end a digest of all weights and states to FOLDER/end.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
from pathlib import Path

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader, DistributedSampler, TensorDataset
from tritonflow.wire.world import this_rank

BATCH = 12  # samples of all ranks
SAMPLES = 60


def main(folder: Path, steps: int, dropout: float, kills: list[str]) -> None:
    rank = this_rank()
    start = int(os.environ.get("TORCHELASTIC_RESTART_COUNT", 0))
    victim, at, milliseconds = map(int, kills[start].split(":")) if start < len(kills) else (-1, 0, 0)
    resumes = any((folder / "checkpoints").glob("step_*"))
    flow.manual_seed(1000 + start if resumes else 7 + rank.index)  # masks differ between ranks; of no meaning where it resumes
    model = nn.Sequential(nn.Linear(4, 16), nn.LayerNorm(16), nn.Dropout(dropout), nn.Linear(16, 1))
    if not resumes:
        for k, p in enumerate(model.parameters()):
            p.data.copy_((flow.arange(float(p.numel())) * (k + 1)).sin().reshape(p.shape) * 0.3)
    ddp = nn.parallel.DistributedDataParallel(model)
    # Global parameters beside, split over all ranks.
    table = flow.arange(40.0).reshape(10, 4).cos().to_global(flow.placement.all("cpu"), flow.sbp.broadcast)
    scale = nn.Parameter(table.to_global(table.placement, flow.sbp.split(0)))
    optimizer, of_scale = flow.optim.AdamW(ddp.parameters(), lr=0.05), flow.optim.Adam([scale], lr=0.05)
    scheduler = flow.optim.lr_scheduler.StepLR(optimizer, 4, 0.7)
    scaler = flow.amp.GradScaler(init_scale=8.0, growth_interval=5)
    x = (flow.arange(4.0 * SAMPLES) * 0.7).sin().reshape(SAMPLES, 4)
    sampler = DistributedSampler(range(SAMPLES), seed=3)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), BATCH // rank.world_size, sampler=sampler)
    parts = {
        "model": ddp, "optimizer": optimizer, "scheduler": scheduler, "scaler": scaler, "loader": loader, "scale": {"w": scale.data},
        "of_scale": of_scale,
    }  # fmt: skip
    checkpointer = flow.utils.Checkpointer(folder / "checkpoints", every=2)
    step = checkpointer.resume(**parts)
    at += step
    while step < steps:
        for inputs, targets in loader:
            loss = ((ddp(inputs) - targets) ** 2).mean()
            optimizer.zero_grad()
            of_scale.zero_grad()
            scaler.scale(loss).backward()
            (scale * scale).sum().backward()
            of_scale.step()
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            step += 1
            mean = flow.comm.all_reduce(loss.detach().clone()).item() / rank.world_size
            if rank.index == 0:
                with open(folder / "losses", "a") as file:
                    file.write(f"{step} {mean.hex()}\n")
            checkpointer.save(step, **parts)
            if rank.index == victim and step == at:
                threading.Timer(milliseconds / 1000, os.kill, (os.getpid(), signal.SIGKILL)).start()
            if step == steps:
                break
        else:
            sampler.set_epoch(sampler.epoch + 1)
    checkpointer.wait()
    whole = [*(p.numpy() for p in model.parameters()), scale.numpy()]
    states = [optimizer.state[p][name].numpy() for p in model.parameters() for name in ("exp_avg", "exp_avg_sq")]
    states.append(of_scale.state[scale]["exp_avg"].numpy())
    if rank.index == 0:
        digest = hashlib.sha256(b"".join(array.tobytes() for array in [*whole, *states])).hexdigest()
        (folder / "end").write_text(digest)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4].split(",") if sys.argv[4] else [])
