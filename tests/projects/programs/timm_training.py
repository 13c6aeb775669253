"""timm as its train.py uses it: folders of images, loaders with workers, mixes, averaged weights, schedules, checkpoints resumed."""

# needs: torchvision, timm
import contextlib
import json
import logging
import os
import sys
import warnings

import numpy as np
import torch
from PIL import Image
from timm.data import Mixup, create_dataset, create_loader
from timm.loss import LabelSmoothingCrossEntropy, SoftTargetCrossEntropy
from timm.models import create_model, load_checkpoint, resume_checkpoint
from timm.optim import create_optimizer_v2
from timm.scheduler import create_scheduler_v2
from timm.utils import AverageMeter, CheckpointSaver, ModelEmaV3, NativeScaler, accuracy, dispatch_clip_grad

warnings.filterwarnings("ignore")
logging.disable(logging.INFO)
folder = sys.argv[1]
random = np.random.default_rng(0)
for split, count in (("train", 4), ("validation", 2)):
    for name in ("ant", "bee"):
        os.makedirs(f"{folder}/{split}/{name}")
        for i in range(count):
            pixels = random.integers(0, 256, (40, 48, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(f"{folder}/{split}/{name}/{i}.png")


def model_of(name):
    model = create_model(name, num_classes=2, **({"img_size": 64} if name == "test_vit" else {}))
    random = np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            drawn = torch.tensor(random.standard_normal(tuple(p.shape)) * 0.1, dtype=torch.float32)
            p.copy_(drawn if p.ndim > 1 else p.round() + drawn)  # scales are near 1, biases near 0
    return model


def loader(split, **options):
    data = create_dataset("", root=folder, split=split, is_training=False)
    return create_loader(data, (3, 64, 64), 4, interpolation="bicubic", num_workers=2, device=torch.device("cpu"), persistent_workers=False, **options)


batches = {split: [(x.clone(), t.clone()) for x, t in loader(split)] for split in ("train", "validation")}
found = {"pixels": [x.double().mean().item() for x, _ in batches["train"]], "labels": [t.tolist() for _, t in batches["train"]]}


def evaluate(model):
    model.eval()
    losses = AverageMeter()
    with torch.no_grad():
        for x, t in batches["validation"]:
            losses.update(torch.nn.functional.cross_entropy(model(x), t).item(), len(x))
    model.train()
    return losses.avg


def train(model, optimizer, epochs, start=0, loss_of=None, scheduler=None, ema=None, mixup=None, scaler=None, clip=None, amp=False, steps=1):
    losses = []
    for epoch in range(start, epochs):
        model.train()
        for number, (x, t) in enumerate(batches["train"]):
            x, t = mixup(x.clone(), t) if mixup else (x, t)
            with torch.autocast("cpu", dtype=torch.bfloat16) if amp else contextlib.nullcontext():
                loss = (loss_of or LabelSmoothingCrossEntropy(0.1))(model(x), t) / steps
            need_update = (number + 1) % steps == 0
            if scaler:
                scaler(loss, optimizer, clip_grad=clip, clip_mode="norm", parameters=model.parameters(), need_update=need_update)
            else:
                loss.backward()
                if clip:
                    dispatch_clip_grad(model.parameters(), clip, mode="agc")
                if need_update:
                    optimizer.step()
            if need_update:
                optimizer.zero_grad()
            losses.append(loss.item())
            if ema:
                ema.update(model, step=epoch)
        if scheduler:
            scheduler.step(epoch + 1)
    return losses


for name in ("sgd", "adamw", "nadamw", "lamb", "lion", "adan", "radam", "madgrad", "adabelief", "novograd", "sgdw"):
    model = model_of("test_vit")
    optimizer = create_optimizer_v2(model, opt=name, lr=1e-3, weight_decay=0.05, **({"layer_decay": 0.7} if name == "adamw" else {}))
    found[name] = train(model, optimizer, 2)

for name in ("cosine", "step", "tanh", "poly", "multistep", "plateau"):
    model = model_of("test_vit")
    optimizer = create_optimizer_v2(model, opt="sgd", lr=0.1)
    scheduler, epochs = create_scheduler_v2(optimizer, sched=name, num_epochs=8, warmup_epochs=2, warmup_lr=1e-4, decay_epochs=3, decay_milestones=(3, 5))
    rates = []
    for epoch in range(epochs):
        scheduler.step(epoch, metric=1.0)
        rates.append(optimizer.param_groups[0]["lr"])
    found[name] = rates

model = model_of("resnet10t")
optimizer = create_optimizer_v2(model, opt="momentum", lr=0.05, weight_decay=1e-4)
scheduler, _ = create_scheduler_v2(optimizer, sched="cosine", num_epochs=4, warmup_epochs=1)
ema, scaler = ModelEmaV3(model, decay=0.9, use_warmup=True), NativeScaler(device="cpu")
options = {"scheduler": scheduler, "ema": ema, "scaler": scaler, "clip": 1.0, "steps": 2}
found["first"] = train(model, optimizer, 2, **options)
saver = CheckpointSaver(model, optimizer, model_ema=ema, amp_scaler=scaler, checkpoint_dir=folder, recovery_dir=folder, max_history=2)
for epoch in range(2):
    saver.save_checkpoint(epoch, metric=evaluate(model))
found["evaluated"], found["averaged"] = evaluate(model), evaluate(ema.module)
found["on"] = train(model, optimizer, 4, start=2, **options)
again = model_of("resnet10t")
other = create_optimizer_v2(again, opt="momentum", lr=0.05, weight_decay=1e-4)
found["epoch"] = resume_checkpoint(again, f"{folder}/last.pth.tar", optimizer=other, loss_scaler=scaler, log_info=False)
average = ModelEmaV3(again, decay=0.9, use_warmup=True)
load_checkpoint(average.module, f"{folder}/last.pth.tar", use_ema=True)
scheduler, _ = create_scheduler_v2(other, sched="cosine", num_epochs=4, warmup_epochs=1)
scheduler.step(2)
found["resumed"] = train(again, other, 4, start=2, **options | {"scheduler": scheduler, "ema": average})
found["equal"] = found["resumed"] == found["on"] and evaluate(average.module) == evaluate(ema.module)

np.random.seed(0)
for mode in ("batch", "pair", "elem"):
    mixup = Mixup(mixup_alpha=0.4, cutmix_alpha=1.0, mode=mode, label_smoothing=0.1, num_classes=2)
    model = model_of("test_vit")
    found[f"mixup by {mode}"] = train(model, create_optimizer_v2(model, opt="adamw", lr=1e-3), 2, loss_of=SoftTargetCrossEntropy(), mixup=mixup)
model = model_of("test_vit")
found["adamw, no decay"] = train(model, create_optimizer_v2(model, opt="adamw", lr=1e-3), 2)
model = model_of("test_vit")
low = train(model, create_optimizer_v2(model, opt="adamw", lr=1e-3), 2, amp=True)
found["bfloat16"] = [abs(a - b) < 0.02 * b for a, b in zip(low, found["adamw, no decay"])]  # torch's smoothed loss is bfloat16
model = model_of("test_vit")
found["clipped"] = train(model, create_optimizer_v2(model, opt="sgd", lr=1e-2), 2, clip=0.1)
found["accuracy"] = [each.item() for each in accuracy(torch.eye(2), torch.tensor([0, 0]), topk=(1, 2))]
for x, _ in loader("train", re_prob=1.0, color_jitter=0.3, auto_augment="rand-m9-mstd0.5-inc1", is_training=True):
    found["augmented"] = [list(x.shape), bool(torch.isfinite(x).all())]
print(json.dumps(found))
