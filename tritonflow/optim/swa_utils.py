"""Averages of weights over training: stochastic weight averaging (Izmailov and others, 2018) and exponential moving averages."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.binding import target
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import int64
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.batchnorm import _BatchNorm
from tritonflow.nn.modules.module import Module
from tritonflow.nn.utils.multi_tensor import batches, beside, layout_and_dtype
from tritonflow.optim.lr_scheduler.scheduler import LRScheduler, for_each_group
from tritonflow.optim.optimizer import Optimizer

Tensors = Iterable[Tensor]


def _require_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise ArgumentValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay: float = 0.999) -> Callable[..., Any]:
    """The function (mean, current, count) to decay * mean + (1 - decay) * current, for `AveragedModel`.

    Raises:
        ValueError: the decay is not in [0, 1].
    """
    _require_decay(decay)

    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Callable[..., Any]:
    """The function (mean, current, count) to mean + (current - mean) / (count + 1), for `AveragedModel`."""

    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """As `get_ema_avg_fn`, for lists of tensors, in place. Floating tensors are rounded once, by `lerp`.

    Raises:
        ValueError: the decay is not in [0, 1].
    """
    return _in_place(get_ema_avg_fn(decay), lambda num_averaged: 1 - decay)


def get_swa_multi_avg_fn() -> Callable[..., None]:
    """As `get_swa_avg_fn`, for lists of tensors, in place. Floating tensors are rounded once, by `lerp`."""
    return _in_place(get_swa_avg_fn(), lambda num_averaged: float(1 / (num_averaged + 1)))


def _in_place(average: Callable[..., Any], weight_of: Callable[[Any], float]) -> Callable[..., None]:
    """The function of lists: `average`, or for floating tensors lerp with the weight that the present number gives."""

    def update(averaged_param_list: Tensors, current_param_list: Tensors, num_averaged: Any) -> None:
        with no_grad():
            for mean, current in zip(averaged_param_list, current_param_list, strict=True):
                if mean.dtype.is_floating_point or mean.dtype.is_complex:
                    _C.copy_(mean, _C.lerp(mean, current, weight_of(num_averaged)))
                else:
                    _C.copy_(mean, average(mean, current, num_averaged))

    return update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's: call `update_parameters(model)` after each step or epoch.

    Args:
        model: is copied; its tensors may be consistent.
        device: where the copy lies; where the model does unless given.
        avg_fn: a function of (mean, current, count) to the new mean; the equal average unless given.
        multi_avg_fn: a function of (means, current tensors, count) that writes the means.
        use_buffers: average buffers, too; else they are those of the model.

    Attributes:
        module: the averaged model.
        n_averaged: how many models the average is of.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.swa_utils.AveragedModel.html

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.Linear(1, 1, bias=False)
        >>> averaged = flow.optim.swa_utils.AveragedModel(model)
        >>> for value in (1.0, 3.0):
        ...     _ = flow.nn.init.constant_(model.weight, value)
        ...     averaged.update_parameters(model)
        >>> averaged.module.weight.item()
        2.0
    """

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: DeviceLike | None = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        where = next((target.beside(p) for p in self.module.parameters() if not p.meta.is_local), {"device": device})
        self.register_buffer("n_averaged", _C.full((), 0, dtype=int64, **where))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the averaged model returns."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Count a model in: the first one is copied."""
        with no_grad():
            pairs = [(mean.detach(), _like(current.detach(), mean)) for mean, current in self._pairs(model)]
            if self.n_averaged.item() == 0:
                for mean, current in pairs:
                    mean.copy_(current)
            else:
                self._average(pairs)
            if not self.use_buffers:
                for mean, current in zip(self.module.buffers(), model.buffers(), strict=True):
                    mean.detach().copy_(_like(current.detach(), mean))
            self.n_averaged.add_(1)

    def _pairs(self, model: Module) -> Iterable[tuple[Any, Any]]:
        mine, theirs = self.module, model
        if not self.use_buffers:
            return zip(mine.parameters(), theirs.parameters())
        return zip(
            itertools.chain(mine.parameters(), mine.buffers()), itertools.chain(theirs.parameters(), theirs.buffers())
        )

    def _average(self, pairs: list[tuple[Any, Any]]) -> None:
        if self.multi_avg_fn is None:
            average = self.avg_fn or get_swa_avg_fn()
            for mean, current in pairs:
                mean.copy_(average(mean, current, beside(self.n_averaged, mean)))
            return
        current_of = {id(mean): current for mean, current in pairs}
        for means in batches([mean for mean, _ in pairs], layout_and_dtype):
            current = [current_of[id(mean)] for mean in means]
            self.multi_avg_fn(means, current, beside(self.n_averaged, means[0]))  # type: ignore[attr-defined]


def _like(current: Any, mean: Any) -> Any:
    """A tensor of the model where its mean is: on the same device, or over the same placement with the same sbp."""
    return current.to(mean.device) if mean.meta.is_local else current.to_global(mean.placement, mean.sbp)


def update_bn(loader: Iterable[Any], model: Module, device: DeviceLike | None = None) -> None:
    """Compute the running statistics of all batch normalisations anew, over the batches of a loader.

    Args:
        loader: of batches; of a list or tuple the first element is the input.
        model: is called in training mode with each batch.
        device: where batches are moved.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.swa_utils.update_bn.html
    """
    layers: list[Any] = [layer for layer in model.modules() if isinstance(layer, _BatchNorm)]
    if not layers:
        return
    momenta, was_training = [layer.momentum for layer in layers], model.training
    model.train()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # the mean of all batches, each counting the same
    with no_grad():
        for batch in loader:
            batch = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(batch if device is None else batch.to(device))
    for layer, momentum in zip(layers, momenta):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the present lr to `swa_lr` in `anneal_epochs` steps, and stays there.

    Args:
        optimizer: whose groups get lrs.
        swa_lr: the last lr, one for all groups or a list of them.
        anneal_epochs: how many steps it takes.
        anneal_strategy: "cos" along a half period of a cosine, or "linear".
        last_epoch: the number of the last step, when training is resumed.

    Raises:
        ValueError: an unknown strategy, a negative number of steps, or a list of another length than the groups.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.swa_utils.SWALR.html

    Example:
        >>> import tritonflow as flow
        >>> optimizer = flow.optim.SGD([flow.zeros(1, requires_grad=True)], lr=1.0)
        >>> scheduler = flow.optim.swa_utils.SWALR(optimizer, 0.5, anneal_epochs=2, anneal_strategy="linear")
        >>> for _ in range(3):
        ...     optimizer.step()
        ...     scheduler.step()
        ...     print(scheduler.get_last_lr())
        [0.75]
        [0.5]
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        for rate, group in zip(for_each_group("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ArgumentValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        self._anneal_strategy = anneal_strategy
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """How far it has come from the first lr to the last one at a step, from 0 to 1."""
        t = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def _advanced(self, lrs: list[float], step: int) -> list[float]:
        step = self._step_count - 1
        step = max(1, step) if self.anneal_epochs == 0 else step
        before, now = self._share(step - 1), self._share(step)
        found = []
        for lr, group in zip(lrs, self.optimizer.param_groups):
            last = group["swa_lr"]
            first = last if before == 1 else (lr - before * last) / (1 - before)
            found.append(last * now + first * (1 - now))
        return found
