"""float8: storage dtypes that are cast, moved and multiplied by `scaled_mm`, and refused everywhere else."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.torch_release import since
from tritonflow import dtypes
from tritonflow.device.torch_exchange import to_torch_dtype

F = flow.nn.functional
FORMATS = dtypes.STORAGE
# What is too large for float8_e4m3fn became NaN before.
saturating = since("2.13", "casts to float8_e4m3fn end at its largest number")
OTHERS = (flow.float32, flow.float64, flow.float16, flow.bfloat16, flow.int64, flow.int8, flow.uint8, flow.bool)


def theirs(x: flow.Tensor) -> torch.Tensor:
    return flow.to_torch(x)


def codes(dtype: dtypes.DType) -> torch.Tensor:
    """Every number of a float8 dtype, as torch has it."""
    return torch.arange(256, dtype=torch.int64).to(torch.uint8).view(to_torch_dtype(dtype))


def alike(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether two tensors have one dtype and the same bits, but for nans, of which there may be others."""
    assert x.dtype == y.dtype and x.shape == y.shape
    if x.dtype.is_floating_point:
        nan = torch.isnan(x.float())
        assert torch.equal(nan, torch.isnan(y.float()))
        x, y = (torch.where(nan, torch.zeros((), dtype=torch.float64), t.double()) for t in (x, y))
        return torch.equal(x, y) and torch.equal(torch.signbit(x), torch.signbit(y))
    return torch.equal(x, y)


@saturating
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_casts_down_are_torchs(dtype: dtypes.DType) -> None:
    """All of bfloat16; float32 of every exponent, ties between neighbours and their neighbours; what is special."""
    every = torch.arange(65536, dtype=torch.int64).to(torch.int16).view(torch.bfloat16)
    bits = torch.randint(-(2**31), 2**31 - 1, (200_000,), dtype=torch.int64).to(torch.int32).view(torch.float32)
    exact = codes(dtype).float()
    exact = exact[torch.isfinite(exact)].sort().values
    ties = (exact[:-1] + exact[1:]) / 2
    around = [torch.nextafter(ties, torch.tensor(end)) for end in (-1e9, 1e9)]
    special = torch.tensor([448.0, 464.0, 464.1, 480.0, 57344.0, 61439.0, 61440.0, 65536.0, 1e30, float("inf"), float("nan"), 0.0])
    floats = torch.cat([bits, exact, ties, *around, special, -special, torch.randn(10_000) * 30])
    for given in (every, floats, floats.half(), floats.double(), torch.arange(-600, 600), torch.tensor([True, False])):
        got = flow.from_torch(given).to(dtype)
        assert got.dtype is dtype and alike(theirs(got), given.to(to_torch_dtype(dtype))), given.dtype


@saturating
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_casts_up_are_exact(dtype: dtypes.DType) -> None:
    given = codes(dtype)
    finite = given[torch.isfinite(given.float()) & (given.float().abs() < 128)]
    for other in OTHERS:
        source = given if other.is_floating_point or other is flow.bool else finite
        assert alike(theirs(flow.from_torch(source).to(other)), source.to(to_torch_dtype(other))), other
    for other in FORMATS:
        assert alike(theirs(flow.from_torch(given).to(other)), given.to(to_torch_dtype(other))), other


@saturating
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_creation_copies_and_views(dtype: dtypes.DType) -> None:
    wanted = to_torch_dtype(dtype)
    assert flow.empty(2, 3, dtype=dtype).shape == (2, 3)
    for make in (lambda lib, d: lib.zeros(3, dtype=d), lambda lib, d: lib.ones(2, 2, dtype=d), lambda lib, d: lib.full((3,), 0.3, dtype=d)):
        assert alike(theirs(make(flow, dtype)), make(torch, wanted))
    x = flow.tensor([[1.1, -2.0, 0.3], [500.0, 7.0, 1e-5]], dtype=dtype)
    y = torch.tensor([[1.1, -2.0, 0.3], [500.0, 7.0, 1e-5]], dtype=wanted)
    assert alike(theirs(x), y) and x.tolist()[0] == y.tolist()[0] and x[0, 1].item() == -2.0
    moved: list[Any] = [
        lambda t: t.t().contiguous(), lambda t: t[:, ::2].clone(), lambda t: t[1], lambda t: t.reshape(3, 2), lambda t: t.flatten(),
        lambda t: t.expand(2, 2, 3).contiguous(), lambda t: t.transpose(0, 1)[1:],
    ]  # fmt: skip
    for move in moved:
        assert alike(theirs(move(x)), move(y))
    index, theirs_index = flow.tensor([1, 0, 1]), torch.tensor([1, 0, 1])
    assert alike(theirs(flow.cat([x, x], 1)), torch.cat([y, y], 1))
    assert alike(theirs(flow.stack([x, x])), torch.stack([y, y]))
    assert alike(theirs(x[index]), y[theirs_index])
    assert alike(theirs(x.index_select(0, index)), y.index_select(0, theirs_index))
    assert x.gather(1, flow.tensor([[2], [0]])).tolist() == [[y[0, 2].item()], [y[1, 0].item()]]  # torch refuses it
    x[0], y[0] = 3.0, 3.0
    x[1] = flow.tensor([1.0, 2.0, 3.3])
    y[1] = torch.tensor([1.0, 2.0, 3.3])
    assert alike(theirs(x), y)
    x[index[:1]], y[theirs_index[:1]] = x[:1].clone(), y[:1].clone()
    assert alike(theirs(x), y)
    assert alike(theirs(flow.zeros(2, 3).copy_(x)), torch.zeros(2, 3).copy_(y)) and alike(theirs(x.zero_()), y.zero_())
    assert repr(flow.tensor([1.5, -2.0], dtype=dtype, device="cpu")) == f"tensor([ 1.5000, -2.0000], dtype={dtype})"


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_files(dtype: dtypes.DType, tmp_path: Path) -> None:
    x = flow.tensor([[1.0, 2.0], [3.5, -4.0]], dtype=dtype)
    assert alike(theirs(pickle.loads(pickle.dumps(x.t()))), theirs(x.t()))
    flow.save({"x": x, "dtype": dtype}, tmp_path / "saved")
    loaded = flow.load(tmp_path / "saved")
    assert loaded["dtype"] is dtype and alike(theirs(loaded["x"]), theirs(x))
    with pytest.raises(TypeError, match=f"numpy has no dtype for tritonflow.{dtype.name}"):
        x.numpy()


def test_limits_and_promotion_are_torchs() -> None:
    for dtype in FORMATS:
        mine, limits = flow.finfo(dtype), torch.finfo(to_torch_dtype(dtype))
        for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution"):
            assert getattr(mine, name) == getattr(limits, name), (dtype, name)
        assert dtype.itemsize == 1 and dtype.is_floating_point and dtype.is_signed
    for a, b in itertools.product(FORMATS, (*FORMATS, flow.float32, flow.int64)):
        if a is not b:
            with pytest.raises(RuntimeError) as refused:
                flow.promote_types(a, b)
            with pytest.raises(RuntimeError) as expected:
                torch.promote_types(to_torch_dtype(a), to_torch_dtype(b))
            assert str(refused.value) == str(expected.value)


a, x, index = flow.ones(2, 2, dtype=flow.float8_e4m3fn), flow.ones(2, 2), flow.tensor([0])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: a + a, "\"add\" not implemented for 'Float8_e4m3fn'"),
        (lambda: a + x, "Promotion for Float8 Types is not supported, attempted to promote Float8_e4m3fn and Float"),
        (lambda: a.add_(a), "\"add\" not implemented for 'Float8_e4m3fn'"),
        (lambda: a * 2.0, "not implemented for 'Float8_e4m3fn': argument 'input' must be cast first"),
        (lambda: a @ a, "\"matmul\" not implemented for 'Float8_e4m3fn'"),
        (lambda: a.sum(), "\"sum\" not implemented for 'Float8_e4m3fn'"),
        (lambda: flow.exp(a), "\"exp\" not implemented for 'Float8_e4m3fn'"),
        (lambda: a.sort(), "not implemented for 'Float8_e4m3fn'"),
        (lambda: F.softmax(a, 0), "not implemented for 'Float8_e4m3fn'"),
        (lambda: flow.arange(4, dtype=flow.float8_e5m2), "\"arange\" not implemented for 'Float8_e5m2': argument 'dtype'"),
        (lambda: flow.randn(4, dtype=flow.float8_e5m2), "not implemented for 'Float8_e5m2'"),
        (lambda: flow.cat([a, x]), "Promotion for Float8 Types is not supported"),
        (lambda: flow.zeros_like(a).index_add_(0, index, a[:1]), "not implemented for 'Float8_e4m3fn'"),
    ],
)  # fmt: skip
def test_arithmetic_is_refused(call: Any, text: str) -> None:
    with pytest.raises((RuntimeError, NotImplementedError)) as refused:
        call()
    assert text in str(refused.value)
    assert a.float().tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_gradients_go_through_casts() -> None:
    w = flow.tensor([1.1, 2.0, 700.0], requires_grad=True)
    (w.to(flow.float8_e5m2).float() * flow.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert w.grad.tolist() == [1.0, 2.0, 3.0]


def test_graphs_cast_and_multiply() -> None:
    """Pointwise neighbours of a cast to float8 are fused without it."""

    def run(x: flow.Tensor, w: flow.Tensor) -> Any:
        scale = x.abs().max() / 448.0
        narrow = (x * 2.0 / scale / 2.0).to(flow.float8_e4m3fn)
        y = F.scaled_mm(narrow, w.t(), scale, flow.tensor(0.5), out_dtype=flow.float32)
        return flow.relu(y + 1.0), narrow.float() + 1.0

    x = flow.randn(33, 64)
    w = flow.randn(40, 64).to(flow.float8_e4m3fn)
    for got, expected in zip(flow.compile(run)(x, w), run(x, w)):
        assert torch.allclose(theirs(got), theirs(expected), rtol=1e-5, atol=1e-5)


def operands(m: int, n: int, k: int, left: dtypes.DType, right: dtypes.DType) -> tuple[flow.Tensor, flow.Tensor]:
    return flow.randn(m, k).to(left), flow.randn(n, k).to(right).t()


@pytest.mark.parametrize("rowwise", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "k", "left", "right"),
    [
        (64, 48, 96, *FORMATS), (1, 33, 17, FORMATS[0], FORMATS[0]), (257, 130, 100, FORMATS[0], FORMATS[0]), (16, 16, 5000, FORMATS[0], FORMATS[0]),
        (0, 3, 4, *FORMATS), (3, 4, 0, *FORMATS),
    ],
)  # fmt: skip
@pytest.mark.sampled(most=4)
def test_scaled_mm(m: int, n: int, k: int, left: dtypes.DType, right: dtypes.DType, rowwise: bool) -> None:
    a, b = operands(m, n, k, left, right)
    scale_a, scale_b = (flow.rand(m, 1), flow.rand(1, n)) if rowwise else (flow.tensor(0.25), flow.tensor([[3.0]]))
    bias = flow.randn(n).to(flow.bfloat16)
    exact = theirs(a).double() @ theirs(b).double() * (theirs(scale_a).double() * theirs(scale_b).double())
    bound = theirs(a).double().abs() @ theirs(b).double().abs() * (theirs(scale_a) * theirs(scale_b)).abs()
    for dtype, epsilon in ((flow.float32, 2.0**-23), (flow.bfloat16, 2.0**-8)):
        got = F.scaled_mm(a, b, scale_a, scale_b, out_dtype=dtype)
        assert got.dtype is dtype and got.shape == (m, n)
        error = (theirs(got).double() - exact).abs()
        assert (error <= epsilon * exact.abs() + 8 * 2.0**-24 * bound + 1e-30).all()
    got = F.scaled_mm(a, b, scale_a, scale_b, bias)
    assert got.dtype is flow.bfloat16
    wanted = exact + theirs(bias).double()
    assert ((theirs(got).double() - wanted).abs() <= 2.0**-8 * wanted.abs() + 8 * 2.0**-24 * bound + 1e-6).all()


def test_scaled_mm_of_other_layouts_and_special_numbers() -> None:
    a = flow.tensor([[1.0, float("nan")], [448.0, 2.0]], dtype=flow.float8_e4m3fn)
    b = flow.tensor([[1.0, 2.0], [float("inf"), 0.5]], dtype=flow.float8_e5m2)
    one = flow.tensor(1.0)
    for left, right in ((a, b), (a.t().contiguous().t(), b), (a, b.t().contiguous().t())):
        got = theirs(F.scaled_mm(left, right, one, one, out_dtype=flow.float32))
        assert alike(got, theirs(a).float() @ theirs(b).float())
    assert theirs(F.scaled_mm(a[:, :1], b[:1], one, one)).tolist() == [[1.0, 2.0], [448.0, 896.0]]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"input": a[0]}, "mat1 must be a matrix"),
        ({"mat2": x}, "Expected both mat1 and mat2 to be float8 matrices, but mat2 is of tritonflow.float32"),
        ({"mat2": a[:1]}, "mat1 and mat2 shapes cannot be multiplied (2x2 and 1x2)"),
        ({"scale_a": flow.ones(2, 1)}, "Invalid scaling configuration: scale_a and scale_b should be float32, and of one element"),
        ({"scale_b": flow.ones(1, 1, dtype=flow.float64)}, "Invalid scaling configuration"),
        ({"bias": flow.ones(3)}, "Bias must be a vector of size 2"),
        ({"out_dtype": flow.int64}, "Only bf16, fp16 and fp32 output types are supported"),
    ],
)  # fmt: skip
def test_scaled_mm_refuses(change: dict[str, Any], text: str) -> None:
    given = {"input": a, "mat2": a, "scale_a": flow.tensor(1.0), "scale_b": flow.tensor(1.0), **change}
    with pytest.raises(RuntimeError) as refused:
        F.scaled_mm(**given)
    assert text in str(refused.value)
