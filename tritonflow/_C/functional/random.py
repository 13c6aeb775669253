"""Functions of the binding: random.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.device.device import Device as _Device
from tritonflow.dtypes import DType as _DType
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints
from tritonflow.functions.generated import (random_bernoulli as _random_bernoulli, random_bernoulli_of as _random_bernoulli_of,
        random_binomial as _random_binomial, random_dropout as _random_dropout, random_exponential as _random_exponential,
        random_gamma as _random_gamma, random_integers as _random_integers, random_normal as _random_normal,
        random_poisson as _random_poisson, random_reserve as _random_reserve, random_uniform as _random_uniform,
        standard_gamma_grad as _standard_gamma_grad)
from tritonflow.functions.random import (normal as _normal, rand as _rand, rand_like as _rand_like, randn as _randn,
        randn_like as _randn_like)
from tritonflow.functions.random_bernoulli import (bernoulli_cast as _bernoulli_cast, bernoulli_of_cast as _bernoulli_of_cast,
        bernoulli_prob as _bernoulli_prob, bernoulli as _bernoulli, dropout as _dropout)
from tritonflow.functions.random_drop import (alpha_dropout as _alpha_dropout, dropout1d as _dropout1d, dropout2d as _dropout2d,
        dropout3d as _dropout3d, feature_alpha_dropout as _feature_alpha_dropout, feature_dropout as _feature_dropout)
from tritonflow.functions.random_in_place import (bernoulli_ as _bernoulli_, exponential_ as _exponential_, normal_ as _normal_,
        uniform_ as _uniform_)
from tritonflow.functions.random_integers import (randint_high as _rand_int_high, randint_like_high as _rand_int_like_high,
        randint as _randint, randint_like as _randint_like, random_ as _random_, randperm as _randperm)
from tritonflow.functions.random_sampling import (bernoulli_tensor_ as _bernoulli_inplace_tensor,
        normal_deviations as _normal_deviations, normal_means as _normal_means, normal_tensors as _normal_tensors,
        random_all_ as _random_inplace_all, random_to_ as _random_inplace_to, sample_tokens as _sample_tokens,
        binomial as _binomial, cauchy_ as _cauchy_, geometric_ as _geometric_, log_normal_ as _log_normal_,
        multinomial as _multinomial, poisson as _poisson, standard_gamma as _standard_gamma)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_random_uniform_slow = _Binding("random_uniform", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar low, Scalar high)",
        _random_uniform)
def random_uniform(state=_missing, shape=_missing, dtype=_missing, low=_missing, high=_missing, *extra, **unknown):
    """uniform random numbers in [low, high)"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype.__class__ is _DType and (low.__class__ is float or low.__class__ is int) and
            (high.__class__ is float or high.__class__ is int) and not extra and not unknown):
        return _random_uniform(state, tuple(shape) if shape.__class__ is list else shape, dtype, low, high)
    return _random_uniform_slow((state, shape, dtype, low, high), extra, unknown)

_random_normal_slow = _Binding("random_normal", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar mean, Scalar std)",
        _random_normal)
def random_normal(state=_missing, shape=_missing, dtype=_missing, mean=_missing, std=_missing, *extra, **unknown):
    """normally distributed random numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype.__class__ is _DType and (mean.__class__ is float or mean.__class__ is int) and
            (std.__class__ is float or std.__class__ is int) and not extra and not unknown):
        return _random_normal(state, tuple(shape) if shape.__class__ is list else shape, dtype, mean, std)
    return _random_normal_slow((state, shape, dtype, mean, std), extra, unknown)

_random_exponential_slow = _Binding("random_exponential", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar rate)",
        _random_exponential)
def random_exponential(state=_missing, shape=_missing, dtype=_missing, rate=_missing, *extra, **unknown):
    """exponentially distributed random numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype.__class__ is _DType and (rate.__class__ is float or rate.__class__ is int) and not extra
            and not unknown):
        return _random_exponential(state, tuple(shape) if shape.__class__ is list else shape, dtype, rate)
    return _random_exponential_slow((state, shape, dtype, rate), extra, unknown)

_random_bernoulli_slow = _Binding("random_bernoulli", "Tensor (Tensor state, Shape shape, DataType dtype, Scalar p)",
        _random_bernoulli)
def random_bernoulli(state=_missing, shape=_missing, dtype=_missing, p=_missing, *extra, **unknown):
    """1 with probability p, otherwise 0"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype.__class__ is _DType and (p.__class__ is float or p.__class__ is int) and not extra and
            not unknown):
        return _random_bernoulli(state, tuple(shape) if shape.__class__ is list else shape, dtype, p)
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

_sample_tokens_slow = _Binding("sample_tokens",
        "Tensor (Tensor logits, Tensor temperature, Tensor top_k, Tensor top_p, Tensor min_p, Tensor repetition, Tensor presence, Tensor frequency, Tensor prompt, Tensor counts, Tensor seeds, Tensor steps, Tensor state, Tensor notes, Tensor biases, Tensor words, Double t, Int32 k, Double p, Double least, Double repeated, Double present, Double often)",
        _sample_tokens)
def sample_tokens(logits=_missing, temperature=_missing, top_k=_missing, top_p=_missing, min_p=_missing, repetition=_missing,
        presence=_missing, frequency=_missing, prompt=_missing, counts=_missing, seeds=_missing, steps=_missing, state=_missing,
        notes=_missing, biases=_missing, words=_missing, t=_missing, k=_missing, p=_missing, least=_missing, repeated=_missing,
        present=_missing, often=_missing, *extra, **unknown):
    """the next token of each row of logits, by penalties, temperature, top-k, top-p and min-p"""
    if (logits.__class__ is _Tensor and temperature.__class__ is _Tensor and top_k.__class__ is _Tensor and
            top_p.__class__ is _Tensor and min_p.__class__ is _Tensor and repetition.__class__ is _Tensor and
            presence.__class__ is _Tensor and frequency.__class__ is _Tensor and prompt.__class__ is _Tensor and
            counts.__class__ is _Tensor and seeds.__class__ is _Tensor and steps.__class__ is _Tensor and
            state.__class__ is _Tensor and notes.__class__ is _Tensor and biases.__class__ is _Tensor and
            words.__class__ is _Tensor and t.__class__ is float and k.__class__ is int and p.__class__ is float and
            least.__class__ is float and repeated.__class__ is float and present.__class__ is float and often.__class__ is float
            and not extra and not unknown):
        return _sample_tokens(logits, temperature, top_k, top_p, min_p, repetition, presence, frequency, prompt, counts, seeds,
                steps, state, notes, biases, words, t, k, p, least, repeated, present, often)
    return _sample_tokens_slow((logits, temperature, top_k, top_p, min_p, repetition, presence, frequency, prompt, counts, seeds,
            steps, state, notes, biases, words, t, k, p, least, repeated, present, often), extra, unknown)

_random_integers_slow = _Binding("random_integers",
        "Tensor (Tensor state, Shape shape, DataType dtype, Bool wide, Scalar low, Scalar size)", _random_integers)
def random_integers(state=_missing, shape=_missing, dtype=_missing, wide=_missing, low=_missing, size=_missing, *extra,
        **unknown):
    """random whole numbers"""
    if (state.__class__ is _Tensor and (shape.__class__ is _Size or (shape.__class__ is tuple or shape.__class__ is list) and
            _all_ints(shape)) and dtype.__class__ is _DType and (wide is False or wide is True) and
            (low.__class__ is float or low.__class__ is int) and (size.__class__ is float or size.__class__ is int) and not extra
            and not unknown):
        return _random_integers(state, tuple(shape) if shape.__class__ is list else shape, dtype, wide, low, size)
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

_standard_gamma_grad_slow = _Binding("standard_gamma_grad", "Tensor (Tensor input, Tensor drawn)", _standard_gamma_grad)
def standard_gamma_grad(input=_missing, drawn=_missing, *extra, **unknown):
    """the derivative of a gamma-distributed number with respect to its concentration"""
    if input.__class__ is _Tensor and drawn.__class__ is _Tensor and not extra and not unknown:
        return _standard_gamma_grad(input, drawn)
    return _standard_gamma_grad_slow((input, drawn), extra, unknown)

_rand_slow = _Binding("rand",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand)
def rand(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _rand(tuple(size) if size.__class__ is list else size, dtype, device, generator, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not unknown and _all_ints(extra)):
        return _rand((size, *extra), dtype, device, generator, requires_grad, placement, sbp)
    return _rand_slow((size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randn_slow = _Binding("randn",
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _randn)
def randn(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if ((size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _randn(tuple(size) if size.__class__ is list else size, dtype, device, generator, requires_grad, placement, sbp)
    if (size.__class__ is int and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            not unknown and _all_ints(extra)):
        return _randn((size, *extra), dtype, device, generator, requires_grad, placement, sbp)
    return _randn_slow((size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_rand_like_slow = _Binding("rand_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _rand_like)
def rand_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        memory_format=None, **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _rand_like(input, dtype, device, generator, requires_grad, placement, sbp, memory_format)
    return _rand_like_slow((input, dtype, device, generator, requires_grad, placement, sbp, memory_format), extra, unknown)

_randn_like_slow = _Binding("randn_like",
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None, MemoryFormat memory_format=None)",
        _randn_like)
def randn_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, placement=None, sbp=None,
        memory_format=None, **unknown):
    if (input.__class__ is _Tensor and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and memory_format is None and
            not extra and not unknown):
        return _randn_like(input, dtype, device, generator, requires_grad, placement, sbp, memory_format)
    return _randn_like_slow((input, dtype, device, generator, requires_grad, placement, sbp, memory_format), extra, unknown)

_normal_slow = _Binding("normal", "Tensor (Tensor mean, Tensor std, *, Generator generator=None)", _normal_tensors,
        "Tensor (Tensor mean, Float std=1.0, *, Generator generator=None)", _normal_means,
        "Tensor (Float mean, Tensor std, *, Generator generator=None)", _normal_deviations,
        "Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _normal)
def normal(mean=_missing, std=_missing, size=_missing, *extra, generator=None, dtype=None, device=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    if (mean.__class__ is _Tensor and std.__class__ is _Tensor and generator is None and size is _missing and dtype is None and
            device is None and requires_grad is False and placement is None and sbp is None and not extra and not unknown):
        return _normal_tensors(mean, std, generator)
    if (mean.__class__ is float and std.__class__ is _Tensor and generator is None and size is _missing and dtype is None and
            device is None and requires_grad is False and placement is None and sbp is None and not extra and not unknown):
        return _normal_deviations(mean, std, generator)
    if (mean.__class__ is float and std.__class__ is float and
            (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _normal(mean, std, tuple(size) if size.__class__ is list else size, dtype, device, generator, requires_grad,
                placement, sbp)
    return _normal_slow((mean, std, size, generator, dtype, device, requires_grad, placement, sbp), extra, unknown)

_bernoulli_slow = _Binding("bernoulli", "Tensor (Tensor input, *, Generator generator=None)", _bernoulli,
        "Tensor (Tensor input, Float p, *, Generator generator=None)", _bernoulli_prob,
        "Tensor (Tensor input, *, Float p, Generator generator=None, DataType dtype)", _bernoulli_cast,
        "Tensor (Tensor input, *, Generator generator=None, DataType dtype)", _bernoulli_of_cast, methods="bernoulli")
def bernoulli(input=_missing, p=_missing, *extra, generator=None, dtype=_missing, **unknown):
    if input.__class__ is _Tensor and generator is None and p is _missing and dtype is _missing and not extra and not unknown:
        return _bernoulli(input, generator)
    if (input.__class__ is _Tensor and p.__class__ is float and generator is None and dtype is _missing and not extra and
            not unknown):
        return _bernoulli_prob(input, p, generator)
    return _bernoulli_slow((input, p, generator, dtype), extra, unknown)

_dropout_slow = _Binding("dropout",
        "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None, Tensor addend=None)",
        _dropout)
def dropout(input=_missing, p=0.5, training=True, inplace=False, *extra, generator=None, addend=None, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and generator is None and (addend is None or addend.__class__ is _Tensor) and
            not extra and not unknown):
        return _dropout(input, p, training, inplace, generator, addend)
    return _dropout_slow((input, p, training, inplace, generator, addend), extra, unknown)

_dropout1d_slow = _Binding("dropout1d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout1d)
def dropout1d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout1d(input, p, training, inplace)
    return _dropout1d_slow((input, p, training, inplace), extra, unknown)

_dropout2d_slow = _Binding("dropout2d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout2d)
def dropout2d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout2d(input, p, training, inplace)
    return _dropout2d_slow((input, p, training, inplace), extra, unknown)

_dropout3d_slow = _Binding("dropout3d", "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)", _dropout3d)
def dropout3d(input=_missing, p=0.5, training=True, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is True or training is False) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _dropout3d(input, p, training, inplace)
    return _dropout3d_slow((input, p, training, inplace), extra, unknown)

_alpha_dropout_slow = _Binding("alpha_dropout", "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)",
        _alpha_dropout)
def alpha_dropout(input=_missing, p=0.5, training=False, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is False or training is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _alpha_dropout(input, p, training, inplace)
    return _alpha_dropout_slow((input, p, training, inplace), extra, unknown)

_feature_alpha_dropout_slow = _Binding("feature_alpha_dropout",
        "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)", _feature_alpha_dropout)
def feature_alpha_dropout(input=_missing, p=0.5, training=False, inplace=False, *extra, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (training is False or training is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _feature_alpha_dropout(input, p, training, inplace)
    return _feature_alpha_dropout_slow((input, p, training, inplace), extra, unknown)

_feature_dropout_slow = _Binding("feature_dropout", "Tensor (Tensor input, Float p, Bool train, *, Bool inplace=False)",
        _feature_dropout)
def feature_dropout(input=_missing, p=_missing, train=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and p.__class__ is float and (train is False or train is True) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _feature_dropout(input, p, train, inplace)
    return _feature_dropout_slow((input, p, train, inplace), extra, unknown)

_normal__slow = _Binding("normal_", "Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None)", _normal_,
        methods="normal_")
def normal_(input=_missing, mean=0.0, std=1.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and mean.__class__ is float and std.__class__ is float and generator is None and not extra and
            not unknown):
        return _normal_(input, mean, std, generator)
    return _normal__slow((input, mean, std, generator), extra, unknown)

_uniform__slow = _Binding("uniform_", "Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None)",
        _uniform_, methods="uniform_")
def uniform_(input=_missing, low=0.0, high=1.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is float and high.__class__ is float and generator is None and not extra and
            not unknown):
        return _uniform_(input, low, high, generator)
    return _uniform__slow((input, low, high, generator), extra, unknown)

_exponential__slow = _Binding("exponential_", "Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None)",
        _exponential_, methods="exponential_")
def exponential_(input=_missing, lambd=1.0, *extra, generator=None, **unknown):
    if input.__class__ is _Tensor and lambd.__class__ is float and generator is None and not extra and not unknown:
        return _exponential_(input, lambd, generator)
    return _exponential__slow((input, lambd, generator), extra, unknown)

_bernoulli__slow = _Binding("bernoulli_", "Tensor (Tensor input, Tensor p, *, Generator generator=None)",
        _bernoulli_inplace_tensor, "Tensor (Tensor input, Float p=0.5, *, Generator generator=None)", _bernoulli_,
        methods="bernoulli_")
def bernoulli_(input=_missing, p=_missing, *extra, generator=None, **unknown):
    if input.__class__ is _Tensor and p.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _bernoulli_inplace_tensor(input, p, generator)
    return _bernoulli__slow((input, p, generator), extra, unknown)

_randint_slow = _Binding("randint",
        "Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _randint,
        "Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_high)
def randint(low=_missing, high=_missing, size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False,
        placement=None, sbp=None, **unknown):
    if (low.__class__ is int and high.__class__ is int and
            (size.__class__ is _Size or (size.__class__ is tuple or size.__class__ is list) and _all_ints(size)) and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _randint(low, high, tuple(size) if size.__class__ is list else size, dtype, device, generator, requires_grad,
                placement, sbp)
    if (low.__class__ is int and (high.__class__ is _Size or (high.__class__ is tuple or high.__class__ is list) and
            _all_ints(high)) and (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device)
            and generator is None and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and
            size is _missing and not extra and not unknown):
        return _rand_int_high(low, tuple(high) if high.__class__ is list else high, dtype, device, generator, requires_grad,
                placement, sbp)
    return _randint_slow((low, high, size, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randint_like_slow = _Binding("randint_like",
        "Tensor (Tensor input, Int64 low, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _randint_like,
        "Tensor (Tensor input, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _rand_int_like_high)
def randint_like(input=_missing, low=_missing, high=_missing, *extra, dtype=None, device=None, generator=None,
        requires_grad=False, placement=None, sbp=None, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is int and high.__class__ is int and
            (dtype is None or dtype.__class__ is _DType) and (device is None or device.__class__ is _Device) and generator is None
            and (requires_grad is False or requires_grad is True) and placement is None and sbp is None and not extra and
            not unknown):
        return _randint_like(input, low, high, dtype, device, generator, requires_grad, placement, sbp)
    if (input.__class__ is _Tensor and low.__class__ is int and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and generator is None and
            (requires_grad is False or requires_grad is True) and placement is None and sbp is None and high is _missing and
            not extra and not unknown):
        return _rand_int_like_high(input, low, dtype, device, generator, requires_grad, placement, sbp)
    return _randint_like_slow((input, low, high, dtype, device, generator, requires_grad, placement, sbp), extra, unknown)

_randperm_slow = _Binding("randperm",
        "Tensor (Int64 n, *, Generator generator=None, DataType dtype=None, Device device=None, Bool requires_grad=False, Placement placement=None, SbpList sbp=None)",
        _randperm)
def randperm(n=_missing, *extra, generator=None, dtype=None, device=None, requires_grad=False, placement=None, sbp=None,
        **unknown):
    if (n.__class__ is int and generator is None and (dtype is None or dtype.__class__ is _DType) and
            (device is None or device.__class__ is _Device) and (requires_grad is False or requires_grad is True) and
            placement is None and sbp is None and not extra and not unknown):
        return _randperm(n, generator, dtype, device, requires_grad, placement, sbp)
    return _randperm_slow((n, generator, dtype, device, requires_grad, placement, sbp), extra, unknown)

_random__slow = _Binding("random_", "Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None)", _random_,
        "Tensor (Tensor input, Int64 to, *, Generator generator=None)", _random_inplace_to,
        "Tensor (Tensor input, *, Generator generator=None)", _random_inplace_all, methods="random_")
def random_(input=_missing, low=_missing, high=_missing, *extra, generator=None, to=_missing, **unknown):
    if (input.__class__ is _Tensor and low.__class__ is int and high.__class__ is int and generator is None and to is _missing and
            not extra and not unknown):
        return _random_(input, low, high, generator)
    if (input.__class__ is _Tensor and low.__class__ is int and generator is None and high is _missing and to is _missing and
            not extra and not unknown):
        return _random_inplace_to(input, low, generator)
    if (input.__class__ is _Tensor and generator is None and low is _missing and high is _missing and to is _missing and not extra
            and not unknown):
        return _random_inplace_all(input, generator)
    return _random__slow((input, low, high, generator, to), extra, unknown)

_multinomial_slow = _Binding("multinomial",
        "Tensor (Tensor input, Int64 num_samples, Bool replacement=False, *, Generator generator=None)", _multinomial,
        methods="multinomial")
def multinomial(input=_missing, num_samples=_missing, replacement=False, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and num_samples.__class__ is int and (replacement is False or replacement is True) and
            generator is None and not extra and not unknown):
        return _multinomial(input, num_samples, replacement, generator)
    return _multinomial_slow((input, num_samples, replacement, generator), extra, unknown)

_poisson_slow = _Binding("poisson", "Tensor (Tensor input, Generator generator=None)", _poisson)
def poisson(input=_missing, generator=None, *extra, **unknown):
    if input.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _poisson(input, generator)
    return _poisson_slow((input, generator), extra, unknown)

_standard_gamma_slow = _Binding("standard_gamma", "Tensor (Tensor input, Generator generator=None)", _standard_gamma)
def standard_gamma(input=_missing, generator=None, *extra, **unknown):
    if input.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _standard_gamma(input, generator)
    return _standard_gamma_slow((input, generator), extra, unknown)

_binomial_slow = _Binding("binomial", "Tensor (Tensor count, Tensor prob, Generator generator=None)", _binomial)
def binomial(count=_missing, prob=_missing, generator=None, *extra, **unknown):
    if count.__class__ is _Tensor and prob.__class__ is _Tensor and generator is None and not extra and not unknown:
        return _binomial(count, prob, generator)
    return _binomial_slow((count, prob, generator), extra, unknown)

_cauchy__slow = _Binding("cauchy_", "Tensor (Tensor input, Float median=0.0, Float sigma=1.0, *, Generator generator=None)",
        _cauchy_, methods="cauchy_")
def cauchy_(input=_missing, median=0.0, sigma=1.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and median.__class__ is float and sigma.__class__ is float and generator is None and not extra
            and not unknown):
        return _cauchy_(input, median, sigma, generator)
    return _cauchy__slow((input, median, sigma, generator), extra, unknown)

_log_normal__slow = _Binding("log_normal_", "Tensor (Tensor input, Float mean=1.0, Float std=2.0, *, Generator generator=None)",
        _log_normal_, methods="log_normal_")
def log_normal_(input=_missing, mean=1.0, std=2.0, *extra, generator=None, **unknown):
    if (input.__class__ is _Tensor and mean.__class__ is float and std.__class__ is float and generator is None and not extra and
            not unknown):
        return _log_normal_(input, mean, std, generator)
    return _log_normal__slow((input, mean, std, generator), extra, unknown)

_geometric__slow = _Binding("geometric_", "Tensor (Tensor input, Float p, *, Generator generator=None)", _geometric_,
        methods="geometric_")
def geometric_(input=_missing, p=_missing, *extra, generator=None, **unknown):
    if input.__class__ is _Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _geometric_(input, p, generator)
    return _geometric__slow((input, p, generator), extra, unknown)

_methods = _publish(globals())
