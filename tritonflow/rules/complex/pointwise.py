"""The forms of pointwise ops: each has the name of its op, and a formula on the parts of the operands."""

from __future__ import annotations

import math

from tritonflow.functions.generated import is_finite, is_inf, is_nan
from tritonflow.rules.complex import arithmetic as a
from tritonflow.rules.complex import elementary as e
from tritonflow.rules.complex import pairs
from tritonflow.rules.complex.arithmetic import formula

add = a.linear(pairs.add)
sub = a.linear(pairs.sub)
negative = a.negative
scalar_add = formula(pairs.add)
scalar_sub = formula(pairs.sub)
scalar_sub_reversed = formula(lambda x, other, alpha: pairs.sub(other, pairs.mul(x, alpha)))
scalar_add_reversed = formula(lambda x, other, alpha: pairs.add(other, pairs.mul(x, alpha)))
add_scaled = formula(a.add_scaled)
sub_scaled = formula(a.sub_scaled)
mul = formula(pairs.mul)
div = formula(pairs.div)
scalar_div_reversed = formula(pairs.div, reverse=True)
reciprocal = formula(pairs.reciprocal)
square = formula(pairs.square)
pow = formula(a.power)
scalar_pow_reversed = formula(a.power, reverse=True)
addcmul = formula(a.add_product)
addcdiv = formula(a.add_quotient)
lerp = formula(a.between)

abs = formula(pairs.modulus)
angle = formula(pairs.angle)
sgn = formula(e.direction)
isnan = formula(a.either(is_nan))
isinf = formula(a.either(is_inf))
isfinite = formula(a.both(is_finite))
eq = formula(a.equal)
ne = formula(a.unequal)
is_close = formula(a.close)
is_close_or_nan = formula(a.close_or_nan)

exp = formula(e.exponential)
exp2 = formula(e.scaled(e.exponential, before=math.log(2)))
expm1 = formula(e.exponential_minus_1)
log = formula(e.logarithm_of)
log2 = formula(e.scaled(e.logarithm_of, behind=1 / math.log(2)))
log10 = formula(e.scaled(e.logarithm_of, behind=1 / math.log(10)))
log1p = formula(e.logarithm_of_1_plus)
logaddexp = formula(a.log_of_added_exponentials)
sqrt = formula(e.square_root)
rsqrt = formula(lambda x: pairs.reciprocal(e.square_root(x)))
sigmoid = formula(e.logistic)
silu = formula(e.times_logistic)

sin = formula(e.sine)
cos = formula(e.cosine)
tan = formula(e.turned(e.hyperbolic_tangent))
sinc = formula(e.cardinal_sine)
sinh = formula(e.hyperbolic_sine)
cosh = formula(e.hyperbolic_cosine)
tanh = formula(e.hyperbolic_tangent)
asin = formula(e.arc_sine)
acos = formula(e.arc_cosine)
atan = formula(e.turned(e.area_tangent))
asinh = formula(e.turned(e.arc_sine))
acosh = formula(e.area_cosine)
atanh = formula(e.area_tangent)
