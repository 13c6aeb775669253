"""FlopCounterMode: how many floating-point operations the products of a program take, by module and by op.

Counted are products of matrices, convolutions and attention, with their backwards, as torch counts them and under torch's names.
The numbers are those of the registry's formulas (ops/operations.py), but where torch leaves something out of account.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any

from tritonflow.autograd.tree import mapped
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, CaptureError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.observer import Observer
from tritonflow.ops.operations import operations
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state
from tritonflow.utils.module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

Formula = Callable[..., int]

flop_registry: dict[Any, Formula] = {}  # by ops of the user's own

_PRODUCTS = ("matmul", "unrounded_product", "matmul_with_sums")
_CONVOLUTIONS = ("conv2d", "conv_transpose_biased", "conv_data_grad")
_ATTENTION = {
    "scaled_dot_product_attention": "aten._scaled_dot_product_flash_attention",
    "attention_grad": "aten._scaled_dot_product_flash_attention_backward",
}
_OF_TENSORS = ("aten.mm", "aten.bmm", "aten.addmm", _ATTENTION["scaled_dot_product_attention"])  # take tensors alone
_SUFFIXES = ("", "K", "M", "B", "T")


class FlopCounterMode:
    """A block in which floating-point operations are counted, of a forward and of a backward.

    A product of m x k by k x n takes 2mnk. Additions of biases, activations and norms take none. As in torch, a causal attention
    counts in full, and so do all pairs of channels in the gradient of a grouped convolution's filter.

    What differs from torch's counts: products with vectors count, and attention counts on a CPU. `addmm` and `baddbmm` are products
    and sums here, so they count as `aten.mm` and `aten.bmm`; a product of complex matrices is one of real ones. A rank counts what
    it computes itself. What a compiled function does belongs to no module inside of it; where its backward is inside, gradients of
    a convolution's input count as `aten.convolution`.

    Args:
        mods: nothing: modules are found as they are called.
        depth: how deep modules are in the table that `display` prints; None: all.
        display: whether the table is printed at the end of the block.
        custom_mapping: formulas by op, for ops of your own, or for products and attention by torch's name, as "aten.mm". A formula
            takes the op's arguments, with shapes for tensors, and `out_shape`.

    Attributes:
        flop_counts: the operations by module, and by op in each.

    Raises:
        CaptureError: the block is in a captured program.
        TypeError: a formula cannot be called.
        ValueError: a formula for an op that has none.

    Source: torch.utils.flop_counter.FlopCounterMode.

    Example:
        >>> import tritonflow as flow
        >>> net = flow.nn.Sequential(flow.nn.Linear(4, 8), flow.nn.ReLU(), flow.nn.Linear(8, 2))
        >>> with flow.utils.flop_counter.FlopCounterMode(display=False) as counter:
        ...     net(flow.ones(3, 4)).sum().backward()
        >>> counter.get_total_flops()
        672
        >>> counter.get_flop_counts()["Sequential.2"]
        {'aten.addmm': 96, 'aten.mm': 192}
    """

    def __init__(
        self, mods: Any = None, depth: int | None = 2, display: bool = True, custom_mapping: Mapping[Any, Formula] | None = None
    ) -> None:
        for op, formula in (custom_mapping or {}).items():
            _check_formula("FlopCounterMode", op, formula)
        self.depth, self.display = depth, display
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.flop_registry = {**flop_registry, **(custom_mapping or {})}
        self.mod_tracker = ModuleTracker()
        self._observer: _Counter | None = None

    def get_total_flops(self) -> int:
        """All operations."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """The operations by the name of a module, "Global" for all, and by the name of an op."""
        return {module: dict(counts) for module, counts in self.flop_counts.items()}

    def get_table(self, depth: int | None = None) -> str:
        """A table of modules and ops, with their shares.

        Args:
            depth: how deep modules are; that of the counter if it is None.
        """
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        unit = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))
        modules = [name for name in sorted(self.flop_counts) if name != "Global" and (depth is None or name.count(".") < depth)]
        rows = [row for name in modules for row in self._rows(name, name.count("."), total, unit)]
        if total and all(sum(self.flop_counts[name].values()) < total for name in modules):
            rows = [*self._rows("Global", 0, total, unit), *[(f" {name}", flops, share) for name, flops, share in rows]]
        return _table([("Module", "FLOP", "% Total"), *(rows or [("Global", "0", "0%")])])

    def _rows(self, module: str, indent: int, total: int, unit: int) -> list[tuple[str, str, str]]:
        counts = self.flop_counts[module]
        found = [(module, sum(counts.values())), *((f" - {_label(op)}", count) for op, count in counts.items())]
        return [
            (" " * indent + name, f"{count / 1000**unit:.3f}{_SUFFIXES[unit]}", f"{count / total:.2%}" if total else "0%")
            for name, count in found
        ]

    def count(self, op: Any, flops: int) -> None:
        """Add operations of an op to all modules that the program is in."""
        for module in self.mod_tracker.parents:
            self.flop_counts[module][op] += flops

    def __enter__(self) -> FlopCounterMode:
        if thread_state.observer.is_capturing:
            raise CaptureError("a FlopCounterMode is entered in a captured program; help: enter it around the call")
        self.flop_counts.clear()
        self.mod_tracker.__enter__()
        enter_slow_path()
        self._observer = _Counter(self, thread_state.observer)
        thread_state.observer = self._observer
        return self

    def __exit__(self, *error: object) -> None:
        assert self._observer is not None  # the block was entered
        thread_state.observer, self._observer = self._observer.outer, None
        leave_slow_path()
        self.mod_tracker.__exit__(*error)
        if self.display:
            print(self.get_table(self.depth))


class _Counter(Observer):
    """Is told what runs, and counts it; as do the counters around this one."""

    def __init__(self, mode: FlopCounterMode, outer: Observer) -> None:
        self.mode, self.outer = mode, outer

    def run_op(self, op: Any, inputs: Sequence[Any], outputs: Sequence[Any], attrs: tuple[Any, ...]) -> None:
        self.outer.run_op(op, inputs, outputs, attrs)
        name = _torch_name(op.name, inputs, outputs)
        if name is None or self._is_in_own_op():
            return
        formula, flops = self.mode.flop_registry.get(name), _flops(op, inputs, outputs, attrs)
        if formula is None:
            self.mode.count(name, flops)
        else:
            self.mode.count(name, formula(*_arguments(op.name, inputs, outputs[0], flops), out_shape=outputs[0].shape))

    def run_graph(self, ops: Iterable[tuple[Any, ...]]) -> None:
        for each in ops:
            self.run_op(*each)

    def run_own_op(self, op: Any, args: Sequence[Any], options: dict[str, Any], result: Any) -> None:
        self.outer.run_own_op(op, args, options, result)
        formula = self.mode.flop_registry.get(op)
        if formula is None or self._is_in_own_op():
            return
        if not getattr(formula, "_get_raw", False):
            args, options = mapped(_shape, list(args)), mapped(_shape, options)
            self.mode.count(op, formula(*args, out_shape=mapped(_shape, result), **options))
        else:
            self.mode.count(op, formula(*args, out_val=result, **options))

    def _is_in_own_op(self) -> bool:
        """Whether an op of the user's own runs that is counted as one."""
        return thread_state.own_op is not None and any(
            getattr(op, "_qualname", None) == thread_state.own_op for op in self.mode.flop_registry
        )


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[Formula], Formula]:
    """A decorator of a formula for ops of your own, which every later FlopCounterMode takes.

    Args:
        targets: an op of `flow.library`, or several.
        get_raw: whether the formula takes the op's arguments as they are, and its result as `out_val`; with False shapes stand for
            tensors, and `out_shape` for the result.

    Raises:
        RuntimeError: an op has a formula already.
        ValueError: a target is no op of your own.

    Source: torch.utils.flop_counter.register_flop_formula.

    Example:
        >>> import tritonflow as flow
        >>> @flow.library.custom_op("flops::twice", mutates_args=())
        ... def twice(x: flow.Tensor) -> flow.Tensor:
        ...     return 2 * x
        >>> @flow.utils.flop_counter.register_flop_formula(twice)
        ... def of_twice(x_shape, out_shape=None):
        ...     return x_shape.numel()
        >>> with flow.utils.flop_counter.FlopCounterMode(display=False) as counter:
        ...     _ = twice(flow.ones(2, 3))
        >>> counter.get_total_flops()
        6
    """
    ops = targets if isinstance(targets, (list, tuple)) else (targets,)

    def register(formula: Formula) -> Formula:
        if get_raw:
            formula._get_raw = True  # type: ignore[attr-defined]
        for op in ops:
            if not hasattr(op, "_qualname"):
                raise ArgumentValueError(
                    f"register_flop_formula(targets): expected each target to be an op of flow.library, got {type_name(op)}"
                )
            if op in flop_registry:
                raise RuntimeError(f"duplicate registrations for {_label(op)}")
            flop_registry[op] = formula
        return formula

    return register


def _check_formula(caller: str, op: Any, formula: Any) -> None:
    if not callable(formula):
        raise ArgumentTypeError(f"{caller}: the formula of {_label(op)} cannot be called: {type_name(formula)}")
    if not hasattr(op, "_qualname") and op not in _OF_TENSORS:
        raise ArgumentValueError(
            f"{caller}: no formula can be given for {op!r}; there may be some for ops of flow.library and"
            f" {', '.join(_OF_TENSORS)}"
        )


# ------------------------------------------------------------------------------------------------------- what torch counts


def _torch_name(op: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> str | None:
    """What torch calls an op; None for one that it does not count."""
    if op == "linear":
        return "aten.mm" if len(inputs) < 3 or inputs[2] is None else "aten.addmm"
    if op in _PRODUCTS:
        return "aten.bmm" if outputs[0].ndim > 2 else "aten.mm"
    if op == "scaled_mm":
        return "aten._scaled_mm"
    if op == "conv_filter_grad":
        return "aten.convolution_backward"
    if op in _CONVOLUTIONS:
        return "aten.convolution_backward" if _computes_gradients() else "aten.convolution"
    return _ATTENTION.get(op)


def _computes_gradients() -> bool:
    """Whether a backward runs, and no forward that it computes again."""
    backward = current_backward()
    return backward is not None and (backward.create_graph or not thread_state.grad_enabled)


def _flops(op: Any, inputs: Sequence[Any], outputs: Sequence[Any], attrs: tuple[Any, ...]) -> int:
    """The registry's formula, where torch's is not another one."""
    if op.name in _ATTENTION:
        return operations(op, inputs, outputs, (False, *attrs[1:]))  # as if it were not causal
    flops = operations(op, inputs, outputs, attrs)
    if op.name == "conv_filter_grad":
        return flops * (inputs[1].shape[1] // outputs[0].shape[1])  # of all groups by all groups
    return flops - inputs[0].numel if op.name == "matmul_with_sums" else flops


def _arguments(op: str, inputs: Sequence[Any], out: Any, flops: int) -> tuple[Any, ...]:
    """The shapes of the arguments of torch's op, whose products have as many leading dimensions on both sides."""
    if op in _ATTENTION:
        return tuple([meta.shape for meta in inputs[:3]])
    batch, rows, columns = ((), out.numel // out.shape[-1], out.shape[-1]) if op == "linear" else _split(out.shape)
    inner = flops // (2 * out.numel) if out.numel else 0
    bias = [inputs[2].shape] if op == "linear" and len(inputs) > 2 and inputs[2] is not None else []
    return (*bias, (*batch, rows, inner), (*batch, inner, columns))


def _split(shape: Sequence[int]) -> tuple[tuple[int, ...], int, int]:
    """The examples, as one dimension, the rows and the columns of a shape."""
    return (prod(shape[:-2]),) if len(shape) > 2 else (), shape[-2], shape[-1]


# ------------------------------------------------------------------------------------------------------------------ tables


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, Tensor) else value


def _label(op: Any) -> str:
    return op if isinstance(op, str) else getattr(op, "_qualname", str(op)).replace("::", ".")


def _table(rows: list[tuple[str, str, str]]) -> str:
    """As the package tabulate prints it, by which torch does."""
    widths = [max(len(rows[0][k]) + 2, *(len(row[k]) for row in rows)) for k in range(3)]
    lines = [(rows[0]), tuple("-" * width for width in widths), *rows[1:]]
    first, *others = widths
    return "\n".join(
        "  ".join([line[0].ljust(first), *(cell.rjust(width) for cell, width in zip(line[1:], others))]).rstrip() for line in lines
    )
