"""kernels/loss.py against torch.nn.functional."""

import pytest
import torch
import torch.nn.functional as F

from tests.kernels.harness import BACKENDS, CPU, Scalar, compile_for, kernels, run, stride

module = kernels("loss")
rows = kernels("rows")
REDUCTION = {"none": 0, "sum": 1, "mean": 2}


class Case:
    """The launches of one loss and its backward on given tensors."""

    def __init__(self, x, target, weight=None, reduction="mean", smoothing=0.0, ignore_index=-100, blocks=None):
        self.layout = rows.row_layout(x.shape, 1)
        self.config = module.config(CPU, self.layout)
        self.blocks = {**self.config["constexprs"], **(blocks or {})}
        self.walk = {name: self.blocks.pop(name, 0) for name in ("FOLD", "ALIGN")}  # above 0 on a GPU
        self.grid = rows.row_grid(self.layout, self.blocks)
        compute = torch.float64 if x.dtype == torch.float64 else torch.float32
        self.x, self.target, self.weight, self.dx = x, target, () if weight is None else (weight,), torch.empty_like(x)
        self.out = torch.empty(target.shape if reduction == "none" else (), dtype=x.dtype)
        self.largest, self.log_sum = torch.empty(target.shape, dtype=compute), torch.empty(target.shape, dtype=compute)
        self.totals, self.parts = torch.empty(2, dtype=compute), torch.empty(2 * self.grid, dtype=compute)
        self.err = torch.zeros(1, dtype=torch.int32)
        self.smoothing = Scalar(smoothing, "fp64" if compute == torch.float64 else "fp32")
        self.ignore_index = ignore_index
        self.sizes = (self.layout.rows, self.layout.cols, tuple(stride(s) for s in self.layout.strides))
        self.constexprs = {"REDUCTION": REDUCTION[reduction], **self.blocks}
        self.single = {"SINGLE": self.grid == 1}
        self.smooth = {"SMOOTH": smoothing > 0}

    def finish(self, backend):
        if self.constexprs["REDUCTION"] and self.grid > 1:
            constexprs = {"REDUCTION": self.constexprs["REDUCTION"], "BLOCK": 64}
            run(backend, module.finish, (1,), (self.parts, self.totals, self.out, self.grid), constexprs)

    def cross_entropy(self, backend, dout):
        pointers = (self.x, self.target, self.weight, self.out, self.largest, self.log_sum, self.totals, self.parts, self.err)
        args = (*pointers, self.smoothing, self.ignore_index, *self.sizes)
        run(
            backend,
            module.cross_entropy,
            (self.grid,),
            args,
            {**self.constexprs, **self.single, **self.smooth, **self.walk},
        )
        self.finish(backend)
        pointers = (dout, self.x, self.target, self.weight, self.largest, self.log_sum, self.totals, self.dx)
        args = (*pointers, self.smoothing, self.ignore_index, *self.sizes)
        run(backend, module.cross_entropy_backward, (self.grid,), args, {**self.constexprs, **self.smooth, **self.walk})

    def nll(self, backend, dout):
        forward = {"REDUCTION": self.constexprs["REDUCTION"], "ROWS": self.blocks["ROWS"], **self.single}
        pointers = (self.x, self.target, self.weight, self.out, self.totals, self.parts, self.err)
        run(backend, module.nll, (self.grid,), (*pointers, self.ignore_index, *self.sizes), forward)
        self.finish(backend)
        pointers = (dout, self.target, self.weight, self.totals, self.dx)
        run(backend, module.nll_backward, (self.grid,), (*pointers, self.ignore_index, *self.sizes), self.constexprs)


def check(backend, x, target, *, weighted, reduction, smoothing=0.0, tolerance=1e-5, blocks=None):
    weight = torch.rand(x.shape[1], dtype=x.dtype) if weighted else None
    case = Case(x, target, weight, reduction, smoothing, ignore_index=1, blocks=blocks)
    dout = torch.randn_like(case.out)
    leaf = x.double().requires_grad_()
    options = {"weight": None if weight is None else weight.double(), "reduction": reduction, "ignore_index": 1}
    case.cross_entropy(backend, dout)
    expected = F.cross_entropy(leaf, target, label_smoothing=smoothing, **options)
    expected.backward(dout.double())
    torch.testing.assert_close(case.out.double(), expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    torch.testing.assert_close(case.dx.double(), leaf.grad, rtol=tolerance, atol=tolerance, equal_nan=True)
    if smoothing:
        return
    leaf.grad = None
    case.nll(backend, dout)
    expected = F.nll_loss(leaf, target, **options)
    expected.backward(dout.double())
    torch.testing.assert_close(case.out.double(), expected, rtol=tolerance, atol=tolerance, equal_nan=True)
    torch.testing.assert_close(case.dx.double(), leaf.grad, rtol=tolerance, atol=tolerance, equal_nan=True)
    assert case.err.item() == 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("reduction", REDUCTION)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize(
    ("shape", "blocks"),
    [
        ((33, 10), {"ROWS": 8}),
        ((5, 40), {"COLS": 16}),
        ((5, 40), {"COLS": 16, "FOLD": 4}),
        ((5, 71), {"COLS": 16, "ROWS": 1, "FOLD": 2, "ALIGN": 8}),
        ((2, 5, 3, 7), None),
        ((2, 5, 3, 7), {"FOLD": 2}),
    ],
)
@pytest.mark.sampled(most=8)
def test_reductions(backend, reduction, weighted, smoothing, shape, blocks):
    x = torch.randn(shape) * 3
    target = torch.randint(0, shape[1], (shape[0], *shape[2:]))
    check(backend, x, target, weighted=weighted, reduction=reduction, smoothing=smoothing, blocks=blocks)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("far", [1e6, -1e9, -3e38])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("blocks", [{"ROWS": 4}, {"COLS": 16}, {"COLS": 16, "FOLD": 4}, {"COLS": 16, "ROWS": 1, "FOLD": 2, "ALIGN": 8}])
@pytest.mark.sampled(most=4)
def test_logits_far_from_zero(backend, far, smoothing, blocks):
    """What is added to all logits of a row changes nothing; the largest comes late or early."""
    x = torch.randint(-5, 6, (5, 71)).float().sort(1, descending=smoothing > 0).values + far
    check(backend, x, torch.randint(0, 71, (5,)), weighted=True, reduction="none", smoothing=smoothing, blocks=blocks)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_dtypes(backend, dtype):
    tolerance = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float64: 1e-12}[dtype]
    target = torch.randint(0, 12, (9,), dtype=torch.int32 if dtype == torch.float16 else torch.int64)
    x = torch.randn(9, 12).to(dtype)
    check(backend, x, target.long(), weighted=True, reduction="mean", smoothing=0.1, tolerance=tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
def test_everything_ignored_is_nan(backend):
    check(backend, torch.randn(4, 5), torch.ones(4, dtype=torch.int64), weighted=False, reduction="mean")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("bad", [-1, 5, 2**40])
def test_target_out_of_range_sets_the_error_word(backend, bad):
    target = torch.tensor([0, bad, 2])
    case = Case(torch.randn(3, 5), target)
    case.cross_entropy(backend, torch.ones(()))
    assert case.err.item() == 1
    case.err.zero_()
    case.nll(backend, torch.ones(()))
    assert case.err.item() == 1


@pytest.mark.parametrize("arch", [80, 90])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("shape", [(64, 1000), (4, 21, 64, 64)])
@pytest.mark.sampled(most=2)
def test_compiles(arch, dtype, shape):
    case = Case(
        torch.empty(shape, dtype=dtype),
        torch.empty(shape[0], *shape[2:], dtype=torch.int64),
        smoothing=0.1,
        blocks={"FOLD": 1},
    )
    scalars = (case.smoothing, case.ignore_index, *case.sizes)
    pointers = (case.x, case.target, case.weight, case.out, case.largest, case.log_sum, case.totals, case.parts, case.err)
    constexprs = {**case.constexprs, **case.single, **case.smooth, **case.walk}
    assert compile_for(arch, module.cross_entropy, (*pointers, *scalars), constexprs).asm["ptx"]
    pointers = (case.out, case.x, case.target, case.weight, case.largest, case.log_sum, case.totals, case.dx)
    constexprs = {**case.constexprs, **case.smooth, **case.walk}
    assert compile_for(arch, module.cross_entropy_backward, (*pointers, *scalars), constexprs).asm["ptx"]
    pointers = (case.out, case.target, case.weight, case.totals, case.dx)
    assert compile_for(arch, module.nll_backward, (*pointers, *scalars[1:]), case.constexprs).asm["ptx"]
