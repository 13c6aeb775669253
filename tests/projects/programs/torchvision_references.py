"""torchvision's references in small: a classifier, a segmenter and detectors, with their presets, options, averages and checkpoints."""

# needs: torchvision
import contextlib
import json
import math
import os
import sys
import warnings

import numpy as np
import torch
import torchvision
from PIL import Image
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, default_collate
from torchvision import tv_tensors
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.models.detection import FCOS, RetinaNet
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.resnet import BasicBlock, ResNet
from torchvision.models.segmentation.fcn import FCN, FCNHead
from torchvision.ops._utils import split_normalization_params
from torchvision.transforms import v2 as T

warnings.filterwarnings("ignore")
folder = sys.argv[1]
random = np.random.default_rng(0)
found = {}


def filled(model):
    """Weights that do not depend on the generator of torch or of tritonflow."""
    random = np.random.default_rng(1)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    with torch.no_grad():
        for p in model.parameters():
            drawn = torch.tensor(random.standard_normal(tuple(p.shape)) / math.sqrt(max(1, p[0].numel())), dtype=torch.float32)
            p.copy_(drawn if p.ndim > 1 else p.round() + 0.1 * drawn)
    return model


def accuracy(output, target, topk):
    with torch.inference_mode():
        if target.ndim == 2:
            target = target.max(dim=1)[1]
        _, guesses = output.topk(max(topk), 1, True, True)
        correct = guesses.t().eq(target[None])
        return [(correct[:k].flatten().sum(dtype=torch.float32) * (100.0 / len(target))).item() for k in topk]


# Classification: a folder of images, presets, mixes, groups of decay, a warm-up, averaged weights, a checkpoint resumed.
for split, count in (("train", 4), ("val", 2)):
    for name in ("ant", "bee", "cat"):
        os.makedirs(f"{folder}/{split}/{name}")
        for i in range(count):
            Image.fromarray(random.integers(0, 256, (40, 48, 3), dtype=np.uint8)).save(f"{folder}/{split}/{name}/{i}.png")


class Average(torch.optim.swa_utils.AveragedModel):
    def __init__(self, model, decay):
        super().__init__(model, "cpu", lambda average, current, _: decay * average + (1 - decay) * current, use_buffers=True)


def preset(*, augment):
    steps = [T.Resize(40, interpolation=T.InterpolationMode.BILINEAR, antialias=True), T.CenterCrop(32)]
    if augment:
        steps = [T.RandomResizedCrop(32, antialias=True), T.RandomHorizontalFlip(0.5), T.TrivialAugmentWide()]
    steps += [T.PILToTensor(), T.ToDtype(torch.float, scale=True), T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]
    return T.Compose([*steps, *([T.RandomErasing(p=1.0)] if augment else []), T.ToPureTensor()])


data = {split: torchvision.datasets.ImageFolder(f"{folder}/{split}", preset(augment=False)) for split in ("train", "val")}
loaders = {split: DataLoader(data[split], 4, sampler=SequentialSampler(data[split]), num_workers=2, pin_memory=True) for split in data}
augmented = torchvision.datasets.ImageFolder(f"{folder}/train", preset(augment=True))
mix = T.RandomChoice([T.MixUp(alpha=0.2, num_classes=3), T.CutMix(alpha=1.0, num_classes=3)])
loader = DataLoader(augmented, 4, num_workers=2, collate_fn=lambda batch: mix(*default_collate(batch)), drop_last=True)
found["augmented"] = [[list(x.shape), bool(torch.isfinite(x).all()), round(t.sum().item(), 3)] for x, t in loader]


def optimizer_of(model, name):
    kinds = split_normalization_params(model)
    groups = [{"params": p, "weight_decay": w} for p, w in zip(kinds, (0.0, 1e-2)) if p]
    if name.startswith("sgd"):
        return torch.optim.SGD(groups, lr=0.01, momentum=0.9, weight_decay=1e-2, nesterov="nesterov" in name)
    if name == "rmsprop":
        return torch.optim.RMSprop(groups, lr=1e-3, momentum=0.9, weight_decay=1e-2, eps=0.0316, alpha=0.9)
    return torch.optim.AdamW(groups, lr=1e-3, weight_decay=1e-2)


def schedule_of(optimizer, name):
    main = {
        "step": lambda: torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5),
        "cosine": lambda: torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3, eta_min=1e-5),
        "exponential": lambda: torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8),
    }[name]()
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=1)
    return torch.optim.lr_scheduler.SequentialLR(optimizer, schedulers=[warm, main], milestones=[1])


@contextlib.contextmanager
def evaluating(model):
    model.eval()
    with torch.inference_mode():
        yield
    model.train()


def evaluate(model):
    with evaluating(model):
        outputs = [(model(x.double()), t) for x, t in loaders["val"]]
        return [[nn.functional.cross_entropy(y, t).item(), *accuracy(y, t, (1, 2))] for y, t in outputs]


def classify(option, schedule, scaler=None, resume=None, epochs=2):
    model = filled(ResNet(BasicBlock, [1, 1, 1, 1], num_classes=3)).double()  # few images in a batch norm: float32 rounds too much
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = optimizer_of(model, option)
    scheduler, average, start, losses = schedule_of(optimizer, schedule), Average(model, 0.9), 0, []
    if resume:
        checkpoint = torch.load(resume, map_location="cpu", weights_only=True)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["lr_scheduler"])
        average.load_state_dict(checkpoint["model_ema"])
        scaler.load_state_dict(checkpoint["scaler"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, epochs):
        model.train()
        for image, target in loaders["train"]:
            with torch.amp.autocast("cpu", enabled=False):
                loss = criterion(model(image.double()), target)
            optimizer.zero_grad()
            if scaler:
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], 1.0)
                scaler.step(optimizer)
                scaler.update()
            else:
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            average.update_parameters(model)
            if epoch < 1:
                average.n_averaged.fill_(0)  # the warm-up copies weights
            losses.append(loss.item())
        scheduler.step()
        if epoch != 1:
            continue
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "lr_scheduler": scheduler.state_dict(), "epoch": epoch}
        if scaler:
            state |= {"model_ema": average.state_dict(), "scaler": scaler.state_dict()}
        torch.save(state, os.path.join(folder, "checkpoint.pth"))
    return losses, evaluate(model), evaluate(average), [g["lr"] for g in optimizer.param_groups]


found["sgd"] = classify("sgd_nesterov", "step")
found["rmsprop"] = classify("rmsprop", "exponential")
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
found["adamw"] = classify("adamw", "cosine", scaler, epochs=3)
found["resumed"] = classify("adamw", "cosine", torch.amp.GradScaler("cpu"), resume=f"{folder}/checkpoint.pth", epochs=3)
found["resumed losses are equal"] = found["resumed"][0] == found["adamw"][0][-3:]


# Segmentation: images of several sizes that are padded, an auxiliary head, a rate for each iteration, a confusion matrix.
def sample(i):
    height, width = 33 + 2 * i, 40 - i
    image = tv_tensors.Image(torch.from_numpy(random.integers(0, 256, (3, height, width), dtype=np.uint8)))
    return image, tv_tensors.Mask(torch.from_numpy(random.integers(0, 4, (height, width), dtype=np.uint8)))


def padded(images, value):
    largest = tuple(max(sizes) for sizes in zip(*[image.shape for image in images]))
    batch = images[0].new(len(images), *largest).fill_(value)
    for image, into in zip(images, batch):
        into[..., : image.shape[-2], : image.shape[-1]].copy_(image)
    return batch


def collate(batch):
    images, targets = zip(*batch)
    return padded(images, 0), padded(targets, 255)


steps = T.Compose([
    T.Resize(36, antialias=True), T.ToDtype({tv_tensors.Image: torch.float32, tv_tensors.Mask: torch.int64, "others": None}, scale=True),
    T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)), T.ToPureTensor(),
])  # fmt: skip
pictures = [steps(*sample(i)) for i in range(4)]
crop = T.Compose([T.RandomResize(30, 50), T.RandomHorizontalFlip(0.5), T.RandomCrop(24, pad_if_needed=True, fill={tv_tensors.Mask: 255, "others": 0})])
cropped = [crop(*sample(i)) for i in range(4)]
found["cropped"] = [[type(x).__name__, list(x.shape), x.dtype == torch.uint8, type(m).__name__, list(m.shape)] for x, m in cropped]
batches = DataLoader(pictures, 2, collate_fn=collate, drop_last=True, num_workers=1)


def confusion(batches, model, classes=4):
    matrix = torch.zeros((classes, classes), dtype=torch.int64)
    for image, target in batches:
        for a, b in zip(target.flatten(1), model(image)["out"].argmax(1).flatten(1)):
            valid = (a >= 0) & (a < classes)
            matrix += torch.bincount(classes * a[valid].to(torch.int64) + b[valid], minlength=classes**2).reshape(classes, classes)
    right = torch.diag(matrix.float())
    union = matrix.float().sum(1) + matrix.float().sum(0) - right
    return matrix.tolist(), (right.sum() / matrix.sum()).item(), (right / union).tolist()


layers = IntermediateLayerGetter(ResNet(BasicBlock, [1, 1, 1, 1]), {"layer3": "aux", "layer4": "out"})
model = filled(FCN(layers, FCNHead(512, 4), FCNHead(256, 4)))
groups = [{"params": [p for p in part.parameters() if p.requires_grad]} for part in (model.backbone, model.classifier)]
optimizer = torch.optim.SGD([*groups, {"params": list(model.aux_classifier.parameters()), "lr": 0.01}], lr=1e-3, momentum=0.9, weight_decay=1e-4)
main = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=3, power=0.9)
warm = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=1)
scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, schedulers=[warm, main], milestones=[1])
losses, model = [], model.train()
for _ in range(2):
    for image, target in batches:
        losses_of = {name: nn.functional.cross_entropy(x, target, ignore_index=255) for name, x in model(image).items()}
        loss = losses_of["out"] + 0.5 * losses_of["aux"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append([loss.item(), optimizer.param_groups[0]["lr"], optimizer.param_groups[2]["lr"]])
with evaluating(model):
    found["segmenter"] = [losses, confusion(batches, model)]


# Detection: groups of like shapes, a warm-up for each iteration, dictionaries of losses, targets of other sizes in each image.
class Boxes(torch.utils.data.Dataset):
    def __init__(self):
        self.images = [torch.from_numpy(random.random((3, 64 + 8 * (i % 2), 72)).astype(np.float32)) for i in range(6)]
        corners = [random.random((i % 3 + 1, 2)) * 30 for i in range(6)]
        self.boxes = [np.concatenate([c, c + 8 + random.random(c.shape) * 20], 1).astype(np.float32) for c in corners]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = tv_tensors.Image(self.images[i])
        boxes = tv_tensors.BoundingBoxes(torch.from_numpy(self.boxes[i]), format="XYXY", canvas_size=tuple(image.shape[-2:]))
        target = {"boxes": boxes, "labels": torch.arange(len(boxes)) % 2 + 1, "image_id": i}
        return steps_of_boxes(image, target)


class Alike(BatchSampler):
    """Batches of one group, as GroupedBatchSampler makes them."""

    def __init__(self, groups, size):
        self.groups, self.batch_size = groups, size

    def __iter__(self):
        waiting = {}
        for i in SequentialSampler(self.groups):
            waiting.setdefault(self.groups[i], []).append(i)
            if len(waiting[self.groups[i]]) == self.batch_size:
                yield waiting.pop(self.groups[i])
        yield from waiting.values()

    def __len__(self):
        return math.ceil(len(self.groups) / self.batch_size)


steps_of_boxes = T.Compose([T.RandomHorizontalFlip(p=1.0), T.ToDtype(torch.float, scale=True), T.SanitizeBoundingBoxes(), T.ToPureTensor()])
data = Boxes()
loader = DataLoader(data, batch_sampler=Alike([i % 2 for i in range(6)], 2), num_workers=2, collate_fn=lambda batch: tuple(zip(*batch)))


class Backbone(nn.Sequential):
    out_channels = 32

    def __init__(self):
        super().__init__(nn.Conv2d(3, 32, 3, 4, 1), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, 2, 1))


anchors = {
    FCOS: AnchorGenerator(sizes=((8,),), aspect_ratios=((1.0,),)),
    RetinaNet: AnchorGenerator(sizes=((8, 16, 24),), aspect_ratios=((0.5, 1.0, 2.0),)),
}
for kind in (FCOS, RetinaNet):
    model = filled(kind(Backbone(), num_classes=3, anchor_generator=anchors[kind], min_size=64, max_size=96, score_thresh=0.0, topk_candidates=20))
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1], gamma=0.1)
    losses = []
    for epoch in range(2):
        model.train()
        warm = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.001, total_iters=2) if epoch == 0 else None
        for images, targets in loader:
            loss_dict = model(list(images), targets)
            loss = sum(loss_dict.values())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if warm:
                warm.step()
            losses.append([loss.item(), {name: value.item() for name, value in loss_dict.items()}, optimizer.param_groups[0]["lr"]])
        scheduler.step()
    found[kind.__name__] = losses
    outputs = {}
    with evaluating(model):
        for images, targets in loader:
            outputs |= {str(t["image_id"]): {k: v.cpu() for k, v in y.items()} for t, y in zip(targets, model(list(images)))}
    found[f"{kind.__name__} detects"] = {i: [len(y["boxes"]), y["labels"].tolist()[:5], y["scores"].tolist()[:5], y["boxes"].tolist()[:3]] for i, y in outputs.items()}
print(json.dumps(found))
