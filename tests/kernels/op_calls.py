"""Calls that together launch every kernel: of each op of the registry with its samples, forward, backward and in place.

An op that is added to the registry is here by itself. The sweeps over kernels make these calls on their devices.
"""

from __future__ import annotations

import inspect
import math
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import numpy
import torch
from triton.runtime.jit import JITFunction

import tritonflow as flow
import tritonflow.kernels as rooms
from tests.op_samples import samples_of
from tests.ops.allowed import CONSTANT_INPUTS
from tests.ops.sides import convert
from tritonflow import _C
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.functions.attention_paged import paged_append
from tritonflow.generation.sampling import sample_noted
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.nn.attention.flash import flash_attn_func
from tritonflow.ops.multi_tensor import address_plan

# Makes a tensor of the device that a sweep is about from one of torch's.
OnDevice = Callable[[torch.Tensor], flow.Tensor]

# One op of each family of kernels.
FAMILIES = (
    "add", "gelu", "softmax", "layer_norm", "batch_norm", "matmul", "conv2d", "max_pool2d", "sum", "argmax",
    "sort", "cumsum", "gather", "where", "cross_entropy", "embedding", "scaled_dot_product_attention",
)  # fmt: skip


@dataclass
class Call:
    """A function with arguments of torch, and up to which order it is differentiated."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    order: int

    def run(self, tensor: OnDevice) -> None:
        """The call with tensors made by `tensor`, and its derivatives."""
        args = convert(self.args, tensor, from_torch_dtype)
        kwargs = convert(self.kwargs, tensor, from_torch_dtype)
        wanted = _differentiated(self.function, args)
        leaves = [x for x in _tensors((wanted, list(kwargs.values()))) if self.order and x.dtype.is_floating_point]
        for x in leaves:
            x.requires_grad = True
        outputs = _tensors(self.function(*args, **kwargs))
        for _ in range(self.order):
            outputs = [y for y in outputs if y is not None and y.requires_grad and y.grad_fn is not None]
            if outputs:
                ones = [flow.ones_like(y).requires_grad_() for y in outputs]
                gradients = flow.autograd.grad(outputs, leaves, ones, create_graph=self.order > 1, allow_unused=True)
                outputs = list(gradients)
                leaves += ones


def calls_of(
    entry: Any, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool, limit: int, device: str
) -> Iterator[Call]:
    """An op with up to `limit` of its samples: forward and backward, the first one twice, and its in-place method."""
    method = next((m for m in entry.methods if m.endswith("_") and not m.startswith("_")), None)
    for number, sample in enumerate(islice(samples_of(entry, dtype, rng, thorough), limit)):
        if not _tensors_of_torch((sample.args, sample.kwargs)) and _takes_device(entry):
            sample.kwargs.setdefault("device", device)
        order = 1 if number else 2
        yield Call(f"{entry.name}{sample}", getattr(_C, entry.name), sample.args, sample.kwargs, order)
        if method is not None and sample.args and isinstance(sample.args[0], torch.Tensor):
            yield Call(f"{method}{sample}", partial(_call_method, method), sample.args, sample.kwargs, 0)


def _call_method(method: str, x: flow.Tensor, *args: Any, **kwargs: Any) -> Any:
    return getattr(x, method)(*args, **kwargs)


def _takes_device(entry: Any) -> bool:
    return any(p.name == "device" for signature in entry.signatures for p in signature.parameters)


def _tensors_of_torch(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, torch.Tensor) or (isinstance(value, (list, tuple)) and any(map(_tensors_of_torch, value)))


def _differentiated(function: Any, args: Any) -> list[Any]:
    """The arguments without those that the function does not differentiate by."""
    constant = CONSTANT_INPUTS.get(getattr(function, "__name__", ""), ())
    names = list(inspect.signature(function).parameters) if constant else []
    return [a for k, a in enumerate(args) if k >= len(names) or names[k] not in constant]


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, flow.Tensor):
        return [value]
    return [t for v in value for t in _tensors(v)] if isinstance(value, (list, tuple)) else []


# --------------------------------------------------------------------------------------- what the samples do not reach


def more_calls(device: Any, tensor: OnDevice) -> dict[str, Callable[[], Any]]:
    """Calls for kernels that the samples do not reach: random numbers, optimizers, and what is done to all gradients."""
    calls: dict[str, Callable[[], Any]] = {
        "randint": lambda: [flow.randint(0, 10, (100,), dtype=d, device=device) for d in _INTEGERS],
        "wide randint": lambda: flow.randint(0, 1 << 40, (100,), device=device),
        "randperm": lambda: flow.randperm(100, device=device),
        "eigenvalues": lambda: [flow.linalg.eig(tensor(torch.tensor(_MATRICES, dtype=d))) for d in (torch.float32, torch.float64, torch.complex64)],
        "keys and values of a page": lambda: [
            paged_append(
                *[tensor(torch.ones(1, 2, 8))] * 2, tensor(torch.tensor([5])), *[tensor(torch.zeros(4, 4, 2, 8)) for _ in range(2)], *others
            )
            for others in ((), (tensor(torch.ones(1, 4, 8)), *[tensor(torch.ones(4, 4))] * 2, tensor(torch.tensor([1]))))
        ],
        "a token with notes": lambda: sample_noted(
            tensor(torch.ones(1, 100)), tensor(torch.ones(6, 1)), *[tensor(torch.tensor([1])) for _ in range(3)],
            (tensor(torch.tensor([[0], [3], [5], [1]])), tensor(torch.zeros(2, 100)), tensor(torch.zeros(2, 100, dtype=torch.int32))),
        ),
        "a query to many keys": lambda: flow.nn.functional.scaled_dot_product_attention(
            *[tensor(torch.ones(1, 1, n, 8)) for n in (1, 4096, 4096)]
        ),
        "capped scores with slopes": lambda: _backward(
            flash_attn_func(
                *[tensor(torch.ones(1, 5, 2, 8)).requires_grad_()] * 3, softcap=2.0, alibi_slopes=tensor(torch.ones(2))
            )
        ),
        "weights of a window that are dropped": lambda: _backward(
            flash_attn_func(*[tensor(torch.ones(1, 5, 2, 8)).requires_grad_()] * 3, dropout_p=0.5, window_size=(2, 0))
        ),
        "experts": lambda: _experts(tensor),
        "a chunked loss with z": lambda: flow.nn.functional.linear_cross_entropy(
            tensor(torch.ones(4, 8)), tensor(torch.ones(5, 8)), tensor(torch.arange(4)), weight=tensor(torch.ones(5)),
            lse_square_scale=0.1,
        ),
        "assignment": lambda: dispatch(op_expr("cheapest_columns"), (tensor(torch.rand(3, 5)),)),
        "infos": lambda: dispatch(
            op_expr("linalg_checked"), (tensor(torch.ones(3)), tensor(torch.zeros(3, dtype=torch.int32))), ("singular",)
        ),
    }
    for dtype in _FLOATS:
        calls |= {f"{name}, {dtype}": partial(draw, dtype, device) for name, draw in _RANDOM.items()}
        for optimizer, options in _OPTIMIZERS:
            calls[f"{optimizer.__name__} {options}, {dtype}"] = partial(_train, optimizer, options, dtype, tensor)
        if dtype is not flow.float64:  # which codes of 8 bits are not for
            codes = {"min_8bit_size": 1, "amsgrad": True}
            calls[f"AdamW8bit, {dtype}"] = partial(_train, flow.optim.AdamW8bit, codes, dtype, tensor)
        calls[f"shards, {dtype}"] = partial(_shards, dtype, device, tensor)
        calls |= {f"norm {order}, {dtype}": partial(_clip, order, dtype, tensor) for order in (0, 1, 2, 3, math.inf)}
        if dtype is not flow.float16:  # gradients of which a scaler refuses
            calls[f"scaler, {dtype}"] = partial(_scale, dtype, tensor)
    return calls


def _experts(tensor: OnDevice) -> None:
    """Tokens on their way to two of four experts, and back."""
    F, x = flow.nn.functional, tensor(torch.ones(6, 8)).requires_grad_()
    weights, indices = F.moe_topk(tensor(torch.randn(6, 4)).requires_grad_(), 2)
    rows, row_id_map, _ = F.moe_permute(x, indices, 4)
    _backward(F.moe_unpermute(rows, row_id_map, weights))


# Of real eigenvalues that are far apart. Of most others each rounding changes the order, or turns the block of a pair.
_MATRICES = [
    [[0, -1, 1, 0], [1, 7, 1, 1], [2, 2, 25, 1], [-2, -1, 0, 62]], [[-1, 0, -1, -2], [1, 8, 0, 1], [1, -2, 27, 1], [2, 1, 2, 62]],
]  # fmt: skip


def large_calls(device: Any, tensor: OnDevice) -> dict[str, Callable[[], Any]]:
    """Calls of sizes that need another kernel."""

    def parameter(*shape: int) -> flow.Tensor:
        return tensor(torch.randn(shape)).requires_grad_()

    def labels(n: int) -> flow.Tensor:
        return flow.zeros(n, dtype=flow.int64, device=device)

    def written(dtype: Any) -> None:
        at, x, y = labels(300), tensor(torch.randn(9, 20)).to(dtype), tensor(torch.randn(300, 20)).to(dtype)
        x.index_add_(0, at, y)
        x[at] = y
        x.scatter_add_(0, labels(6000).reshape(300, 20), y)

    F = flow.nn.functional

    def scaled() -> None:
        a, b = (flow.ones(32, 32, device=device).to(flow.float8_e4m3fn) for _ in range(2))
        scale = flow.ones((), device=device)
        for bias in (None, flow.ones(32, dtype=flow.bfloat16, device=device)):
            F.scaled_mm(a, b.t(), scale, scale, bias=bias)
        wide = flow.ones(40, 300, device=device)
        codes, scales = F.quantize_rows(wide, flow.float8_e4m3fn, group=128)
        for rows, dtype in ((3, flow.bfloat16), (40, flow.float32)):
            bias = flow.ones(40, dtype=dtype, device=device)
            F.scaled_mm_blocks(codes[:rows], codes.t(), scales[:rows], scales[:1].t(), bias, out_dtype=dtype)

    def few_bits() -> None:
        codes = flow.ones(40, 96, dtype=flow.int8, device=device), flow.ones(40, 32, dtype=flow.int32, device=device)
        for form, weight in (("int8", codes[0]), ("int4", codes[1]), ("nf4", codes[1])):
            for dtype in (flow.float32, flow.bfloat16):
                scales, bias = flow.ones(40, 3, dtype=dtype, device=device), flow.ones(40, dtype=dtype, device=device)
                for x in (parameter(1, 96).to(dtype), parameter(40, 96).to(dtype)):
                    _backward(F.quantized_linear(x, weight, scales, scales, bias, form=form, group=32))
        _backward(F.quantized_linear(parameter(1, 96), codes[0], flow.ones(40, 1, device=device)))
        for x in (parameter(1, 96), parameter(40, 96)):
            _backward(F.quantized_linear(x, codes[0].to(flow.float8_e4m3fn), flow.ones(40, 1, device=device), form="float8"))
        numbers, scale = F.quantize_rows(parameter(40, 96).detach())
        F.scaled_int_mm(numbers, codes[0].t(), scale, flow.ones(1, 40, device=device))
        flow._int_mm(numbers, codes[0].t())

    def groups(dtype: Any) -> None:
        ends = flow.full((3,), 40, dtype=flow.int32, device=device)
        x, weight = (tensor(torch.randn(shape)).to(dtype).requires_grad_() for shape in ((200, 64), (3, 64, 96)))
        _backward(F.grouped_mm(x, weight, offs=ends))

    def addresses() -> None:
        x, table = flow.zeros(3, device=device), flow.zeros(8, dtype=flow.int64, device=device)
        plan = address_plan(8, x.meta.device, [1, 5])
        plan.prepare(x.meta.device).run(x.ptr, x.ptr, table.ptr)

    return {
        "scaled product": scaled,
        "few bits": few_bits,
        "addresses in a table": addresses,
        "repeats": lambda: _backward(F.interpolate(parameter(1, 2, 5), scale_factor=2)),
        "long lists of indices": lambda: [written(dtype) for dtype in (flow.float32, flow.bfloat16, flow.int8)],
        "backward of an embedding": lambda: _backward(F.embedding(labels(1100), parameter(30, 20))),
        "sort": lambda: flow.sort(tensor(torch.randn(3, 40)), 1),
        "long sort": lambda: flow.sort(tensor(torch.randn(3, 5000)), 1),
        "many rows of a loss": lambda: [
            _backward(loss(parameter(5000, 10), labels(5000))) for loss in (F.cross_entropy, F.nll_loss)
        ],
        "depthwise convolution": lambda: _backward(F.conv2d(parameter(2, 8, 16, 16), parameter(8, 1, 3, 3), groups=8)),
        "channels-last images": lambda: _images(parameter),
        "edges": lambda: [_backward(F.pad(parameter(2, 3, 5), (1, 2), mode=mode)) for mode in ("replicate", "reflect", "circular")],
        "filtered images": lambda: [
            _backward(F.interpolate(parameter(1, 2, 9, 8), (4, 3), mode=mode, antialias=True)) for mode in ("bilinear", "bicubic")
        ],
        "pictures of bytes": lambda: [
            F.interpolate(tensor(torch.randint(0, 256, (1, 2, 9, 8), dtype=torch.uint8)), (4, 3), mode="bilinear", antialias=smooth)
            for smooth in (False, True)
        ],
        "large matrices": lambda: _backward(flow.matmul(parameter(1024, 1024), parameter(1024, 1024))),
        "product in parts": lambda: flow.matmul(tensor(torch.randn(5, 4100)), tensor(torch.randn(4100, 3))),
        "sum in parts": lambda: tensor(torch.randn(1 << 17)).sum(),
        "long sum": lambda: tensor(torch.randn(1 << 20)).sum(),
        "long argmax": lambda: tensor(torch.randn(2, 1 << 18)).argmax(1),
        "wide windows": lambda: [_backward(pool(parameter(1, 2, 5, 21), 2)) for pool in (F.adaptive_avg_pool2d, F.adaptive_max_pool2d)],
        "products of groups": lambda: [groups(dtype) for dtype in (flow.float32, flow.bfloat16)],
        "wide rows": lambda: _backward(flow.softmax(parameter(4, 40000), 1)),
    }


def _shards(dtype: Any, device: Any, tensor: OnDevice) -> None:
    """What ranks make of their parts of a new tensor, and of the shares of a partial one."""
    device = flow.device(device)
    state = flow.Generator(device).state
    for op, inputs, attrs, dynamic in (
        ("arange", (), (3, dtype, device, 8), (0, 1, 2)),
        ("linspace", (), (3, dtype, device, 8), (0.0, 1.0, 0.125, 2)),
        ("eye", (), ((3, 4), dtype, device, 1), ()),
        ("random_normal", (state,), ((3, 4), dtype, (3, 8), False), (0.0, 1.0, 1)),
        ("random_poisson", (tensor(torch.ones(3, 4)).to(dtype), state), ((3, 8), False), (1,)),
        ("random_integers", (state,), ((3, 4), flow.int64, True, (3, 8), False), (0, 1 << 40, 1)),
        ("combine_shares", (tensor(torch.randn(2, 5)).to(dtype),), ("sum",), ()),
    ):
        eager_local.apply(op_expr(op), inputs, OpContext(attrs, dynamic))


def _images(parameter: Callable[..., flow.Tensor]) -> None:
    """Convolutions, dense and depthwise, and poolings of channels-last images, with windows in loops and unrolled."""
    F = flow.nn.functional

    def images(channels: int) -> flow.Tensor:
        return parameter(2, channels, 9, 8).contiguous(memory_format=flow.channels_last)

    for size in (3, 5):
        _backward(F.conv2d(images(8), parameter(8, 1, size, size), groups=8))
        _backward(F.conv2d(images(4), parameter(8, 1, size, size), stride=2, groups=4))
        _backward(F.conv2d(images(20), parameter(18, 20, size, size)))
        for pool in (F.max_pool2d, F.avg_pool2d):
            _backward(pool(images(8), size, 1 if size == 5 else 2))
    _backward(F.batch_norm(images(8), None, None, training=True))


def _backward(y: flow.Tensor) -> None:
    flow.autograd.backward([y], [flow.ones_like(y)])


def attend(x: flow.Tensor) -> None:
    """Attention that drops weights, with a program for each head and for each tile."""
    for heads in (1, 8):
        _backward(flow.nn.functional.scaled_dot_product_attention(*[x[:, :heads].detach().requires_grad_()] * 3, dropout_p=0.5))


def _parameters(dtype: Any, tensor: OnDevice) -> list[flow.Tensor]:
    """Of sizes of all kinds, with gradients."""
    shapes = [(3,), (40, 50), (1,), (0,), (2500,)]
    parameters = [tensor(torch.randn(s)).to(dtype).detach().requires_grad_() for s in shapes]
    _new_gradients(parameters, dtype, tensor)
    return parameters


def _new_gradients(parameters: list[flow.Tensor], dtype: Any, tensor: OnDevice) -> None:
    for p in parameters:
        p.grad = tensor(torch.randn(p.shape)).to(dtype)


def _train(optimizer: Any, options: dict[str, Any], dtype: Any, tensor: OnDevice) -> None:
    """Two steps."""
    parameters = _parameters(dtype, tensor)
    steps = optimizer(parameters, lr=0.1, **options)
    for _ in range(2):
        _new_gradients(parameters, dtype, tensor)
        steps.step()


def _clip(order: float, dtype: Any, tensor: OnDevice) -> None:
    parameters = _parameters(dtype, tensor)
    flow.nn.utils.clip_grad_norm_(parameters, 0.5, order)
    flow.nn.utils.clip_grad_value_(parameters, 0.01)


def _scale(dtype: Any, tensor: OnDevice) -> None:
    """A step with a scale, skipped and not."""
    parameters = _parameters(dtype, tensor)
    steps, scaler = flow.optim.SGD(parameters, lr=0.1), flow.amp.GradScaler(init_scale=8.0, growth_interval=1)
    for factor in (1.0, math.inf):
        _new_gradients(parameters, dtype, tensor)
        scaler.scale(tensor(torch.ones(())))
        parameters[0].grad *= factor
        scaler.step(steps)
        scaler.update()


_FLOATS = (flow.float32, flow.float16, flow.bfloat16, flow.float64)
_INTEGERS = (flow.int64, flow.int32, flow.int16, flow.int8, flow.uint8)
_RANDOM: dict[str, Callable[[Any, Any], Any]] = {
    "rand": lambda dtype, device: flow.rand(100, dtype=dtype, device=device),
    "randn": lambda dtype, device: flow.randn(100, dtype=dtype, device=device),
    "exponential_": lambda dtype, device: flow.ones(100, dtype=dtype, device=device).exponential_(),
    "bernoulli": lambda dtype, device: flow.bernoulli(flow.full((100,), 0.5, dtype=dtype, device=device)),
    "standard_gamma": lambda dtype, device: _backward(
        flow._C.standard_gamma(flow.full((100,), 0.5, dtype=dtype, device=device).requires_grad_())
    ),
    "poisson": lambda dtype, device: flow.poisson(flow.full((100,), 0.5, dtype=dtype, device=device)),
    "binomial": lambda dtype, device: flow.binomial(*[flow.full((100,), n, dtype=dtype, device=device) for n in (9.0, 0.5)]),
    "dropout": lambda dtype, device: _backward(
        flow.nn.functional.dropout(flow.ones(100, dtype=dtype, device=device).requires_grad_(), 0.5, True)
    ),
    "sample_tokens": lambda dtype, device: flow.generation.sample_tokens(flow.ones(2, 100, dtype=dtype, device=device), 1.0, 5, 0.5),
    "dropped attention": lambda dtype, device: [attend(flow.ones(1, 8, n, 8, dtype=dtype, device=device)) for n in (20, 21)],
}
# A decay that is a power of two: Adam makes a step of any size, so where a gradient is cancelled by its decay, the product's
# last bit, which a fused sum keeps, would decide the step.
_OPTIMIZERS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (flow.optim.SGD, {"weight_decay": 0.125}),
    (flow.optim.SGD, {"momentum": 0.9, "nesterov": True, "maximize": True}),
    (flow.optim.Adam, {"weight_decay": 0.125, "amsgrad": True}),
    (flow.optim.AdamW, {"maximize": True}),
)

# ------------------------------------------------------------------------------------------------ what kernels/ has


def jit_functions(module: Any) -> list[JITFunction]:
    """The functions decorated with `triton.jit` in a module."""
    return [v for v in vars(module).values() if isinstance(v, JITFunction) and v.fn.__module__ == module.__name__]


def name_of(fn: Any) -> str:
    """"softmax.forward"."""
    return f"{fn.__module__.rpartition('.')[2]}.{fn.__name__}"


# What no op launches, and which tests do.
APART = {"elementwise.whole_rows": "test_rows, test_compile_graphs", "peak.multiply_adds": "test_peak", "peak.products": "test_peak"}


def templates() -> dict[str, Any]:
    """The functions of kernels/ that ops launch: those that no other function calls, or gives to another."""
    found: dict[str, Any] = {}
    sources = []
    for info in pkgutil.iter_modules(rooms.__path__):
        if not info.ispkg and info.name not in ("reductions", "rows", "index_math", "dtypes"):
            module = import_module(f"tritonflow.kernels.{info.name}")
            sources.append(inspect.getsource(module))
            found.update({name_of(f): f for f in jit_functions(module)})
    text = "\n".join(sources)
    for name in APART:
        del found[name]
    return {
        name: f for name, f in found.items() if not re.search(rf"(?<!def ){f.__name__}\(|[(,] ?{f.__name__}[,)]", text)
    }
