"""Lets torchvision be imported by programs that run with torch, for comparison.

torchvision of the package index is built for CUDA. Beside a torch for CPUs its library of ops does not load. Then it fails as it is
imported, as torch lacks the ops whose shapes it registers. So these get their names, and nothing that computes them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder


class NamesOps(MetaPathFinder):
    """Names the ops before torchvision is imported, once."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> None:
        if fullname != "torchvision":
            return
        sys.meta_path.remove(self)
        import torch

        for name in ("nms", "qnms"):
            torch.library.define(f"torchvision::{name}", "(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor")


sys.meta_path.insert(0, NamesOps())
