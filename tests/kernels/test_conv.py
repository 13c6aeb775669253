"""kernels/conv.py and kernels/depthwise.py against torch.nn.functional.conv2d."""

import math
from dataclasses import dataclass

import pytest
import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from tests.kernels.harness import BACKENDS, CPU, GPU, TYPES, Constant, compile_for, kernels, run, stride
from tritonflow.kernels.facts import DeviceFacts

conv = kernels("conv")
rules = kernels("conv_config")
depthwise = kernels("depthwise")
epilogues = kernels("epilogue")
STORE = {"EPILOGUE": epilogues.identity}
AS_LOADED = {"PROLOGUE_A": None, "PROLOGUE_B": None}
TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 8e-2, torch.float32: 1e-4, torch.float64: 1e-10}


def pair(values):
    return tuple(stride(v) for v in values)


@dataclass
class Case:
    x: torch.Tensor
    w: torch.Tensor
    bias: torch.Tensor | None = None
    stride: tuple = (1, 1)
    padding: tuple = (0, 0)
    dilation: tuple = (1, 1)
    groups: int = 1
    facts: DeviceFacts = CPU
    last: bool = False  # whether images are channels-last, and tiles those of a GPU's matrix units

    def __post_init__(self):
        if self.last:
            self.x = self.x.to(memory_format=torch.channels_last)
        size = zip(self.x.shape[2:], self.w.shape[2:], self.stride, self.padding, self.dilation)
        out = tuple(rules.output_size(*s) for s in size)
        self.out = out
        self.y = torch.empty(self.x.shape[0], self.w.shape[0], *out, dtype=self.x.dtype)
        self.dy = torch.randn(self.y.shape, dtype=torch.float64).to(self.x.dtype)
        if self.last:
            self.y, self.dy = (t.to(memory_format=torch.channels_last) for t in (self.y, self.dy))
        self.inputs, self.outputs = self.w.shape[1], self.w.shape[0] // self.groups
        self.geometry = (tuple(self.x.shape[2:]), tuple(self.w.shape[2:]), out)
        self.geometry += (pair(self.stride), self.padding, pair(self.dilation))
        self.x_strides = pair(self.x.stride())
        self.extras = () if self.bias is None else (self.bias,)
        parts = ((self.y.shape[0],), (self.y.shape[1],), (math.prod(out),))
        steps = ((Constant(0),), (Constant(1),), (Constant(0),))
        if self.last:  # in the order of memory
            parts, steps = ((t[0], t[2], t[1]) for t in (parts, steps))
        self.operands = ((), ()) if self.bias is None else (parts, (steps,))
        self.epilogue = {"EPILOGUE": epilogues.identity if self.bias is None else epilogues.add_bias}
        self.steps = pair(rules.tap_step(s, d) for s, d in zip(self.stride, self.dilation))
        self.phases = math.prod(self.stride)

        self.flat = self.inputs < 16
        self.padded = not self.last or any(self.padding)
        self.taps = math.prod(self.w.shape[2:])

    def by_tap(self, *order):
        """The weight as (tap, group, row, reduced channel), and its strides."""
        w = self.w.reshape(self.groups, self.outputs, self.inputs, self.taps).permute(order).contiguous()
        return w, pair(w.stride())

    def forward(self):
        rows, width, depth = self.x.shape[0] * self.out[0], self.out[1], self.inputs * (self.taps if self.flat else 1)
        blocks = rules.tile_config(self.facts, TYPES[self.x.dtype], self.outputs, rows, width, depth)["constexprs"]
        if self.last:
            blocks = self.last_blocks(self.outputs, rows * width, self.inputs)
        w, strides = self.by_tap(3, 0, 1, 2)
        if self.flat:
            w, strides = self.w, pair((0, self.w[0].numel() * self.outputs, self.w[0].numel(), 1))
        sizes = (self.x.shape[0], self.groups, self.inputs, self.outputs, *self.geometry, self.x_strides, strides)
        grid = (rules.tiles(blocks, self.outputs, rows, width), self.groups)
        args = (self.x, w, self.extras, (self.y,), *sizes, *self.operands)
        constexprs = {**AS_LOADED, **self.epilogue, "FLAT": self.flat, "PADDED": self.padded, "Y_LAST": self.last, **blocks}
        return conv.forward, grid, args, constexprs

    def last_blocks(self, rows, columns, channels):
        depth = channels * self.taps
        return rules.last_config(GPU, TYPES[self.x.dtype], rows, columns, depth, self.taps, channels, False)["constexprs"]

    def input_gradient(self):
        self.dx = torch.empty_like(self.x) if self.last else torch.empty(self.x.shape, dtype=self.x.dtype)
        height, width = (-(-s // t) for s, t in zip(self.x.shape[2:], self.stride))
        rows = self.x.shape[0] * height
        blocks = rules.tile_config(self.facts, TYPES[self.x.dtype], self.inputs, rows, width, self.outputs)[
            "constexprs"
        ]
        if self.last:
            blocks = self.last_blocks(self.inputs, rows * width, self.outputs)
        w, strides = self.by_tap(3, 0, 2, 1)
        sizes = (self.x.shape[0], self.groups, self.inputs, self.outputs, *self.geometry, self.steps, strides)
        grid = (rules.tiles(blocks, self.inputs, rows, width), self.groups, self.phases)
        constexprs = {**AS_LOADED, **STORE, "DY_LAST": self.last, "DX_LAST": self.last, **blocks}
        return conv.input_gradient, grid, (self.dy, w, (), (self.dx,), *sizes, (), ()), constexprs

    def weight_gradient(self, splits=1):
        n = self.x.shape[0]
        per_split = -(-n // splits)
        dtype = self.w.dtype if splits == 1 else torch.float32
        self.dw = torch.empty(splits, *self.w.shape, dtype=dtype)
        columns = self.inputs * (self.taps if self.flat else 1)
        blocks = rules.depth_config(self.facts, TYPES[self.x.dtype], self.outputs, columns, *self.out)["constexprs"]
        flat = self.flat
        if self.last:
            depth = n * math.prod(self.out)
            blocks = rules.weight_config(GPU, TYPES[self.x.dtype], self.outputs, self.inputs, self.taps, depth, False)["constexprs"]
            flat = self.inputs % blocks["BLOCK_N"] != 0
            columns = self.inputs * (self.taps if flat else 1)
        tiles = -(-self.outputs // blocks["BLOCK_M"]) * -(-columns // blocks["BLOCK_N"]) * (1 if flat else self.taps)
        sizes = (n, per_split, self.groups, self.inputs, self.outputs, *self.geometry, self.x_strides)
        args = (self.dy, self.x, (), (self.dw,), *sizes, (), (), ())
        constexprs = {**AS_LOADED, **STORE, "FLAT": flat, "PADDED": self.padded, "LAST": self.last, **blocks}
        return conv.weight_gradient, (tiles, self.groups, splits), args, constexprs

    def depthwise(self, unrolled=False):
        n, channels = self.x.shape[:2]
        blocks = depthwise.config(self.facts, *self.out)["constexprs"]
        tiles = depthwise.tiles(blocks, *self.out)
        sizes = looped = (channels, self.outputs, *self.geometry)
        if unrolled:
            kernel = tuple(Constant(k) for k in self.w.shape[2:])
            sizes = (*sizes[:3], kernel, *sizes[4:])
        args = (self.x, self.w, self.extras, (self.y,), *sizes, self.x_strides, *self.operands)
        yield depthwise.forward, (n * self.w.shape[0], tiles), args, {**self.epilogue, "UNROLLED": unrolled, **blocks}
        self.dx = torch.empty(self.x.shape, dtype=self.x.dtype)
        tiles = depthwise.tiles(blocks, *(-(-s // t) for s, t in zip(self.x.shape[2:], self.stride)))
        args = (self.dy, self.w, (), (self.dx,), *sizes, self.steps, (), ())
        unrolled = unrolled and self.outputs == self.phases == 1
        yield (
            depthwise.input_gradient,
            (n * channels, tiles, self.phases),
            args,
            {**STORE, "UNROLLED": unrolled, **blocks},
        )
        self.dw = torch.empty(self.w.shape, dtype=self.w.dtype)
        args = (self.dy, self.x, self.dw, n, *looped, self.x_strides)
        yield depthwise.weight_gradient, (self.w.shape[0] * self.taps,), args, blocks

    def launches(self):
        return [self.forward(), self.input_gradient(), self.weight_gradient()]

    def check(self):
        x, w = self.x.double().requires_grad_(), self.w.double().requires_grad_()
        bias = None if self.bias is None else self.bias.double()
        y = F.conv2d(x, w, bias, self.stride, self.padding, self.dilation, self.groups)
        y.backward(self.dy.double())
        tolerance = TOLERANCE[self.x.dtype]
        for got, expected in (
            (self.y, y),
            (self.dx, x.grad),
            (self.dw.sum(0) if self.dw.dim() > 4 else self.dw, w.grad),
        ):
            scale = expected.abs().max().item() + 1
            torch.testing.assert_close(got.double(), expected, rtol=tolerance, atol=tolerance * scale)


def random(*shape, dtype=torch.float32):
    return torch.randn(shape, dtype=torch.float64).to(dtype)


GEOMETRIES = [
    {},
    {"padding": (1, 1)},
    {"stride": (2, 2), "padding": (1, 1)},
    {"stride": (2, 3), "padding": (2, 1), "dilation": (2, 2)},
    {"stride": (3, 2), "dilation": (1, 3), "padding": (0, 2)},
    {"stride": (4, 4)},
]


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("inputs", "outputs", "groups"), [(3, 5, 1), (20, 18, 1), (4, 6, 2)])
def test_geometries(backend, geometry, inputs, outputs, groups):
    case = Case(
        random(2, inputs, 9, 8), random(outputs, inputs // groups, 3, 2), random(outputs), **geometry, groups=groups
    )
    for launch in case.launches():
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    case = Case(
        random(2, 3, 6, 7, dtype=dtype), random(4, 3, 3, 3, dtype=dtype), random(4, dtype=dtype), padding=(1, 1)
    )
    for launch in case.launches():
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("backend", BACKENDS)
def test_channels_last_and_1x1(backend):
    x = random(2, 17, 5, 6).to(memory_format=torch.channels_last)
    case = Case(x, random(7, 17, 1, 1))
    for launch in case.launches():
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("inputs", "geometry"), [(16, GEOMETRIES[3]), (64, GEOMETRIES[1])])
def test_a_gpus_tiles_of_channels_last_images(backend, inputs, geometry):
    """Columns of the weight's gradient are those of several taps, and of one."""
    case = Case(random(3, inputs, 7, 6), random(20, inputs, 3, 2), random(20), last=True, **geometry)
    for launch in (case.forward(), case.input_gradient(), case.weight_gradient(splits=2)):
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("backend", BACKENDS)
def test_weight_gradient_in_parts(backend):
    case = Case(random(5, 3, 6, 6), random(4, 3, 3, 3), padding=(1, 1))
    for launch in (case.forward(), case.input_gradient(), case.weight_gradient(splits=3)):
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("inputs", [3, 20])
def test_weight_gradient_with_an_epilogue(backend, inputs):
    """A vector over the filters, and a tensor like the result: acc + row + 2 * whole."""
    case = Case(random(2, inputs, 6, 7), random(6, inputs, 3, 2), groups=1)
    row, whole = random(6), random(*case.w.shape)
    for launch in (case.forward(), case.input_gradient()):
        run(backend, *launch)
    kernel, grid, args, constexprs = case.weight_gradient()
    strides = (((Constant(1),), (Constant(0),)), ((stride(inputs * 6),), (Constant(1),)), ((Constant(0),), (Constant(0),)))
    args = (*args[:2], (row, whole, 2.0), *args[3:-2], ((6,), (inputs * 6,)), strides)
    run(backend, kernel, grid, args, {**constexprs, "EPILOGUE": shifted})
    case.dw = case.dw - row[:, None, None, None] - 2 * whole
    case.check()


@triton.jit
def shifted(x, row, whole, scale):
    return x + row + whole * scale


@triton.jit
def halved(x):
    return x.to(tl.bfloat16)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("inputs", [3, pytest.param(20, marks=pytest.mark.long)])
def test_casts_as_prologues(backend, inputs):
    """The bits of casts before."""
    cases = [Case(random(2, inputs, 9, 8), random(6, inputs, 3, 3), padding=(1, 1)) for _ in range(2)]
    cases[1].x, cases[1].w, cases[1].dy = (t.to(torch.bfloat16) for t in (cases[0].x, cases[0].w, cases[0].dy))
    for name, result in (("forward", "y"), ("input_gradient", "dx"), ("weight_gradient", "dw")):
        for case, function in zip(cases, (halved, None)):
            kernel, grid, args, constexprs = getattr(case, name)()
            run(backend, kernel, grid, args, {**constexprs, "PROLOGUE_A": function, "PROLOGUE_B": function})
        assert torch.equal(*(getattr(case, result).bfloat16() for case in cases))


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(
    ("multiplier", "unrolled"), [(1, False), (2, True), *(pytest.param(*x, marks=pytest.mark.long) for x in ((1, True), (2, False)))]
)
@pytest.mark.sampled(most=2)
def test_depthwise(backend, geometry, multiplier, unrolled):
    case = Case(random(2, 3, 9, 8), random(3 * multiplier, 1, 3, 2), random(3 * multiplier), **geometry, groups=3)
    for launch in case.depthwise(unrolled):
        run(backend, *launch)
    case.check()


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
@pytest.mark.parametrize("inputs", [pytest.param(3, marks=pytest.mark.long), 64])
@pytest.mark.sampled(most=1)
def test_compiles(arch, dtype, inputs):
    case = Case(
        random(2, inputs, 32, 32, dtype=dtype), random(64, inputs, 3, 3, dtype=dtype), stride=(2, 2), facts=GPU
    )
    for kernel, _, args, constexprs in case.launches():
        assert compile_for(arch, kernel, args, constexprs).asm["ptx"]
    case = Case(random(2, 4, 32, 32, dtype=dtype), random(4, 1, 3, 3, dtype=dtype), groups=4, facts=GPU)
    for kernel, _, args, constexprs in (*case.depthwise(), *case.depthwise(unrolled=True)):
        assert compile_for(arch, kernel, args, constexprs).asm["ptx"]
