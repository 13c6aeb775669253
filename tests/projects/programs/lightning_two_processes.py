"""Lightning on two processes, which it starts itself: data parallel training, metrics over both, a checkpoint that goes on."""

# needs: lightning
import json
import os
import sys

import lightning as L
import numpy as np
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import ModelCheckpoint

folder = sys.argv[1]
random = np.random.default_rng(0)
X = torch.tensor(random.standard_normal((48, 6)), dtype=torch.float32)
rows = torch.utils.data.TensorDataset(X, (X[:, 0] > 0).long())
weights = [torch.tensor(random.standard_normal(size) * 0.3, dtype=torch.float32) for size in ((8, 6), (8,), (2, 8), (2,))]
losses = []


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        with torch.no_grad():
            for p, drawn in zip(self.parameters(), weights):
                p.copy_(drawn)

    def training_step(self, batch, index):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("loss", loss, on_step=False, on_epoch=True, sync_dist=True)
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("right", (self.net(x).argmax(dim=1) == y).float().mean(), sync_dist=True)

    def on_train_epoch_end(self):
        losses.append(self.trainer.callback_metrics["loss"].item())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=0.05)



def trainer(epochs):
    return L.Trainer(
        accelerator="cpu", devices=2, strategy="ddp", max_epochs=epochs, logger=False, enable_progress_bar=False, use_distributed_sampler=False,
        enable_model_summary=False, callbacks=[ModelCheckpoint(dirpath=folder, filename="{epoch}", save_top_k=-1)], default_root_dir=folder,
    )  # fmt: skip


def part():
    """Every other row is of this rank: Lightning would shuffle them with numbers that torch draws."""
    rank = int(os.environ.get("LOCAL_RANK", "0"))
    return torch.utils.data.DataLoader(torch.utils.data.Subset(rows, range(rank, 48, 2)), batch_size=6)


if __name__ == "__main__":
    model, first = Classifier(), trainer(2)
    first.fit(model, part(), part())
    right = first.callback_metrics["right"].item()
    whole = sum(p.double().sum().item() for p in model.parameters())
    again = trainer(3)
    resumed = Classifier()
    again.fit(resumed, part(), part(), ckpt_path=f"{folder}/epoch=0.ckpt")
    gathered = again.strategy.all_gather(torch.tensor([float(again.global_rank)])).flatten().tolist()
    if again.is_global_zero:
        found = {"losses": losses, "right": right, "whole": whole, "ranks": [again.world_size, gathered], "steps": again.global_step}
        print(json.dumps(found))
