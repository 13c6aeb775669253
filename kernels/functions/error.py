"""The error function, its inverse and complement, for float32 and float64."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def erf(x):
    return tl.erf(x)


@triton.jit
def normal_cdf(x):
    """Phi(x) = (1 + erf(x / sqrt(2))) / 2 to 1e-7, as activations need it; `special_ndtr` has all digits of a small result.

    Of float32 Phi(-a) = 2^P(a) (tests/triton_cpu/minimax.py, "NORMAL f32"): erf takes twice the instructions, as it has two pieces.
    """
    if x.dtype.is_fp64():
        return 0.5 * (1 + tl.erf(x * 0.7071067811865476))
    else:
        a = tl.abs(x)
        a = tl.where(a > 16, 16, a)  # where 2^P(a) is 0
        square = a * a
        even = -0.000186537334 - 2.84030261e-06 * square
        even = 0.00706215622 + even * square
        even = -0.459208518 + even * square
        odd = -0.000136020288 + 3.94478084e-05 * square
        odd = -0.0524952561 + odd * square
        odd = -1.15110517 + odd * square
        tail = tl.exp2(-1 + even * square + odd * a)
        return tl.where(x < 0, tail, 1 - tail)


@triton.jit
def erfc(x):
    return libdevice.erfc(x)


@triton.jit
def erfinv(x):
    """The y with erf(y) = x, by Giles' polynomials in w = -log(1 - x^2): two pieces for float32, three for float64.

    Source: M. Giles, Approximating the erfinv function, 2010.
    """
    w = -tl.log((1 - x) * (1 + x))
    if x.dtype.is_fp64():
        near = _erfinv_near_zero_wide(w - 3.125)
        middle = _erfinv_between_wide(tl.sqrt(w) - 3.25)
        far = _erfinv_near_one_wide(tl.sqrt(w) - 5)
        y = tl.where(w < 6.25, near, tl.where(w < 16, middle, far)) * x
    else:
        y = tl.where(w < 5, _erfinv_near_zero(w - 2.5), _erfinv_near_one(tl.sqrt(w) - 3)) * x
    return tl.where((x == 1) | (x == -1), x * float("inf"), y)


@triton.jit
def _erfinv_near_zero(w):
    p = 3.43273939e-07 + 2.81022636e-08 * w
    p = -3.5233877e-06 + p * w
    p = -4.39150654e-06 + p * w
    p = 0.00021858087 + p * w
    p = -0.00125372503 + p * w
    p = -0.00417768164 + p * w
    p = 0.246640727 + p * w
    return 1.50140941 + p * w


@triton.jit
def _erfinv_near_one(w):
    p = 0.000100950558 - 0.000200214257 * w
    p = 0.00134934322 + p * w
    p = -0.00367342844 + p * w
    p = 0.00573950773 + p * w
    p = -0.0076224613 + p * w
    p = 0.00943887047 + p * w
    p = 1.00167406 + p * w
    return 2.83297682 + p * w


@triton.jit
def _erfinv_near_zero_wide(w):
    p = -1.6850591381820166e-19 - 3.64441206401782e-21 * w
    p = 1.28584807152564e-18 + p * w
    p = 1.1157877678025181e-17 + p * w
    p = -1.333171662854621e-16 + p * w
    p = 2.0972767875968562e-17 + p * w
    p = 6.637638134358324e-15 + p * w
    p = -4.054566272975207e-14 + p * w
    p = -8.151934197605472e-14 + p * w
    p = 2.6335093153082323e-12 + p * w
    p = -1.2975133253453532e-11 + p * w
    p = -5.415412054294628e-11 + p * w
    p = 1.0512122733215323e-09 + p * w
    p = -4.112633980346984e-09 + p * w
    p = -2.9070369957882005e-08 + p * w
    p = 4.2347877827932404e-07 + p * w
    p = -1.3654692000834679e-06 + p * w
    p = -1.3882523362786469e-05 + p * w
    p = 0.00018673420803405714 + p * w
    p = -0.000740702534166267 + p * w
    p = -0.006033670871430149 + p * w
    p = 0.24015818242558962 + p * w
    return 1.6536545626831027 + p * w


@triton.jit
def _erfinv_between_wide(w):
    p = 9.075656193888539e-08 + 2.2137376921775787e-09 * w
    p = -2.7517406297064545e-07 + p * w
    p = 1.8239629214389228e-08 + p * w
    p = 1.5027403968909828e-06 + p * w
    p = -4.013867526981546e-06 + p * w
    p = 2.9234449089955446e-06 + p * w
    p = 1.2475304481671779e-05 + p * w
    p = -4.7318229009055734e-05 + p * w
    p = 6.828485145957318e-05 + p * w
    p = 2.4031110387097894e-05 + p * w
    p = -0.0003550375203628475 + p * w
    p = 0.0009532893797373805 + p * w
    p = -0.0016882755560235047 + p * w
    p = 0.002491442096107851 + p * w
    p = -0.003751208507569241 + p * w
    p = 0.005370914553590064 + p * w
    p = 1.0052589676941592 + p * w
    return 3.0838856104922208 + p * w


@triton.jit
def _erfinv_near_one_wide(w):
    p = -2.555641816996525e-10 - 2.7109920616438573e-11 * w
    p = 1.5076572693500548e-09 + p * w
    p = -3.789465440126737e-09 + p * w
    p = 7.61570120807834e-09 + p * w
    p = -1.496002662714924e-08 + p * w
    p = 2.914795345090108e-08 + p * w
    p = -6.771199775845234e-08 + p * w
    p = 2.2900482228026655e-07 + p * w
    p = -9.9298272942317e-07 + p * w
    p = 4.526062597223154e-06 + p * w
    p = -1.968177810553167e-05 + p * w
    p = 7.599527703001776e-05 + p * w
    p = -0.00021503011930044477 + p * w
    p = -0.00013871931833623122 + p * w
    p = 1.0103004648645344 + p * w
    return 4.849906401408584 + p * w
