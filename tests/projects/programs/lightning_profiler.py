"""Lightning's profiler "pytorch": the traces that it writes of steps, and its report."""

# needs: lightning
import json
import logging
import sys
import warnings
from pathlib import Path

import lightning
import torch
from lightning.pytorch.profilers import PyTorchProfiler
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
folder = Path(sys.argv[1])


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 2)

    def training_step(self, batch, index):
        return self.net(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


profiler = PyTorchProfiler(dirpath=folder, filename="report", sort_by_key="cpu_time_total", row_limit=50)
trainer = lightning.Trainer(
    accelerator="cpu", max_epochs=1, profiler=profiler, logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False,
)  # fmt: skip
trainer.fit(Net(), DataLoader(TensorDataset(torch.ones(12, 4)), batch_size=2))
traces = sorted(folder.glob("*.pt.trace.json"))
names = {event.get("name") for path in traces for event in json.loads(path.read_text())["traceEvents"]}
found = {"traces": [path.name.rsplit(".", 4)[0] for path in traces], "steps": "[pl][profile]run_training_batch" in names}
found["report"] = "[pl][profile]run_training_batch" in (folder / "fit-report.txt").read_text()
found["recording"] = torch.autograd._profiler_enabled()
print(json.dumps(found))
