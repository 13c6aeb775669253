"""Adam and AdamW whose states are codes of 8 bits (Dettmers et al., 2022)."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.dtypes import float32, uint8
from tritonflow.errors import ArgumentValueError, DTypeError, NotYetImplementedError
from tritonflow.execution.lazy import eager
from tritonflow.framework.runtime_scalar import as_float
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.optimizer import CODE_BLOCKS
from tritonflow.nn.utils.multi_tensor import InPlace, batches
from tritonflow.optim.adam import Adam
from tritonflow.optim.optimizer import Group, Optimizer, Params, as_ours, launch_key, new_step

_ZEROS = {"exp_avg": 127, "exp_avg_sq": 0, "max_exp_avg_sq": 0}  # the codes of 0


class Adam8bit(Adam):
    """Adam, whose running means have 8 bits for each element and a scale for each block of elements.

    The step is Adam's. Behind it each block of m and v is divided by its largest magnitude, and becomes the nearest codes of a
    dynamic map: 127 numbers from 5.5e-7 to 0.993 on each side of 0, and 1, for m; 255 from 3.25e-7 to 1, and 0, for v. A parameter
    has states of 2.03 bytes for each element in place of 8.

    Args:
        params, lr, betas, eps, weight_decay, amsgrad: as of `Adam`.
        block_size: how many elements share a scale: 128, 256, 512, 1024 or 2048.
        min_8bit_size: parameters of fewer elements have states of 32 bits, as complex ones have.
        bf16_stochastic_round: must be False: parameters are rounded to the nearest number.
        maximize: climb instead of descending.
        foreach, fused, capturable: accepted and ignored: every step is fused.

    The state of a parameter has codes in `exp_avg` and `exp_avg_sq`, and scales in `exp_avg_scale` and `exp_avg_sq_scale`. States
    of 32 bits that are loaded stay so.

    Raises:
        ValueError: a block size that there is not; a loaded state that does not fit.
        RuntimeError: a parameter over several ranks, or of float64 with many elements.

    Source: Dettmers et al., https://arxiv.org/abs/2110.02861; torchao.optim.Adam8bit; bitsandbytes.optim.Adam8bit.

    Example:
        >>> import tritonflow as flow
        >>> p = flow.ones(64, 64, requires_grad=True)
        >>> optimizer = flow.optim.Adam8bit([p], lr=0.5)
        >>> p.sum().backward()
        >>> optimizer.step()
        >>> state = optimizer.state[p]
        >>> state["exp_avg"].dtype, state["exp_avg_scale"].shape
        (tritonflow.uint8, tritonflow.Size([16]))
    """

    _updates_elements = False  # blocks share a scale

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        block_size: int = 256,
        min_8bit_size: int = 4096,
        bf16_stochastic_round: bool = False,
        **options: Any,
    ) -> None:
        if block_size not in CODE_BLOCKS:
            raise ArgumentValueError(f"block_size must be one of {', '.join(map(str, CODE_BLOCKS))}, but got {block_size}")
        if bf16_stochastic_round:
            raise NotYetImplementedError("bf16_stochastic_round is not implemented; help: keep the parameters in float32")
        if not options.get("do_bias_correction", True):
            raise NotYetImplementedError(f"{type(self).__name__} always corrects its means")
        self.block_size, self.min_8bit_size = block_size, min_8bit_size
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)

    def _update(self, group: Group, parameters: list[Tensor]) -> None:
        names = ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))
        coded = [p for p in parameters if self._has_codes(p)]
        for members in batches(coded, launch_key):
            self._update_codes(group, members, names)
        rest = [p for p in parameters if not self._has_codes(p)]
        if rest:
            super()._update(group, rest)

    def _has_codes(self, p: Tensor) -> bool:
        """Whether the states of a parameter are codes: as those are that it has, or else by its size."""
        state = self.state.get(p)
        if state and "exp_avg" in state:
            return state["exp_avg"].dtype is uint8
        if p.meta.numel < self.min_8bit_size or p.meta.dtype.is_complex:
            return False
        if not p.meta.is_local:
            raise NotYetImplementedError(f"{type(self).__name__} takes parameters of one rank; help: use Adam, or to_local()")
        if p.meta.dtype.itemsize > 4:
            raise DTypeError(f"{type(self).__name__} computes in float32, but a parameter is of {p.meta.dtype}; help: use Adam")
        return True

    def _update_codes(self, group: Group, members: list[Tensor], names: tuple[str, ...]) -> None:
        beta1, beta2 = group["betas"]
        states = [self._codes_of(p, names) for p in members]
        with InPlace() as tensors:
            column = {key: tuple([state[key] for state in states]) for name in names for key in (name, f"{name}_scale")}
            _C.multi_tensor_adam8bit_update(
                tensors.written(members),
                tensors.read([p.grad for p in members]),
                column["exp_avg"],
                column["exp_avg_scale"],
                column["exp_avg_sq"],
                column["exp_avg_sq_scale"],
                tuple([state["step"] for state in states]),
                column.get("max_exp_avg_sq"),
                column.get("max_exp_avg_sq_scale"),
                block_size=self.block_size,
                found_inf=self._found_inf_for(members[0]),
                learning_rate=as_float(group["lr"]),
                beta1=beta1,
                beta2=beta2,
                epsilon=group["eps"],
                weight_decay=as_float(group["weight_decay"]),
                decoupled=group["decoupled_weight_decay"],
                maximize=group["maximize"],
            )

    def _codes_of(self, p: Tensor, names: tuple[str, ...]) -> dict[str, Any]:
        """The state of a parameter in codes; what of it is not there yet is made."""
        state = self.state[p]
        if "step" not in state:
            state["step"] = new_step(p)
        for name in names:
            if name not in state:
                with eager():
                    state[name] = _C.full(p.meta.shape, _ZEROS[name], dtype=uint8, device=p.meta.device)
                    state[f"{name}_scale"] = _C.zeros((self._blocks(p),), dtype=float32, device=p.meta.device)
        return state

    def _blocks(self, p: Tensor) -> int:
        return -(-p.meta.numel // self.block_size)

    def _program(self) -> list[Any]:
        return [*super()._program(), self.block_size, self.min_8bit_size]

    def _loaded(self, name: str, number: Any, value: Any, p: Tensor) -> Any:
        if name.removesuffix("_scale") in _ZEROS:
            value = as_ours(value)
            if isinstance(value, Tensor) and (value.dtype is uint8 or name.endswith("_scale")):  # as it is, whatever p's dtype is
                return _C.clone(_C.contiguous(value.to(device=p.meta.device)))
        return super()._loaded(name, number, value, p)

    def _check_state(self, number: Any, p: Tensor, state: dict[str, Any]) -> None:
        Optimizer._check_state(self, number, p, state)
        for name in self._state_names:
            value, scale = state.get(name), state.get(f"{name}_scale")
            wanted = isinstance(value, Tensor) and value.dtype is uint8
            fits = isinstance(scale, Tensor) and scale.dtype is float32 and scale.meta.shape == (self._blocks(p),)
            if wanted and not fits:
                came = f"{list(scale.meta.shape)} of {scale.dtype}" if isinstance(scale, Tensor) else "none"
                raise ArgumentValueError(
                    f"loaded state dict has codes as '{name}' of parameter {number}, with scales {came}, but blocks of"
                    f" {self.block_size} have [{self._blocks(p)}] of {float32}"
                )


class AdamW8bit(Adam8bit):
    """Adam8bit with decoupled weight decay, as AdamW has it; weight_decay is 0.01 by default.

    Source: torchao.optim.AdamW8bit.
    """

    def __init__(
        self,
        params: Params,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options, decoupled_weight_decay=True)
