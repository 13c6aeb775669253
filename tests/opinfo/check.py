"""One sample of one op, in every form: forward, gradients, second gradients, out=, in place; and its error inputs."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

import tritonflow as flow

from .convert import NotHere, as_torch, leaves, mapped, ours, tensors, theirs
from .names import inplace_of, op_of


@dataclass(frozen=True)
class Outcome:
    """What came of one form of one sample. `fault` is None where torch and `flow` agree."""

    form: str
    fault: str | None
    sample: str = ""


@dataclass(frozen=True)
class Call:
    """One sample.

    Attributes:
        info: torch's OpInfo.
        here: the function of `flow`.
        arguments: (args, kwargs), of torch.
        finish: makes what is compared of the results, where signs of vectors are free.
    """

    info: Any
    here: Callable[..., Any]
    arguments: Any
    finish: Callable[[Any], Any]


class Differs(AssertionError):
    """torch and `flow` disagree."""


def samples_of(info: Any, dtype: torch.dtype, most: int | None = None) -> list[Any]:
    torch.manual_seed(0)
    random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        samples = list(info.sample_inputs("cpu", dtype, requires_grad=_differentiable(info, dtype)))
    if most is None or len(samples) <= most:
        return samples
    return [samples[i * len(samples) // most] for i in range(most)]


def _differentiable(info: Any, dtype: torch.dtype) -> bool:
    return info.supports_autograd and dtype in (torch.float64, torch.complex128) and dtype in info.supported_backward_dtypes("cpu")


def outcomes(info: Any, dtype: torch.dtype, most: int | None = None) -> Iterator[Outcome]:
    """Every form of the samples of an op in one dtype, and its error inputs."""
    here = op_of(info)
    if here is None:
        return
    for sample in samples_of(info, dtype, most):
        call = Call(info, here, ([sample.input, *sample.args], sample.kwargs), _finish_of(info, sample))
        for form in _forms(info, dtype):
            try:
                fault = _fault_of(form, call)
            except NotHere as missing:
                fault = f"not here: {missing}"
            yield Outcome(form, fault, _described(call.arguments))
    if dtype is torch.float32:
        yield from _error_outcomes(info, here)


_FREE_SIGNS = ("linalg.eigh", "linalg.svd", "svd", "svd_lowrank", "pca_lowrank")


def _finish_of(info: Any, sample: Any) -> Callable[[Any], Any]:
    if info.name in ("linalg.eig", "linalg.eigvals"):
        return _values_in_order
    return sample.output_process_fn_grad if info.name in _FREE_SIGNS else _as_it_is


def _as_it_is(results: Any) -> Any:
    return results


def _values_in_order(results: Any) -> Any:
    """Eigenvalues by their real parts, the conjugate ones by their imaginary parts, and the magnitudes of vectors with them."""
    values, vectors = results if isinstance(results, tuple) else (results, None)
    seen = as_torch(values).detach()
    order = torch.argsort(seen.real + 1e-6 * seen.imag, dim=-1)
    own = flow.from_torch(order) if isinstance(values, flow.Tensor) else order
    if vectors is None:
        return values.gather(-1, own)
    return values.gather(-1, own), vectors.abs().gather(-1, own.unsqueeze(-2).expand(vectors.shape))


def _forms(info: Any, dtype: torch.dtype) -> list[str]:
    forms = ["forward"]
    if _differentiable(info, dtype) and not info.has_nondeterministic_output:
        forms.append("gradient")
        if info.supports_gradgrad:
            forms.append("second")
    if info.supports_out and dtype in (torch.float32, torch.int64, torch.complex64):
        forms.append("out")
    if info.get_inplace() is not None and dtype in (torch.float32, torch.int64, torch.complex64):
        forms.append("inplace")
    return forms


def _fault_of(form: str, call: Call) -> str | None:
    run = {"forward": _forward, "gradient": _gradient, "second": _second, "out": _out, "inplace": _inplace}[form]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run(call)
        except NotHere:
            raise
        except Exception as error:  # whatever goes wrong is the finding
            return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:160] if str(error).strip() else ''}"
    return None


def _call_theirs(function: Any, arguments: Any) -> tuple[Any, Any, Exception | None]:
    args, kwargs = theirs(arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args, **kwargs), (args, kwargs), None
    except Exception as error:
        return None, (args, kwargs), error


def _must_raise(function: Any, arguments: Any, error: Exception) -> None:
    args, kwargs = ours(arguments)
    try:
        function(*args, **kwargs)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return
    raise Differs(f"torch raises {type(error).__name__}: {str(error)[:80]}, we do not")


def _forward(call: Call) -> None:
    expected, _, error = _call_theirs(call.info.op, call.arguments)
    if error is not None:
        return _must_raise(call.here, call.arguments, error)
    args, kwargs = ours(call.arguments)
    _compare_results(call, call.here(*args, **kwargs), expected)


def _compare_results(call: Call, result: Any, expected: Any) -> None:
    drawn = is_random(call.info, call.arguments)
    if call.finish is not _as_it_is:
        compare(result, expected, None, values=False)
    result, expected = _up_to_ties(call.info, call.finish(result), call.finish(expected), call.arguments)
    compare(result, expected, lambda: call.finish(_wide(call.info, call.arguments)), values=not drawn)


def is_random(info: Any, arguments: Any) -> bool:
    """Whether the values of a sample are drawn, or left as they were in memory."""
    if info.has_nondeterministic_output or info.name in _DRAWN:
        return True
    (_, *others), kwargs = arguments
    if info.name.startswith("nn.functional.fractional_max_pool"):
        return "_random_samples" not in kwargs
    if info.name == "svd_lowrank":  # from a drawn basis, which spans all of A, and not of A - M
        return kwargs["M"] is not None
    if info.name.startswith("nn.functional.dropout"):
        return 0 < kwargs.get("p", 0.5) < 1 and kwargs.get("training", True)
    return info.name.startswith(_DROPPING) and any(type(p) is float and 0 < p < 1 for p in (*others, *kwargs.values()))


_DRAWN = (
    "rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "normal", "multinomial", "bernoulli", "cauchy",
    "exponential", "geometric", "log_normal", "uniform", "nn.functional.rrelu",
)  # fmt: skip
_DROPPING = (
    "nn.functional.alpha_dropout", "nn.functional.feature_alpha_dropout", "nn.functional.multi_head_attention",
    "nn.functional.scaled_dot_product_attention",
)  # fmt: skip
_TIES = ("sort", "topk", "argsort", "median", "nanmedian", "mode", "kthvalue", "max", "min")


def _up_to_ties(info: Any, result: Any, expected: Any, arguments: Any) -> tuple[Any, Any]:
    """Both results with indices replaced by the elements that they name, where equal elements may be named in any order."""
    (x, *others), kwargs = arguments
    indices = tensors(expected)[-1:]
    if info.name not in _TIES or not indices or indices[0].dtype is not torch.int64 or x.dtype is torch.int64 and len(tensors(expected)) < 2:
        return result, expected
    dim = kwargs.get("dim", next((v for v in others[info.name in ("topk", "kthvalue") :] if type(v) is int), -1))
    keeps = indices[0].dim() == x.dim()

    def named(tree: Any) -> list[Any]:
        *values, index = [as_torch(t) for t in tensors(tree)]
        if not x.dim() or not index.numel():
            return [*values, index]
        return [*values, x.detach().gather(dim, index if keeps else index.unsqueeze(dim))]

    mine = tensors(result)
    if len(mine) != len(tensors(expected)) or mine[-1].dtype is not flow.int64 or tuple(mine[-1].shape) != tuple(indices[0].shape):
        return result, expected
    return named(result), named(expected)


def _wide(info: Any, arguments: Any) -> Any:
    """The result in float64, which tells rounding from faults. A transform rounds whole numbers, too."""
    transformed = info.name.startswith("fft.")

    def widened(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            found = value.detach()
            return found.to(_widest(found.dtype)) if _is_continuous(found) or transformed else found.clone()
        return _widest(value) if isinstance(value, torch.dtype) and (value.is_floating_point or value.is_complex) else value

    args, kwargs = mapped(arguments, widened)
    return info.op(*args, **kwargs)


def _widest(dtype: torch.dtype) -> torch.dtype:
    return torch.complex128 if dtype.is_complex else torch.float64


def _out(call: Call) -> None:
    expected, _, error = _call_theirs(call.info.op, call.arguments)
    if error is not None or not tensors(expected):
        return
    args, kwargs = ours(call.arguments)
    buffers = [flow.empty(tuple(t.shape), dtype=getattr(flow, str(t.dtype)[6:])) for t in tensors(expected)]
    out = buffers[0] if isinstance(expected, torch.Tensor) else tuple(buffers)
    with flow.no_grad():
        result = call.here(*args, **kwargs, out=out)
    for buffer, returned in zip(buffers, tensors(result)):
        if returned is not buffer:
            raise Differs("out= is not what is returned")
    _compare_results(call, result, expected)


def _inplace(call: Call) -> None:
    function = inplace_of(call.info)
    if function is None:
        raise NotHere("its in-place form")
    expected, (_, _), error = _call_theirs(call.info.get_inplace(), call.arguments)
    if error is not None:
        return _must_raise(function, call.arguments, error)
    args, kwargs = ours(call.arguments)
    with flow.no_grad():
        result = function(*args, **kwargs)
    _compare_results(call, result, expected)
    first = args[0]
    if isinstance(result, flow.Tensor) and isinstance(first, flow.Tensor) and result is not first:
        raise Differs("the in-place form returns another tensor")


def _differentiable_outputs(outputs: Any) -> list[Any]:
    return [t for t in tensors(outputs) if t.requires_grad and _is_continuous(t)]


def _is_continuous(tensor: Any) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def _weights(outputs: list[Any], seed: int, package: Any) -> list[Any]:
    """The gradients of outputs, in their dtypes."""
    generator = torch.Generator().manual_seed(seed)
    kinds = [torch.complex128 if t.dtype.is_complex else torch.float64 for t in outputs]
    weights = [torch.rand(tuple(t.shape), generator=generator, dtype=k).to(as_torch(t).dtype) for t, k in zip(outputs, kinds)]
    return weights if package is torch else [flow.from_torch(w) for w in weights]


def _first_gradients(result: Any, arguments: Any, package: Any, twice: bool) -> tuple[list[Any], list[Any]]:
    inputs = [t for t in tensors(arguments) if t.requires_grad]
    outputs = _differentiable_outputs(result)
    if not outputs or not inputs:
        return inputs, []
    weights = _weights(outputs, 1, package)
    grads = package.autograd.grad(outputs, inputs, weights, create_graph=twice, allow_unused=True)
    return inputs, list(grads)


def _gradient(call: Call, twice: bool = False) -> None:
    expected, their_arguments, error = _call_theirs(call.info.op, call.arguments)
    if error is not None:
        return
    try:
        inputs, wanted = _first_gradients(call.finish(expected), their_arguments, torch, twice)
        wanted = _second_gradients(wanted, inputs, torch) if twice else wanted
    except RuntimeError:  # torch has no derivative
        return
    mine_arguments = ours(call.arguments)
    result = call.here(*mine_arguments[0], **mine_arguments[1])
    mine, grads = _first_gradients(call.finish(result), mine_arguments, flow, twice)
    grads = _second_gradients(grads, mine, flow) if twice else grads
    if len(wanted) != len(grads):
        raise Differs(f"{len(grads)} gradients, torch has {len(wanted)}")
    for got, right, x in zip(grads, wanted, mine):
        zeros = torch.zeros(tuple(x.shape), dtype=torch.complex128 if x.dtype.is_complex else torch.float64)
        values = not is_random(call.info, call.arguments)
        compare(zeros if got is None else got, zeros if right is None else right, None, values)


def _second(call: Call) -> None:
    _gradient(call, twice=True)


def _second_gradients(grads: list[Any], inputs: list[Any], package: Any) -> list[Any]:
    outputs = [g for g in grads if g is not None and g.requires_grad]
    if not outputs:
        return [None for _ in inputs]
    weights = _weights(outputs, 2, package)
    return list(package.autograd.grad(outputs, inputs, weights, allow_unused=True))


def compare(result: Any, expected: Any, wide: Any, values: bool = True) -> None:
    """Structures, dtypes, shapes and values; where rounding may decide, `wide()` has the float64 result."""
    got, want = leaves(result), leaves(expected)
    if len(got) != len(want):
        raise Differs(f"{len(got)} results, torch has {len(want)}")
    exact = None
    for position, (mine, right) in enumerate(zip(got, want)):
        mine = as_torch(mine)
        if not isinstance(right, torch.Tensor):
            if isinstance(right, (torch.dtype, torch.device)):
                mine, right = str(mine).replace("tritonflow.", "torch."), str(right)
            if (
                isinstance(right, float)
                and isinstance(mine, float)
                and torch.isclose(*map(torch.tensor, (mine, right)), equal_nan=True)
            ):
                continue
            if mine != right:
                raise Differs(f"{mine!r}, torch has {right!r}")
            continue
        right = right.detach().resolve_conj().resolve_neg()
        if not isinstance(mine, torch.Tensor):
            raise Differs(f"{type(mine).__name__}, torch has a tensor")
        if mine.dtype != right.dtype or mine.shape != right.shape:
            raise Differs(f"{mine.dtype} {tuple(mine.shape)}, torch has {right.dtype} {tuple(right.shape)}")
        if not values or _close(mine, right):
            continue
        if wide is not None and _is_continuous(right):
            exact = exact or leaves(wide())
            if _as_exact(mine, right, exact[position]):
                continue
        raise Differs(_difference(mine, right))


def _close(mine: torch.Tensor, right: torch.Tensor) -> bool:
    try:
        torch.testing.assert_close(mine, right, equal_nan=True)
    except AssertionError:
        return False
    return True


def _as_exact(mine: torch.Tensor, right: torch.Tensor, exact: Any) -> bool:
    """Whether no element is further from the float64 result than torch's worst, rounding included."""
    if not isinstance(exact, torch.Tensor) or exact.shape != mine.shape:
        return False
    if exact.is_complex():
        mine, right, exact = (torch.view_as_real(t.detach().resolve_conj()) for t in (mine, right, exact))
    exact = exact.detach().double()
    unequal = (mine.double() - exact).abs()
    allowed = 2 * (right.double() - exact).abs().nan_to_num().max() + 2 * torch.finfo(mine.dtype).eps * exact.abs()
    agree = (unequal <= allowed) | (mine.double() == exact) | (mine.isnan() & exact.isnan())
    overflowed = mine.isinf() & (exact.abs() > torch.finfo(mine.dtype).max)
    return bool((agree | overflowed).all())


def _difference(mine: torch.Tensor, right: torch.Tensor) -> str:
    if right.is_complex():
        mine, right = torch.view_as_real(mine), torch.view_as_real(right)
    if not right.is_floating_point() or not right.numel():
        wrong = int((mine != right).sum())
        return f"{wrong} of {right.numel()} elements differ"
    unequal = (mine.double() - right.double()).abs()
    nans = int((mine.isnan() != right.isnan()).sum())
    return f"largest difference {unequal.nan_to_num().max().item():.3g} of {right.double().abs().nan_to_num().max().item():.3g}, {nans} NaN"


def _error_outcomes(info: Any, here: Any) -> Iterator[Outcome]:
    try:
        inputs = list(info.error_inputs("cpu"))
    except Exception:  # torch has none for this op
        return
    for error_input in inputs:
        sample = error_input.sample_input
        arguments = ([sample.input, *sample.args], sample.kwargs)
        fault = None
        if _call_theirs(info.op, arguments)[2] is None:
            continue  # torch takes it, too
        try:
            args, kwargs = ours(arguments)
        except NotHere as missing:
            yield Outcome("errors", f"not here: {missing}", _described(arguments))
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                here(*args, **kwargs)
            fault = f"no error; torch: {error_input.error_type.__name__}: {str(error_input.error_regex)[:80]}"
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            if not isinstance(error, error_input.error_type):
                fault = f"{type(error).__name__}, torch raises {error_input.error_type.__name__}: {str(error)[:80]}"
        except Exception as error:
            fault = f"{type(error).__name__}: {str(error)[:80]}"
        yield Outcome("errors", fault, _described(arguments))


def _described(arguments: Any) -> str:
    def leaf(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return f"{str(value.dtype)[6:]}{list(value.shape)}"
        return value

    args, kwargs = mapped(arguments, leaf)
    return (", ".join(map(str, args)) + "".join(f", {k}={v}" for k, v in kwargs.items()))[:160]
