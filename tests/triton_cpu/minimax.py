"""How the coefficients of `lower/functions/` were computed: `python tests/triton_cpu/minimax.py [name]` prints them.

Each is the polynomial of least greatest error, times a weight, on an interval, by Remez' exchange on a grid of Chebyshev
points in mpmath. Coefficients are rounded to the type one after another, from the lowest power on; those that are left
are fitted again each time.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable

import mpmath as mp

mp.mp.dps = 50
Real = Callable[[mp.mpf], mp.mpf]
_GRID = 600


def rounded(value: mp.mpf, elem: str) -> mp.mpf:
    code = "<f" if elem == "f32" else "<d"
    return mp.mpf(struct.unpack(code, struct.pack(code, float(value)))[0])


def exchange(target: Real, weight: Real, powers: list[int], low: mp.mpf, high: mp.mpf) -> tuple[list[mp.mpf], mp.mpf]:
    """Coefficients of `powers` and the greatest weighted error."""
    n = len(powers)
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / (_GRID - 1)) for k in range(_GRID)]
    values, weights = [target(x) for x in grid], [weight(x) for x in grid]
    reference = [round(k * (_GRID - 1) / n) for k in range(n + 1)]
    best, least = [mp.mpf(0)] * n, mp.inf
    for _ in range(40):
        rows = [[grid[k] ** p for p in powers] + [(-1) ** i / weights[k]] for i, k in enumerate(reference)]
        *found, level = mp.lu_solve(mp.matrix(rows), mp.matrix([values[k] for k in reference]))
        errors = [
            (v - sum(c * x**p for c, p in zip(found, powers, strict=True))) * w
            for x, v, w in zip(grid, values, weights, strict=True)
        ]
        greatest = max(map(abs, errors))
        if greatest < least:
            best, least = found, greatest
        reference = alternation(errors, n + 1)
        if greatest <= abs(level) * mp.mpf("1.001") or len(reference) <= n:
            break
    return best, least


def alternation(errors: list[mp.mpf], count: int) -> list[int]:
    """The places of `count` extrema of alternating sign, the greatest ones."""
    peaks: list[int] = []
    for k, e in enumerate(errors):
        if peaks and (errors[peaks[-1]] < 0) == (e < 0):
            if abs(e) > abs(errors[peaks[-1]]):
                peaks[-1] = k
        else:
            peaks.append(k)
    while len(peaks) > count:
        peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
    return peaks


def fit(target: Real, weight: Real, powers: list[int], low: float, high: float, elem: str) -> list[float]:
    """From the highest power to the lowest, as Horner's rule wants them."""
    left, fixed = list(powers), []
    lowest, highest = mp.mpf(low), mp.mpf(high)
    error = mp.mpf(0)
    while left:
        rest = lambda x: target(x) - sum(c * x**p for c, p in fixed)
        found, error = exchange(rest, weight, left, lowest, highest)
        fixed.append((rounded(found[0], elem), left.pop(0)))
    print(f"    # relative error 2**{float(mp.log(error, 2)):.1f}")
    return [float(c) for c, _ in reversed(fixed)]


def log1p_tail(f: mp.mpf) -> mp.mpf:
    """(log(1 + f) - f + f^2 / 2) / f^3"""
    if abs(f) < mp.mpf("1e-8"):
        return mp.mpf(1) / 3 - f / 4 + f**2 / 5
    return (mp.log1p(f) - f + f * f / 2) / f**3


def even(function: Real) -> Real:
    """A function of x^2, given as one of x."""
    return lambda z: function(mp.sqrt(z))


_TINY = mp.mpf("1e-30")
_LOG2, _LOG10_2 = mp.log(2), mp.log10(2)
_HALF = _LOG2 / 2 * mp.mpf("1.01")
ONE: Real = lambda _: mp.mpf(1)


def odd_tail(function: Real, name: str) -> tuple[Real, Real]:
    """(f(x) / x - 1) / x^2 as a function of x^2, weighted for the relative error of f."""
    order = mp.taylor(function, 0, 9)

    def tail(z: mp.mpf) -> mp.mpf:
        x = mp.sqrt(z)
        if x < mp.mpf("1e-6"):
            return order[3] + order[5] * z
        return (function(x) / x - 1) / z

    def weight(z: mp.mpf) -> mp.mpf:
        x = mp.sqrt(z)
        return z * x / function(x) if x > mp.mpf("1e-20") else z

    return tail, weight


def odd(function: Real, count: int, high: float, elem: str = "f32") -> Callable[[], list[float]]:
    tail, weight = odd_tail(function, "")
    return lambda: fit(tail, weight, list(range(count)), 1e-12, mp.mpf(high) ** 2, elem)


def exponential(base: mp.mpf, degree: int, elem: str, half: mp.mpf, start: int = 0) -> Callable[[], list[float]]:
    """`start` 2: of (b^r - 1 - r) / r^2."""
    scale = mp.log(base)

    def tail(r: mp.mpf) -> mp.mpf:
        if start == 0:
            return mp.exp(scale * r)
        if start == 1:
            return (mp.expm1(scale * r)) / r if r else scale
        return (mp.expm1(r) - r) / r**2 if abs(r) > mp.mpf("1e-12") else mp.mpf(1) / 2 + r / 6

    def weight(r: mp.mpf) -> mp.mpf:
        if start == 0:
            return mp.exp(-scale * r)
        if start == 1:
            return abs(r) * mp.exp(-scale * r)
        return r**2 / abs(mp.expm1(r)) if r else mp.mpf(0)

    return lambda: fit(tail, weight, list(range(degree - start + 1)), -half, half * mp.mpf("1.003"), elem)


def erf_large_weight(t: mp.mpf) -> mp.mpf:
    return mp.erfc(t) / mp.erf(t)


def erfc_scaled(t: mp.mpf) -> mp.mpf:
    """(1 + 2 a) exp(a^2) erfc(a) at t = (a - 2) / (a + 2)"""
    a = 2 * (1 + t) / (1 - t)
    return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)


def normal_tail(a: mp.mpf) -> mp.mpf:
    """(log2(Phi(-a)) + 1) / a"""
    return (mp.log(mp.erfc(a / mp.sqrt(2)) / 2, 2) + 1) / a


def normal_tail_weight(a: mp.mpf) -> mp.mpf:
    """For the absolute error of Phi."""
    return a * mp.erfc(a / mp.sqrt(2)) / 2 * _LOG2


def erfinv_ratio(w: mp.mpf) -> mp.mpf:
    """erfinv(x) / x with w = -log(1 - x^2)"""
    if w < mp.mpf("1e-12"):
        return mp.sqrt(mp.pi) / 2
    q = mp.exp(-w)  # (1 - x) (1 + x)
    x = mp.sqrt(1 - q)
    if w < 30:
        return mp.erfinv(x) / x
    tail = q / (1 + x)  # 1 - x
    return mp.findroot(lambda y: mp.log(mp.erfc(y) / tail), mp.sqrt(w - mp.log(w) / 2)) / x


def erfinv_piece(centre: float, low: float, high: float, count: int, of_root: bool) -> Callable[[], list[float]]:
    """As a polynomial of w - centre, or of sqrt(w) - centre."""
    ratio: Real = lambda t: erfinv_ratio((t + centre) ** 2 if of_root else t + centre)
    return lambda: fit(ratio, lambda t: 1 / ratio(t), list(range(count)), low - centre, high - centre, "f64")


TABLES: dict[str, Callable[[], list[float]]] = {
    "EXP f32": exponential(mp.e, 6, "f32", _HALF, 2),
    "EXP2 f32": exponential(mp.mpf(2), 6, "f32", mp.mpf("0.5"), 1),
    "EXP10 f32": exponential(mp.mpf(10), 6, "f32", _LOG10_2 / 2 * mp.mpf("1.01"), 1),
    "EXPM1 f32": exponential(mp.e, 7, "f32", _HALF, 2),
    "EXP f64": exponential(mp.e, 12, "f64", _HALF, 2),
    "EXP2 f64": exponential(mp.mpf(2), 12, "f64", mp.mpf("0.5"), 1),
    "EXP2 short f64": exponential(mp.mpf(2), 7, "f64", mp.mpf("0.5"), 1),
    "EXP short f64": exponential(mp.e, 7, "f64", _HALF, 2),
    "LOG f32": lambda: fit(log1p_tail, lambda f: abs(f) ** 3 / abs(mp.log1p(f)) if f else mp.mpf(0),
                           list(range(9)), -0.25, 0.5, "f32"),
    "ATANH_SERIES f64": odd(mp.atanh, 8, 0.2, "f64"),
    "ATANH_SERIES short f64": odd(mp.atanh, 5, 0.2, "f64"),
    "SIN f32": odd(mp.sin, 3, 0.79),
    "TAN f32": odd(mp.tan, 7, 0.79),
    "COS f32": lambda: fit(even(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4), lambda z: z**2 / mp.cos(mp.sqrt(z)),
                           list(range(3)), 1e-6, 0.79**2, "f32"),
    "SINH f32": odd(mp.sinh, 4, 1.0),
    "COSH f32": lambda: fit(even(lambda x: (mp.cosh(x) - 1 - x * x / 2) / x**4), lambda z: z**2 / mp.cosh(mp.sqrt(z)),
                            list(range(2)), 1e-6, 0.36**2, "f32"),
    "TANH f32": odd(mp.tanh, 5, 0.625),
    "ATAN f32": odd(mp.atan, 8, 1.0),
    "ASIN f32": odd(mp.asin, 5, 0.5),
    "ATANH f32": odd(mp.atanh, 6, 0.5),
    "ASINH f32": odd(mp.asinh, 6, 0.5),
    "NORMAL f32": lambda: fit(normal_tail, normal_tail_weight, list(range(8)), 1e-6, 6.0, "f32"),
    "ERFINV_NEAR f64": erfinv_piece(2.5, 0, 5, 11, False),
    "ERFINV_MIDDLE f64": erfinv_piece(3.1, 5**0.5, 4.01, 11, True),
    "ERFINV_FAR f64": erfinv_piece(7.1, 4, 10.2, 11, True),
    "ERFC f64": lambda: fit(erfc_scaled, lambda t: 1 / erfc_scaled(t), list(range(14)), -1.0, 0.68, "f64"),
}  # fmt: skip

if __name__ == "__main__":
    wanted = " ".join(sys.argv[1:])
    for table, compute in TABLES.items():
        if table.startswith(wanted):
            print(table)
            coefficients = compute()
            print("    " + ", ".join(f"{c:.9g}" if "f32" in table else repr(c) for c in coefficients), flush=True)
