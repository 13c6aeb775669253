"""Learn to read digits: scikit-learn's 1,797 scans of 8x8 points, a small convolutional net, a held-out fifth.

    python examples/digits.py [--epochs 6] [--seed 0] [--device cpu] [--graph] [--out demo]

trains (with --graph each step as one native program), reports loss and accuracy of each epoch, draws `demo/digits.png`, saves
`demo/digits.safetensors`, and has a fresh process load it and measure the accuracy again. The exit status is 1 if that differs or
is below 97 %.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy
from sklearn.datasets import load_digits
from tqdm import tqdm

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader, Dataset, TensorDataset, random_split

GOAL = 0.97


class DigitNet(nn.Module):
    """Three convolutions with batch norm, two poolings, one linear layer: `(N, 1, 8, 8)` to `(N, 10)` logits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, kernel_size=3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.Conv2d(16, 32, kernel_size=3, padding=1),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, kernel_size=3, padding=1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Dropout(0.25), nn.Linear(64 * 2 * 2, 10))

    def forward(self, images: flow.Tensor) -> flow.Tensor:
        return self.classifier(self.features(images))


class Step(nn.Graph):
    """A training step as a graph."""

    def __init__(self, model: nn.Module, optimizer: flow.optim.Optimizer) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(optimizer)

    def build(self, images: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
        loss = nn.functional.cross_entropy(self.model(images), labels)
        loss.backward()
        return loss


class Epoch(NamedTuple):
    train_loss: float
    test_loss: float
    accuracy: float


def load_data(seed: int) -> tuple[Dataset, Dataset]:
    """Training and held-out data: four fifths and one, by a random split that depends on the seed alone."""
    digits = load_digits()
    images = flow.from_numpy((digits.data / 16).astype(numpy.float32).reshape(-1, 1, 8, 8))
    labels = flow.from_numpy(digits.target.astype(numpy.int64))
    held_out = len(labels) // 5
    generator = flow.Generator("cpu")
    generator.manual_seed(seed)
    train, test = random_split(TensorDataset(images, labels), [len(labels) - held_out, held_out], generator)
    return train, test


def eager_step(model: nn.Module, optimizer: flow.optim.Optimizer) -> Callable[..., flow.Tensor]:
    """A training step, op by op."""

    def step(images: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def train_epoch(step: Callable[..., flow.Tensor], batches: DataLoader, device: str, bar: tqdm) -> float:
    """One pass over the training data; the mean loss."""
    total, count = 0.0, 0
    for images, labels in batches:
        loss = step(images.to(device), labels.to(device))
        total += loss.item() * len(labels)
        count += len(labels)
        bar.update()
        bar.set_postfix(loss=f"{total / count:.3f}")
    return total / count


@flow.no_grad()
def evaluate(model: nn.Module, data: Dataset, device: str) -> tuple[float, float]:
    """Mean loss and accuracy."""
    model.eval()
    loss, correct = 0.0, 0
    for images, labels in DataLoader(data, batch_size=256):
        logits, labels = model(images.to(device)), labels.to(device)
        loss += nn.functional.cross_entropy(logits, labels, reduction="sum").item()
        correct += int((logits.argmax(dim=1) == labels).sum().item())
    return loss / len(data), correct / len(data)


def train(options: argparse.Namespace) -> tuple[nn.Module, list[Epoch], Dataset]:
    """Train a model; with its history and the held-out data."""
    flow.manual_seed(options.seed)
    train_data, test_data = load_data(options.seed)
    batches = DataLoader(train_data, batch_size=64, shuffle=True)
    model = DigitNet().to(options.device)
    optimizer = flow.optim.Adam(model.parameters(), lr=2e-3)
    step = (Step if options.graph else eager_step)(model, optimizer)
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(train_data)} scans to learn from, {len(test_data)} held out; {count:,} parameters on {options.device}")
    history = []
    for number in range(1, options.epochs + 1):
        with tqdm(
            total=len(batches), desc=f"epoch {number:2}/{options.epochs}", leave=False, unit="batch", disable=None
        ) as bar:
            model.train()
            train_loss = train_epoch(step, batches, options.device, bar)
        history.append(Epoch(train_loss, *evaluate(model, test_data, options.device)))
        print(
            f"epoch {number:2}/{options.epochs}   loss {train_loss:.4f}   "
            f"held out: loss {history[-1].test_loss:.4f}, accuracy {history[-1].accuracy:.2%}"
        )
    return model, history, test_data


@flow.no_grad()
def draw(model: nn.Module, history: list[Epoch], data: Dataset, device: str, path: Path) -> None:
    """The curves, and predictions for some held-out scans, the mistaken ones first."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    model.eval()
    images, labels = next(iter(DataLoader(data, batch_size=len(data))))
    guesses = model(images.to(device)).argmax(dim=1).tolist()
    labels, scans = labels.tolist(), images.numpy()[:, 0]
    wrong_first = sorted(range(len(labels)), key=lambda i: guesses[i] == labels[i])[:24]

    figure = pyplot.figure(figsize=(12, 6), layout="constrained")
    curves, predictions = figure.subfigures(1, 2, width_ratios=[1, 1.2])
    losses, accuracies = curves.subplots(2, 1, sharex=True)
    epochs = range(1, len(history) + 1)
    losses.plot(epochs, [e.train_loss for e in history], label="training")
    losses.plot(epochs, [e.test_loss for e in history], label="held out")
    losses.set(ylabel="loss", yscale="log")
    losses.legend()
    accuracies.plot(epochs, [100 * e.accuracy for e in history], color="tab:green")
    accuracies.axhline(100 * GOAL, color="grey", linestyle=":")
    accuracies.set(xlabel="epoch", ylabel="accuracy (%), held out")
    predictions.suptitle("held-out scans: what the net reads (red: mistaken)")
    for axes, i in zip(predictions.subplots(4, 6).flat, wrong_first):
        axes.imshow(scans[i], cmap="gray_r")
        right = guesses[i] == labels[i]
        axes.set_title(str(guesses[i]) if right else f"{guesses[i]}, is {labels[i]}", color="black" if right else "red")
        axes.axis("off")
    figure.savefig(path, dpi=100)


def check(path: Path) -> float:
    """The accuracy of a saved model on the held-out data that it was not trained on."""
    saved = flow.load(path, map_location="cpu")
    model = DigitNet()
    model.load_state_dict(saved["model"])
    _, test_data = load_data(saved["seed"])
    return evaluate(model, test_data, "cpu")[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda" if flow.cuda.is_available() else "cpu")
    parser.add_argument("--graph", action="store_true", help="run each training step as a graph")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the picture and the model")
    parser.add_argument("--check", type=Path, help="only load this model and print its accuracy")
    options = parser.parse_args()
    if options.check:
        print(check(options.check))
        return 0

    start = time.perf_counter()
    model, history, test_data = train(options)
    print(f"trained in {time.perf_counter() - start:.1f} s")
    options.out.mkdir(parents=True, exist_ok=True)
    picture, file = options.out / "digits.png", options.out / "digits.safetensors"
    draw(model, history, test_data, options.device, picture)
    flow.save({"model": model.state_dict(), "seed": options.seed, "history": [tuple(e) for e in history]}, file)
    print(f"wrote {picture} and {file}")

    fresh = subprocess.run([sys.executable, __file__, "--check", file], check=True, capture_output=True, text=True)
    again, accuracy = float(fresh.stdout), history[-1].accuracy
    print(f"accuracy {accuracy:.2%}; loaded in a fresh process: {again:.2%}")
    if again != accuracy or accuracy < GOAL:
        print(f"FAILED: expected the same accuracy twice, and at least {GOAL:.0%}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
