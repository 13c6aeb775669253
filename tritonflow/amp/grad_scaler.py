"""GradScaler: scales the loss, so that small gradients do not vanish in float16.

Whether a step overflowed, the scale, and when it grows are numbers in device memory, which kernels read and write. The host waits
for nothing, and a captured step contains all of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, overload

from tritonflow import _C
from tritonflow.dtypes import float16, float32, int32
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.execution.lazy import eager
from tritonflow.framework.sbp import broadcast, partial_max
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import InPlace, batches, beside, layout_and_dtype
from tritonflow.optim.optimizer import Optimizer
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

READY, UNSCALED, STEPPED = "ready", "unscaled", "stepped"


class ScalingProgress:
    """Where an optimizer is between two updates of the scale, and for each device whether its gradients overflowed."""

    def __init__(self) -> None:
        self.stage = READY
        self.found_inf: dict[Any, Tensor] = {}


class GradScaler:
    """Scales the loss up and the gradients down again; skips steps whose gradients overflowed, and adapts the scale to them.

        scaler.scale(loss).backward()
        scaler.step(optimizer)          # divides the gradients by the scale; changes nothing if one is infinite or NaN
        scaler.update()                 # scale *= backoff_factor if so; *= growth_factor after growth_interval good steps

    Optimizers of `flow.optim` learn from device memory whether to skip; for others `step` waits for the answer.

    Args:
        device: with "cuda", warn and do nothing on a machine without a GPU. The scale lives where the first scaled tensor does.
        init_scale: the scale to begin with.
        growth_factor: by what the scale grows, above 1.
        backoff_factor: by what it shrinks, below 1.
        growth_interval: the number of steps without overflow after which it grows.
        enabled: False makes all methods do nothing, and `step` an ordinary step.

    Attributes:
        progress: of eager mode since the last `update`, by the optimizers' ids.

    Raises:
        ValueError: a factor is on the wrong side of 1.

    Source: https://pytorch.org/docs/stable/amp.html#gradient-scaling

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(2, requires_grad=True)
        >>> optimizer = flow.optim.SGD([p], lr=0.5)
        >>> scaler = flow.amp.GradScaler(init_scale=8.0)
        >>> scaler.scale(p.sum()).backward()
        >>> p.grad
        tensor([8., 8.])
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> p.tolist(), scaler.get_scale()
        ([0.5, 0.5], 8.0)
    """

    def __init__(
        self,
        device: str | None = None,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        if growth_factor <= 1.0:
            raise ArgumentValueError(f"The growth factor must be > 1.0, but is {growth_factor}")
        if backoff_factor >= 1.0:
            raise ArgumentValueError(f"The backoff factor must be < 1.0, but is {backoff_factor}")
        self._enabled = bool(enabled) and not _lacks_gpu(device)
        self._init_scale, self._init_growth_tracker = float(init_scale), 0
        self._growth_factor, self._backoff_factor, self._growth_interval = growth_factor, backoff_factor, growth_interval
        self._scale: Tensor | None = None
        self._growth_tracker: Tensor | None = None
        self.progress: dict[int, ScalingProgress] = {}

    # ------------------------------------------------------------------------------------------------------ a step

    @overload
    def scale(self, outputs: Tensor) -> Tensor: ...
    @overload
    def scale(self, outputs: list[Tensor]) -> list[Tensor]: ...
    @overload
    def scale(self, outputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]: ...
    @overload
    def scale(self, outputs: Iterable[Any]) -> Any: ...
    def scale(self, outputs: Any) -> Any:
        """The outputs multiplied by the scale.

        Args:
            outputs: a tensor, or tensors in tuples, lists or other iterables.

        Returns:
            Likewise; what is no tuple or list as an iterator.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return _C.mul(outputs, beside(self._state_beside(outputs)[0], outputs))
        if not isinstance(outputs, Iterable):
            raise ArgumentValueError("outputs must be a Tensor or an iterable of Tensors")
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled  # type: ignore[call-arg]

    def begin(self, tensor: Tensor) -> None:
        """Forget an iteration that was broken off, and make the scale beside a tensor, which the first `scale` does otherwise."""
        self.progress.clear()
        self._state_beside(tensor)

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of an optimizer's parameters by the scale now, to clip them for instance. `step` does it otherwise.

        Raises:
            RuntimeError: it is done already since the last `update`, or so is the step; or nothing was scaled yet.
            ValueError: a gradient is float16: parameters should be float32.
        """
        if not self._enabled:
            return
        scale, _ = self._state("unscale_")
        progress = self._progress_of(optimizer)
        if progress.stage is UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if progress.stage is STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        if any(g.dtype is float16 for g in gradients):
            raise ArgumentValueError("Attempting to unscale FP16 gradients.")
        dense = [g._values() if g.is_sparse else g for g in gradients]
        for together in batches(dense, layout_and_dtype):
            meta: Any = together[0].meta
            where = meta.device if meta.is_local else meta.placement
            if where not in progress.found_inf:
                progress.found_inf[where] = _nothing_found(together[0])
            with InPlace() as contiguous:
                _C.multi_tensor_unscale(contiguous.written(together), beside(scale, together[0]), progress.found_inf[where])
        progress.stage = UNSCALED

    def step(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step(...)` with unscaled gradients; without effect if one of them is infinite or NaN.

        Returns:
            What the optimizer's `step` does; None if a foreign optimizer's was skipped.

        Raises:
            RuntimeError: a closure is given, the step was done since the last `update`, nothing was scaled, there are no gradients.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if args or "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        scale, _ = self._state("step")
        progress = self._progress_of(optimizer)
        if progress.stage is STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if progress.stage is READY:
            self.unscale_(optimizer)
        if not progress.found_inf:
            raise RuntimeError("No inf checks were recorded for this optimizer: none of its parameters has a gradient.")
        result = self._step(optimizer, beside(_found_anywhere(progress.found_inf.values()), scale), **kwargs)
        progress.stage = STEPPED
        return result

    def _step(self, optimizer: Optimizer, found_inf: Tensor, **kwargs: Any) -> Any:
        if not getattr(optimizer, "_reads_found_inf", False):
            return None if found_inf.item() else optimizer.step(**kwargs)
        optimizer.found_inf = found_inf
        try:
            return optimizer.step(**kwargs)
        finally:
            optimizer.found_inf = None

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Adapt the scale to what the optimizers' gradients were since the last update, or set it; at the end of an iteration.

        Args:
            new_scale: the scale from now on.

        Raises:
            RuntimeError: nothing was scaled, or no optimizer stepped, since the last update.
        """
        if not self._enabled:
            return
        scale, tracker = self._state("update")
        if new_scale is None:
            found = [f for progress in self._iteration().values() for f in progress.found_inf.values()]
            if not found:
                raise RuntimeError("No inf checks were recorded prior to update.")
            self._adapt(scale, tracker, beside(_found_anywhere(found), scale))
        elif isinstance(new_scale, Tensor):
            if new_scale.numel() != 1 or new_scale.requires_grad:
                raise ArgumentTypeError("new_scale should be a float or a 1-element tensor with requires_grad=False.")
            _C.copy_(scale, new_scale.reshape(()))
        else:
            _C.fill_(scale, float(new_scale))
        self._iteration().clear()

    def _adapt(self, scale: Tensor, tracker: Tensor, found_inf: Tensor) -> None:
        _C.amp_update_scale(
            scale, tracker, found_inf, self._growth_factor, self._backoff_factor, self._growth_interval
        )

    # ------------------------------------------------------------------------------------------------------- state

    def _iteration(self) -> dict[int, ScalingProgress]:
        return thread_state.observer.iteration_of(self)  # type: ignore[no-any-return]

    def is_amid_iteration(self) -> bool:
        """Whether eager mode has unscaled gradients, or stepped an optimizer, since the last update."""
        return bool(self.progress)

    def _progress_of(self, optimizer: Optimizer) -> ScalingProgress:
        return self._iteration().setdefault(id(optimizer), ScalingProgress())

    def _state(self, name: str) -> tuple[Tensor, Tensor]:
        if self._scale is None or self._growth_tracker is None:
            raise RuntimeError(
                f"Attempted {name} but there is no scale yet: help: scaler.scale(loss) comes before it in an iteration"
            )
        thread_state.observer.depend(self, self._program)
        return self._scale, self._growth_tracker

    def _program(self) -> tuple[Any, ...]:
        """What a captured step depends on."""
        return self._growth_factor, self._backoff_factor, self._growth_interval, id(self._scale)

    def _state_beside(self, tensor: Tensor) -> tuple[Tensor, Tensor]:
        if self._scale is None:
            with eager():
                self._scale = _C.full((), self._init_scale, dtype=float32, **_where(tensor))
                self._growth_tracker = _C.full((), self._init_growth_tracker, dtype=int32, **_where(tensor))
        return self._state("scale")

    def get_scale(self) -> float:
        """The scale, 1.0 if not enabled; waits for it."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker.item())

    def get_growth_factor(self) -> float:
        """By what the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Choose by what the scale grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """By what the scale shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Choose by what the scale shrinks."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps without overflow the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Choose after how many steps without overflow the scale grows."""
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether the scaler does anything."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors, interval and the number of good steps since the last change, in torch's layout; empty if not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave; nothing if not enabled.

        Raises:
            RuntimeError: it is empty.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        scale, tracker = float(state_dict["scale"]), int(state_dict["_growth_tracker"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_scale, self._init_growth_tracker = scale, tracker
        if self._scale is not None and self._growth_tracker is not None:
            _C.fill_(self._scale, scale)
            _C.fill_(self._growth_tracker, tracker)

    def __getstate__(self) -> dict[str, Any]:
        if self.progress:
            raise RuntimeError(
                "A GradScaler may only be pickled at the beginning of an iteration, or at the end after scaler.update()."
            )
        state = {"_init_scale": self.get_scale(), "_init_growth_tracker": self._get_growth_tracker()}
        return {**self.__dict__, **state, "_scale": None, "_growth_tracker": None}


class StaticGradScaler(GradScaler):
    """Scales the loss by a constant, and the gradients back; skips no step.

    Args:
        scale_factor: the scale, above 0.

    Raises:
        ValueError: `scale_factor` is not above 0.

    Source: oneflow.amp.StaticGradScaler

    Example:
        >>> import tritonflow as flow
        >>> flow.amp.StaticGradScaler(4.0).scale(flow.ones(2))
        tensor([4., 4.])
    """

    def __init__(self, scale_factor: float) -> None:
        if scale_factor <= 0.0:
            raise ArgumentValueError(f"StaticGradScaler's scale_factor must be > 0.0, but is {scale_factor}")
        super().__init__(init_scale=scale_factor)
        self._scale_factor = scale_factor

    def _step(self, optimizer: Optimizer, found_inf: Tensor, **kwargs: Any) -> Any:
        return optimizer.step(**kwargs)

    def _adapt(self, scale: Tensor, tracker: Tensor, found_inf: Tensor) -> None:
        """The scale stays."""


def _nothing_found(gradient: Tensor) -> Tensor:
    """The found_inf of gradients beside this one; over a placement a partial maximum of what each rank finds in its shards."""
    meta: Any = gradient.meta
    if meta.is_local:
        return _C.zeros((), dtype=float32, device=meta.device)  # type: ignore[no-any-return]
    sbp = (partial_max,) * meta.placement.ndim
    return _C.zeros((), dtype=float32, placement=meta.placement, sbp=sbp)  # type: ignore[no-any-return]


def _where(tensor: Tensor) -> dict[str, Any]:
    """Where all ranks that know a tensor can read a number."""
    meta: Any = tensor.meta
    if meta.is_local:
        return {"device": meta.device}
    everyone = meta.placement.everyone()
    return {"placement": everyone, "sbp": (broadcast,) * everyone.ndim}


def _found_anywhere(found: Iterable[Tensor]) -> Tensor:
    """Not 0 if one is. Where some gradients are over ranks, what one rank found in its own counts on all: they decide alike.

    Ranks that know each other by several meshes tell each other along one mesh after the other.
    """
    numbers: list[Any] = list(found)
    over = list(dict.fromkeys([f.placement.everyone() for f in numbers if not f.meta.is_local]))
    if not over:
        return _sum(numbers)
    nothing = _C.zeros((), dtype=float32, device=over[0].device())
    total = _sum([nothing, *[f if f.meta.is_local else f.to_local() for f in numbers if f.meta.is_local or _is_in(f.placement)]])
    for everyone in over:
        ndim = everyone.ndim
        total = total.to_global(everyone, (partial_max,) * ndim).to_global(everyone, (broadcast,) * ndim)
        if len(over) > 1:
            total = total.to_local()
    return total  # type: ignore[no-any-return]


def _is_in(placement: Any) -> bool:
    """Whether this rank has a shard there."""
    return placement.coordinate(this_rank().index) is not None


def _sum(numbers: list[Any]) -> Any:
    first, *others = numbers
    for other in others:
        first = _C.add(first, beside(other, first))
    return first


def _lacks_gpu(device: str | None) -> bool:
    from tritonflow import cuda

    if device != "cuda" or cuda.is_available():
        return False
    warnings.warn("GradScaler is enabled for cuda, but CUDA is not available. Disabling.", stacklevel=3)
    return True
