"""Special values for every pointwise op: `python tests/fuzz/special.py --minutes 60`, or `--seed 17`.

Infinities, NaN, zeros of both signs, denormal, smallest and largest numbers, and the ends of the integers, in all pairs, in a kernel's
vectors and in its tail. Results are those of torch in float64, rounded, or torch's own; signs of zeros, too.
"""



from __future__ import annotations

import itertools
import math
import random
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import mpmath
import torch

import tritonflow as flow
from tests import where
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, digest, is_internal
from tests.op_references import reference_of
from tests.op_samples import entries
from tests.ops.sides import WIDER
from tritonflow import _C

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
NUMBERS = (0, 1, 2, -1, 3, 0.5, -0.5, 2.5, float("inf"), -float("inf"), float("nan"), -0.0, 0.0, 2.0**-100, 2.0**100)
# How far a result may be from the true value: units of the last place; as many times torch's own error; steps of the smallest numbers.
ULPS, TIMES, STEPS = 8, 2, 1000
# Ops that cancel: units of the last place of their operands, not of the result.
SUMS = ("add", "sub", "addcmul", "addcdiv", "lerp", "logaddexp", "logaddexp2", "gelu")
# Where torch's own signs of zeros depend on whether it computes with vectors, or on how it cancels.
ANY_ZERO = ("maximum", "minimum", "fmax", "fmin", "clamp", "clamp_min", "clamp_max", "hardtanh", "softshrink", *SUMS)
# What torch refuses and we compute, as ops/allowed.py says, and what overflows in torch's integers.
MORE = ("logical_and", "logical_or", "logical_xor", "addcdiv")
FLOATING_ONLY = ("softsign", "isclose")  # isclose of integers is computed in float64, by torch in float32
# What we refuse and torch computes: with a value that it has cut the fraction off.
REFUSED = {"addcmul": "argument value must not be a floating point number"}
DIES = ("gcd", "lcm")  # of the smallest integer by -1, which ends the process in torch
FLUSHED = ("log1p",)  # torch's float64 gives 0 for the smallest numbers
LIMITS = ("special_zeta", "polygamma")  # where torch has NaN at infinity and near it, we have the limit, 0
DEGREES = 6  # of polynomials; higher ones torch computes by cosines, or in as many steps
# Where torch's own are far from the true values: at large arguments, or where these are exactly 0.
TRUE: dict[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    "digamma": mpmath.digamma,
    "sinc": mpmath.sincpi,
    "special_airy_ai": mpmath.airyai,
    "special_bessel_j0": mpmath.j0,
    "special_bessel_j1": mpmath.j1,
    "special_bessel_y0": partial(mpmath.bessely, 0),
    "special_bessel_y1": partial(mpmath.bessely, 1),
    "special_ndtr": mpmath.ncdf,
}


@lru_cache(10000)
def _incomplete_gamma(a: mpmath.mpf, x: mpmath.mpf, upper: bool) -> mpmath.mpf | None:
    """The regularized incomplete gamma functions of positive numbers by the lower one's power series; None where it is long.

    0 or 1 where the other one is below exp(-1000).
    """
    if a == x and a > 1e5:
        beside = (mpmath.mpf(1) / 3 + 1 / (540 * a)) / mpmath.sqrt(2 * mpmath.pi * a)  # of its expansion at a
        return 0.5 - beside if upper else 0.5 + beside
    with mpmath.workdps(700):
        factor = a * mpmath.log(x) - x - mpmath.loggamma(a + 1)  # x^a exp(-x) / gamma(a + 1)
        if x < a and factor - mpmath.log(1 - x / (a + 1)) < -1000:
            return mpmath.mpf(upper)
        if x > a and factor + mpmath.log(a / (x - a + 1)) < -1000:
            return mpmath.mpf(not upper)
        term = total = mpmath.exp(factor)
        k = 0
        while term > total * mpmath.mpf(10) ** -690 and k < 10**5:
            k += 1
            term *= x / (a + k)
            total += term
        return None if k == 10**5 else 1 - total if upper else total


def _hurwitz_zeta(s: mpmath.mpf, q: mpmath.mpf) -> mpmath.mpf:
    """Of large q by Euler and Maclaurin: mpmath's takes as many steps."""
    if q > 1e15:
        return q ** (1 - s) / (s - 1) + q**-s / 2
    value = mpmath.zeta(s, q)
    return value.real if value.imag == 0 else mpmath.nan


# The same of two arguments. As these take long, they are asked where a result is not torch's.
TRUE_OF_TWO: dict[str, Callable[[mpmath.mpf, mpmath.mpf], mpmath.mpf | None]] = {
    "igamma": partial(_incomplete_gamma, upper=False),
    "igammac": partial(_incomplete_gamma, upper=True),
    "special_zeta": _hurwitz_zeta,
}


@dataclass
class Call:
    """One op on special values.

    Attributes:
        name: of the entry of the registry.
        dtype: of the tensors.
        tensors: values, by parameter.
        numbers: the other arguments, by parameter.
        step: the tensors are every step-th element of larger ones.
    """

    name: str
    dtype: torch.dtype
    tensors: dict[str, torch.Tensor]
    numbers: dict[str, Any]
    step: int = 1
    statements: list[Any] = field(default_factory=list)

    def without(self, position: int) -> Call:
        return self

    def outline(self) -> str:
        return f"{self.name} {str(self.dtype)[6:]}"

    def source(self, name: str = "") -> str:
        given = "".join(f", {k}={v!r}" for k, v in self.numbers.items())
        return f"flow._C.{self.name}({', '.join(f'<{k}: {str(v.dtype)[6:]}>' for k, v in self.tensors.items())}{given})  # step {self.step}"


@lru_cache
def pointwise() -> list[tuple[Any, Any]]:
    """The entries that compute element by element, each with its signatures that take tensors and numbers only."""
    found = []
    for entry in entries().values():
        ops = entry.ops and all(op.kind == "pointwise" for op in entry.ops)
        if not ops or not entry.bind_python or reference_of(entry) is None:
            continue
        for signature in entry.signatures:
            required = [p for p in signature.positional if p.required]
            if signature.returns == "Tensor" and required and all(p.type.name in ("Tensor", "Scalar", "Float", "Double") for p in required) and any(p.type.name == "Tensor" for p in required):
                found.append((entry, signature))
    return found


@lru_cache
def special_values(dtype: torch.dtype) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.tensor([True, False])
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        numbers = {info.min, info.min + 1, info.max, info.max - 1, info.max // 2 + 1, 0, 1, 2, 3, 7, 100}
        return torch.tensor(sorted(numbers | ({-1, -2, -3, -100} if info.min else set())), dtype=dtype)
    info = torch.finfo(dtype)
    half = [info.max, info.tiny, info.smallest_normal / 4, torch.finfo(dtype).eps, 1.0, 1 + info.eps, 1 - info.eps / 2, 0.5, 1.5, 2.0, 2.5, 3.0]
    half += [0.1, 7.3, 11.0, 40.0, 88.5, 100.0, 1000.5, 2.0**11 + 1, 2.0**24 + 1, 2.0**31, 1.5707963267948966, 3.141592653589793, 0.0, float("inf"), 1e-4]
    values = torch.tensor([*half, *[-x for x in half], float("nan")], dtype=torch.float64).to(dtype)
    denormal = torch.tensor([1], dtype={2: torch.int16, 4: torch.int32, 8: torch.int64}[dtype.itemsize]).view(dtype)
    return torch.cat([values, denormal, -denormal])


def program(seed: int) -> Call:
    """The ops in turn, with dtypes, numbers and orders by chance."""
    rng = random.Random(seed)
    entry, signature = pointwise()[seed % len(pointwise())]
    dtype = rng.choice(FLOATS if rng.random() < 0.7 or entry.name in FLOATING_ONLY else (*INTEGERS, torch.bool))
    required = [p for p in signature.positional if p.required]
    names = [p.name for p in required if p.type.name == "Tensor"]
    truth = {name: name in ("condition", "mask") for name in names}
    lists = [special_values(torch.bool if truth[n] else dtype) for n in names]
    if entry.name in DIES and dtype in INTEGERS:
        lists = [values[values != torch.iinfo(dtype).min] for values in lists]
    if "polynomial" in entry.name:
        lists = [values[values.double().abs() <= DEGREES] if name == "n" else values for name, values in zip(names, lists)]
    columns = list(zip(*itertools.product(*[x.unbind() for x in lists]))) if len(lists) < 3 else [
        [x[rng.randrange(len(x))] for _ in range(1000)] for x in lists
    ]  # fmt: skip
    order = torch.tensor(rng.sample(range(len(columns[0])), len(columns[0])))
    step = rng.choice((1, 1, 2))
    tensors = {n: torch.stack(list(column))[order] for n, column in zip(names, columns)}
    numbers: dict[str, Any] = {p.name: rng.choice(NUMBERS) for p in required if p.type.name != "Tensor"}
    numbers |= {p.name: rng.choice(NUMBERS[:8]) for p in signature.parameters if p.type.name in ("Scalar", "Float") and not p.required and rng.random() < 0.3}
    if not dtype.is_floating_point and rng.random() < 0.8:
        numbers = {k: int(v) if v == v and abs(v) < 1e9 else 1 for k, v in numbers.items()}
    return Call(entry.name, dtype, tensors, numbers, step)


def check(call: Call) -> Difference | None:
    entry = entries()[call.name]
    reference = reference_of(entry)
    order = [p.name for s in entry.signatures for p in s.positional if {*call.tensors, *call.numbers} >= {q.name for q in s.positional if q.required}]
    order = list(dict.fromkeys(n for n in order if n in call.tensors or n in call.numbers))
    rest = {k: v for k, v in call.numbers.items() if k not in order}

    def run(function: Any, tensor: Any) -> Any:
        args = [tensor(call.tensors[n]) if n in call.tensors else call.numbers[n] for n in order]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return function(*args, **rest), None
            except Exception as error:
                return None, error.with_traceback(None)

    actual, error = run(getattr(_C, call.name), lambda t: _ours(t, call.step))
    own, own_error = run(reference, lambda t: _spaced(t, call.step))
    if error is not None:
        if is_internal(error):
            return Difference(f"internal error {digest(error)}", repr(error))
        refused = call.name in REFUSED and REFUSED[call.name] in str(error)
        if own_error is None and not isinstance(error, NotImplementedError) and not refused:
            return Difference(f"we raise {digest(error)}", f"we raise {error!r}, torch does not")
        return None
    wide_of = WIDER.get(call.dtype, call.dtype)
    if own_error is None and own.dtype.is_floating_point and call.dtype in INTEGERS:
        wide_of = torch.float64
    wide, wide_error = run(reference, lambda t: t.to(wide_of) if t.dtype == call.dtype else t.clone())
    if own_error is not None and wide_error is not None:
        if "not implemented" in str(own_error) or call.name in MORE:
            return None
        if "ZeroDivisionError" in str(own_error) and where.device == "cuda":
            return None  # a GPU divides integers by 0
        return Difference(f"torch raises {digest(own_error)}", f"torch raises {own_error!r}, we do not")
    result = flow.to_torch(actual)
    references = [r for r in (own, wide) if isinstance(r, torch.Tensor)]
    if call.name in TRUE:
        true = _true(call, wide, result.dtype)
        references = [torch.where(wide.isnan() & result.isnan(), wide, true)]
    if "polynomial" in call.name:
        references = [_true_of_nan(call, r) for r in references]
    if own_error is None and result.dtype != own.dtype:
        return Difference("dtype", f"{result.dtype}, torch has {own.dtype}")
    wrong = torch.ones(result.shape, dtype=torch.bool)
    for r in references:
        wrong &= ~_agrees(result, r, call.name in ANY_ZERO)
    if result.dtype.is_floating_point and references:
        wrong &= ~((result.double() - references[-1].double()).abs() <= _limit(call, result, references))
    if call.name in TRUE_OF_TWO and bool(wrong.any()):
        true = _true_of_two(call, order[:2], references[-1], wrong)
        wrong &= ~_agrees(result, true, False) & ~((result.double() - true).abs() <= _limit(call, result, [true]))
        references.append(true)
    if call.name in FLUSHED and call.dtype == torch.float64:
        wrong &= (references[-1] != 0) | (result.abs() >= torch.finfo(result.dtype).smallest_normal)
    if call.name in LIMITS:
        wrong &= ~references[-1].isnan() | (result != 0)
    if not bool(wrong.any()):
        return None
    bad = wrong.nonzero().flatten()[:5].tolist()
    shown = [f"{tuple(t[k].item() for t in call.tensors.values())} gives {result[k].item()!r}, not {[r[k].item() for r in references]}" for k in bad]
    return Difference("values", f"{int(wrong.sum())} of {len(wrong)}: " + "\n  ".join(shown))


def _true(call: Call, others: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """What torch's function has to compute, in float64; torch's own at zeros and at what is not finite or not real.

    Integers are rounded to the result's dtype before, as torch's promotion has it.
    """
    [arguments] = call.tensors.values()
    result = others.double().clone()
    for k, x in enumerate(arguments.to(dtype).tolist()):
        if math.isfinite(x) and x != 0:
            with mpmath.workdps(40):
                value = _value(TRUE[call.name], x)
                result[k] = float(value) if isinstance(value, mpmath.mpf) else result[k]
    return result


def _true_of_two(call: Call, order: list[str], others: torch.Tensor, wrong: torch.Tensor) -> torch.Tensor:
    """The same of two arguments, where a result is wrong and both are finite and positive, the first one at least."""
    result = others.double().clone()
    first, second = [torch.as_tensor(call.tensors.get(n, call.numbers.get(n)), dtype=torch.float64).expand(result.shape) for n in order]
    for k in wrong.nonzero().flatten().tolist():
        x, y = float(first[k]), float(second[k])
        if math.isfinite(x) and math.isfinite(y) and x > 0 and (y > 0 or call.name == "special_zeta"):
            with mpmath.workdps(40):
                value = _value(TRUE_OF_TWO[call.name], x, y)
                result[k] = float(value) if isinstance(value, mpmath.mpf) else result[k]
    return result


def _value(function: Callable[..., mpmath.mpf | None], *arguments: float) -> mpmath.mpf | None:
    """None at a pole, and where mpmath overflows."""
    try:
        return function(*[mpmath.mpf(x) for x in arguments])
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _true_of_nan(call: Call, others: torch.Tensor) -> torch.Tensor:
    """A polynomial of NaN is NaN from degree 1 on; torch leaves its recurrence there before it has a value."""
    x, n = [torch.as_tensor(call.tensors.get(k, call.numbers.get(k)), dtype=torch.float64) for k in ("x", "n")]
    return others.masked_fill(x.isnan() & (n.trunc() >= 1) & (n < 2**63), float("nan"))


def _spaced(t: torch.Tensor, step: int) -> torch.Tensor:
    return t.repeat_interleave(step)[::step] if step > 1 else t.clone()


def _ours(t: torch.Tensor, step: int) -> Any:
    return flow.from_torch(t.repeat_interleave(step))[::step] if step > 1 else flow.from_torch(t.clone())


def _limit(call: Call, result: torch.Tensor, references: list[torch.Tensor]) -> torch.Tensor:
    """How far a result may be from the last reference, zero where that is no finite number other than zero."""
    info, true = torch.finfo(result.dtype), references[-1].double()
    size = true.abs()
    if call.name in SUMS:
        factor = max([1.0, *(abs(float(v)) for v in call.numbers.values() if v == v)])
        size = torch.stack([size, *[t.double().abs() * factor for t in call.tensors.values()]]).amax(0)
        factors = [t.double().abs() for t in call.tensors.values()]
        if len(factors) == 3:
            size = torch.maximum(size, factors[1] * factors[2] * factor)
    if "polynomial" in call.name:  # the sum of its terms' magnitudes, at most
        x, n = [torch.as_tensor(call.tensors.get(k, call.numbers.get(k)), dtype=torch.float64) for k in ("x", "n")]
        size = torch.maximum(size, (4 * x.abs() + 2) ** n.clamp(0, DEGREES))
    own_error = (references[0].double() - true).abs().nan_to_num(0, 0)
    steps = 1 if result.dtype.itemsize == 2 else ULPS
    limit = torch.maximum(steps * size * info.eps, TIMES * own_error).clamp(min=STEPS * info.smallest_normal * info.eps)
    return torch.where(true.isfinite() & (true != 0) & (result != 0) | (size > true.abs()), limit, 0)


def _agrees(result: torch.Tensor, reference: torch.Tensor, any_zero: bool) -> torch.Tensor:
    """Where a result is the reference's value, rounded."""
    if not result.dtype.is_floating_point:
        return result == reference.to(result.dtype) if reference.dtype == result.dtype else result.double() == reference.double()
    rounded = reference.to(result.dtype)
    tiny = (reference.double().abs() < 1e-30) & (reference != 0)  # what was rounded to zero on the way may have any sign
    same = (result == rounded) & ((torch.signbit(result) == torch.signbit(rounded)) | any_zero | tiny)
    return same | (result.isnan() & rounded.isnan())


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
