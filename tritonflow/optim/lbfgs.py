"""L-BFGS (Liu and Nocedal, 1989)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow import _C
from tritonflow.autograd import enable_grad, no_grad
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.utils.multi_tensor import as_real
from tritonflow.optim.line_search import StrongWolfe, Trial
from tritonflow.optim.optimizer import Optimizer, Params
from tritonflow.optim.options import checked
from tritonflow.thread_state import thread_state

SMALLEST_CURVATURE = 1e-10


class LBFGS(Optimizer):
    """L-BFGS: Newton's method with an inverse Hessian from the last steps and the changes of the gradient in them.

    One call of `step` makes up to `max_iter` iterations, and evaluates the closure in each. The host reads the loss and
    inner products, so that a graph cannot capture a step.

    Args:
        params: the parameters, all in one group, on one device.
        lr: the step's length.
        max_iter: the largest number of iterations in a step.
        max_eval: the largest number of evaluations in a step; 1.25 max_iter unless given.
        tolerance_grad: a step ends where no element of the gradient is larger.
        tolerance_change: a step ends where the loss or the parameters change by less.
        history_size: how many past steps the Hessian is made of.
        line_search_fn: "strong_wolfe", or None for steps of length lr.

    Raises:
        ValueError: an option is out of its range, or there are several groups.
        RuntimeError: an unknown line search.

    Source: https://pytorch.org/docs/stable/generated/torch.optim.LBFGS.html

    Example:
        >>> import tritonflow as flow
        >>> p = flow.tensor([3.0, -2.0], requires_grad=True)
        >>> optimizer = flow.optim.LBFGS([p], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = ((p - 1) ** 2).sum()
        ...     loss.backward()
        ...     return loss
        >>> optimizer.step(closure).item()
        13.0
        >>> [round(v, 4) for v in p.tolist()]
        [1.0, 1.0]
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        super().__init__(params, checked(locals()))
        if len(self.param_groups) != 1:
            raise ArgumentValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Iterate until the gradient or the progress is small.

        Args:
            closure: clears the gradients, computes the loss, calls backward and returns the loss.

        Returns:
            The loss before the step.
        """
        thread_state.observer.forbid("LBFGS in {program} keeps numbers in its state that no run would set: step it outside")
        with no_grad():
            return _Run(self, closure).run()


class _Run:
    """One step: what its iterations share. The state is the optimizer's for the first parameter, with torch's names."""

    def __init__(self, optimizer: LBFGS, closure: Callable[[], Any]) -> None:
        self.options = optimizer.param_groups[0]
        self.parameters = optimizer._params
        self.closure = closure
        self.state = optimizer.state[self.parameters[0]]
        self.state.setdefault("func_evals", 0)
        self.state.setdefault("n_iter", 0)
        self.evaluations = 0

    def run(self) -> Any:
        """All iterations."""
        state, options = self.state, self.options
        original = self._call()
        loss, gradient = float(original), self._gradient()
        if self._is_small(gradient):
            return original
        for iteration in range(1, options["max_iter"] + 1):
            state["n_iter"] += 1
            self._choose_direction(gradient)
            d, t = state["d"], float(options["lr"])
            if state["n_iter"] == 1:
                t *= min(1.0, 1.0 / gradient.abs().sum().item())
            state["prev_flat_grad"], state["prev_loss"], state["t"] = gradient, loss, t
            slope = gradient.dot(d).item()
            if slope > -options["tolerance_change"]:
                break
            loss, gradient = self._move(Trial(0.0, loss, gradient, slope), iteration == options["max_iter"])
            if self._is_done(loss, gradient):
                break
        return original

    def _choose_direction(self, gradient: Any) -> None:
        """The direction d = -H g; H is made of the last steps s and changes y of the gradient."""
        state = self.state
        if state["n_iter"] == 1:
            state.update(d=gradient.neg(), old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return
        y, s = gradient.sub(state["prev_flat_grad"]), state["d"].mul(float(state["t"]))
        curvature = y.dot(s).item()
        changes, steps, inverses = state["old_dirs"], state["old_stps"], state["ro"]
        if curvature > SMALLEST_CURVATURE:
            if len(changes) == self.options["history_size"]:
                for history in (changes, steps, inverses):
                    history.pop(0)
            changes.append(y)
            steps.append(s)
            inverses.append(1.0 / curvature)
            state["H_diag"] = curvature / y.dot(y).item()
        d, factors = gradient.neg(), [0.0] * len(changes)
        for i in reversed(range(len(changes))):
            factors[i] = steps[i].dot(d).item() * float(inverses[i])
            d.add_(changes[i], alpha=-factors[i])
        d.mul_(float(state["H_diag"]))
        for i in range(len(changes)):
            d.add_(steps[i], alpha=factors[i] - changes[i].dot(d).item() * float(inverses[i]))
        state["d"] = d

    def _move(self, start: Trial, is_last: bool) -> tuple[float, Any]:
        """Go along the direction; the loss and the gradient there. Without a line search the last step is not evaluated."""
        state, search = self.state, self.options["line_search_fn"]
        if search is None:
            self._add(state["t"], state["d"])
            return (start.loss, start.gradient) if is_last else self._evaluate()
        if search != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        before = [p.clone() for p in self.parameters]  # type: ignore[attr-defined]

        def at(t: float) -> tuple[float, Any]:
            self._add(t, state["d"])
            found = self._evaluate()
            for p, value in zip(self.parameters, before):
                _C.copy_(p, value)
            return found

        trials = self.options["max_eval"] - self.evaluations
        wolfe = StrongWolfe(at, state["d"], start, trials, self.options["tolerance_change"])
        found = wolfe.search(state["t"])
        state["t"] = found.t
        self._add(found.t, state["d"])
        return found.loss, found.gradient

    def _is_done(self, loss: float, gradient: Any) -> bool:
        state, options = self.state, self.options
        return (
            self.evaluations >= options["max_eval"]
            or self._is_small(gradient)
            or state["d"].mul(state["t"]).abs().max().item() <= options["tolerance_change"]
            or abs(loss - state["prev_loss"]) < options["tolerance_change"]
        )

    def _is_small(self, gradient: Any) -> bool:
        return bool(gradient.abs().max().item() <= self.options["tolerance_grad"])

    def _call(self) -> Any:
        self.evaluations += 1
        self.state["func_evals"] += 1
        with enable_grad():
            return self.closure()

    def _evaluate(self) -> tuple[float, Any]:
        return float(self._call()), self._gradient()

    def _gradient(self) -> Any:
        """All gradients as one vector, in which a complex number is two elements."""
        flat = [as_real(_C.zeros_like(p) if p.grad is None else p.grad) for p in self.parameters]
        return _C.cat([_C.reshape(g, (-1,)) for g in flat])

    def _add(self, t: float, direction: Any) -> None:
        start = 0
        for p in map(as_real, self.parameters):
            count = p.meta.numel
            _C.add(p, _C.reshape(direction[start : start + count], p.meta.shape), alpha=t, inplace=True)
            start += count
