"""kernels/optimizer.py against torch.optim."""

import math

import pytest
import torch
import triton.language as tl
from harness import BACKENDS, Scalar, compile_for, kernels, run

from tritonflow import triton_cpu

module = kernels("optimizer")
SHAPES = [(3,), (40, 50), (1,), (0,), (2500,)]
TRITON = {torch.float32: tl.float32, torch.float64: tl.float64, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}
CHUNK = {"CHUNK": 1024, "BLOCK": 256}


class Step:
    """The tables of one fused step over columns of tensors: parameters, gradients, states."""

    def __init__(self, *columns, width):
        dtypes = [c[0].dtype for c in columns]
        for tensor in [t for column in columns for t in column]:  # kernels find them by address
            triton_cpu.allocations.add(tensor, tensor.data_ptr(), tensor.nbytes)
        rows = [[ts[0].numel(), *(t.data_ptr() for t in ts), *[0] * (width - 1 - len(ts))] for ts in zip(*columns)]
        self.tensors = torch.tensor(rows, dtype=torch.int64)
        self.chunks = torch.tensor(module.chunk_rows([r[0] for r in rows], CHUNK["CHUNK"]), dtype=torch.int64)
        state = dtypes[2] if len(dtypes) > 2 else dtypes[0]
        self.types = {"PARAMETER": TRITON[dtypes[0]], "GRADIENT": TRITON[dtypes[1]], "STATE": TRITON[state]}
        self.scalar = "fp64" if dtypes[0] == torch.float64 else "fp32"

    def args(self, *scalars):
        return (self.tensors, self.chunks, *(Scalar(s, self.scalar) for s in scalars))

    def run(self, backend, kernel, *scalars, **flags):
        run(backend, kernel, (len(self.chunks) // 2,), self.args(*scalars), {**self.types, **flags, **CHUNK})


def parameters(dtype):
    return [torch.randn(s, dtype=torch.float64).to(dtype).requires_grad_() for s in SHAPES]


def set_gradients(parameters):
    for p in parameters:
        p.grad = torch.randn(p.shape, dtype=torch.float64).to(p.dtype)


def compare(mine, theirs, dtype):
    tolerance = {torch.float32: 1e-6, torch.float64: 1e-13, torch.bfloat16: 4e-2}[dtype]
    for a, b in zip(mine, theirs):
        torch.testing.assert_close(a, b.detach(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weight_decay": 0.1},
        {"momentum": 0.9},
        {"momentum": 0.9, "dampening": 0.3, "weight_decay": 0.01, "maximize": True},
        {"momentum": 0.8, "nesterov": True},
    ],
)
def test_sgd(backend, dtype, options):
    theirs = parameters(dtype)
    mine = [p.detach().clone() for p in theirs]
    buffers = [torch.full_like(p, math.nan) for p in mine]
    optimizer = torch.optim.SGD(theirs, lr=0.1, **options)
    for step in range(3):
        set_gradients(theirs)
        gradients = [p.grad for p in theirs]
        optimizer.step()
        momentum, decay = options.get("momentum", 0.0), options.get("weight_decay", 0.0)
        scalars = (0.1, decay, momentum, 1 - options.get("dampening", 0.0))
        flags = {"DECAY": decay != 0, "MOMENTUM": momentum != 0, "FIRST": step == 0}
        flags |= {"NESTEROV": options.get("nesterov", False), "MAXIMIZE": options.get("maximize", False)}
        Step(mine, gradients, buffers, width=4).run(backend, module.sgd, *scalars, **flags)
    compare(mine, theirs, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"amsgrad": True, "maximize": True}])
def test_adam(backend, dtype, decoupled, options):
    theirs = parameters(dtype)
    mine = [p.detach().clone() for p in theirs]
    states = [[torch.zeros_like(p) for p in mine] for _ in range(3)]
    kind = torch.optim.AdamW if decoupled else torch.optim.Adam
    options = {"weight_decay": 0.0, **options}
    optimizer = kind(theirs, lr=0.1, betas=(0.8, 0.95), eps=1e-6, **options)
    for step in range(1, 4):
        set_gradients(theirs)
        gradients = [p.grad for p in theirs]
        optimizer.step()
        decay = options["weight_decay"]
        scalars = (0.1 / (1 - 0.8**step), 1 - 0.1 * decay if decoupled else decay, 1 - 0.8, 0.95, 1 - 0.95)
        scalars += (math.sqrt(1 - 0.95**step), 1e-6)
        flags = {"DECAY": decay != 0, "DECOUPLED": decoupled}
        flags |= {"AMSGRAD": options.get("amsgrad", False), "MAXIMIZE": options.get("maximize", False)}
        Step(mine, gradients, *states, width=6).run(backend, module.adam, *scalars, **flags)
    compare(mine, theirs, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
def test_half_parameters_with_float32_states(backend):
    theirs = parameters(torch.bfloat16)
    mine = [p.detach().clone() for p in theirs]
    reference = [p.detach().float() for p in theirs]
    buffers = [torch.zeros(p.shape) for p in mine]
    set_gradients(theirs)
    gradients = [p.grad for p in theirs]
    flags = {"DECAY": False, "MOMENTUM": True, "FIRST": True, "NESTEROV": False, "MAXIMIZE": False}
    Step(mine, gradients, buffers, width=4).run(backend, module.sgd, 0.1, 0.0, 0.9, 1.0, **flags)
    compare(mine, [(p - 0.1 * g.float()).bfloat16() for p, g in zip(reference, gradients)], torch.bfloat16)


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    tensors = [torch.zeros(10)]
    step = Step(tensors, tensors, tensors, width=4)
    flags = {"DECAY": True, "MOMENTUM": True, "FIRST": False, "NESTEROV": True, "MAXIMIZE": False}
    constexprs = {**step.types, **flags, **module.config("cuda")["constexprs"]}
    assert compile_for(arch, module.sgd, step.args(0.1, 0.1, 0.1, 0.1), constexprs).asm["ptx"]
    flags = {"DECAY": True, "DECOUPLED": True, "AMSGRAD": True, "MAXIMIZE": False}
    constexprs = {**step.types, **flags, **module.config("cuda")["constexprs"]}
    assert compile_for(arch, module.adam, step.args(*[0.1] * 7), constexprs).asm["ptx"]
