"""Functions of the binding: random.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.device.device import Device as _Device
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functional.functors.generated import (random_bernoulli as _random_bernoulli,
        random_bernoulli_of as _random_bernoulli_of, random_dropout as _random_dropout, random_exponential as _random_exponential,
        random_integers as _random_integers, random_normal as _random_normal, random_reserve as _random_reserve,
        random_uniform as _random_uniform)
from tritonflow.functional.functors.random import (bernoulli as _bernoulli, bernoulli_ as _bernoulli_inplace,
        bernoulli_prob as _bernoulli_prob, dropout as _dropout, exponential_ as _exponential_inplace, normal as _normal,
        normal_ as _normal_inplace, rand as _rand, randint as _rand_int, randint_high as _rand_int_high,
        randint_like as _rand_int_like, randint_like_high as _rand_int_like_high, rand_like as _rand_like, randn as _rand_n,
        randn_like as _rand_n_like, randperm as _rand_perm, random_ as _random_inplace, uniform_ as _uniform_inplace)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_random_uniform_slow = _Binding("random_uniform", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar low, Scalar high)",
        _random_uniform)
def random_uniform(state=_missing, shape=_missing, dtype=_missing, low=_missing, high=_missing, *extra, **unknown):
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (low.__class__ is float or low.__class__ is int) and
            (high.__class__ is float or high.__class__ is int) and not extra and not unknown):
        return _random_uniform(state, shape, dtype, low, high)
    return _random_uniform_slow((state, shape, dtype, low, high), extra, unknown)

_random_normal_slow = _Binding("random_normal", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar mean, Scalar std)",
        _random_normal)
def random_normal(state=_missing, shape=_missing, dtype=_missing, mean=_missing, std=_missing, *extra, **unknown):
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (mean.__class__ is float or mean.__class__ is int) and
            (std.__class__ is float or std.__class__ is int) and not extra and not unknown):
        return _random_normal(state, shape, dtype, mean, std)
    return _random_normal_slow((state, shape, dtype, mean, std), extra, unknown)

_random_exponential_slow = _Binding("random_exponential", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar rate)",
        _random_exponential)
def random_exponential(state=_missing, shape=_missing, dtype=_missing, rate=_missing, *extra, **unknown):
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (rate.__class__ is float or rate.__class__ is int) and not extra and not unknown):
        return _random_exponential(state, shape, dtype, rate)
    return _random_exponential_slow((state, shape, dtype, rate), extra, unknown)

_random_bernoulli_slow = _Binding("random_bernoulli", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar p)",
        _random_bernoulli)
def random_bernoulli(state=_missing, shape=_missing, dtype=_missing, p=_missing, *extra, **unknown):
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (p.__class__ is float or p.__class__ is int) and not extra and not unknown):
        return _random_bernoulli(state, shape, dtype, p)
    return _random_bernoulli_slow((state, shape, dtype, p), extra, unknown)

_random_bernoulli_of_slow = _Binding("random_bernoulli_of", "Tensor (Tensor p, Tensor state)", _random_bernoulli_of)
def random_bernoulli_of(p=_missing, state=_missing, *extra, **unknown):
    if p.__class__ is _Tensor and state.__class__ is _Tensor and not extra and not unknown:
        return _random_bernoulli_of(p, state)
    return _random_bernoulli_of_slow((p, state), extra, unknown)

_random_integers_slow = _Binding("random_integers",
        "Tensor (Tensor state, Shape shape, DataType dtype, Bool wide, Scalar low, Scalar size)", _random_integers)
def random_integers(state=_missing, shape=_missing, dtype=_missing, wide=_missing, low=_missing, size=_missing, *extra,
        **unknown):
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (wide is False or wide is True) and (low.__class__ is float or low.__class__ is int) and
            (size.__class__ is float or size.__class__ is int) and not extra and not unknown):
        return _random_integers(state, shape, dtype, wide, low, size)
    return _random_integers_slow((state, shape, dtype, wide, low, size), extra, unknown)

_random_dropout_slow = _Binding("random_dropout", "TensorTuple (Tensor x, Tensor state, Scalar p, Scalar scale)", _random_dropout)
def random_dropout(x=_missing, state=_missing, p=_missing, scale=_missing, *extra, **unknown):
    if (x.__class__ is _Tensor and state.__class__ is _Tensor and (p.__class__ is float or p.__class__ is int) and
            (scale.__class__ is float or scale.__class__ is int) and not extra and not unknown):
        return _random_dropout(x, state, p, scale)
    return _random_dropout_slow((x, state, p, scale), extra, unknown)

_random_reserve_slow = _Binding("random_reserve", "Tensor (Tensor state, Int64 count)", _random_reserve)
def random_reserve(state=_missing, count=_missing, *extra, **unknown):
    """the state from which count numbers may be drawn later, and again; the state itself moves on behind them"""
    if state.__class__ is _Tensor and count.__class__ is int and not extra and not unknown:
        return _random_reserve(state, count)
    return _random_reserve_slow((state, count), extra, unknown)

_rand_slow = _Binding("rand",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand)
def rand(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    """uniform random numbers in [0, 1)"""
    if ((size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and (dtype is None or dtype.__class__ is _DType)
            and (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand(size, dtype, device, generator, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not unknown and _all_ints(extra)):
        return _rand((size, *extra), dtype, device, generator, requires_grad, placement, sbp)
    return _rand_slow((size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randn_slow = _Binding("randn",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_n)
def randn(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    """normally distributed random numbers"""
    if ((size.__class__ is _Size or size.__class__ is tuple and _all_ints(size)) and (dtype is None or dtype.__class__ is _DType)
            and (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand_n(size, dtype, device, generator, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not unknown and _all_ints(extra)):
        return _rand_n((size, *extra), dtype, device, generator, requires_grad, placement, sbp)
    return _randn_slow((size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_rand_like_slow = _Binding("rand_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_like)
def rand_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand_like(input, dtype, device, generator, requires_grad, placement, sbp)
    return _rand_like_slow((input, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randn_like_slow = _Binding("randn_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_n_like)
def randn_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand_n_like(input, dtype, device, generator, requires_grad, placement, sbp)
    return _randn_like_slow((input, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randint_slow = _Binding("randint",
        "Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int,
        "Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_high)
def randint(low=_missing, high=_missing, size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    """random whole numbers in [low, high)"""
    if (low.__class__ is int and high.__class__ is int and (size.__class__ is _Size or size.__class__ is tuple and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not extra and not unknown):
        return _rand_int(low, high, size, dtype, device, generator, requires_grad, placement, sbp)
    if (low.__class__ is int and (high.__class__ is _Size or high.__class__ is tuple and _all_ints(high)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and size is _missing and
            not extra and not unknown):
        return _rand_int_high(low, high, dtype, device, generator, requires_grad, placement, sbp)
    return _randint_slow((low, high, size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randint_like_slow = _Binding("randint_like",
        "Tensor (Tensor input, Int64 low, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_like,
        "Tensor (Tensor input, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_like_high)
def randint_like(input=_missing, low=_missing, high=_missing, *extra, dtype=None, device=None, generator=None,
        requires_grad=False, placement=None, sbp=None, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is int and high.__class__ is int and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand_int_like(input, low, high, dtype, device, generator, requires_grad, placement, sbp)
    if (input.__class__ is _Tensor and low.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and high is _missing and
            not extra and not unknown):
        return _rand_int_like_high(input, low, dtype, device, generator, requires_grad, placement, sbp)
    return _randint_like_slow((input, low, high, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randperm_slow = _Binding("randperm",
        "Tensor (Int64 n, *, Generator generator=None, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_perm)
def randperm(n=_missing, *extra, generator=None, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    """a random order of 0 ... n-1"""
    if (n.__class__ is int and generator is None and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _rand_perm(n, generator, dtype, device, requires_grad, placement, sbp)
    return _randperm_slow((n, generator, dtype, device, requires_grad, placement, sbp), extra, unknown)

_normal_slow = _Binding("normal",
        "Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _normal)
def normal(mean=_missing, std=_missing, size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    """normally distributed random numbers of a mean and a standard deviation"""
    if (mean.__class__ is float and std.__class__ is float and (size.__class__ is _Size or size.__class__ is tuple and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not extra and not unknown):
        return _normal(mean, std, size, dtype, device, generator, requires_grad, placement, sbp)
    return _normal_slow((mean, std, size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_normal__slow = _Binding("normal_", "Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None)",
        _normal_inplace, methods="normal_")
def normal_(input=_missing, mean=0.0, std=1.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and mean.__class__ is float and std.__class__ is float and generator is None and not extra and
            not unknown):
        return _normal_inplace(input, mean, std, generator)
    return _normal__slow((input, mean, std, generator), extra, unknown)

_uniform__slow = _Binding("uniform_", "Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None)",
        _uniform_inplace, methods="uniform_")
def uniform_(input=_missing, low=0.0, high=1.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is float and high.__class__ is float and generator is None and not extra and
            not unknown):
        return _uniform_inplace(input, low, high, generator)
    return _uniform__slow((input, low, high, generator), extra, unknown)

_exponential__slow = _Binding("exponential_", "Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None)",
        _exponential_inplace, methods="exponential_")
def exponential_(input=_missing, lambd=1.0, *extra, generator=None, **unknown):
    if input.__class__ is _Tensor and lambd.__class__ is float and generator is None and not extra and not unknown:
        return _exponential_inplace(input, lambd, generator)
    return _exponential__slow((input, lambd, generator), extra, unknown)

_random__slow = _Binding("random_", "Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None)", _random_inplace,
        methods="random_")
def random_(input=_missing, low=_missing, high=_missing, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is int and high.__class__ is int and generator is None and not extra and
            not unknown):
        return _random_inplace(input, low, high, generator)
    return _random__slow((input, low, high, generator), extra, unknown)

_bernoulli_slow = _Binding("bernoulli", "Tensor (Tensor input, *, Generator generator=None)", _bernoulli,
        "Tensor (Tensor input, Float p, *, Generator generator=None)", _bernoulli_prob, methods="bernoulli")
def bernoulli(input=_missing, p=_missing, *extra, generator=None, **unknown):
    """1 with the probability that the input (or p) says, else 0"""
    if input.__class__ is _Tensor and generator is None and p is _missing and not extra and not unknown:
        return _bernoulli(input, generator)
    if input.__class__ is _Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _bernoulli_prob(input, p, generator)
    return _bernoulli_slow((input, p, generator), extra, unknown)

_bernoulli__slow = _Binding("bernoulli_", "Tensor (Tensor input, Float p=0.5, *, Generator generator=None)", _bernoulli_inplace,
        methods="bernoulli_")
def bernoulli_(input=_missing, p=0.5, *extra, generator=None, **unknown):
    if input.__class__ is _Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _bernoulli_inplace(input, p, generator)
    return _bernoulli__slow((input, p, generator), extra, unknown)

_dropout_slow = _Binding("dropout",
        "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None)", _dropout)
def dropout(input=_missing, p=0.5, training=True, inplace=False, *extra, generator=None, **unknown):
    """zeros with probability p, the rest divided by 1 - p"""
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and generator is None and not extra and not unknown):
        return _dropout(input, p, training, inplace, generator)
    return _dropout_slow((input, p, training, inplace, generator), extra, unknown)

_methods = _publish(globals())
