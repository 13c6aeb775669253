"""Learning rate schedulers, with torch's and OneFlow's names: `scheduler.step()` after `optimizer.step()` sets the groups' lrs.

Nearly all are functions of the step, `scheduler.lr_at(step)`. A captured training step asks for that function.
"""

from tritonflow.optim.lr_scheduler.composed import ChainedScheduler, SequentialLR, WarmUpLR
from tritonflow.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts, CosineDecayLR
from tritonflow.optim.lr_scheduler.cycles import CyclicLR, OneCycleLR
from tritonflow.optim.lr_scheduler.factors import (
    ConstantLR,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from tritonflow.optim.lr_scheduler.functions import LambdaLR, MultiplicativeLR
from tritonflow.optim.lr_scheduler.plateau import ReduceLROnPlateau
from tritonflow.optim.lr_scheduler.scheduler import LRScheduler, _LRScheduler

WarmupLR = WarmUpLR

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CosineDecayLR", "CyclicLR",
    "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR", "WarmUpLR", "WarmupLR", "_LRScheduler",
]  # fmt: skip
