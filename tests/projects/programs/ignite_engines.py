"""ignite: engines with schedules, averages and metrics, checkpoints of the best, and a training resumed from one."""

# needs: ignite
import json
import sys

import numpy as np
import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import Checkpoint, CosineAnnealingScheduler, DiskSaver, EarlyStopping, EMAHandler, TerminateOnNan
from ignite.metrics import Accuracy, ConfusionMatrix, Fbeta, Loss, Precision, Recall, RunningAverage
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

folder = sys.argv[1]
random = np.random.default_rng(0)
x = torch.tensor(random.standard_normal((32, 8)), dtype=torch.float32)
loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=8)
criterion = nn.CrossEntropyLoss()


def trained():
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
    random = np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    return model, optimizer, create_supervised_trainer(model, optimizer, criterion)


model, optimizer, trainer = trained()
metrics = {
    "accuracy": Accuracy(), "loss": Loss(criterion), "confusion": ConfusionMatrix(2), "precision": Precision(average=False),
    "recall": Recall(average=False), "fbeta": Fbeta(1.0),
}  # fmt: skip
evaluator = create_supervised_evaluator(model, metrics=metrics)
RunningAverage(output_transform=lambda loss: loss).attach(trainer, "average")
averaged = EMAHandler(model, momentum=0.1)
averaged.attach(trainer)
parts = {"model": model, "optimizer": optimizer, "trainer": trainer}
checkpoint = Checkpoint(
    parts, DiskSaver(folder, require_empty=False), n_saved=1, score_name="accuracy",
    score_function=lambda engine: engine.state.metrics["accuracy"], global_step_transform=lambda *_: trainer.state.epoch,
)  # fmt: skip
evaluator.add_event_handler(Events.COMPLETED, checkpoint)
evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(5, lambda engine: engine.state.metrics["accuracy"], trainer))
trainer.add_event_handler(Events.ITERATION_STARTED, CosineAnnealingScheduler(optimizer, "lr", 0.1, 0.01, 4))
trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
losses = []
trainer.on(Events.ITERATION_COMPLETED)(lambda engine: losses.append(engine.state.output))
trainer.on(Events.EPOCH_COMPLETED)(lambda _: evaluator.run(loader))
trainer.run(loader, max_epochs=2)

again, other, resumed = trained()
saved = torch.load(str(checkpoint.last_checkpoint), weights_only=False)
Checkpoint.load_objects({"model": again, "optimizer": other, "trainer": resumed}, saved)
resumed.run(loader, max_epochs=3)
found = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in evaluator.state.metrics.items()}
weights = [p.sum().item() for p in averaged.ema_model.parameters()]
print(json.dumps({
    "losses": losses, "metrics": found, "average": trainer.state.metrics["average"], "averaged": weights,
    "resumed": [resumed.state.epoch, resumed.state.iteration, resumed.state.output],
}))  # fmt: skip
