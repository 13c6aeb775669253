"""Lightning: fit, validate, test and predict with callbacks, a logger, clipping and accumulation; a checkpoint resumed; manual
optimization; Fabric."""

# needs: lightning
import json
import logging
import sys
import warnings

import lightning
import numpy as np
import torch
from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
folder = sys.argv[1]
random = np.random.default_rng(0)
x = torch.tensor(random.standard_normal((64, 8)), dtype=torch.float32)
y = (x.sum(1) > 0).long()
quiet = {"accelerator": "cpu", "enable_progress_bar": False, "enable_model_summary": False}


class Net(lightning.LightningModule):
    def __init__(self, width=16, manual=False):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = not manual
        self.net = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 2))
        self.losses = []
        random = np.random.default_rng(1)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, index):
        loss = F.cross_entropy(self(batch[0]), batch[1])
        self.log("loss", loss)
        self.losses.append(loss.item())
        if not self.automatic_optimization:
            optimizer = self.optimizers()
            optimizer.zero_grad()
            self.manual_backward(loss)
            self.clip_gradients(optimizer, 1.0, "norm")
            optimizer.step()
        return loss

    def validation_step(self, batch, index):
        scores = self(batch[0])
        self.log("val", F.cross_entropy(scores, batch[1]))
        self.log("accuracy", (scores.argmax(1) == batch[1]).float().mean())

    def test_step(self, batch, index):
        self.log("test", F.cross_entropy(self(batch[0]), batch[1]))

    def predict_step(self, batch, index):
        return self(batch[0]).argmax(1)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-2)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9)}


def loader():
    return DataLoader(TensorDataset(x, y), batch_size=16)


found = {}
for precision in ("32-true", "64-true", "bf16-mixed"):
    lightning.seed_everything(1)
    best = ModelCheckpoint(dirpath=f"{folder}/{precision}", filename="best", monitor="val", save_last=True)
    trainer = lightning.Trainer(
        max_epochs=3, callbacks=[best, EarlyStopping("val"), LearningRateMonitor()], logger=CSVLogger(folder), precision=precision,
        gradient_clip_val=0.5, accumulate_grad_batches=2, log_every_n_steps=1, **quiet,
    )  # fmt: skip
    net = Net()
    if precision == "64-true":
        x = x.double()
    trainer.fit(net, loader(), loader())
    metrics = {name: float(value) for name, value in trainer.callback_metrics.items()}
    tested = [trainer.validate(net, loader(), verbose=False), trainer.test(net, loader(), verbose=False)]
    predicted = torch.cat(trainer.predict(net, loader())).tolist()
    losses = net.losses
    net = Net.load_from_checkpoint(best.best_model_path, weights_only=False)
    longer = lightning.Trainer(max_epochs=5, logger=False, precision=precision, **quiet)
    longer.fit(net, loader(), loader(), ckpt_path=f"{folder}/{precision}/last.ckpt", weights_only=False)
    if precision == "bf16-mixed":  # numbers of bfloat16 differ by its roundings
        found[precision] = [round(loss, 2) for loss in losses]
    else:
        found[precision] = [losses, metrics, tested, predicted, net.losses, dict(net.hparams)]
    x = x.float()

net = Net(manual=True)
lightning.Trainer(max_epochs=1, logger=False, enable_checkpointing=False, **quiet).fit(net, loader())
found["manual"] = net.losses

net = Net()
net.example_input_array = x
summary = lightning.pytorch.utilities.model_summary.ModelSummary(net, max_depth=-1)
found["summary"] = [str(summary), summary.total_flops]

fabric, losses = lightning.Fabric(accelerator="cpu"), []
fabric.launch()
net = Net().net
net, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), 0.1))
for inputs, targets in fabric.setup_dataloaders(loader()):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(inputs), targets)
    fabric.backward(loss)
    fabric.clip_gradients(net, optimizer, max_norm=1.0)
    optimizer.step()
    losses.append(loss.item())
fabric.save(f"{folder}/fabric.ckpt", {"net": net, "optimizer": optimizer, "steps": len(losses)})
found["fabric"] = [losses, fabric.load(f"{folder}/fabric.ckpt", {"net": net, "optimizer": optimizer})]
print(json.dumps(found))
