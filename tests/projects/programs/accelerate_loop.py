"""accelerate's loop: accumulation, clipping, a schedule, states saved and loaded in the middle, gathered metrics."""

# needs: accelerate
import json
import sys

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

folder = sys.argv[1]


def train(accelerator, batches, model, optimizer, schedule):
    losses = []
    for inputs, targets in batches:
        with accelerator.accumulate(model):
            loss = (model(inputs) - targets).square().mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        losses.append(accelerator.gather_for_metrics(loss.detach()).mean().item())
    return losses


def run(precision):
    AcceleratorState._reset_state(reset_partial_state=True)
    set_seed(3)
    random = np.random.default_rng(0)
    accelerator = Accelerator(gradient_accumulation_steps=2, mixed_precision=precision, cpu=True, project_dir=folder)
    x = torch.tensor(random.standard_normal((64, 8)), dtype=torch.float32)
    y = x.sum(1, keepdim=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    loader = DataLoader(TensorDataset(x, y), batch_size=8)
    model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
    parts = model, optimizer, schedule
    first = train(accelerator, loader, *parts)
    accelerator.save_state(f"{folder}/state")
    second = train(accelerator, loader, *parts)
    accelerator.load_state(f"{folder}/state")
    rest = train(accelerator, accelerator.skip_first_batches(loader, 2), *parts)
    accelerator.save_model(model, f"{folder}/model")
    return {"first": first, "second": second, "rest": rest, "rate": schedule.get_last_lr()}


half = run("bf16")  # whose numbers differ by its roundings
print(json.dumps({**run("no"), "half": [round(loss, 1) for loss in half["first"]]}))
