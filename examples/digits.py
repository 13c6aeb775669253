"""Learn to read digits: scikit-learn's 1,797 scans of 8x8 points, a small convolutional net, a held-out fifth.

    python examples/digits.py [--eager | --graph] [--amp] [--epochs 6] [--checkpoint FILE [--resume]] [--out demo]

trains, reports loss, speed and accuracy of each epoch, draws `demo/digits.png`, saves `demo/digits.safetensors`, and has a fresh
process load it and measure the accuracy again. The exit status is 1 if that differs or is below 97 %.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy
from common import Training, accuracy, parse, parser_of
from sklearn.datasets import load_digits

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader, Subset, TensorDataset, random_split

GOAL = 0.97
Digits: TypeAlias = "Subset[tuple[flow.Tensor, ...]]"


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


def load_data(seed: int, prepare: Callable[[flow.Tensor], flow.Tensor] | None = None) -> tuple[Digits, Digits]:
    """Training and held-out data: four fifths and one, by a random split that depends on the seed alone.

    `prepare` makes the pictures of the scans `(N, 1, 8, 8)`.
    """
    digits = load_digits()
    images = flow.from_numpy((digits.data / 16).astype(numpy.float32).reshape(-1, 1, 8, 8))
    if prepare is not None:
        images = prepare(images)
    labels = flow.from_numpy(digits.target.astype(numpy.int64))
    held_out = len(labels) // 5
    generator = flow.Generator("cpu")
    generator.manual_seed(seed)
    train, test = random_split(TensorDataset(images, labels), [len(labels) - held_out, held_out], generator)
    return train, test


def train(options: argparse.Namespace) -> tuple[Training[DigitNet], Digits]:
    """Train a model; with the held-out data."""
    train_data, test_data = load_data(options.seed)
    print(f"{len(train_data)} scans to learn from, {len(test_data)} held out")
    model = DigitNet().to(options.device)
    training = Training(options, model, flow.optim.Adam(model.parameters(), lr=2e-3))
    batches = DataLoader(train_data, batch_size=64, shuffle=True)
    training.run(batches, lambda: accuracy(model, test_data, options.device))
    return training, test_data


@flow.no_grad()
def draw(training: Training[DigitNet], data: Digits, path: Path) -> None:
    """The curves, and predictions for some held-out scans, the mistaken ones first."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    history = training.history
    images, labels = next(iter(DataLoader(data, batch_size=len(data))))
    guesses = training.model(images.to(training.options.device)).argmax(dim=1).tolist()
    labels, scans = labels.tolist(), images.numpy()[:, 0]
    wrong_first = sorted(range(len(labels)), key=lambda i: guesses[i] == labels[i])[:24]

    figure = pyplot.figure(figsize=(12, 6), layout="constrained")
    curves, predictions = figure.subfigures(1, 2, width_ratios=[1, 1.2])
    losses, accuracies = curves.subplots(2, 1, sharex=True)
    epochs = range(1, len(history) + 1)
    losses.plot(epochs, [e["loss"] for e in history], label="training")
    losses.plot(epochs, [e["held-out loss"] for e in history], label="held out")
    losses.set(ylabel="loss", yscale="log")
    losses.legend()
    accuracies.plot(epochs, [100 * e["accuracy"] for e in history], color="tab:green")
    accuracies.axhline(100 * GOAL, color="grey", linestyle=":")
    accuracies.set(xlabel="epoch", ylabel="accuracy (%), held out")
    predictions.suptitle("held-out scans: what the net reads (red: mistaken)")
    for axes, i in zip(predictions.subplots(4, 6).flat, wrong_first):
        axes.imshow(scans[i], cmap="gray_r")
        right = guesses[i] == labels[i]
        axes.set_title(str(guesses[i]) if right else f"{guesses[i]}, is {labels[i]}", color="black" if right else "red")
        axes.axis("off")
    figure.savefig(path, dpi=100)


@flow.no_grad()
def check(path: Path) -> float:
    """The accuracy of a saved model on the held-out data that it was not trained on."""
    saved = flow.load(path, map_location="cpu")
    model = DigitNet().eval()
    model.load_state_dict(saved["model"])
    _, test_data = load_data(saved["seed"])
    return accuracy(model, test_data, "cpu")["accuracy"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of(__doc__, epochs=6)
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the picture and the model")
    parser.add_argument("--check", type=Path, help="only load this model and print its accuracy")
    options = parse(parser, arguments)
    if options.check:
        print(check(options.check))
        return 0

    start = time.perf_counter()
    training, test_data = train(options)
    print(f"trained in {time.perf_counter() - start:.1f} s")
    options.out.mkdir(parents=True, exist_ok=True)
    picture, file = options.out / "digits.png", options.out / "digits.safetensors"
    draw(training, test_data, picture)
    flow.save({"model": training.model.state_dict(), "seed": options.seed}, file)
    print(f"wrote {picture} and {file}")

    fresh = subprocess.run([sys.executable, __file__, "--check", file], check=True, capture_output=True, text=True)
    again, reached = float(fresh.stdout), training.history[-1]["accuracy"]
    print(f"accuracy {reached:.2%}; loaded in a fresh process: {again:.2%}")
    if again != reached or reached < GOAL:
        print(f"FAILED: expected the same accuracy twice, and at least {GOAL:.0%}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
