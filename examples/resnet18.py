"""ResNet-18 on scikit-learn's scanned digits, scaled up from 8x8 to 32x32; a held-out fifth.

    python examples/resnet18.py [--eager | --graph] [--amp] [--epochs 3] [--size 32] [--checkpoint FILE [--resume]]

The net has torchvision's layers, widths and names of parameters, but for the stem, which is that for small pictures: a 3x3
convolution of stride 1 and no pooling. SGD with momentum; the learning rate goes up and down in one cycle.

Source: He and others, Deep Residual Learning for Image Recognition, 2015 (arXiv:1512.03385).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy
from common import Training, accuracy, parse, parser_of
from digits import load_data
from scipy.ndimage import zoom

import tritonflow as flow
from tritonflow import nn
from tritonflow.optim.lr_scheduler import OneCycleLR
from tritonflow.utils.data import DataLoader


def conv3x3(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    """relu(x + two convolutions of x); x is brought to their shape by a 1x1 convolution where that differs."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1, self.bn1 = conv3x3(inputs, outputs, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.bn2 = conv3x3(outputs, outputs), nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            shortcut = nn.Conv2d(inputs, outputs, kernel_size=1, stride=stride, bias=False)
            self.downsample = nn.Sequential(shortcut, nn.BatchNorm2d(outputs))

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    """Pictures `(N, channels, H, W)` to logits `(N, classes)`."""

    def __init__(self, channels: int = 1, classes: int = 10) -> None:
        super().__init__()
        self.conv1, self.bn1, self.relu = conv3x3(channels, 64), nn.BatchNorm2d(64), nn.ReLU(inplace=True)
        self.layer1 = self._layer(64, 64, stride=1)
        self.layer2 = self._layer(64, 128, stride=2)
        self.layer3 = self._layer(128, 256, stride=2)
        self.layer4 = self._layer(256, 512, stride=2)
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(512, classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    @staticmethod
    def _layer(inputs: int, outputs: int, stride: int) -> nn.Sequential:
        return nn.Sequential(BasicBlock(inputs, outputs, stride), BasicBlock(outputs, outputs, 1))

    def forward(self, pictures: flow.Tensor) -> flow.Tensor:
        x = self.relu(self.bn1(self.conv1(pictures)))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))


def scale_up(scans: flow.Tensor, size: int) -> flow.Tensor:
    """Scans `(N, 1, 8, 8)` as pictures `(N, 1, size, size)`, by bilinear interpolation."""
    factor = size / scans.shape[-1]
    pictures = zoom(scans.numpy(), (1, 1, factor, factor), order=1, mode="nearest", grid_mode=True)
    return flow.from_numpy(numpy.ascontiguousarray(pictures))


def train(options: argparse.Namespace) -> Training[ResNet18]:
    """Train a model."""
    train_data, test_data = load_data(options.seed, lambda scans: scale_up(scans, options.size))
    print(f"{len(train_data)} pictures to learn from, {len(test_data)} held out")
    model = ResNet18().to(options.device)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    batches = DataLoader(train_data, batch_size=options.batch, shuffle=True)
    steps = min(len(batches), options.steps or len(batches))
    schedule = OneCycleLR(optimizer, max_lr=options.lr, total_steps=options.epochs * steps + 1)
    training = Training(options, model, optimizer, schedule)
    training.run(batches, lambda: accuracy(model, test_data, options.device))
    return training


def main(arguments: Sequence[str] | None = None) -> Training[ResNet18]:
    parser = parser_of(__doc__, epochs=3)
    parser.add_argument("--size", type=int, default=32, help="pixels along a side of a picture")
    parser.add_argument("--batch", type=int, default=32, help="pictures in a step")
    parser.add_argument("--lr", type=float, default=0.05, help="the highest learning rate")
    return train(parse(parser, arguments))


if __name__ == "__main__":
    main()
    sys.exit(0)
