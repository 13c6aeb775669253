"""Functions of the binding: random.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.device.device import Device as _Device
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.generated import (random_bernoulli as _random_bernoulli, random_bernoulli_of as _random_bernoulli_of,
        random_binomial as _random_binomial, random_dropout as _random_dropout, random_exponential as _random_exponential,
        random_gamma as _random_gamma, random_integers as _random_integers, random_normal as _random_normal,
        random_poisson as _random_poisson, random_reserve as _random_reserve, random_uniform as _random_uniform,
        standard_gamma_grad as _standard_gamma_grad)
from tritonflow.functions.random import (bernoulli as _bernoulli, bernoulli_cast as _bernoulli_cast,
        bernoulli_ as _bernoulli_inplace, bernoulli_of_cast as _bernoulli_of_cast, bernoulli_prob as _bernoulli_prob,
        dropout as _dropout, exponential_ as _exponential_inplace, normal as _normal, normal_ as _normal_inplace, rand as _rand,
        randint as _rand_int, randint_high as _rand_int_high, randint_like as _rand_int_like,
        randint_like_high as _rand_int_like_high, rand_like as _rand_like, randn as _rand_n, randn_like as _rand_n_like,
        randperm as _rand_perm, random_ as _random_inplace, uniform_ as _uniform_inplace)
from tritonflow.functions.random_drop import (alpha_dropout as _alpha_dropout, dropout1d as _dropout1d, dropout2d as _dropout2d,
        dropout3d as _dropout3d, feature_alpha_dropout as _feature_alpha_dropout, feature_dropout as _feature_dropout)
from tritonflow.functions.random_sampling import (bernoulli_tensor_ as _bernoulli_inplace_tensor, binomial as _binomial,
        cauchy_ as _cauchy_inplace, geometric_ as _geometric_inplace, log_normal_ as _log_normal_inplace,
        multinomial as _multinomial, normal_deviations as _normal_deviations, normal_means as _normal_means,
        normal_tensors as _normal_tensors, poisson as _poisson, random_all_ as _random_inplace_all,
        random_to_ as _random_inplace_to, standard_gamma as _standard_gamma)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_random_uniform_slow = _Binding("random_uniform", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar low, Scalar high)",
        _random_uniform)
def random_uniform(state=_missing, shape=_missing, dtype=_missing, low=_missing, high=_missing, *extra, **unknown):
    """uniform random numbers in [low, high)"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (low.__class__ is float or low.__class__ is int) and
            (high.__class__ is float or high.__class__ is int) and not extra and not unknown):
        return _random_uniform(state, shape, dtype, low, high)
    return _random_uniform_slow((state, shape, dtype, low, high), extra, unknown)

_random_normal_slow = _Binding("random_normal", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar mean, Scalar std)",
        _random_normal)
def random_normal(state=_missing, shape=_missing, dtype=_missing, mean=_missing, std=_missing, *extra, **unknown):
    """normally distributed random numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (mean.__class__ is float or mean.__class__ is int) and
            (std.__class__ is float or std.__class__ is int) and not extra and not unknown):
        return _random_normal(state, shape, dtype, mean, std)
    return _random_normal_slow((state, shape, dtype, mean, std), extra, unknown)

_random_exponential_slow = _Binding("random_exponential", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar rate)",
        _random_exponential)
def random_exponential(state=_missing, shape=_missing, dtype=_missing, rate=_missing, *extra, **unknown):
    """exponentially distributed random numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (rate.__class__ is float or rate.__class__ is int) and not extra and not unknown):
        return _random_exponential(state, shape, dtype, rate)
    return _random_exponential_slow((state, shape, dtype, rate), extra, unknown)

_random_bernoulli_slow = _Binding("random_bernoulli", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar p)",
        _random_bernoulli)
def random_bernoulli(state=_missing, shape=_missing, dtype=_missing, p=_missing, *extra, **unknown):
    """1 with probability p, otherwise 0"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (p.__class__ is float or p.__class__ is int) and not extra and not unknown):
        return _random_bernoulli(state, shape, dtype, p)
    return _random_bernoulli_slow((state, shape, dtype, p), extra, unknown)

_random_bernoulli_of_slow = _Binding("random_bernoulli_of", "Tensor (Tensor p, Tensor state)", _random_bernoulli_of)
def random_bernoulli_of(p=_missing, state=_missing, *extra, **unknown):
    """1 with the probability that each element says, otherwise 0"""
    if p.__class__ is _Tensor and state.__class__ is _Tensor and not extra and not unknown:
        return _random_bernoulli_of(p, state)
    return _random_bernoulli_of_slow((p, state), extra, unknown)

_random_poisson_slow = _Binding("random_poisson", "Tensor (Tensor rate, Tensor state)", _random_poisson)
def random_poisson(rate=_missing, state=_missing, *extra, **unknown):
    """a Poisson number for each rate"""
    if rate.__class__ is _Tensor and state.__class__ is _Tensor and not extra and not unknown:
        return _random_poisson(rate, state)
    return _random_poisson_slow((rate, state), extra, unknown)

_random_binomial_slow = _Binding("random_binomial", "Tensor (Tensor count, Tensor prob, Tensor state)", _random_binomial)
def random_binomial(count=_missing, prob=_missing, state=_missing, *extra, **unknown):
    """how many of so many trials succeed"""
    if count.__class__ is _Tensor and prob.__class__ is _Tensor and state.__class__ is _Tensor and not extra and not unknown:
        return _random_binomial(count, prob, state)
    return _random_binomial_slow((count, prob, state), extra, unknown)

_random_gamma_slow = _Binding("random_gamma", "Tensor (Tensor concentration, Tensor state)", _random_gamma)
def random_gamma(concentration=_missing, state=_missing, *extra, **unknown):
    """a gamma-distributed number for each concentration"""
    if concentration.__class__ is _Tensor and state.__class__ is _Tensor and not extra and not unknown:
        return _random_gamma(concentration, state)
    return _random_gamma_slow((concentration, state), extra, unknown)

_random_integers_slow = _Binding("random_integers",
        "Tensor (Tensor state, Shape shape, DataType dtype, Bool wide, Scalar low, Scalar size)", _random_integers)
def random_integers(state=_missing, shape=_missing, dtype=_missing, wide=_missing, low=_missing, size=_missing, *extra,
        **unknown):
    """random whole numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or shape.__class__ is tuple and _all_ints(shape)) and
            dtype.__class__ is _DType and (wide is False or wide is True) and (low.__class__ is float or low.__class__ is int) and
            (size.__class__ is float or size.__class__ is int) and not extra and not unknown):
        return _random_integers(state, shape, dtype, wide, low, size)
    return _random_integers_slow((state, shape, dtype, wide, low, size), extra, unknown)

_random_dropout_slow = _Binding("random_dropout", "TensorTuple (Tensor x, Tensor state, Scalar p, Scalar scale)", _random_dropout)
def random_dropout(x=_missing, state=_missing, p=_missing, scale=_missing, *extra, **unknown):
    """the input with elements zeroed, the rest scaled; and which they are"""
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
    """Uniform random numbers in [0, 1).

    `flow.manual_seed` makes them the same.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        NotImplementedError: a dtype that is neither floating nor complex.
        ValueError: a generator of another device.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rand.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.rand(2, 3)
        >>> x.shape, bool(((x >= 0) & (x < 1)).all())
        (tritonflow.Size([2, 3]), True)
    """
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
    """Normally distributed random numbers.

    Of mean 0 and variance 1. `flow.manual_seed` makes them the same.

    Args:
        size: the shape, as integers or a sequence.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: a negative size.
        NotImplementedError: a dtype that is neither floating nor complex.
        ValueError: a generator of another device.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randn.

    Example:
        >>> import tritonflow as flow
        >>> seed = flow.manual_seed(0)
        >>> x = flow.randn(10000)
        >>> abs(x.mean().item()) < 0.05, abs(x.var().item() - 1) < 0.05
        (True, True)
    """
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
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _rand_like)
def rand_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        memory_format=None, **unknown):
    """Uniform random numbers in [0, 1), of the input's shape.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rand_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.rand_like(flow.zeros(2, 3)).shape
        tritonflow.Size([2, 3])
    """
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _rand_like(input, dtype, device, generator, requires_grad, placement, sbp, memory_format)
    return _rand_like_slow((input, dtype, device, generator, requires_grad, placement, sbp, memory_format), extra, unknown)

_randn_like_slow = _Binding("randn_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _rand_n_like)
def randn_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        memory_format=None, **unknown):
    """Normally distributed random numbers, of the input's shape.

    Of mean 0 and variance 1.

    Args:
        input: the input.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        memory_format: the order of the dimensions in memory; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randn_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.randn_like(flow.zeros(2, 3)).shape
        tritonflow.Size([2, 3])
    """
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _rand_n_like(input, dtype, device, generator, requires_grad, placement, sbp, memory_format)
    return _randn_like_slow((input, dtype, device, generator, requires_grad, placement, sbp, memory_format), extra, unknown)

_randint_slow = _Binding("randint",
        "Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int,
        "Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_high)
def randint(low=_missing, high=_missing, size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    """Random whole numbers in [low, high).

    Overloads:
        - `randint(low: int, high: int, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`
        - `randint(high: int, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        low: the least number; default 0.
        high: one more than the largest.
        size: the shape, a sequence of integers.
        dtype: of the numbers; default int64.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> size.

    Raises:
        RuntimeError: low is not less than high, a number that the dtype does not have, or a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randint.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.randint(1, 7, (100,))  # dice
        >>> x.dtype, 1 <= x.min().item(), x.max().item() <= 6
        (tritonflow.int64, True, True)
    """
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
    """Random whole numbers in [low, high), of the input's shape.

    Overloads:
        - `randint_like(input: Tensor, low: int, high: int, *, dtype: DType | None = None, device: Device | str | None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`
        - `randint_like(input: Tensor, high: int, *, dtype: DType | None = None, device: Device | str | None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        input: the input.
        low: the least number; default 0.
        high: one more than the largest.
        dtype: of the numbers; default the input's.
        device: where they lie; default the input's.
        generator: draws the numbers; the device's default generator unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: low is not less than high, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randint_like.

    Example:
        >>> import tritonflow as flow
        >>> flow.randint_like(flow.zeros(2, 3), 10).shape
        tritonflow.Size([2, 3])
    """
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
    """A random order of 0 ... n-1.

    Args:
        n: how many numbers.
        generator: draws the numbers; the device's default generator unless given.
        dtype: of the numbers; default int64.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        -> (n).

    Raises:
        RuntimeError: n is negative.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.randperm.

    Example:
        >>> import tritonflow as flow
        >>> flow.randperm(5).sort().values
        tensor([0, 1, 2, 3, 4])
    """
    if (n.__class__ is int and generator is None and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _rand_perm(n, generator, dtype, device, requires_grad, placement, sbp)
    return _randperm_slow((n, generator, dtype, device, requires_grad, placement, sbp), extra, unknown)

_normal_slow = _Binding("normal", "Tensor (Tensor mean, Tensor std, *, Generator generator=None)", _normal_tensors,
        "Tensor (Tensor mean, Float std=1.0, *, Generator generator=None)", _normal_means,
        "Tensor (Float mean, Tensor std, *, Generator generator=None)", _normal_deviations,
        "Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _normal)
def normal(mean=_missing, std=_missing, size=_missing, *extra, generator=None, dtype=None, device=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    """Normally distributed random numbers of a mean and a standard deviation.

    With tensors there is a number for each pair of a mean and a deviation, which broadcast; no gradient
    flows to them.

    Overloads:
        - `normal(mean: Tensor, std: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: Tensor, std: float = 1.0, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: float, std: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `normal(mean: float, std: float, size: Sequence[int], *, dtype: DType | None = None, device: Device | str | None = None, generator: Generator | None = None, requires_grad: bool = False, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None) -> Tensor`

    Args:
        mean: the mean, a tensor or a number.
        std: the standard deviation, a tensor or a number.
        generator: draws the numbers; the device's default generator unless given.
        size: the shape, where both are numbers.
        dtype: of the numbers; default `flow.get_default_dtype()`.
        device: where the result lies, such as `"cpu"` or `"cuda:0"`; the default device unless given.
        requires_grad: whether backward leaves a gradient in `.grad`.
        placement: the devices over which a consistent result lies, with `sbp`; a local one unless given.
        sbp: how a consistent result lies over `placement`: split, broadcast or partial sum.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> the common shape; or size.

    Raises:
        RuntimeError: a negative deviation.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.normal.

    Example:
        >>> import tritonflow as flow
        >>> flow.normal(flow.tensor([1.0, 100.0]), flow.zeros(2))
        tensor([  1., 100.])
        >>> flow.normal(0.0, 1.0, (2, 3)).shape
        tritonflow.Size([2, 3])
    """
    if (mean.__class__ is _Tensor and std.__class__ is _Tensor and generator is None and size is _missing and dtype is None and
            device is None and requires_grad is False and placement is None and sbp is None and not extra and not unknown):
        return _normal_tensors(mean, std, generator)
    if (mean.__class__ is float and std.__class__ is _Tensor and generator is None and size is _missing and dtype is None and
            device is None and requires_grad is False and placement is None and sbp is None and not extra and not unknown):
        return _normal_deviations(mean, std, generator)
    if (mean.__class__ is float and std.__class__ is float and (size.__class__ is _Size or size.__class__ is tuple and
            _all_ints(size)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not extra and not unknown):
        return _normal(mean, std, size, dtype, device, generator, requires_grad, placement, sbp)
    return _normal_slow((mean, std, size, generator, dtype, device, requires_grad, placement, sbp), extra, unknown)

_normal__slow = _Binding("normal_", "Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None)",
        _normal_inplace, methods="normal_")
def normal_(input=_missing, mean=0.0, std=1.0, *extra, generator=None, **unknown):
    """Normally distributed random numbers written over the input.

    Args:
        input: the input.
        mean: the mean.
        std: the standard deviation.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.normal_`.

    Raises:
        RuntimeError: a negative deviation.
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.normal_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(3).normal_(mean=5.0, std=0.0)
        tensor([5., 5., 5.])
    """
    if (input.__class__ is _Tensor and mean.__class__ is float and std.__class__ is float and generator is None and not extra and
            not unknown):
        return _normal_inplace(input, mean, std, generator)
    return _normal__slow((input, mean, std, generator), extra, unknown)

_uniform__slow = _Binding("uniform_", "Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None)",
        _uniform_inplace, methods="uniform_")
def uniform_(input=_missing, low=0.0, high=1.0, *extra, generator=None, **unknown):
    """Uniform random numbers in [low, high) written over the input.

    No number is `high`, in any dtype. Where the dtype has no number in [low, high), they are the
    nearest one to low.

    Args:
        input: the input.
        low: the least number.
        high: the bound.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.uniform_`.

    Raises:
        RuntimeError: low is greater than high, one is not finite, or one or their distance is beyond the
            dtype's numbers.
        NotImplementedError: a dtype that is neither floating nor complex.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.uniform_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.empty(100).uniform_(-1.0, 1.0)
        >>> bool((x.abs() <= 1).all())
        True
    """
    if (input.__class__ is _Tensor and low.__class__ is float and high.__class__ is float and generator is None and not extra and
            not unknown):
        return _uniform_inplace(input, low, high, generator)
    return _uniform__slow((input, low, high, generator), extra, unknown)

_exponential__slow = _Binding("exponential_", "Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None)",
        _exponential_inplace, methods="exponential_")
def exponential_(input=_missing, lambd=1.0, *extra, generator=None, **unknown):
    """Exponentially distributed random numbers written over the input.

    Their density is lambd * exp(-lambd * x), their mean 1 / lambd. All are positive.

    Args:
        input: the input.
        lambd: the rate.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.exponential_`.

    Raises:
        RuntimeError: a rate that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.exponential_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).exponential_() > 0).all())
        True
    """
    if input.__class__ is _Tensor and lambd.__class__ is float and generator is None and not extra and not unknown:
        return _exponential_inplace(input, lambd, generator)
    return _exponential__slow((input, lambd, generator), extra, unknown)

_random__slow = _Binding("random_", "Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None)", _random_inplace,
        "Tensor (Tensor input, Int64 to, *, Generator generator=None)", _random_inplace_to,
        "Tensor (Tensor input, *, Generator generator=None)", _random_inplace_all, methods="random_")
def random_(input=_missing, low=_missing, high=_missing, *extra, generator=None, to=_missing, **unknown):
    """Random whole numbers written over the input.

    In [low, high), or in [0, to); without bounds all numbers that are not negative, as far as the dtype
    has every one.

    Overloads:
        - `random_(input: Tensor, low: int, high: int, *, generator: Generator | None = None) -> Tensor`
        - `random_(input: Tensor, to: int, *, generator: Generator | None = None) -> Tensor`
        - `random_(input: Tensor, *, generator: Generator | None = None) -> Tensor`

    Args:
        input: the input.
        low: the least number.
        high: one more than the largest.
        generator: draws the numbers; the device's default generator unless given.
        to: one more than the largest.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.random_`.

    Raises:
        RuntimeError: low is not less than high, or a number that the dtype does not have.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.random_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.empty(100).random_(1, 7)
        >>> 1 <= x.min().item(), x.max().item() <= 6
        (True, True)
    """
    if (input.__class__ is _Tensor and low.__class__ is int and high.__class__ is int and generator is None and to is _missing and
            not extra and not unknown):
        return _random_inplace(input, low, high, generator)
    if (input.__class__ is _Tensor and low.__class__ is int and generator is None and high is _missing and to is _missing and
            not extra and not unknown):
        return _random_inplace_to(input, low, generator)
    if (input.__class__ is _Tensor and generator is None and low is _missing and high is _missing and to is _missing and not extra
            and not unknown):
        return _random_inplace_all(input, generator)
    return _random__slow((input, low, high, generator, to), extra, unknown)

_bernoulli_slow = _Binding("bernoulli", "Tensor (Tensor input, *, Generator generator=None)", _bernoulli,
        "Tensor (Tensor input, Float p, *, Generator generator=None)", _bernoulli_prob,
        "Tensor (Tensor input, *, Float p, Generator generator=None, DataType dtype)", _bernoulli_cast,
        "Tensor (Tensor input, *, Generator generator=None, DataType dtype)", _bernoulli_of_cast, methods="bernoulli")
def bernoulli(input=_missing, p=_missing, *extra, generator=None, dtype=_missing, **unknown):
    """1 with the probability that the input (or p) says, else 0.

    Overloads:
        - `bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, p: float, *, generator: Generator | None = None) -> Tensor`
        - `bernoulli(input: Tensor, *, p: float, generator: Generator | None = None, dtype: DType) -> Tensor`
        - `bernoulli(input: Tensor, *, generator: Generator | None = None, dtype: DType) -> Tensor`

    Args:
        input: probabilities, or with p only the shape and the dtype.
        generator: draws the numbers; the device's default generator unless given.
        p: one probability for all.
        dtype: of the result; default the input's.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.bernoulli`.

    Raises:
        RuntimeError: a probability outside 0 to 1.
        NotImplementedError: an input without p that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bernoulli.

    Example:
        >>> import tritonflow as flow
        >>> flow.bernoulli(flow.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
    if input.__class__ is _Tensor and generator is None and p is _missing and dtype is _missing and not extra and not unknown:
        return _bernoulli(input, generator)
    if (input.__class__ is _Tensor and p.__class__ is float and generator is None and dtype is _missing and not extra and
            not unknown):
        return _bernoulli_prob(input, p, generator)
    return _bernoulli_slow((input, p, generator, dtype), extra, unknown)

_bernoulli__slow = _Binding("bernoulli_", "Tensor (Tensor input, Tensor p, *, Generator generator=None)",
        _bernoulli_inplace_tensor, "Tensor (Tensor input, Float p=0.5, *, Generator generator=None)", _bernoulli_inplace,
        methods="bernoulli_")
def bernoulli_(input=_missing, p=_missing, *extra, generator=None, **unknown):
    """1 with probability p, else 0, written over the input.

    Args:
        input: the input.
        p: one probability for all, or a tensor that broadcasts to the input.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.bernoulli_`.

    Raises:
        RuntimeError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.bernoulli_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(2).bernoulli_(flow.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
    if input.__class__ is _Tensor and p.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _bernoulli_inplace_tensor(input, p, generator)
    return _bernoulli__slow((input, p, generator), extra, unknown)

_cauchy__slow = _Binding("cauchy_", "Tensor (Tensor input, Float median=0.0, Float sigma=1.0, *, Generator generator=None)",
        _cauchy_inplace, methods="cauchy_")
def cauchy_(input=_missing, median=0.0, sigma=1.0, *extra, generator=None, **unknown):
    """Cauchy-distributed random numbers written over the input.

    Their density is 1 / (pi * sigma * (1 + ((x - median) / sigma) ** 2)).

    Args:
        input: the input.
        median: the median.
        sigma: half of the distance of the quartiles.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.cauchy_`.

    Raises:
        RuntimeError: a sigma that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.cauchy_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(3).cauchy_().shape
        tritonflow.Size([3])
    """
    if (input.__class__ is _Tensor and median.__class__ is float and sigma.__class__ is float and generator is None and not extra
            and not unknown):
        return _cauchy_inplace(input, median, sigma, generator)
    return _cauchy__slow((input, median, sigma, generator), extra, unknown)

_log_normal__slow = _Binding("log_normal_", "Tensor (Tensor input, Float mean=1.0, Float std=2.0, *, Generator generator=None)",
        _log_normal_inplace, methods="log_normal_")
def log_normal_(input=_missing, mean=1.0, std=2.0, *extra, generator=None, **unknown):
    """Random numbers whose logarithms are normally distributed, written over the input.

    Args:
        input: the input.
        mean: the mean of the logarithms.
        std: their standard deviation.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.log_normal_`.

    Raises:
        RuntimeError: a deviation that is not positive.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.log_normal_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).log_normal_() > 0).all())
        True
    """
    if (input.__class__ is _Tensor and mean.__class__ is float and std.__class__ is float and generator is None and not extra and
            not unknown):
        return _log_normal_inplace(input, mean, std, generator)
    return _log_normal__slow((input, mean, std, generator), extra, unknown)

_geometric__slow = _Binding("geometric_", "Tensor (Tensor input, Float p, *, Generator generator=None)", _geometric_inplace,
        methods="geometric_")
def geometric_(input=_missing, p=_missing, *extra, generator=None, **unknown):
    """How many trials it takes until one succeeds, drawn and written over the input.

    P(k) = p * (1 - p) ** (k - 1) for k = 1, 2, ...

    Args:
        input: the input.
        p: the probability that a trial succeeds.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Method: `Tensor.geometric_`.

    Raises:
        RuntimeError: p is not between 0 and 1.
        NotImplementedError: bool.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.geometric_.

    Example:
        >>> import tritonflow as flow
        >>> bool((flow.empty(100).geometric_(0.5) >= 1).all())
        True
    """
    if input.__class__ is _Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _geometric_inplace(input, p, generator)
    return _geometric__slow((input, p, generator), extra, unknown)

_multinomial_slow = _Binding("multinomial",
        "Tensor (Tensor input, Int64 num_samples, Bool replacement=False, *, Generator generator=None)", _multinomial,
        methods="multinomial")
def multinomial(input=_missing, num_samples=_missing, replacement=False, *extra, generator=None, **unknown):
    """Categories drawn with the probabilities of a row.

    Args:
        input: weights of the categories, which need not add up to 1.
        num_samples: how many are drawn from each row.
        replacement: whether a category may be drawn more than once.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (K) or (N, K) -> (num_samples) or (N, num_samples), int64.

    Method: `Tensor.multinomial`.

    Raises:
        RuntimeError: negative or infinite weights or none, or more samples than there are categories.
        NotImplementedError: weights that are not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.multinomial.

    Example:
        >>> import tritonflow as flow
        >>> flow.multinomial(flow.tensor([0.0, 1.0, 0.0]), 3, replacement=True)
        tensor([1, 1, 1])
    """
    if (input.__class__ is _Tensor and num_samples.__class__ is int and (replacement is False or replacement is True) and
            generator is None and not extra and not unknown):
        return _multinomial(input, num_samples, replacement, generator)
    return _multinomial_slow((input, num_samples, replacement, generator), extra, unknown)

_poisson_slow = _Binding("poisson", "Tensor (Tensor input, Generator generator=None)", _poisson)
def poisson(input=_missing, generator=None, *extra, **unknown):
    """a Poisson number for each rate.

    P(k) = rate ** k * exp(-rate) / k!; no gradient flows to the rates.

    Args:
        input: the rates.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        RuntimeError: a negative rate.
        NotImplementedError: a dtype that is not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.poisson.

    Example:
        >>> import tritonflow as flow
        >>> flow.poisson(flow.zeros(3))
        tensor([0., 0., 0.])
    """
    if input.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _poisson(input, generator)
    return _poisson_slow((input, generator), extra, unknown)

_standard_gamma_slow = _Binding("standard_gamma", "Tensor (Tensor input, Generator generator=None)", _standard_gamma)
def standard_gamma(input=_missing, generator=None, *extra, **unknown):
    """a gamma-distributed number for each concentration, of the rate 1"""
    if input.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _standard_gamma(input, generator)
    return _standard_gamma_slow((input, generator), extra, unknown)

_standard_gamma_grad_slow = _Binding("standard_gamma_grad", "Tensor (Tensor input, Tensor drawn)", _standard_gamma_grad)
def standard_gamma_grad(input=_missing, drawn=_missing, *extra, **unknown):
    """the derivative of a gamma-distributed number with respect to its concentration"""
    if input.__class__ is _Tensor and drawn.__class__ is _Tensor and not extra and not unknown:
        return _standard_gamma_grad(input, drawn)
    return _standard_gamma_grad_slow((input, drawn), extra, unknown)

_binomial_slow = _Binding("binomial", "Tensor (Tensor count, Tensor prob, Generator generator=None)", _binomial)
def binomial(count=_missing, prob=_missing, generator=None, *extra, **unknown):
    """How many of so many trials succeed.

    Args:
        count: how many trials.
        prob: the probability that one succeeds.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> the common shape.

    Raises:
        NotImplementedError: dtypes that differ, or are not floating.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.binomial.

    Example:
        >>> import tritonflow as flow
        >>> flow.binomial(flow.tensor([10.0, 10.0]), flow.tensor([0.0, 1.0]))
        tensor([ 0., 10.])
    """
    if count.__class__ is _Tensor and prob.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _binomial(count, prob, generator)
    return _binomial_slow((count, prob, generator), extra, unknown)

_dropout_slow = _Binding("dropout",
        "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None)", _dropout)
def dropout(input=_missing, p=0.5, training=True, inplace=False, *extra, generator=None, **unknown):
    """Zeros with probability p, the rest divided by 1 - p.

    Every element is drawn by itself; the mean stays. After Srivastava et al., Dropout, 2014.

    Args:
        input: the input.
        p: the probability of a zero.
        training: whether elements are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        generator: draws the numbers; the device's default generator unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dropout.

    Example:
        >>> import tritonflow as flow
        >>> flow.dropout(flow.ones(3), p=0.5, training=False)
        tensor([1., 1., 1.])
        >>> sorted(set(flow.dropout(flow.ones(100)).tolist()))
        [0.0, 2.0]
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and generator is None and not extra and not unknown):
        return _dropout(input, p, training, inplace, generator)
    return _dropout_slow((input, p, training, inplace, generator), extra, unknown)

_dropout1d_slow = _Binding("dropout1d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout1d)
def dropout1d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) or (C, L) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: other than 2 or 3 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout1d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout1d(flow.ones(1, 100, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout1d(input, p, training, inplace)
    return _dropout1d_slow((input, p, training, inplace), extra, unknown)

_dropout2d_slow = _Binding("dropout2d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout2d)
def dropout2d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p. Of three
    dimensions the first is the batch, as in torch.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) or (N, C, L) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout2d(flow.ones(1, 100, 1, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout2d(input, p, training, inplace)
    return _dropout2d_slow((input, p, training, inplace), extra, unknown)

_dropout3d_slow = _Binding("dropout3d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout3d)
def dropout3d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W) or (C, D, H, W) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout3d(flow.ones(1, 100, 1, 1, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout3d(input, p, training, inplace)
    return _dropout3d_slow((input, p, training, inplace), extra, unknown)

_alpha_dropout_slow = _Binding("alpha_dropout", "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)",
        _alpha_dropout)
def alpha_dropout(input=_missing, p=0.5, training=False, inplace=False, *extra, **unknown):
    """Dropout that keeps mean and variance.

    For networks of selu: a dropped element becomes the least number that selu gives, and then all are
    scaled and shifted, so that mean 0 and variance 1 stay. After Klambauer et al., Self-normalizing
    neural networks, 2017.

    Args:
        input: the input.
        p: the probability that an element is dropped.
        training: whether elements are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.alpha_dropout.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> len(set(F.alpha_dropout(flow.zeros(100), training=True).tolist()))  # dropped or not
        2
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is False or training is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _alpha_dropout(input, p, training, inplace)
    return _alpha_dropout_slow((input, p, training, inplace), extra, unknown)

_feature_dropout_slow = _Binding("feature_dropout", "Tensor (Tensor input, Float p, Bool train, *, Bool inplace=False)",
        _feature_dropout)
def feature_dropout(input=_missing, p=_missing, train=_missing, *extra, inplace=False, **unknown):
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        train: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.feature_dropout.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.feature_dropout(flow.ones(1, 100, 2), 0.5, True)
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (train is False or train is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _feature_dropout(input, p, train, inplace)
    return _feature_dropout_slow((input, p, train, inplace), extra, unknown)

_feature_alpha_dropout_slow = _Binding("feature_alpha_dropout",
        "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)", _feature_alpha_dropout)
def feature_alpha_dropout(input=_missing, p=0.5, training=False, inplace=False, *extra, **unknown):
    """Dropout of whole channels that keeps mean and variance.

    `alpha_dropout` of channels.

    Args:
        input: the input.
        p: the probability that a channel is dropped.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.feature_alpha_dropout.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.feature_alpha_dropout(flow.zeros(1, 100, 2), training=True)
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if (input.__class__ is _Tensor and p.__class__ is float and (training is False or training is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _feature_alpha_dropout(input, p, training, inplace)
    return _feature_alpha_dropout_slow((input, p, training, inplace), extra, unknown)

_methods = _publish(globals())
