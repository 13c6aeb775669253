"""Lets torchvision be imported by programs that run with torch, for comparison.

torchvision of the package index is built for CUDA. Beside a torch for CPUs its library of ops does not load. Then it fails as it is
imported, as torch lacks the ops whose shapes it registers. So these get their names, and `nms` is computed by NumPy.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from typing import Any

import numpy as np


def nms(boxes: Any, scores: Any, iou_threshold: float) -> Any:
    """The boxes that no better one overlaps by more than `iou_threshold`, the best first."""
    import torch

    corners, left, chosen = boxes.double().numpy(), scores.argsort(descending=True, stable=True).numpy(), []
    areas = (corners[:, 2:] - corners[:, :2]).prod(1)
    while len(left):
        best, left = left[0], left[1:]
        chosen.append(best)
        sides = np.minimum(corners[left, 2:], corners[best, 2:]) - np.maximum(corners[left, :2], corners[best, :2])
        shared = sides.clip(0).prod(1)
        left = left[shared <= iou_threshold * (areas[left] + areas[best] - shared)]
    return torch.tensor(np.array(chosen, dtype=np.int64))


@functools.cache
def name_ops() -> None:
    """Give the ops their names, once: a package may be looked for before it is imported."""
    import torch

    for name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{name}", "(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.impl("torchvision::nms", "CPU")(nms)


class NamesOps(MetaPathFinder):
    """Names the ops before torchvision is imported, and says that they are there once its shapes are registered."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> None:
        if fullname == "torchvision":
            name_ops()
        elif fullname == "torchvision.ops":
            sys.meta_path.remove(self)
            sys.modules["torchvision.extension"]._assert_has_ops = lambda: None  # type: ignore[attr-defined]


sys.meta_path.insert(0, NamesOps())
