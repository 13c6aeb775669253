"""A case for each functional name of the registry, by size, dtype and direction, in tritonflow, torch and JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import torch

import tritonflow as flow
from tritonflow.bench.case import OURS, Case, Context, Timed
from tritonflow.bench.cases.elements import Elements
from tritonflow.bench.cases.op_entries import ENTRIES, OpEntry
from tritonflow.bench.cases.op_inputs import CONSTANT, UNCOMPARED, UNCOMPARED_BACKWARD, Arguments, builder_of
from tritonflow.bench.cost import operations_of, single_op_bytes
from tritonflow.bench.libraries import gradient_numbers, leaves, mapped, timed_once
from tritonflow.testing import TOLERANCES

SIZES = (Elements("small", 1 << 10), Elements("medium", 100_000), Elements("large", 1 << 22))
TINY = Elements("tiny", 256)
DIRECTIONS = ("forward", "backward")


def cases(sizes: Sequence[Elements] = SIZES, dtypes: Sequence[str] = ("float32",)) -> Iterator[Case]:
    """Every op; a backward case only where the op has gradients, which is found out when it is built."""
    for name, entry in ENTRIES.items():
        if not _has_inputs(entry, name):
            continue
        for size in sizes:
            for dtype in dtypes:
                for direction in DIRECTIONS:
                    params = {"size": size.name, "direction": direction, **({"dtype": dtype} if dtype != "float32" else {})}
                    yield Case(name, "ops", params, partial(build, name, size, dtype, direction))


def without_inputs() -> list[str]:
    """Names that have no case, because no arguments are written for them."""
    return [name for name, entry in ENTRIES.items() if not _has_inputs(entry, name)]


def _has_inputs(entry: OpEntry, name: str) -> bool:
    """Names of the family `placement` take tensors that lie over ranks: bench/consistent_overhead.py."""
    return entry.family != "placement" and builder_of(name, entry.samples, entry.tensors) is not None


def build(name: str, size: Elements, dtype: str, direction: str, library: str, context: Context) -> Timed | None:
    """The call of an op in a library; None where it has no such function, or no gradient."""
    entry = ENTRIES[name]
    if library == "jax":
        from tritonflow.bench.jax_functions import timed_in_jax

        arguments = arguments_of(name, TINY if context.tiny else size, dtype, "cpu")
        return timed_in_jax(name, arguments, direction == "backward", only_first(name))
    function = flow_function(name, entry) if library == OURS else torch_function(name, entry)
    if function is None or (direction == "backward" and (name.endswith("_") or name in CONSTANT)):
        return None
    arguments = arguments_of(name, TINY if context.tiny else size, dtype, context.device)
    given = mapped(_ours, arguments) if library == OURS else arguments
    package = flow if library == OURS else torch
    if direction == "forward":
        timed: Timed | None = forward(function, given)
    else:
        timed = backward(function, given, package, dtype, only_first(name))
    if timed is None or library != OURS:
        return timed
    timed.op_class, timed.checked = entry.op_class, name not in UNCOMPARED
    if direction == "backward":  # which adds up
        timed.checked = timed.checked and name not in UNCOMPARED_BACKWARD
        timed.op_class = max(entry.op_class, "norm", key=list(TOLERANCES).index)
    if entry.family in ("matmul", "conv", "attention"):
        timed.products = ("conv " if entry.family == "conv" else "") + dtype
    reference = torch_function(name, entry)
    if reference is not None:
        timed.reference = partial(_in_float64, name, reference, arguments, direction, dtype)
    return timed


def arguments_of(name: str, size: Elements, dtype: str, device: str) -> Arguments:
    """torch's arguments, the same at each call."""
    entry = ENTRIES[name]
    builder = builder_of(name, entry.samples, entry.tensors)
    assert builder is not None
    torch.manual_seed(0)

    def placed(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        return x.to(device, getattr(torch, dtype)) if _is_real(x) else x.to(device)

    result: Arguments = mapped(placed, builder(size))
    return result


def _is_real(x: Any) -> bool:
    """Whether a tensor is of a floating dtype that is computed in: not of float8."""
    return bool(x.is_floating_point() and x.element_size() > 1)


def _ours(value: Any) -> Any:
    """torch's argument as ours, with the same numbers in memory of its own."""
    if isinstance(value, torch.Tensor):
        return flow.from_torch(value.clone())
    return getattr(flow, str(value).removeprefix("torch.")) if isinstance(value, torch.dtype) else value


def _in_float64(name: str, function: Callable[..., Any], arguments: Arguments, direction: str, dtype: str) -> Any:
    """What a function of torch gives for these arguments in float64."""
    wide = mapped(lambda x: x.double() if isinstance(x, torch.Tensor) and _is_real(x) else x, arguments)
    if direction == "forward":
        return _call_of(function, wide)()
    timed = backward(function, wide, torch, dtype, only_first(name))
    if timed is None:
        raise NotImplementedError("torch has no gradient of this in float64")
    return timed.call()


# ---- calls


def forward(function: Callable[..., Any], arguments: Arguments) -> Timed:
    """The call, which moves its operands once."""
    call = _call_of(function, arguments)
    result, first = timed_once(call)
    moved = _bytes(arguments) + _bytes(result)
    ours = any(isinstance(x, flow.Tensor) for x in leaves((arguments, result)))
    if not ours:
        return Timed(call, moved)
    return Timed(call, single_op_bytes(call) or moved, operations_of(call), first=first)


@lru_cache(maxsize=1024)
def only_first(name: str) -> bool:
    """Whether gradients are those of the first floating-point argument alone, as a library has none of the others."""
    entry = ENTRIES[name]
    for package, function in ((torch, torch_function(name, entry)), (flow, flow_function(name, entry))):
        arguments = arguments_of(name, TINY, "float32", "cpu")
        try:
            if function is not None:
                backward(function, mapped(_ours, arguments) if package is flow else arguments, package, "float32", False)
        except (RuntimeError, NotImplementedError):
            return True
    return False


def backward(function: Callable[..., Any], arguments: Arguments, package: Any, dtype: str, first: bool) -> Timed | None:
    """The call that computes the gradients of the floating-point arguments, or of the first of them; None where there are none."""
    floating = [t for t in leaves(arguments) if _is_real(t)]
    wanted = floating[:1] if first else floating
    for t in floating:
        t.requires_grad_(any(t is w for w in wanted))
    call = _call_of(function, arguments)
    results = [t for t in leaves(call()) if t.requires_grad]
    if not wanted or not results:
        return None
    y = results[0]
    g = _gradient_of(y, dtype)
    gradients = partial(package.autograd.grad, y, wanted, g, retain_graph=True, allow_unused=True)
    try:
        found, first_call = timed_once(gradients)
    except NotImplementedError:  # the op says that it has no derivative
        return None
    if not any(True for _ in leaves(found)):
        return None
    moved = _bytes(wanted) + _bytes(g) + _bytes(found)
    return Timed(gradients, moved, _gradient_operations(call, wanted, g) if package is flow else None, first=first_call)


def _gradient_of(y: Any, dtype: str) -> Any:
    """A gradient of a result, whose numbers have the op's dtype."""
    numbers = gradient_numbers(y.shape).to(str(y.device), getattr(torch, dtype))
    return flow.from_torch(numbers).to(y.dtype) if isinstance(y, flow.Tensor) else numbers.to(y.dtype)


def _gradient_operations(call: Callable[[], Any], wanted: list[Any], g: Any) -> float | None:
    """The operations of both directions without those of the forward one."""

    def both() -> Any:
        return flow.autograd.grad(next(t for t in leaves(call()) if t.requires_grad), wanted, g, allow_unused=True)

    forward, total = operations_of(call), operations_of(both)
    return None if forward is None or total is None else max(total - forward, 0.0)


def _call_of(function: Callable[..., Any], arguments: Arguments) -> Callable[[], Any]:
    keywords = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
    positional = arguments[:-1] if keywords else arguments
    return lambda: function(*positional, **keywords)


def _bytes(value: Any) -> int:
    return sum(t.numel() * t.element_size() for t in leaves(value))


# ---- functions


def flow_function(name: str, entry: OpEntry) -> Callable[..., Any] | None:
    """Our function of a name."""
    return _function(flow, name, entry, "")


def torch_function(name: str, entry: OpEntry) -> Callable[..., Any] | None:
    """torch's function of a name, or its method where there is no function."""
    return _function(torch, name, entry, entry.reference)


def _function(package: Any, name: str, entry: OpEntry, path: str) -> Callable[..., Any] | None:
    paths = [path, name, f"nn.functional.{name}", name.replace("_", ".", 1), f"Tensor.{name}"]
    if "nn.functional" in entry.export:
        paths.insert(0, f"nn.functional.{name}")
    found = (_attribute(package, path) for path in paths if path)
    return next((function for function in found if callable(function)), None)


def _attribute(root: Any, path: str) -> Any:
    for part in path.split("."):
        root = getattr(root, part, None)
    return root
