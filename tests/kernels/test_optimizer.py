"""kernels/optimizer.py against torch.optim."""

import math

import pytest
import torch

from tests.kernels.harness import BACKENDS, GPU, Scalar, compile_for, kernels, run
from tests.kernels.multi_tensor import ABSENT, CHUNK, TRITON, Tables
from tritonflow.testing import assert_close, in_float64

module = kernels("optimizer")
rules = kernels("optimizer_rules").RULES
config = kernels("multi_tensor").config
SHAPES = [(3,), (40, 50), (1,), (0,), (2500,)]
ADAM_WIDTH, ADAM_COUNT = 7, 5


class Step:
    """One fused step over columns of tensors: parameters, gradients, states; `found_inf` may tell to skip it."""

    def __init__(self, *columns, width, found_inf=ABSENT):
        self.tables, self.found_inf = Tables(*columns, width=width), found_inf
        dtypes = self.tables.dtypes
        state = dtypes[2] if len(dtypes) > 2 else dtypes[0]
        self.types = {"PARAMETER": TRITON[dtypes[0]], "GRADIENT": TRITON[dtypes[1]], "STATE": TRITON[state]}

    def args(self, *scalars, kind=None):
        return self.tables.args((self.found_inf,), scalars, kind)

    def run(self, backend, kernel, *scalars, kind=None, **flags):
        self.tables.run(backend, kernel, (self.found_inf,), scalars, kind, **self.types, **flags)

    def count(self, backend):
        """What follows each step of Adam."""
        count = len(self.tables.tensors)
        constexprs = {"WIDTH": ADAM_WIDTH, "COLUMN": ADAM_COUNT, "BLOCK": 4}
        run(backend, module.count_steps, (-(-count // 4),), (self.found_inf, self.tables.tensors, count), constexprs)


def parameters(dtype):
    return [torch.randn(s, dtype=torch.float64).to(dtype) for s in SHAPES]


def twins(dtype):
    """The same parameters in float64, which torch's optimizers train, and in `dtype`."""
    mine = parameters(dtype)
    return [p.to(torch.float64, copy=True).requires_grad_() for p in mine], mine


def set_gradients(theirs, dtype):
    """Gradients of `dtype`, which torch's parameters have in float64."""
    gradients = parameters(dtype)
    for p, g in zip(theirs, gradients):
        p.grad = g.double()
    return gradients


def compare(mine, theirs, dtype):
    tolerance = {torch.float32: 1e-6, torch.float64: 1e-13, torch.bfloat16: 4e-2}[dtype]
    for a, b in zip(mine, theirs):
        assert_close(a, in_float64(b.detach(), dtype), rtol=tolerance, atol=tolerance)


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
    theirs, mine = twins(dtype)
    buffers = [torch.full_like(p, math.nan) for p in mine]
    optimizer = torch.optim.SGD(theirs, lr=0.1, **options)
    for step in range(3):
        gradients = set_gradients(theirs, dtype)
        optimizer.step()
        momentum, decay = options.get("momentum", 0.0), options.get("weight_decay", 0.0)
        scalars = (0.1, decay, momentum, 1 - options.get("dampening", 0.0))
        flags = {"DECAY": decay != 0, "MOMENTUM": momentum != 0, "FIRST": step == 0}
        flags |= {"NESTEROV": options.get("nesterov", False), "MAXIMIZE": options.get("maximize", False), "ALIGNED": False}
        Step(mine, gradients, buffers, width=4).run(backend, module.sgd, *scalars, **flags)
    compare(mine, theirs, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"amsgrad": True, "maximize": True}])
def test_adam(backend, dtype, decoupled, options):
    theirs, mine = twins(dtype)
    first, second, largest = ([torch.zeros_like(p) for p in mine] for _ in range(3))
    counts = [torch.zeros(()) for _ in mine]
    kind = torch.optim.AdamW if decoupled else torch.optim.Adam
    options = {"weight_decay": 0.0, **options}
    optimizer = kind(theirs, lr=0.1, betas=(0.8, 0.95), eps=1e-6, **options)
    for _ in range(3):
        gradients = set_gradients(theirs, dtype)
        optimizer.step()
        decay = options["weight_decay"]
        flags = {"DECAY": decay != 0, "CORRECTED": True, "DECOUPLED": decoupled}
        flags |= {"AMSGRAD": options.get("amsgrad", False), "MAXIMIZE": options.get("maximize", False), "ALIGNED": False}
        step = Step(mine, gradients, first, second, counts, largest, width=ADAM_WIDTH)
        step.run(backend, module.adam, 0.1, decay, 0.8, 0.95, 1e-6, kind="fp64", **flags)
        step.count(backend)
    compare(mine, theirs, dtype)
    assert [c.item() for c in counts] == [3.0] * len(mine)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_step_is_skipped_where_something_overflowed(backend):
    mine, found_inf = parameters(torch.float32), torch.zeros(())
    gradients, first, second = ([torch.ones_like(p) for p in mine] for _ in range(3))
    counts = [torch.zeros(()) for _ in mine]
    sgd = Step(mine, gradients, first, width=4, found_inf=found_inf)
    adam = Step(mine, gradients, first, second, counts, width=ADAM_WIDTH, found_inf=found_inf)

    def step():
        flags = {"DECAY": False, "MOMENTUM": True, "FIRST": False, "NESTEROV": False, "MAXIMIZE": False, "ALIGNED": False}
        sgd.run(backend, module.sgd, 0.1, 0.0, 0.5, 1.0, **flags)
        flags = {"DECAY": False, "CORRECTED": True, "DECOUPLED": False, "AMSGRAD": False, "MAXIMIZE": False, "ALIGNED": False}
        adam.run(backend, module.adam, 0.1, 0.0, 0.8, 0.95, 1e-6, kind="fp64", **flags)
        adam.count(backend)

    before = [[t.clone() for t in column] for column in (mine, first, second, counts)]
    found_inf.fill_(1)
    step()
    for was, column in zip(before, (mine, first, second, counts)):
        assert all(torch.equal(a, b) for a, b in zip(was, column))
    found_inf.fill_(0)
    step()
    assert all(not torch.equal(a, b) for a, b in zip(before[0], mine) if a.numel())
    assert counts[0] == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_half_parameters_with_float32_states(backend):
    theirs, mine = twins(torch.bfloat16)
    buffers = [torch.zeros(p.shape) for p in mine]
    gradients = set_gradients(theirs, torch.bfloat16)
    flags = {"DECAY": False, "MOMENTUM": True, "FIRST": True, "NESTEROV": False, "MAXIMIZE": False, "ALIGNED": False}
    Step(mine, gradients, buffers, width=4).run(backend, module.sgd, 0.1, 0.0, 0.9, 1.0, **flags)
    compare(mine, [p - 0.1 * p.grad for p in theirs], torch.bfloat16)


def step_by_rule(backend, name, columns, hyperparameters, decay=False, found_inf=ABSENT):
    """A step by a rule, and what advances its numbers."""
    rule = rules[name]
    width, own = 3 + rule.numbers + rule.states, tuple([Scalar(value, "fp64") for value in hyperparameters])
    tables = Tables(*columns, width=width)
    dtype = TRITON[tables.dtypes[0]]
    numbers = {"NUMBERS": rule.numbers, "NUMBER": TRITON[torch.float32]}
    flags = {"SCALARS": rule.scalars, "STEP": rule.step, **numbers, "STATES": rule.states, "STATE": dtype}
    flags |= {"PARAMETER": dtype, "GRADIENT": TRITON[tables.dtypes[1]], "DECAY": decay, "DECOUPLED": False, "MAXIMIZE": False}
    args = (found_inf, tables.tensors, tables.chunks, own)
    run(backend, module.update, (tables.programs,), args, {**flags, "ALIGNED": False, **CHUNK})
    count = len(tables.tensors)
    constexprs = {"ADVANCE": rule.advance, **numbers, "WIDTH": width}
    run(backend, module.advance, (count,), (found_inf, tables.tensors, own, count), constexprs)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("name", "kind", "options", "own", "numbers", "states"),
    [
        ("nadam", "NAdam", {"momentum_decay": 0.1, "weight_decay": 0.1}, (0.9, 0.999, 1e-8, 0.1), (0, 1), (0, 0)),
        ("asgd", "ASGD", {"t0": 1, "lambd": 0.1}, (0.1, 0.75, 1.0), (0, 0.1, 1), (0,)),
        ("rprop", "Rprop", {}, (0.5, 1.2, 1e-6, 50.0), (0,), (0, 0.1)),
        ("radam", "RAdam", {"betas": (0.8, 0.9)}, (0.8, 0.9, 1e-8), (0,), (0, 0)),
    ],
)
def test_rules(backend, dtype, name, kind, options, own, numbers, states):
    theirs, mine = twins(dtype)
    optimizer = getattr(torch.optim, kind)(theirs, lr=0.1, **options)
    columns = [[torch.full((), float(v)) for _ in mine] for v in numbers]
    columns += [[torch.full_like(p, v) for p in mine] for v in states]
    decay = options.get("weight_decay", 0.0)
    for _ in range(7):
        gradients = set_gradients(theirs, dtype)
        optimizer.step()
        step_by_rule(backend, name, [mine, gradients, *columns], (0.1, decay, *own), decay=decay != 0)
    compare(mine, theirs, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_skipped_step_by_a_rule_changes_nothing(backend):
    mine, gradients, counts, sums = [torch.ones(5)], [torch.ones(5)], [torch.ones(())], [torch.ones(5)]
    step_by_rule(backend, "adagrad", [mine, gradients, counts, sums], (0.1, 0.0, 0.0, 0.1), found_inf=torch.ones(()))
    assert all(torch.equal(t, torch.ones_like(t)) for t in (*mine, *counts, *sums))


@pytest.mark.parametrize("name", rules)
@pytest.mark.sampled(most=5)
def test_rules_compile(name):
    rule, tensors = rules[name], torch.zeros(4, dtype=torch.int64)
    own = tuple([Scalar(0.1, "fp64") for _ in range(rule.hyperparameters)])
    numbers = {"NUMBERS": rule.numbers, "NUMBER": TRITON[torch.float32]}
    flags = {"SCALARS": rule.scalars, "STEP": rule.step, **numbers, "STATES": rule.states}
    flags |= {"PARAMETER": TRITON[torch.bfloat16], "GRADIENT": TRITON[torch.float32], "STATE": TRITON[torch.bfloat16]}
    flags |= {"DECAY": True, "DECOUPLED": True, "MAXIMIZE": True, "ALIGNED": True}
    constexprs = {**flags, **config(GPU)["constexprs"]}
    assert compile_for(90, module.update, (torch.zeros(()), tensors, tensors, own), constexprs).asm["ptx"]
    constexprs = {"ADVANCE": rule.advance, **numbers, "WIDTH": 8}
    assert compile_for(90, module.advance, (torch.zeros(()), tensors, own, 10), constexprs).asm["ptx"]


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("found_inf", [ABSENT, torch.zeros(())])
def test_compiles(arch, found_inf):
    tensors = [torch.zeros(10)]
    step = Step(tensors, tensors, tensors, width=4, found_inf=found_inf)
    flags = {"DECAY": True, "MOMENTUM": True, "FIRST": False, "NESTEROV": True, "MAXIMIZE": False, "ALIGNED": False}
    constexprs = {**step.types, **flags, **config(GPU)["constexprs"]}
    assert compile_for(arch, module.sgd, step.args(0.1, 0.1, 0.1, 0.1), constexprs).asm["ptx"]
    flags = {"DECAY": True, "CORRECTED": True, "DECOUPLED": True, "AMSGRAD": True, "MAXIMIZE": False, "ALIGNED": False}
    constexprs = {**step.types, **flags, **config(GPU)["constexprs"]}
    assert compile_for(arch, module.adam, step.args(*[0.1] * 5, kind="fp64"), constexprs).asm["ptx"]
    constexprs = {"WIDTH": ADAM_WIDTH, "COLUMN": ADAM_COUNT, "BLOCK": 128}
    assert compile_for(arch, module.count_steps, (found_inf, step.tables.tensors, 10), constexprs).asm["ptx"]
