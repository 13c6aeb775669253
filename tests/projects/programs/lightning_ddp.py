"""Lightning on two processes that the program starts itself: Trainer with "ddp", a checkpoint resumed, and Fabric on the same ranks."""

# needs: lightning
import json
import logging
import sys
import warnings

import lightning
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
for each in ("lightning.pytorch", "lightning.fabric"):
    logging.getLogger(each).setLevel(logging.ERROR)
folder = sys.argv[1]
random = np.random.default_rng(0)
x = torch.tensor(random.standard_normal((32, 8)), dtype=torch.float32)
y = (x.sum(1) > 0).long()


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
        self.losses = []
        random = np.random.default_rng(1)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))

    def training_step(self, batch, index):
        loss = F.cross_entropy(self.net(batch[0]), batch[1])
        self.log("loss", loss, on_step=False, on_epoch=True, sync_dist=True)
        self.losses.append(loss.item())
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-2)


def loader():
    return DataLoader(TensorDataset(x, y), batch_size=4, shuffle=False)


def trainer(epochs, **options):
    return lightning.Trainer(
        accelerator="cpu", devices=2, strategy="ddp", max_epochs=epochs, logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False, **options,
    )  # fmt: skip


def fit(epochs, **options):
    """The losses of both ranks, their mean in the last epoch, and the number of ranks."""
    net, fitter = Net(), trainer(epochs)
    fitter.fit(net, loader(), **options)
    losses = net.all_gather(torch.tensor(net.losses)).tolist()
    fitter.save_checkpoint(f"{folder}/{epochs}.ckpt")
    return [losses, float(fitter.callback_metrics["loss"]), fitter.world_size]


fit(2)  # Trainer shuffles by numbers drawn, which are not torch's: its losses are compared with its own
resumed, mean, ranks = fit(3, ckpt_path=f"{folder}/2.ckpt", weights_only=False)
through, mean_through, _ = fit(3)
found = {"resumed": resumed == [each[-4:] for each in through] and mean == mean_through, "ranks": ranks}

halved, net = trainer(2, use_distributed_sampler=False), Net()  # each rank has a half of the data, in its order
halved.fit(net, DataLoader(TensorDataset(x, y), 4, sampler=range(halved.global_rank, 32, 2)))
found["halved"] = net.all_gather(torch.tensor(net.losses)).tolist()

fabric, losses = lightning.Fabric(accelerator="cpu", devices=2, strategy="ddp"), []
fabric.launch()
net = Net().net
net, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), 0.1))
for inputs, targets in fabric.setup_dataloaders(loader()):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(inputs), targets)
    fabric.backward(loss)
    optimizer.step()
    losses.append(loss.item())
found["fabric"] = fabric.all_gather(torch.tensor(losses)).tolist()
if fabric.is_global_zero:
    print(json.dumps(found))
