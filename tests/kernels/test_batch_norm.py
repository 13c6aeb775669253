"""kernels/batch_norm.py against torch.nn.functional.batch_norm."""

import math

import pytest
import torch
import torch.nn.functional as F

import tritonflow as flow
from tests.kernels.harness import BACKENDS, CPU, GPU, Scalar, compile_for, kernels, run
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_meta

module = kernels("batch_norm")


class Case:
    """A batch norm and its backward, as (kernel, grid, arguments, constexprs) in the order of launch."""

    def __init__(self, x, weight, bias, splits=1, facts=CPU, fold=None):
        self.x, self.weight, self.bias = x, weight, bias
        self.batch, self.channels, self.spatial = x.shape[0], x.shape[1], math.prod(x.shape[2:])
        self.config = module.config(facts, self.batch, self.channels, self.spatial)
        self.tile, self.block = self.config["tile"], self.config["channels"]
        self.merging = {"BLOCK": 2, "PARTS": 4} if fold else self.config["merging"]
        self.merged = -(-self.channels // self.merging["BLOCK"])
        self.fold = {"FOLD": self.config["fold"] if fold is None else fold}
        self.dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
        self.scalar = "fp64" if x.dtype == torch.float64 else "fp32"
        self.splits, self.per_split = splits, -(-self.batch // splits)
        self.running = [torch.randn(self.channels).to(self.dtype), torch.rand(self.channels).to(self.dtype)]
        self.mean, self.rstd = torch.empty(2, self.channels, dtype=self.dtype)
        self.y, self.dx = torch.empty_like(x), torch.empty_like(x)
        self.dw, self.db = (torch.empty_like(t) for t in (weight, bias))
        spatial = self.tile["SPATIAL"]
        self.planes = self.batch * self.channels if spatial else self.batch
        columns = self.spatial if spatial else self.channels
        self.tiles = -(-self.planes // self.tile["ROWS"]) * -(-columns // self.tile["COLS"])
        self.programs = self.channels if spatial else -(-self.channels // self.tile["COLS"])
        self.blocks = -(-self.channels // self.block["BLOCK"])

    def training(self, eps, momentum):
        means, m2s = torch.empty(2, self.splits, self.channels, dtype=torch.float64)
        sizes = (self.batch, self.per_split, self.channels, self.spatial)
        yield module.statistics, (self.programs, self.splits), (self.x, means, m2s, *sizes), self.tile | self.fold
        pointers = (means, m2s, self.mean, self.rstd, (self.running[0],), (self.running[1],))
        scalars = (Scalar(eps, self.scalar), Scalar(momentum, self.scalar))
        yield module.finish_statistics, (self.merged,), (*pointers, *scalars, *sizes, self.splits), self.merging
        yield self.normalize(self.mean)

    def evaluation(self, eps):
        args = (self.running[1], self.rstd, Scalar(eps, self.scalar), self.channels)
        yield module.reciprocal_deviation, (self.blocks,), args, self.block
        yield self.normalize(self.running[0])

    def normalize(self, mean):
        pointers = (self.x, mean, self.rstd, (self.weight,), (self.bias,), self.y)
        return module.normalize, (self.tiles,), (*pointers, self.planes, self.channels, self.spatial), self.tile

    def backward(self, dy, training):
        sums, totals = (
            torch.empty(2, self.splits, self.channels, dtype=self.dtype),
            torch.empty(2, self.channels, dtype=self.dtype),
        )
        mean = self.mean if training else self.running[0]
        args = (dy, self.x, mean, self.rstd, sums, self.batch, self.per_split, self.channels, self.spatial)
        yield module.gradient_sums, (self.programs, self.splits), args, self.tile
        args = (sums, totals, (self.dw,), (self.db,), self.channels, self.splits)
        yield module.finish_gradient_sums, (self.merged,), args, self.merging
        sizes = (self.planes, self.channels, self.spatial, self.batch * self.spatial)
        args = (dy, self.x, mean, self.rstd, (self.weight,), totals, self.dx, *sizes)
        yield module.input_gradient, (self.tiles,), args, {"TRAINING": training, **self.tile}


def check(backend, x, training, splits=1, tolerance=1e-5, fold=None):
    compute = torch.float64 if x.dtype == torch.float64 else torch.float32
    weight, bias = torch.randn(2, x.shape[1]).to(compute)
    case = Case(x, weight, bias, splits, fold=fold)
    leaf, w, b = x.double().requires_grad_(), weight.double().requires_grad_(), bias.double().requires_grad_()
    mean, var = (r.double() for r in case.running)
    expected = F.batch_norm(leaf, mean, var, w, b, training, 0.1, 1e-5)
    for launch in case.training(1e-5, 0.1) if training else case.evaluation(1e-5):
        run(backend, *launch)
    dy = torch.randn(x.shape, dtype=torch.float64).to(x.dtype)
    expected.backward(dy.double())
    for launch in case.backward(dy, training):
        run(backend, *launch)
    pairs = ((case.y, expected), (case.dx, leaf.grad), (case.dw, w.grad), (case.db, b.grad))
    for got, want in (*pairs, (case.running[0], mean), (case.running[1], var)):
        torch.testing.assert_close(got.double(), want.detach(), rtol=tolerance, atol=tolerance * 10)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("splits", [1, 2])
@pytest.mark.parametrize("shape", [(5, 3, 4, 5), (7, 70), (33, 5), (3, 2, 1500), (2, 1, 2, 2)])
def test_shapes(backend, training, splits, shape):
    check(backend, torch.randn(shape) * 3 + 1, training, splits)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    tolerance = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float64: 1e-12}[dtype]
    check(backend, torch.randn(6, 4, 3, 3).to(dtype), True, tolerance=tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_gpu_merges_several_splits_at_a_time(backend):
    check(backend, torch.randn(50, 3, 2) * 3 + 1, True, splits=10, fold=1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fold", [0, 1])
def test_variance_of_a_large_mean(backend, fold):
    check(backend, torch.randn(64, 3) * 1e-2 + 1e3, True, splits=2, tolerance=2e-2, fold=fold)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("shape", "dim", "first"), [((300, 5), 0, 128), ((3, 2, 1500), 2, 1024)])
def test_statistics_of_a_gpu(backend, shape, dim, first):
    """One pass, with deviations from the mean of the first tile, which here is far from the others'."""
    x = torch.randn(shape) * 3 + 1
    x.narrow(dim, 0, first).add_(100)
    check(backend, x, True, fold=1, tolerance=2e-5)


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("shape", [(8, 64, 14, 14), (64, 256)])
@pytest.mark.sampled(most=1)
def test_compiles(arch, shape):
    case = Case(torch.empty(shape, dtype=torch.float16), torch.empty(shape[1]), torch.empty(shape[1]), facts=GPU)
    launches = [*case.training(1e-5, 0.1), *case.evaluation(1e-5), *case.backward(case.dx, True)]
    for kernel, _, args, constexprs in launches:
        assert compile_for(arch, kernel, args, constexprs).asm["ptx"]


def test_no_pixels_are_no_tiles():
    """Images of no pixels have no elements to visit: a tile of channels would write behind the result's memory."""
    x = contiguous_meta((2, 3, 0), flow.float32, flow.device("cpu"))
    channel = contiguous_meta((3,), flow.float32, flow.device("cpu"))
    plan = op_expr("batch_norm_eval").plan((x, *[channel] * 4), ())
    assert plan.launches[-1].grid[0] == 0
