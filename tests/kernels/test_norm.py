"""kernels/norm.py against torch.nn.functional.layer_norm and rms_norm."""

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, GPU, Scalar, compile_for, kernels, run

module, epilogues = kernels("norm"), kernels("epilogue")


class Case:
    def __init__(self, x, weight=None, bias=None, center=True, splits=1, facts=CPU, blocks=None):
        self.x, self.center, self.splits = x, center, splits
        self.weight, self.bias = (() if t is None else (t,) for t in (weight, bias))
        self.rows, self.cols = x.shape
        self.dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
        self.config = module.config(facts, self.rows, self.cols)
        self.row = {"CENTER": center, "CACHE": self.config["cache"], **self.config["row"], **(blocks or {})}
        self.y, self.dx, self.dy = torch.empty_like(x), torch.empty_like(x), torch.randn(x.shape).to(x.dtype)
        self.mean, self.rstd = torch.empty(2, self.rows, dtype=self.dtype)
        self.dw, self.db = (tuple(torch.empty_like(t) for t in p) for p in (self.weight, self.bias))

    def launches(self, eps=1e-5):
        tiles = -(-self.rows // self.row["ROWS"])
        pointers = (self.x, (), self.weight, self.bias, self.y, (), self.mean, self.rstd)
        eps = Scalar(eps, "fp64" if self.dtype == torch.float64 else "fp32")
        yield module.forward, (tiles,), (*pointers, eps, self.rows, self.cols), self.row
        pointers = (self.dy, self.x, self.weight, self.mean, self.rstd, (), self.dx)
        yield module.backward, (tiles,), (*pointers, self.rows, self.cols), self.row
        sums = torch.empty(2, self.splits, self.cols, dtype=self.dtype)
        blocks = self.config["sums"]
        sizes = (self.rows, -(-self.rows // self.splits), self.cols)
        grid = (-(-self.cols // blocks["COLS"]), self.splits)
        yield module.parameter_sums, grid, (self.dy, self.x, self.mean, self.rstd, sums, *sizes), blocks
        block = self.config["finish"]
        args = (sums, self.dw, self.db, self.cols, self.splits)
        yield module.finish_parameter_sums, (-(-self.cols // block["BLOCK"]),), args, block

    def check(self, backend, tolerance=1e-5):
        for launch in self.launches():
            run(backend, *launch)
        x = self.x.double().requires_grad_()
        w, b = ([t.double().requires_grad_() for t in p] for p in (self.weight, self.bias))
        if self.center:
            y = F.layer_norm(x, (self.cols,), *(w or [None]), *(b or [None]), 1e-5)
        else:
            y = F.rms_norm(x, (self.cols,), *(w or [None]), 1e-5)
        y.backward(self.dy.double())
        pairs = [(self.y, y.detach()), (self.dx, x.grad)]
        pairs += [(got, want.grad) for got, want in zip((*self.dw, *self.db), (*w, *b))]
        for got, want in pairs:
            torch.testing.assert_close(got.double(), want, rtol=tolerance, atol=tolerance * 10)


class AtOnce(Case):
    """The gradients by `gradients`, which reads dy and x once."""

    def launches(self, eps=1e-5):
        yield next(super().launches(eps))
        config = module.gradients_config(GPU, self.rows, self.cols, self.x.element_size())
        blocks = {**config["blocks"], "CENTER": self.center, "EPILOGUE": epilogues.identity}
        programs = min(-(-self.rows // blocks["ROWS"]), 3)
        sums = torch.empty(2, programs, self.cols, dtype=self.dtype)
        pointers = (self.dy, self.x, self.weight, self.mean, self.rstd, sums, (), (), (self.dx,))
        yield module.gradients, (programs,), (*pointers, self.rows, self.cols, (), ()), blocks
        dw, db = ((p or (torch.empty(self.cols),))[0] for p in (self.dw, self.db))
        args = (sums, dw, db, self.cols, programs)
        yield module.finish_gradients, (-(-self.cols // 32),), args, {"ROWS": 2, "COLS": 32}


class InStrips(Case):
    """The gradients by `strip_gradients`, with what is added to dx."""

    def launches(self, eps=1e-5):
        yield next(super().launches(eps))
        config = module.gradients_config(CPU, self.rows, self.cols, self.x.element_size())
        blocks = {**config["blocks"], "CENTER": self.center, "EPILOGUE": epilogues.identity}
        programs = min(self.rows, 3)
        sums = torch.empty(2, programs, self.cols, dtype=self.dtype)
        self.added = torch.randn(self.x.shape).to(self.x.dtype)
        pointers = (self.dy, self.x, self.weight, self.mean, self.rstd, sums, (self.added,), (), (self.dx,))
        yield module.strip_gradients, (programs,), (*pointers, self.rows, -(-self.rows // programs), self.cols, (), ()), blocks
        dw, db = ((p or (torch.empty(self.cols),))[0] for p in (self.dw, self.db))
        yield module.finish_gradients, (-(-self.cols // 32),), (sums, dw, db, self.cols, programs), {"ROWS": 2, "COLS": 32}
        self.dx -= self.added


def parameters(cols, dtype=torch.float32):
    return torch.randn(cols).to(dtype), torch.randn(cols).to(dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (33, 130), (70, 64)])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("center", [False, True])
def test_shapes(backend, shape, affine, center):
    weight, bias = parameters(shape[1]) if affine else (None, None)
    Case(torch.randn(shape) * 3 + 1, weight, bias if center else None, center, splits=2).check(backend, 1e-4)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("center", [False, True])
def test_rows_longer_than_a_tile(backend, center):
    weight, bias = parameters(75)
    blocks = {"COLS": 16, "ROWS": 4, "WHOLE": False}
    Case(torch.randn(21, 75), weight, bias if center else None, center, blocks=blocks).check(backend, 1e-4)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    tolerance = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float64: 1e-12}[dtype]
    Case(torch.randn(6, 40).to(dtype), *parameters(40, dtype)).check(backend, tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("shape", "dtype"), [((1, 1), torch.float32), ((33, 1500), torch.float32), ((70, 64), torch.bfloat16)])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.sampled(most=2)
def test_all_gradients_at_once(backend, shape, dtype, center):
    weight, bias = parameters(shape[1], dtype)
    for kind in (AtOnce, InStrips):
        case = kind((torch.randn(shape) * 3 + 1).to(dtype), weight, bias if center else None, center)
        case.check(backend, 1e-4 if dtype is torch.float32 else 3e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_large_mean(backend):
    Case(torch.randn(4, 64) * 1e-2 + 1e3, *parameters(64)).check(backend, 2e-2)


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("cols", [768, 20000])
def test_compiles(arch, cols):
    case = Case(torch.empty(8, cols, dtype=torch.bfloat16), *parameters(cols), facts=GPU)
    for kernel, _, args, constexprs in case.launches():
        assert compile_for(arch, kernel, args, constexprs, num_warps=case.config["num_warps"]).asm["ptx"]
