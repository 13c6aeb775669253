"""log, log2, log10, log1p, and what is made of them: asinh, acosh, atanh.

x = m * 2**e with 0.75 <= m < 1.5, and f = m - 1. In f32, log(m) is f - f**2 / 2 + f**3 P(f). In f64
it is fdlibm's 2 artanh(f / (2 + f)). e * log(2) is added in two parts. The first one is exact, and
is added to f first.
"""

from __future__ import annotations

from tritonflow.triton_cpu.lower.lanes import Lanes, uniform

from .floats import Floats

_LOG = (
    0.0373850949, -0.0908523574, 0.116947815, -0.127310097, 0.142771631, -0.166551679, 0.199995652, -0.250001669,
    0.333333403,
)  # fmt: skip
_ATANH_WIDE = (
    0.06921601479408897, 0.06586790338706254, 0.07695556351982691, 0.09090832931887373, 0.11111112148240453,
    0.1428571427791483, 0.20000000000028334, 0.333333333333333,
)  # fmt: skip
_ATANH_SHORT = (0.1006035262807755, 0.11067640745199676, 0.14286589583359832, 0.19999992341227207, 0.3333333335505085)
# Both parts are positive: log(0) and log(infinity) are sums of infinities.
_LN2, _LN2_WIDE = (0.693145751953125, 1.42860682030941723212e-6), (0.6931471803691238, 1.9082149292705877e-10)
_LOG2E, _LOG10E = 1.4426950408889634, 0.4342944819032518
_LOG10_2 = (0.301025390625, 4.605038981195214e-06)
_ATANH = (0.176406845, 0.0515857637, 0.118168235, 0.142237425, 0.200024545, 0.333333015)
_ASINH = (0.0092566302, -0.020049585, 0.0300335698, -0.0446160957, 0.0749990717, -0.166666657)


def log(p: Floats, x: Lanes) -> Lanes:
    if p.elem == "f64":
        return _log_wide(p, x)
    m, e = p.split(x)
    return p.edges_of_log(x, _log_of_parts(p, p.sub(m, 1.0), e))


def _log_of_parts(p: Floats, f: Lanes, e: Lanes) -> Lanes:
    """log((1 + f) * 2**e)"""
    tail = p.mad(e, _LN2[1], _tail(p, f))
    return p.add(p.mad(e, _LN2[0], f), tail)


def _tail(p: Floats, f: Lanes) -> Lanes:
    """log(1 + f) - f"""
    square = p.mul(f, f)
    return p.mul(p.mad(p.horner(f, _LOG), f, -0.5), square)


def log2(p: Floats, x: Lanes) -> Lanes:
    """e + f + ((log2(e) - 1) f + log2(e) * tail): the first two are exact near 1."""
    if p.elem == "f64":
        return _log2_wide(p, x)
    m, e = p.split(x)
    f = p.sub(m, 1.0)
    part = p.mad(f, _LOG2E - 1, p.mul(_tail(p, f), _LOG2E))
    return p.edges_of_log(x, p.add(p.add(e, f), part))


def log10(p: Floats, x: Lanes) -> Lanes:
    """As log2, with f / 2 instead of f."""
    m, e = p.split(x)
    f = p.sub(m, 1.0)
    part = p.mad(f, _LOG10E - 0.5, p.mad(_tail(p, f), _LOG10E, p.mul(e, _LOG10_2[1])))
    return p.edges_of_log(x, p.add(p.mad(e, _LOG10_2[0], p.mul(f, 0.5)), part))


def log1p(p: Floats, x: Lanes) -> Lanes:
    """log of 2**e * (x 2**-e + 2**-e), where e is the exponent
    of 1 + x: only that may be inexact.
    """
    f, e, whole = _log1p_parts(p, x)
    result = p.edges_of_log(whole, _log_of_parts(p, f, e))
    return p.pick(p.test("olt", p.abs(x), 2.0**-24), x, result)


def _log1p_parts(p: Floats, x: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    whole = p.add(x, 1.0)
    m, e = p.split(whole)
    exponent = p.i("sub", p.bits(whole), p.bits(m))  # e << 23
    scaled = p.real(p.i("sub", p.bits(x), exponent))
    one = p.at_least(p.real(p.i("sub", uniform("i32", 127 << 23), exponent)), 0.0)  # 2**-e, and 0 for 2**-128
    return p.add(scaled, p.sub(one, 1.0)), e, whole


# ---- f64


def _log_wide(w: Floats, x: Lanes) -> Lanes:
    """fdlibm's f - (f^2/2 - s (f^2/2 + R)) with s = f / (2 +
    f): only the last sum is as large as f.
    """
    m, e = w.split(x)
    f = w.sub(m, 1.0)
    half, correction = _halved_square(w, f)
    low = w.mad(e, _LN2_WIDE[1], correction)
    return w.edges_of_log(x, w.mad(e, _LN2_WIDE[0], w.sub(f, w.sub(half, low))))


def _halved_square(w: Floats, f: Lanes) -> tuple[Lanes, Lanes]:
    """f^2/2, and s (f^2/2 + R) with log(1 + f) = f - f^2/2 + s (f^2/2 + R)."""
    s = w.div(f, w.add(f, 2.0))
    z = w.mul(s, s)
    half = w.mul(w.mul(f, f), 0.5)
    series = w.mul(w.mul(w.horner(z, _ATANH_WIDE), z), 2.0)
    return half, w.mul(s, w.add(half, series))


def _log2_wide(w: Floats, x: Lanes) -> Lanes:
    """As log, times log2(e), with f - f^2/2 as a sum of 32 bits and a rest."""
    m, e = w.split(x)
    f = w.sub(m, 1.0)
    half, correction = _halved_square(w, f)
    high = w.real(w.i("and", w.bits(w.sub(f, half)), -(1 << 32)))
    low = w.add(w.sub(w.sub(f, high), half), correction)
    high_factor, low_factor = 1.44269504072144627571, 1.67517131648865118353e-10
    rest = w.add(w.mul(w.add(low, high), low_factor), w.mul(low, high_factor))
    first = w.mul(high, high_factor)
    whole = w.add(e, first)
    rest = w.add(rest, w.add(w.sub(e, whole), first))
    result = w.pick(w.test("olt", w.abs(whole), float("inf")), w.add(whole, rest), whole)
    return w.edges_of_log(x, result)


def log2_nearly(w: Floats, x: Lanes) -> Lanes:
    """log2 of positive f64 lanes, to 2**-42."""
    m, e = w.split(x)
    return w.mad(_log_near_1(w, w.sub(m, 1.0)), _LOG2E, e)


def log_nearly(w: Floats, x: Lanes) -> Lanes:
    m, e = w.split(x)
    return w.mad(e, 0.6931471805599453, _log_near_1(w, w.sub(m, 1.0)))


def _log_near_1(w: Floats, f: Lanes) -> Lanes:
    s = w.div(f, w.add(f, 2.0))
    z = w.mul(s, s)
    twice = w.add(s, s)
    return w.mad(w.mul(w.horner(z, _ATANH_SHORT), z), twice, twice)


# ---- inverse hyperbolic functions


def asinh(p: Floats, x: Lanes) -> Lanes:
    """A polynomial near 0, else log(x + sqrt(x^2 + 1)) in f64,
    which neither overflows nor loses bits.
    """
    size, square = p.abs(x), p.mul(x, x)
    small = p.mad(p.mul(p.horner(square, _ASINH), square), size, size)
    w, wide = p.wide(), p.widened(size)
    large = p.narrowed(log_nearly(w, w.add(wide, w.sqrt(w.mad(wide, wide, 1.0)))))
    large = p.pick(p.test("olt", size, float("inf")), large, size)
    return p.copysign(p.pick(p.test("olt", size, 0.5), small, large), x)


def acosh(p: Floats, x: Lanes) -> Lanes:
    """log(1 + t + sqrt(2 t + t^2)) with t = x - 1, exact in f64. The result is at least 2**-12."""
    w = p.wide()
    t = w.sub(p.widened(x), 1.0)
    root = w.sqrt(w.mul(t, w.add(t, 2.0)))
    result = p.narrowed(log_nearly(w, w.add(w.add(t, root), 1.0)))
    result = p.pick(p.test("olt", x, float("inf")), result, x)
    return p.pick(p.test("olt", x, 1.0), float("nan"), result)


def atanh(p: Floats, x: Lanes) -> Lanes:
    """A polynomial near 0, else log1p(2 |x| / (1 - |x|)) / 2, where 1 - |x| is exact."""
    size, square = p.abs(x), p.mul(x, x)
    small = p.mad(p.mul(p.horner(square, _ATANH), square), size, size)
    f, e, whole = _log1p_parts(p, p.div(p.add(size, size), p.sub(1.0, size)))
    large = p.mul(p.edges_of_log(whole, _log_of_parts(p, f, e)), 0.5)
    return p.copysign(p.pick(p.test("olt", size, 0.5), small, large), x)
