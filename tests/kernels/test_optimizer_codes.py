"""kernels/optimizer_codes.py: codes beside the map of bitsandbytes and torchao, a step beside one in float64."""

import math

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from tests.kernels.harness import BACKENDS, compile_for, kernels, run
from tests.kernels.multi_tensor import ABSENT, CHUNK, TRITON, Tables

module = kernels("optimizer_codes")
WIDTH = 10
FLAGS = {"DECAY": False, "DECOUPLED": False, "AMSGRAD": False, "MAXIMIZE": False, "ALIGNED": False, "LOOKUP": False}


def dynamic_map(signed: bool) -> np.ndarray:
    """The numbers of the codes, as `create_dynamic_map` of both libraries makes them, in float64."""
    numbers = [0.0, 1.0]
    for i in range(7):
        ends = np.linspace(0.1, 1, 2 ** (i if signed else i + 1) + 1)
        middles = 10.0 ** (i - 6) * (ends[:-1] + ends[1:]) / 2
        numbers += [*middles, *(-middles if signed else [])]
    return np.sort(np.array(numbers))


@triton.jit
def numbers(x, y, FUNCTION: tl.constexpr, TABLE: tl.constexpr, SIGNED: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)[None, :]
    if TABLE is None:
        tl.store(y + i, FUNCTION(tl.load(x + i), None, SIGNED))
    else:
        tl.store(y + i, FUNCTION(tl.load(x + i), TABLE(1, SIGNED), SIGNED))


@triton.jit
def mapped(x, y, FUNCTION: tl.constexpr, SIGNED: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, FUNCTION(tl.load(x + i), SIGNED))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("signed", [True, False])
def test_codes_are_those_of_the_dynamic_map(backend, signed):
    """Numbers to two roundings. A number has the code of the nearest one, also between decades, near 0 and near 1."""
    table = dynamic_map(signed)
    assert len(table) == 256
    for lookup in (None, module.table_of):
        found = torch.empty(256)
        constexprs = {"FUNCTION": module.decoded, "TABLE": lookup, "SIGNED": signed, "N": 256}
        run(backend, numbers, (1,), (torch.arange(256, dtype=torch.int32), found), constexprs)
        np.testing.assert_allclose(found.double().numpy(), table, rtol=3 * 2.0**-24)

    draw = np.random.default_rng(0)
    middles = (table[1:] + table[:-1]) / 2
    near = np.concatenate([middles * (1 - 1e-4), middles * (1 + 1e-4), table, 10.0 ** draw.uniform(-9, 0, 2048)])
    near = np.concatenate([near, -near, [0.0, 1.0, -1.0]])
    near = near[np.abs(near) <= 1] if signed else near[(near >= 0) & (near <= 1)]
    x = torch.zeros(8192)
    x[: len(near)] = torch.from_numpy(near)
    codes = torch.empty(8192, dtype=torch.int32)
    run(backend, mapped, (1,), (x, codes), {"FUNCTION": module.encoded, "SIGNED": signed, "N": 8192})
    assert codes.min() >= 0 and codes.max() <= 255
    exact, chosen = x.double().numpy(), table[codes.numpy()]
    nearest = np.abs(exact[:, None] - table[None]).min(1)
    assert (np.abs(chosen - exact) <= nearest + 1e-6 * np.abs(exact)).all()
    assert (table[codes.numpy()[np.argsort(exact)]][1:] >= table[codes.numpy()[np.argsort(exact)]][:-1]).all()


class State:
    """A running mean in codes, and its numbers in float64."""

    def __init__(self, shapes, signed, size):
        self.table, self.size, self.signed = dynamic_map(signed), size, signed
        self.codes = [torch.randint(0, 256, shape, dtype=torch.uint8) for shape in shapes]
        self.scales = [torch.rand(-(-codes.numel() // size)) for codes in self.codes]

    def numbers(self):
        return [
            torch.from_numpy(self.table)[codes.long()] * scales.double().repeat_interleave(self.size)[: codes.numel()].view(codes.shape)
            for codes, scales in zip(self.codes, self.scales)
        ]

    def check(self, exact):
        """Each number is the nearest one of its block."""
        for codes, scales, wanted in zip(self.numbers(), self.scales, exact):
            for block, scale in enumerate(scales.tolist()):
                part = slice(block * self.size, (block + 1) * self.size)
                mine, theirs = codes.flatten()[part].numpy(), wanted.flatten()[part].numpy()
                assert math.isclose(scale, np.abs(theirs).max(), rel_tol=1e-6)
                nearest = np.abs(theirs[:, None] - scale * self.table[None]).min(1)
                assert (np.abs(mine - theirs) <= nearest + 1e-5 * np.abs(theirs) + 1e-9 * scale).all()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("dtype", "size", "options"),
    [
        (torch.float32, 128, {"LOOKUP": True}),
        (torch.float32, 256, {"DECAY": True, "DECOUPLED": True, "AMSGRAD": True}),
        (torch.bfloat16, 128, {"DECAY": True, "MAXIMIZE": True}),
    ],
)
def test_a_step(backend, dtype, size, options):
    """From any codes to the exact parameters, and the nearest codes of the exact means; the last block is not full."""
    torch.manual_seed(0)
    shapes = [(3,), (40, 50), (1, 1024), (0,)]
    flags = {**FLAGS, **options}
    mine, gradients = ([torch.randn(shape).to(dtype) for shape in shapes] for _ in range(2))
    first, second, largest = State(shapes, True, size), State(shapes, False, size), State(shapes, False, size)
    counts = [torch.full((), 4.0) for _ in shapes]
    before, m, v, old = [p.double() for p in mine], first.numbers(), second.numbers(), largest.numbers()
    columns = [mine, gradients, first.codes, first.scales, second.codes, second.scales, counts, largest.codes, largest.scales]
    blocks = {"ROWS": CHUNK["BLOCK"] // size, "SIZE": size, "CHUNK": CHUNK["CHUNK"]}
    tables = Tables(*columns, width=WIDTH)
    types = {"PARAMETER": TRITON[dtype], "GRADIENT": TRITON[dtype]}
    scalars = (0.1, 0.25, 0.8, 0.95, 1e-6)
    run(backend, module.adam_of_codes, (tables.programs,), tables.args((ABSENT,), scalars, "fp64"), {**types, **flags, **blocks})
    for k, p in enumerate(before):
        g = gradients[k].double() * (-1 if flags["MAXIMIZE"] else 1)
        if flags["DECAY"]:
            p, g = (p * (1 - 0.1 * 0.25), g) if flags["DECOUPLED"] else (p, g + 0.25 * p)
        m[k], v[k] = 0.8 * m[k] + 0.2 * g, 0.95 * v[k] + 0.05 * g * g
        old[k] = torch.maximum(old[k], v[k])
        root = (old[k] if flags["AMSGRAD"] else v[k]) / (1 - 0.95**5)
        moved = 0.1 / (1 - 0.8**5) * m[k] / (root.sqrt() + 1e-6)
        tolerance = {torch.float32: 2e-6, torch.bfloat16: 2.0**-8}[dtype]
        assert ((mine[k].double() - (p - moved)).abs() <= tolerance * (p.abs() + moved.abs()) + 1e-7).all()
    first.check(m)
    second.check(v)
    if flags["AMSGRAD"]:
        largest.check(old)


@pytest.mark.parametrize("backend", BACKENDS)
def test_blocks_without_numbers(backend):
    """Zeros stay zeros; what is not finite makes its own block NaN and no other; a skipped step changes nothing."""
    p, g = torch.ones(512), torch.zeros(512)
    g[300] = math.inf
    state = [torch.full((512,), 127, dtype=torch.uint8), torch.zeros(4), torch.zeros(512, dtype=torch.uint8), torch.zeros(4)]
    tables = Tables([p], [g], *[[t] for t in state], [torch.zeros(())], width=WIDTH)
    constexprs = {**FLAGS, "PARAMETER": tl.float32, "GRADIENT": tl.float32, "ROWS": 2, "SIZE": 128, "CHUNK": 1024}
    scalars = (0.1, 0.0, 0.9, 0.99, 1e-8)
    skipped = tables.args((torch.ones(()),), scalars, "fp64")
    run(backend, module.adam_of_codes, (1,), skipped, constexprs)
    assert (p == 1).all() and (state[0] == 127).all() and (state[1] == 0).all()
    run(backend, module.adam_of_codes, (1,), tables.args((ABSENT,), scalars, "fp64"), constexprs)
    assert torch.isnan(state[1]).tolist() == [False, False, True, False] == torch.isnan(state[3]).tolist()
    assert (p[:300] == 1).all() and torch.isnan(p[300]) and (p[301:] == 1).all()
    assert (state[0][:256] == 127).all() and (state[0][384:] == 127).all()
    run(backend, module.adam_of_codes, (1,), tables.args((ABSENT,), scalars, "fp64"), constexprs)
    assert torch.isnan(p).nonzero().flatten().tolist() == list(range(256, 384))


@pytest.mark.parametrize("arch", [80, 90])
def test_compiles(arch):
    tensors = torch.zeros(4, dtype=torch.int64)
    tables = Tables([torch.zeros(10)], [torch.zeros(10)], width=WIDTH)
    flags = {**FLAGS, "DECAY": True, "DECOUPLED": True, "AMSGRAD": True, "ALIGNED": True}
    blocks = {"CHUNK": 16384, "ROWS": 4, "SIZE": 256, "PARAMETER": tl.bfloat16, "GRADIENT": tl.float32}
    args = (torch.zeros(()), tensors, tensors, *tables.args((), [0.1] * 5, "fp64")[2:])
    assert compile_for(arch, module.adam_of_codes, args, {**flags, **blocks}).asm["ptx"]
