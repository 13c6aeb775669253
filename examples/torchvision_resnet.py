"""Fine-tune torchvision's ResNet-18, source untouched, on scikit-learn's scanned digits.

    pip install --no-deps torchvision && pip install scikit-learn tqdm
    python examples/torchvision_resnet.py [--compile] [--weights FILE | --pretrained] [--steps 60] [--save FILE]

torchvision says `import torch`; `flow.mock_torch` has it run on tritonflow. The picture of a digit is scaled up to 32x32, and the
last layer is replaced by one of ten classes, as in torch's tutorial. Weights come from one of three places:

- `--weights FILE`: a state dict that torch saved, such as a checkpoint of torchvision's own;
- `--pretrained`: torchvision downloads its weights of ImageNet;
- neither: random weights, so that the example runs without a network. The model then learns from nothing.

`--compile` has `torch.compile` make the training step, with backward and the optimizer's update, one program. `--save FILE` writes
the trained weights.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
from common import Defaults, progress
from sklearn.datasets import load_digits

import tritonflow as flow

with flow.mock_torch.enable():
    import torch
    import torch.nn.functional as F
    import torchvision

CLASSES, SIDE, HELD_OUT = 10, 32, 256


def load_data() -> tuple[torch.Tensor, torch.Tensor]:
    """The digits as pictures (1797, 3, 32, 32) between -1 and 1, in a random order, and their labels."""
    digits = load_digits()
    scans = torch.from_numpy((digits.images / 8 - 1).astype(numpy.float32))[:, None]
    pictures = F.interpolate(scans, size=(SIDE, SIDE), mode="bilinear", align_corners=False).expand(-1, 3, -1, -1)
    order = torch.randperm(len(pictures))
    return pictures[order], torch.from_numpy(digits.target.astype(numpy.int64))[order]


def build(options: argparse.Namespace) -> torch.nn.Module:
    """ResNet-18 with the weights that were asked for, and a new last layer."""
    if options.pretrained:
        model = torchvision.models.resnet18(weights=torchvision.models.ResNet18_Weights.DEFAULT)
        print("weights: torchvision's, of ImageNet")
    else:
        model = torchvision.models.resnet18(weights=None)
        print(f"weights: {options.weights or 'random, since neither --weights nor --pretrained was given'}")
    if options.weights is not None:
        model.load_state_dict(torch.load(options.weights, map_location="cpu", weights_only=True))
    model.fc = torch.nn.Linear(model.fc.in_features, CLASSES)
    return model.to(options.device)


def step_of(model: torch.nn.Module, options: argparse.Namespace) -> Callable[[Any, Any], Any]:
    """A training step: from pictures and labels to the loss."""
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9, weight_decay=1e-4)

    def step(pictures: Any, labels: Any) -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(pictures), labels)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return torch.compile(step) if options.compile else step


def accuracy(model: torch.nn.Module, pictures: torch.Tensor, labels: torch.Tensor) -> float:
    """The share of pictures that the model reads right."""
    model.eval()
    with torch.no_grad():
        right = (model(pictures).argmax(dim=1) == labels).sum().item()
    model.train()
    return float(right / len(labels))


def train(options: argparse.Namespace) -> list[float]:
    """Fine-tune; gives the loss of every step."""
    torch.manual_seed(options.seed)
    pictures, labels = (values.to(options.device) for values in load_data())
    held_out, pictures = pictures[:HELD_OUT], pictures[HELD_OUT:]
    held_out_labels, labels = labels[:HELD_OUT], labels[HELD_OUT:]
    model = build(options)
    losses: list[float] = []
    step, start = step_of(model, options), time.perf_counter()
    with progress(range(options.steps), "fine-tuning", "step") as bar:
        for number in bar:
            first = number * options.batch % (len(pictures) - options.batch)
            losses.append(step(pictures[first : first + options.batch], labels[first : first + options.batch]).item())
            if number % 10 == 0 or number == options.steps - 1:
                bar.write(f"step {number:3}: loss {losses[-1]:.4f}, {time.perf_counter() - start:.1f} s")
    print(f"held-out accuracy {accuracy(model, held_out, held_out_labels):.1%}")
    if options.save is not None:
        torch.save(model.state_dict(), options.save)
    return losses


def main(arguments: Sequence[str] | None = None) -> list[float]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], formatter_class=Defaults)
    parser.add_argument("--compile", action="store_true", help="compile the training step")
    weights = parser.add_mutually_exclusive_group()
    weights.add_argument("--weights", type=Path, help="a state dict that torch saved")
    weights.add_argument("--pretrained", action="store_true", help="download torchvision's weights")
    parser.add_argument("--steps", type=int, default=60, help="steps of training")
    parser.add_argument("--batch", type=int, default=32, help="pictures in a step")
    parser.add_argument("--lr", type=float, default=0.02, help="learning rate")
    parser.add_argument("--seed", type=int, default=0, help="of the split of the data and the weights")
    parser.add_argument("--device", default="cuda" if flow.cuda.is_available() else "cpu", help="where it runs")
    parser.add_argument("--save", type=Path, help="file for the trained weights")
    return train(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
