"""What a complex 0 raised to a power is, by the parts of the base u + iv and of the exponent p + iq; 0 for other bases."""

import triton
import triton.language as tl


@triton.jit
def zero_power_re(u, v, p, q):
    """1 where the exponent is 0, 0 where p is positive, infinite where it is negative, else NaN."""
    zero = tl.where(q == 0, 1, float("nan"))
    found = tl.where(p > 0, 0, tl.where(p < 0, float("inf"), tl.where(p == 0, zero, float("nan"))))
    return tl.where((u == 0) & (v == 0), found, 0).to((u + v + p + q).dtype)


@triton.jit
def zero_power_im(u, v, p, q):
    """0, and NaN where the real part is infinite or NaN."""
    return zero_power_re(u, v, p, q) * 0
