"""Products with weights of few bits, and of int8, beside products in float64 of the weights that the codes stand for."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.device.provider import facts_of
from tritonflow.kernels import quantized as kernels
from tritonflow.quantization import pack_codes, quantize_weight, unpack_codes
from tritonflow.quantization.codes import NF4
from tritonflow.rules.batch import examples

F = flow.nn.functional
EPS = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}


def theirs(x: flow.Tensor) -> torch.Tensor:
    return flow.to_torch(x.detach())


class Weight:
    """Random codes of a weight with its scales, and the weight itself in float64."""

    def __init__(self, n: int, k: int, form: str, group: int, zeros: bool, dtype: torch.dtype = torch.float32, seed: int = 0):
        draw = np.random.default_rng(seed)
        low, high = {"int8": (-128, 128), "int4": (-8, 8), "nf4": (0, 16)}[form]
        codes = draw.integers(low, high, (n, k))
        groups = -(-k // group) if group else 1
        scales, offsets = (torch.from_numpy(draw.standard_normal((n, groups))).to(dtype) for _ in range(2))
        numbers = torch.tensor(NF4, dtype=torch.float32).double()[codes] if form == "nf4" else torch.from_numpy(codes).double()
        of = torch.arange(k) // group if group else torch.zeros(k, dtype=torch.int64)
        self.matrix = numbers * scales.double()[:, of] + (offsets.double()[:, of] if zeros else 0)
        self.size = numbers.abs() * scales.double().abs()[:, of] + (offsets.double().abs()[:, of] if zeros else 0)
        packed = torch.from_numpy(codes.astype(np.int8)) if form == "int8" else torch.from_numpy(packed_by_numpy(codes))
        self.operands = ours(packed), ours(scales), ours(offsets) if zeros else None
        self.options = {"form": form, "group": group}


def packed_by_numpy(codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bits 4 i .. 4 i + 3 of word j of 32 are element 32 i + j of 256."""
    n, k = codes.shape
    padded = np.zeros((n, -(-k // 256) * 256), dtype=np.uint32)
    padded[:, :k] = codes & 15
    parts = padded.reshape(n, -1, 8, 32)
    words = np.zeros((n, parts.shape[1], 32), dtype=np.uint32)
    for i in range(8):
        words |= parts[:, :, i] << np.uint32(4 * i)
    return words.reshape(n, -1).view(np.int32)


def check(x: torch.Tensor, w: Weight, bias: torch.Tensor | None = None) -> None:
    """The product has an error of a few roundings of the sum of magnitudes: of each element of W in the dtype of x, and of sums."""
    y = F.quantized_linear(ours(x), *w.operands, None if bias is None else ours(bias), **w.options)
    assert theirs(y).dtype == x.dtype and y.shape == (*x.shape[:-1], w.matrix.shape[0])
    exact = x.double() @ w.matrix.t() + (0 if bias is None else bias.double())
    size = x.double().abs() @ w.size.t() + (0 if bias is None else bias.double().abs())
    bound = (4 * EPS[x.dtype] + (x.shape[-1] + 8) * 2.0**-24) * size + 1e-30
    assert bool(((theirs(y).double() - exact).abs() <= bound).all())


CASES = [
    ("int8", 0, False), ("int8", 32, False), ("int8", 64, True), ("int4", 32, False), ("int4", 64, True), ("int4", 128, True),
    ("int4", 512, False), ("nf4", 64, False),
]  # fmt: skip


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize(("form", "group", "zeros"), CASES)
def test_products_of_few_and_many_rows(form: str, group: int, zeros: bool, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    k = 512 if group != 32 else 288
    w = Weight(37, k, form, group, zeros, dtype)
    for rows in (1, 3, 40):
        check(torch.randn(rows, k).to(dtype), w, torch.randn(37).to(dtype))


@pytest.mark.parametrize(("form", "group", "zeros"), CASES)
def test_few_rows_of_all_counts(form: str, group: int, zeros: bool) -> None:
    """Rows of x that fill no block, rows of W that are fewer than a block's streams, that fill none, and that fill all."""
    torch.manual_seed(0)
    k = 512 if group != 32 else 288
    for n in (1, 7, 64, 65):
        w, x = Weight(n, k, form, group, zeros), torch.randn(17, k)
        for rows in (1, 2, 5, 17):
            check(x[:rows], w, torch.randn(n))
    check(torch.randn(5, 2 * k)[:, ::2].bfloat16(), Weight(65, k, form, group, zeros, torch.bfloat16))


@pytest.mark.cpu_only(reason="a GPU has tiles for few rows")
def test_which_products_unpack_a_row_of_the_weight_once() -> None:
    facts = facts_of(flow.ones(1).meta.device)
    found = [kernels.config(facts, form, 0, m, 64, 512)["rows"] for form in ("int8", "int4") for m in (1, 8, 9, 16, 17)]
    assert found == [True, True, True, True, False, True, True, False, False, False]


def test_layouts_ranks_and_sizes() -> None:
    """Rows that are not contiguous, several dimensions, one dimension, no rows, no outputs, columns that fill no chunk."""
    w = Weight(5, 96, "int4", 32, True)
    x = torch.randn(96, 6)
    check(x.t(), w)
    check(torch.randn(2, 3, 96).transpose(0, 1), w)
    check(torch.randn(96), w)
    check(torch.randn(12, 192)[:, ::2], w)
    assert F.quantized_linear(flow.ones(0, 96), *w.operands, **w.options).shape == (0, 5)
    assert F.quantized_linear(flow.ones(2, 0, 96), *w.operands, **w.options).shape == (2, 0, 5)
    for k in (1, 30, 127, 129):
        check(torch.randn(2, k), Weight(3, k, "int8", 0, False))
        check(torch.randn(20, k), Weight(3, k, "int8", 0, False))
    nothing = flow.zeros(3, 0, dtype=flow.int8), flow.ones(3, 1)
    assert F.quantized_linear(flow.ones(2, 0), *nothing).tolist() == [[0.0] * 3] * 2


def test_numbers_that_are_not_finite_stay_in_their_rows() -> None:
    w = Weight(4, 256, "int4", 32, False)
    x = torch.randn(3, 256)
    x[1, 7] = float("nan")
    for rows in (x, x.repeat(10, 1)):
        found = theirs(F.quantized_linear(ours(rows), *w.operands, **w.options))
        assert torch.isnan(found[1::3]).all() and torch.isfinite(found[0::3]).all() and torch.isfinite(found[2::3]).all()
    codes, scales, _ = w.operands
    scales = scales.clone()
    scales[2] = float("inf")
    found = theirs(F.quantized_linear(flow.ones(1, 256), codes, scales, **w.options))
    assert not torch.isfinite(found[0, 2]) and torch.isfinite(found[0, [0, 1, 3]]).all()


@pytest.mark.parametrize(("form", "group", "zeros"), CASES)
def test_gradients_are_those_of_the_weight(form: str, group: int, zeros: bool) -> None:
    torch.manual_seed(0)
    k = 512 if group != 32 else 96
    w = Weight(7, k, form, group, zeros)
    x, bias, dy = torch.randn(4, k), torch.randn(7), torch.randn(4, 7)
    leaves = [ours(t).requires_grad_() for t in (x, bias)]
    y = F.quantized_linear(leaves[0], *w.operands, leaves[1], **w.options)
    dx, db = flow.autograd.grad(y, leaves, ours(dy), create_graph=True)
    bound = 2.0**-20 * (dy.double().abs() @ w.size)
    assert bool(((theirs(dx).double() - dy.double() @ w.matrix).abs() <= bound + 1e-12).all())
    assert torch.allclose(theirs(db), dy.sum(0))
    found = F.dequantize_weight(*w.operands, **w.options, in_features=k)
    assert bool(((theirs(found).double() - w.matrix).abs() <= 2.0**-22 * w.size).all())


def test_graphs_and_threads_give_the_same_bits() -> None:
    w = Weight(65, 512, "int4", 64, True)
    x = flow.randn(3, 512)

    def call(x: Any) -> Any:
        return F.quantized_linear(x, *w.operands, **w.options).relu() * 2

    expected, compiled = call(x), flow.compile(call)
    assert flow.equal(compiled(x), expected) and flow.equal(compiled(x), expected)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(call(x))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(flow.equal(y, expected) for y in found) and len(found) == 4


def test_bad_operands_are_refused() -> None:
    w = Weight(5, 64, "int4", 32, True)
    codes, scales, zeros = w.operands
    x = flow.ones(2, 64)
    for message, args, options in (
        ("input must be of float32", (x.double(), codes, scales), w.options),
        ("codes of tritonflow.int8", (x, codes, scales), {"form": "int8"}),
        (r"shape \[out, 64\]", (flow.ones(2, 300), codes, scales), w.options),
        (r"scales must have the shape \[5, 2\]", (x, codes, scales[:, :1]), w.options),
        (r"zeros must have the shape \[5, 2\]", (x, codes, scales, zeros[:2]), w.options),
        (r"bias must have the shape \[5\]", (x, codes, scales, zeros, flow.ones(4)), w.options),
        ("form must be one of", (x, codes, scales), {"form": "int3", "group": 32}),
        ("group must be 32", (x, codes, scales), {"form": "int4", "group": 48}),
        ("a scale for each group", (x, codes, scales), {"form": "int4"}),
        ("constants, and have no gradient", (x, codes, scales.clone().requires_grad_()), w.options),
    ):
        with pytest.raises(RuntimeError, match=message):
            F.quantized_linear(*args, **options)


# ------------------------------------------------------------------------------------------------ weights to codes


@pytest.mark.parametrize(("form", "group", "symmetric"), [("int8", 0, True), ("int8", 32, False), ("int4", 32, True), ("int4", 64, False)])
def test_codes_are_the_nearest(form: str, group: int, symmetric: bool) -> None:
    """No element is further from its number than half a scale; the greatest code of int8 is 127; rows of zeros stay so."""
    torch.manual_seed(0)
    w = torch.randn(6, 128)
    w[2] = 0
    w[3] *= 1e-30
    codes, scales, zeros = quantize_weight(ours(w), form, group, symmetric)
    found = theirs(F.dequantize_weight(codes, scales, zeros, form=form, group=group, in_features=128)).double()
    half = theirs(scales).double().abs().repeat_interleave(group or 128, 1) / 2
    limit = half * 1.00001 if not (form == "int4" and symmetric) else 2 * half * 1.00001  # the far end has no 8
    assert bool(((found - w.double()).abs() <= limit + 1e-37).all()) and bool((found[2] == 0).all())
    assert (zeros is None) is symmetric


def test_nf4_takes_the_nearest_quantile() -> None:
    w = torch.linspace(-1, 1, 2048).reshape(1, 2048)
    codes, scales, _ = quantize_weight(ours(w), "nf4", 2048)
    table = torch.tensor(NF4)
    nearest = table[(w.reshape(-1, 1) - table).abs().argmin(1)]
    found = theirs(F.dequantize_weight(codes, scales, form="nf4", group=2048))[0]
    assert torch.allclose((found - w[0]).abs(), (nearest - w[0]).abs(), atol=1e-6) and scales.tolist() == [[1.0]]


def test_words_hold_their_codes() -> None:
    codes = np.random.default_rng(0).integers(-8, 8, (3, 300))
    words = pack_codes(flow.tensor(codes))
    assert theirs(words).tolist() == packed_by_numpy(codes).tolist()
    assert unpack_codes(words, 300).tolist() == codes.tolist()
    assert unpack_codes(words, 300, signed=False).tolist() == (codes & 15).tolist()


def test_weights_without_codes_are_refused() -> None:
    with pytest.raises(RuntimeError, match="do not divide the 100 columns"):
        quantize_weight(flow.ones(2, 100), "int4", 64)
    with pytest.raises(RuntimeError, match="not finite"):
        quantize_weight(flow.tensor([[1.0, float("inf")]]))
    with pytest.raises(RuntimeError, match="must be a matrix of"):
        quantize_weight(flow.ones(2, 32, dtype=flow.float64))


# ------------------------------------------------------------------------------------------------ int8 by int8


def _bytes(*shape: int) -> torch.Tensor:
    return torch.randint(-128, 128, shape, dtype=torch.int8)


@pytest.mark.parametrize(("m", "k", "n"), [(1, 5, 3), (1, 64, 70), (3, 64, 1), (40, 130, 70), (0, 4, 3), (3, 0, 4), (130, 257, 129)])
def test_int_mm_is_exact(m: int, k: int, n: int) -> None:
    a, b = _bytes(m, k), _bytes(k, n)
    for left in (a, a.t().contiguous().t()):
        for right in (b, b.t().contiguous().t()):
            found = flow._int_mm(ours(left), ours(right))
            assert found.dtype is flow.int32 and torch.equal(theirs(found).long(), a.long() @ b.long())
    assert torch.equal(theirs(ours(a) @ ours(b)), (a.int() @ b.int()).to(torch.int8))  # int8, as in torch


def test_int_mm_of_extremes() -> None:
    low = torch.full((70, 512), -128, dtype=torch.int8)
    assert theirs(flow._int_mm(ours(low), ours(low.t()))).unique().tolist() == [128 * 128 * 512]
    high = torch.full((512, 3), 127, dtype=torch.int8)
    assert theirs(flow._int_mm(ours(low), ours(high))).unique().tolist() == [-128 * 127 * 512]
    with pytest.raises(RuntimeError, match="dtype int8"):
        flow._int_mm(flow.ones(2, 2), flow.ones(2, 2))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_scaled_int_mm(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    a, b, scale_a, scale_b, bias = _bytes(33, 100), _bytes(100, 45), torch.rand(33, 1), torch.rand(1, 45), torch.randn(45)
    found = theirs(F.scaled_int_mm(*map(ours, (a, b, scale_a, scale_b, bias)), out_dtype=ours(torch.ones(1, dtype=dtype)).dtype))
    exact = scale_a.double() * scale_b.double() * (a.double() @ b.double()) + bias.double()
    assert found.dtype == dtype and bool(((found.double() - exact).abs() <= (EPS[dtype] + 2.0**-22) * (exact.abs() + 5)).all())


def test_rows_become_codes() -> None:
    torch.manual_seed(0)
    x = torch.randn(8, 301)
    x[2] = 0
    x[3, 5], x[4, 7] = float("nan"), float("-inf")
    x[5] = 1e-40
    x[6] *= 1e30
    codes, scales = (theirs(t) for t in F.quantize_rows(ours(x)))
    whole = [0, 1, 2, 6, 7]
    wanted = x[whole].abs().amax(1, keepdim=True) / 127
    assert torch.equal(scales[whole], wanted) and torch.isnan(scales[3:5]).all()
    steps = torch.where(wanted == 0, torch.ones(()), wanted)
    assert torch.equal(codes[whole].float(), (x[whole] / steps).round()) and codes[5].unique().tolist() == [127]
    strided, rows = F.quantize_rows(ours(x[[0, 1, 7]]).t().contiguous().t())
    assert torch.equal(theirs(strided), codes[[0, 1, 7]]) and torch.equal(theirs(rows), scales[[0, 1, 7]])
    assert F.quantize_rows(flow.ones(0, 4))[0].shape == (0, 4) and F.quantize_rows(flow.ones(2, 0))[1].tolist() == [[0.0], [0.0]]


def test_torchs_names() -> None:
    """`_weight_int8pack_mm` beside torch's own; 4 bits beside the formula that torch documents: (code - 8) * scale + zero."""
    torch.manual_seed(0)
    x, w, scales = torch.randn(3, 64), _bytes(16, 64), torch.rand(16)
    mine = theirs(flow._weight_int8pack_mm(*map(ours, (x, w, scales))))
    assert torch.allclose(mine.double(), x.double() @ (w.double() * scales.double()[:, None]).t(), atol=1e-2, rtol=1e-5)
    codes = torch.randint(0, 16, (16, 64), dtype=torch.int32)
    pairs = torch.randn(2, 16, 2)
    each = pairs.repeat_interleave(32, 0).double()
    exact = x.double() @ ((codes.double() - 8) * each[:, :, 0].t() + each[:, :, 1].t()).t()
    packed = flow._convert_weight_to_int4pack_for_cpu(ours(codes), 2)
    assert torch.allclose(theirs(flow._weight_int4pack_mm_for_cpu(ours(x), packed, 32, ours(pairs))).double(), exact, atol=1e-3)
    nibbles = (codes[:, ::2] << 4 | codes[:, 1::2]).to(torch.uint8)
    again = flow._convert_weight_to_int4pack(ours(nibbles), 2)
    assert flow.equal(again, packed)
    assert torch.allclose(theirs(flow._weight_int4pack_mm(ours(x), again, 32, ours(pairs))).double(), exact, atol=1e-3)


@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_vmap_reads_the_weight_once() -> None:
    """Rows of all examples are one product; weights that differ are a product for each."""
    w, other = Weight(7, 64, "int4", 32, True), Weight(7, 64, "int4", 32, True, seed=1)
    x, bias = flow.randn(5, 3, 64), flow.randn(7)

    def call(rows: Any) -> Any:
        return F.quantized_linear(rows, *w.operands, bias, **w.options)

    examples._warned.discard("quantized_linear")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a loop over examples
        assert flow.equal(flow.vmap(call)(x), call(x))
        assert float((flow.vmap(call, in_dims=1)(x) - call(x.transpose(0, 1))).abs().max()) < 1e-5
        assert float((flow.vmap(call)(x[:, 0]) - call(x[:, 0])).abs().max()) < 1e-5
    codes, scales, zeros = (flow.stack(pair) for pair in zip(w.operands, other.operands))
    each = flow.vmap(lambda c, s, z, rows: F.quantized_linear(rows, c, s, z, **w.options))(codes, scales, zeros, x[:2])
    for k, of in enumerate((w, other)):
        assert flow.equal(each[k], F.quantized_linear(x[k], *of.operands, **of.options))
    grads = flow.vmap(flow.func.grad(lambda rows: call(rows).sum()))(x)
    assert float((grads - F.dequantize_weight(*w.operands, **w.options, in_features=64).sum(0)).abs().max()) < 1e-4
