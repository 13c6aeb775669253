"""float8 with scales for rows, groups and blocks: codes, products, weights beside float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.quantization import float8_codes, quantize_weight

F = flow.nn.functional
EPS = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
E4M3 = torch.arange(256, dtype=torch.int64).to(torch.uint8).view(torch.float8_e4m3fn)


def theirs(x: Any) -> torch.Tensor:
    return flow.to_torch(x.detach())


def random_codes(*shape: int) -> torch.Tensor:
    """Any finite ones."""
    return E4M3[torch.cat([torch.arange(0, 127), torch.arange(128, 255)])[torch.randint(0, 254, shape)]]


@pytest.mark.parametrize("group", [0, 128, 100])
def test_rows_become_codes(group: int) -> None:
    """The scale is max |x| / 448, and codes are torch's casts of x / scale; what is not finite spoils its own group."""
    torch.manual_seed(0)
    x = torch.randn(6, 300) * torch.logspace(-3, 3, 6)[:, None]
    x[2, :128] = 0
    codes, scales = (theirs(t) for t in F.quantize_rows(ours(x), flow.float8_e4m3fn, group=group))
    size = group or 300
    assert codes.dtype == torch.float8_e4m3fn and codes.shape == x.shape and scales.shape == (6, -(-300 // size))
    for g in range(scales.shape[1]):
        part = slice(g * size, (g + 1) * size)
        wanted = x[:, part].abs().amax(1) / 448
        assert torch.equal(scales[:, g], wanted)
        exact = (x[:, part] / torch.where(wanted == 0, torch.ones(()), wanted)[:, None]).to(torch.float8_e4m3fn)
        assert torch.equal(codes[:, part].view(torch.uint8), exact.view(torch.uint8))
    x[1, 5], x[3, 299] = float("inf"), float("nan")
    found = theirs(F.quantize_rows(ours(x), flow.float8_e4m3fn, group=group)[1])
    assert torch.isnan(found).nonzero().tolist() == [[1, 0], [3, scales.shape[1] - 1]]
    empty, none = F.quantize_rows(flow.ones(0, 300), flow.float8_e4m3fn, group=128)
    assert empty.shape == (0, 300) and none.shape == (0, 3)


def test_rows_of_other_layouts_and_dtypes() -> None:
    torch.manual_seed(0)
    x = torch.randn(256, 5).bfloat16()
    codes, scales = F.quantize_rows(ours(x).t(), flow.float8_e4m3fn, group=128)
    again, same = F.quantize_rows(ours(x.t().contiguous().float()), flow.float8_e4m3fn, group=128)
    assert torch.equal(theirs(codes).view(torch.uint8), theirs(again).view(torch.uint8)) and flow.equal(scales, same)
    bytes_, steps = F.quantize_rows(ours(x).t(), group=64)
    assert bytes_.dtype is flow.int8 and steps.shape == (5, 4)
    with pytest.raises(RuntimeError, match="dtype must be tritonflow.int8 or tritonflow.float8_e4m3fn"):
        F.quantize_rows(flow.ones(2, 2), flow.float8_e5m2)
    with pytest.raises(RuntimeError, match="group must not be negative"):
        F.quantize_rows(flow.ones(2, 2), group=-1)


class Blocks:
    """Random operands of a product with scales for blocks, and the product in float64."""

    def __init__(self, m: int, k: int, n: int) -> None:
        self.a, self.b = random_codes(m, k), random_codes(n, k)
        self.scale_a, self.scale_b = torch.rand(m, -(-k // 128)) + 0.5, torch.randn(-(-k // 128), -(-n // 128))
        x = self.a.double() * self.scale_a.double().repeat_interleave(128, 1)[:, :k]
        w = self.b.double() * self.scale_b.double().t().repeat_interleave(128, 0)[:n].repeat_interleave(128, 1)[:, :k]
        self.exact, self.size = x @ w.t(), x.abs() @ w.t().abs()

    def operands(self) -> tuple[Any, ...]:
        return ours(self.a), ours(self.b).t(), ours(self.scale_a), ours(self.scale_b)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize(("m", "k", "n"), [(1, 256, 300), (3, 100, 130), (40, 384, 64), (200, 129, 129)])
def test_products_of_blocks(m: int, k: int, n: int, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    case, bias = Blocks(m, k, n), torch.randn(n)
    bound = (EPS[dtype] + (k + 8) * 2.0**-24) * (case.size + bias.double().abs())
    if dtype == torch.float16:  # which has no numbers above 65504
        case.exact = case.exact.clamp(-65504, 65504)
    out = ours(torch.ones(1, dtype=dtype)).dtype
    found = theirs(F.scaled_mm_blocks(*case.operands(), ours(bias), out_dtype=out))
    fits = (case.exact.abs() < 6e4) if dtype == torch.float16 else torch.ones(m, n, dtype=torch.bool)
    assert found.dtype == dtype and bool(((found.double() - case.exact - bias.double()).abs() <= bound)[fits].all())
    if k > 128:  # torch's name for both
        assert flow.equal(F.scaled_mm(*case.operands(), out_dtype=flow.float32), F.scaled_mm_blocks(*case.operands(), out_dtype=flow.float32))


def test_layouts_graphs_and_empty_operands() -> None:
    torch.manual_seed(0)
    case = Blocks(20, 256, 140)
    a, b, scale_a, scale_b = case.operands()
    expected = F.scaled_mm_blocks(a, b, scale_a, scale_b, out_dtype=flow.float32)
    others = a.t().contiguous().t(), b.contiguous(), scale_a.t().contiguous().t(), scale_b.t().contiguous().t()
    assert flow.equal(F.scaled_mm_blocks(*others, out_dtype=flow.float32), expected)

    def call(x: Any) -> Any:
        codes, scales = F.quantize_rows(x, flow.float8_e4m3fn, group=128)
        return F.scaled_mm_blocks(codes, b, scales, scale_b, out_dtype=flow.float32).relu()

    x, compiled = flow.randn(20, 256), flow.compile(call)
    assert flow.equal(compiled(x), call(x)) and flow.equal(compiled(x + 1), call(x + 1))
    assert F.scaled_mm_blocks(a[:0], b, scale_a[:0], scale_b).shape == (0, 140)
    none = F.scaled_mm_blocks(a[:, :0], b[:0], scale_a[:, :0], scale_b[:0], out_dtype=flow.float32)
    assert none.tolist() == [[0.0] * 140] * 20


def test_bad_operands_are_refused() -> None:
    a, b, scale_a, scale_b = Blocks(4, 256, 140).operands()
    for message, args, options in (
        ("input must be a matrix of tritonflow.float8_e4m3fn", (a.float(), b, scale_a, scale_b), {}),
        ("mat2 must be a matrix of", (a, b.float(), scale_a, scale_b), {}),
        ("cannot be multiplied", (a, b[:100], scale_a, scale_b), {}),
        (r"scale_a must be \[4, 2\] numbers", (a, b, scale_a[:, :1], scale_b), {}),
        (r"scale_b must be \[2, 2\] numbers", (a, b, scale_a, scale_b.bfloat16()), {}),
        (r"bias must be \[140\] numbers", (a, b, scale_a, scale_b, flow.ones(139)), {}),
        ("out_dtype must be float32", (a, b, scale_a, scale_b), {"out_dtype": flow.float64}),
    ):
        with pytest.raises(RuntimeError, match=message):
            F.scaled_mm_blocks(*args, **options)


# ------------------------------------------------------------------------------------------------ weights


@pytest.mark.parametrize("group", [0, 64])
@pytest.mark.parametrize("rows", [1, 3, 40])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_weights_alone(rows: int, group: int, dtype: torch.dtype) -> None:
    """`quantized_linear` of float8: every finite code, whole rows and groups, with its gradient."""
    torch.manual_seed(0)
    k = 320
    codes, scales = random_codes(37, k), torch.rand(37, k // group if group else 1).to(dtype)
    w = codes.double() * scales.double().repeat_interleave(group or k, 1)
    x, bias = torch.randn(rows, k).to(dtype), torch.randn(37).to(dtype)
    leaf = ours(x).requires_grad_()
    y = F.quantized_linear(leaf, ours(codes), ours(scales), None, ours(bias), form="float8", group=group)
    size = x.double().abs() @ w.abs().t() + bias.double().abs()
    assert bool(((theirs(y).double() - x.double() @ w.t() - bias.double()).abs() <= (4 * EPS[dtype] + k * 2.0**-24) * size).all())
    y.sum().backward()
    exact = w.sum(0).expand(rows, k)
    assert bool(((theirs(leaf.grad).double() - exact).abs() <= (2 * EPS[dtype] + 2.0**-20) * w.abs().sum(0)).all())
    plain = theirs(F.dequantize_weight(ours(codes), ours(scales), form="float8", group=group, dtype=flow.float32))
    assert bool(((plain.double() - w).abs() <= 2.0**-23 * w.abs()).all())


def test_codes_of_weights() -> None:
    """The nearest of each row or block, which a half step of float8 bounds; what has no codes is refused."""
    torch.manual_seed(0)
    w = torch.randn(200, 300)
    w[3] = 0
    codes, scales, zeros = quantize_weight(ours(w), "float8")
    found = theirs(F.dequantize_weight(codes, scales, form="float8")).double()
    assert zeros is None and codes.dtype is flow.float8_e4m3fn and bool((found[3] == 0).all())
    step = theirs(scales).double() * 2.0**-10  # below the least normal number, 2^-6, steps are 2^-9
    assert bool(((found - w.double()).abs() <= w.double().abs() * 2.0**-4 * 1.0001 + step).all())
    codes, scales, _ = float8_codes(ours(w), 128)
    assert codes.shape == (200, 300) and scales.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            part = w[128 * i : 128 * i + 128, 128 * j : 128 * j + 128]
            assert theirs(scales)[i, j] == part.abs().max() / 448
            exact = (part / theirs(scales)[i, j]).to(torch.float8_e4m3fn)
            mine = theirs(codes)[128 * i : 128 * i + 128, 128 * j : 128 * j + 128]
            assert torch.equal(mine.contiguous().view(torch.uint8), exact.view(torch.uint8))
    with pytest.raises(RuntimeError, match="not finite"):
        float8_codes(flow.full((2, 2), float("nan")))
    with pytest.raises(RuntimeError, match="block must be 0 or 128"):
        float8_codes(flow.ones(2, 2), 64)
