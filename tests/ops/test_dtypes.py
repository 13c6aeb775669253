"""Dtypes that an op does not take are refused at the call, by name, before anything is planned or compiled for a device."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow import dtypes
from tritonflow.device.device import Device
from tritonflow.errors import DTypeNotImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_meta
from tritonflow.ops.dtype_rules import dtypes_of
from tritonflow.ops.registry import OPS

F = flow.nn.functional
FLOATING = "must be one of float16, bfloat16, float32, float64"
i, b = flow.tensor([[1, 2], [3, 4]]), flow.tensor([[True, False], [True, True]])
x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
u = i.to(flow.uint8)
t = flow.tensor([0, 1])

REFUSED: list[tuple[Any, str]] = [
    (lambda: F.cross_entropy(i, t), f"\"cross_entropy\" not implemented for 'Long': argument 'input' {FLOATING}, not int64"),
    (lambda: F.cross_entropy(x, t, weight=t), f"\"cross_entropy\" not implemented for 'Long': argument 'weight' {FLOATING}"),
    (lambda: F.nll_loss(b, t), f"\"nll_loss\" not implemented for 'Bool': argument 'input' {FLOATING}, not bool"),
    (lambda: F.mse_loss(i, u), "\"mse_loss\" not implemented for 'Long': arguments 'input', 'target' must promote to one of float16"),
    (lambda: F.layer_norm(u, (2,)), f"\"layer_norm\" not implemented for 'Byte': argument 'input' {FLOATING}"),
    (lambda: F.layer_norm(x, (2,), t), "\"layer_norm\" not implemented for 'Long': argument 'weight'"),
    (lambda: F.rms_norm(i, (2,)), "\"rms_norm\" not implemented for 'Long': argument 'input'"),
    (lambda: F.group_norm(i, 1), "\"group_norm\" not implemented for 'Long': argument 'input'"),
    (lambda: F.group_norm(x, 1, None, t), "\"group_norm\" not implemented for 'Long': argument 'bias'"),
    (lambda: F.batch_norm(i, training=True), "\"batch_norm\" not implemented for 'Long': argument 'input'"),
    (lambda: F.batch_norm(x, t, x[0], training=True), "\"batch_norm\" not implemented for 'Long': argument 'running_mean'"),
    (lambda: F.batch_norm(x, x[0], t), "\"batch_norm\" not implemented for 'Long': argument 'running_var'"),
    (lambda: F.gelu(i), f"\"gelu\" not implemented for 'Long': argument 'x' {FLOATING}, not int64"),
    (lambda: F.gelu(i, approximate="tanh"), "\"gelu\" not implemented for 'Long': argument 'x'"),
    *[
        (lambda name=name: getattr(F, name)(i), f"\"{name}\" not implemented for 'Long': argument 'x' {FLOATING}")
        for name in (
            *("logsigmoid", "leaky_relu", "elu", "celu", "selu", "softplus", "silu", "mish", "hardsigmoid", "hardswish"),
            *("hardshrink", "softshrink"),
        )
    ],
    *[
        (lambda name=name: getattr(F, name)(b), f"\"{name}\" not implemented for 'Bool': argument 'x' must be one of uint8")
        for name in ("relu", "hardtanh", "softsign")
    ],
    *[
        (lambda name=name: getattr(flow, name)(b), f"\"{name}\" not implemented for 'Bool': argument 'x' must be one of uint8")
        for name in ("abs", "floor", "ceil", "trunc", "round")
    ],
    (lambda: b.abs_(), "\"abs\" not implemented for 'Bool'"),
    (lambda: F.prelu(i, x[0, :1]), f"\"prelu\" not implemented for 'Long': argument 'input' {FLOATING}"),
    (lambda: F.prelu(x, t[:1]), f"\"prelu\" not implemented for 'Long': argument 'weight' {FLOATING}"),
    (lambda: F.threshold(b, 0.0, 1.0), "\"threshold\" not implemented for 'Bool'"),
    (lambda: flow.frac(i), "\"frac\" not implemented for 'Long'"),
    (lambda: b.clamp(False, True), "\"clamp\" not implemented for 'Bool': arguments 'input', 'low', 'high' must promote to"),
    (lambda: b.clamp(b, b), "\"clamp\" not implemented for 'Bool'"),
    (lambda: b**b, "\"pow\" not implemented for 'Bool': arguments 'input', 'exponent' must promote to one of uint8"),
    (lambda: b // b, "\"floor_divide\" not implemented for 'Bool'"),
    (lambda: b % True, "\"remainder\" not implemented for 'Bool': arguments 'input', 'other' must promote to one of uint8"),
    (lambda: flow.fmod(b, b), "\"fmod\" not implemented for 'Bool'"),
    (lambda: i & 1.5, "\"bitwise_and\" not implemented for 'Float': arguments 'input', 'other' must promote to one of bool, uint8"),
    (lambda: x | i, "\"bitwise_or\" not implemented for 'Float'"),
    (lambda: ~x, "\"bitwise_not\" not implemented for 'Float'"),
    (lambda: flow.lerp(i, i, 0.5), "\"lerp\" not implemented for 'Long': argument 'start'"),
    (lambda: flow.lerp(x, x, i), "\"lerp\" not implemented for 'Long': argument 'weight'"),
    (lambda: flow.addcmul(b, b, b), "\"addcmul\" not implemented for 'Bool'"),
    (lambda: b.argmax(), "\"argmax\" not implemented for 'Bool': argument 'input'"),
    (lambda: b.argmin(1), "\"argmin\" not implemented for 'Bool': argument 'input'"),
    (lambda: b.topk(1), "\"topk\" not implemented for 'Bool': argument 'input'"),
    (lambda: F.max_pool2d(b[None], 2), "\"max_pool2d\" not implemented for 'Bool': argument 'input'"),
    (lambda: F.max_pool1d(b, 2), "\"max_pool1d\" not implemented for 'Bool': argument 'input'"),
    (lambda: F.avg_pool2d(u[None], 2), "\"avg_pool2d\" not implemented for 'Byte': argument 'input' must be one of int64, float16"),
    (lambda: F.avg_pool1d(u, 2), "\"avg_pool1d\" not implemented for 'Byte'"),
    (lambda: F.adaptive_avg_pool2d(i[None], 1), "\"adaptive_avg_pool2d\" not implemented for 'Long'"),
    (lambda: F.adaptive_avg_pool2d(i[None], 2), "\"adaptive_avg_pool2d\" not implemented for 'Long'"),
    (lambda: F.adaptive_avg_pool1d(i, 1), "\"adaptive_avg_pool1d\" not implemented for 'Long'"),
    (lambda: flow.arange(2, dtype=flow.bool), "\"arange\" not implemented for 'Bool'"),
]


@pytest.mark.parametrize(("call", "text"), REFUSED, ids=[text.partition(" must")[0] for _, text in REFUSED])
def test_refused_by_name(call: Any, text: str) -> None:
    with pytest.raises(NotImplementedError, match=re.escape(text)):
        call()


def test_other_refusals() -> None:
    for call in (lambda: i - True, lambda: True - x, lambda: x.sub_(False)):
        with pytest.raises(RuntimeError, match="Subtraction, the `-` operator, with a bool tensor is not supported"):
            call()
    with pytest.raises(RuntimeError, match="cannot do hardtanh on an unsigned type with negative limits"):
        F.hardtanh(u)
    with pytest.raises(RuntimeError, match="argument value must not be a floating point number"):
        flow.addcmul(i, i, i, value=0.5)


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.dtypes])
def test_refused_before_a_plan_for_any_device(name: str) -> None:
    """No device is needed to say no: the metas are of a GPU."""
    op = OPS[name]
    for argument, rule in op.dtypes:
        for dtype in set(dtypes.ALL) - set(dtypes_of(rule)):
            given = [
                contiguous_meta((2, 2), dtype if argument in ("", n) else dtypes_of(_rule(op, n))[0], Device("cuda", 0))
                for n in op.inputs
            ]
            with pytest.raises(DTypeNotImplementedError, match=f'^"{op.function or name}" not implemented for'):
                op_expr(name).plan(tuple(given), (), kinds=())


def _rule(op: Any, argument: str) -> str:
    return next((rule for n, rule in op.dtypes if n == argument), "floating")


def test_what_is_taken_beside_floats() -> None:
    assert flow.relu(i).dtype is flow.int64 and flow.abs(u).dtype is flow.uint8
    assert (b & b).dtype is flow.bool and (b**i).dtype is flow.int64
    assert b.clamp(0, 1).dtype is flow.int64 and b.sign().dtype is flow.bool
    assert flow.addcmul(b, i, i).dtype is flow.int64 and flow.square(b).dtype is flow.int64
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Bool"):
        b.clone().square_()


def test_ldexp_by_whole_exponents_keeps_the_dtype() -> None:
    """torch's results, also where a power of two overflows and the product does not."""
    exponents = torch.tensor([0, 1, -1, 100, 150, -150, 260, -260, 2100, -5000])
    for dtype in (torch.bfloat16, torch.float32, torch.float64):
        x = torch.tensor([1.5, -3.0, 0.0, float("inf"), float("nan"), 1e-30, 1e30, 3e-45]).to(dtype)[:, None].expand(8, 10).contiguous()
        found = flow.ldexp(flow.from_torch(x), flow.from_torch(exponents))
        torch.testing.assert_close(flow.to_torch(found), torch.ldexp(x, exponents), rtol=0, atol=0, equal_nan=True)
    x = flow.ones(2, dtype=flow.float16)
    for other in (flow.tensor([1, 2], dtype=flow.int8), flow.tensor(2)):
        assert flow.ldexp(x, other).dtype is flow.compile(flow.ldexp)(x, other).dtype is flow.float16
    assert flow.ldexp(flow.ones((), dtype=flow.float64), flow.tensor([1, 2])).dtype is flow.float64
    assert flow.ldexp(flow.ones(2, dtype=flow.complex64), flow.tensor([1, 2])).dtype is flow.complex64
    assert flow.ldexp(flow.tensor([1, 2]), flow.tensor([1, 2])).dtype is flow.float32
    assert flow.ldexp(x, flow.ones(2)).dtype is flow.float32
    assert x.ldexp_(flow.tensor([1, 3])).tolist() == [2, 8]
