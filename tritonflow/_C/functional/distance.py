"""Functions of the binding: distance.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.distance import (cosine_similarity as _cosine_similarity,
        pairwise_distance as _pairwise_distance)
from tritonflow.functional.functors.pairwise import (cdist as _c_dist, cdist_grad as _c_dist_grad, pdist as _pdist)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_cosine_similarity_slow = _Binding("cosine_similarity", "Tensor (Tensor x1, Tensor x2, Int32 dim=1, Double eps=1e-8)",
        _cosine_similarity, autocast="float32")
def cosine_similarity(x1=_missing, x2=_missing, dim=1, eps=1e-08, *extra, **unknown):
    """sum(x1 * x2) / (norm(x1) * norm(x2)) along a dimension; a norm counts as eps at least

    Args:
        dim: the dimension; a negative one counts from the end.
        eps: a small number that keeps a divisor away from 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Dtypes:
        The operands are floating or complex.

    Differentiable in `x1` and `x2`. Under `flow.autocast` it computes in float32.

    Raises:
        NotImplementedError: a dtype that is not taken.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.cosine_similarity.
    """
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and dim.__class__ is int and eps.__class__ is float and not extra and
            not unknown):
        return _cosine_similarity(x1, x2, dim, eps)
    return _cosine_similarity_slow((x1, x2, dim, eps), extra, unknown)

_pairwise_distance_slow = _Binding("pairwise_distance",
        "Tensor (Tensor x1, Tensor x2, Double p=2.0, Double eps=1e-6, Bool keepdim=False)", _pairwise_distance)
def pairwise_distance(x1=_missing, x2=_missing, p=2.0, eps=1e-06, keepdim=False, *extra, **unknown):
    """the p-norm of x1 - x2 + eps along the last dimension

    Args:
        eps: a small number that keeps a divisor away from 0.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pairwise_distance.
    """
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and p.__class__ is float and eps.__class__ is float and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _pairwise_distance(x1, x2, p, eps, keepdim)
    return _pairwise_distance_slow((x1, x2, p, eps, keepdim), extra, unknown)

_pdist_slow = _Binding("pdist", "Tensor (Tensor input, Double p=2.0)", _pdist, autocast="float32")
def pdist(input=_missing, p=2.0, *extra, **unknown):
    """the p-norms of the differences of every two rows

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Under `flow.autocast` it computes in float32.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pdist.
    """
    if input.__class__ is _Tensor and p.__class__ is float and not extra and not unknown:
        return _pdist(input, p)
    return _pdist_slow((input, p), extra, unknown)

_cdist_slow = _Binding("cdist", "Tensor (Tensor x1, Tensor x2, Double p=2.0, PyObject compute_mode=None)", _c_dist,
        autocast="float32")
def cdist(x1=_missing, x2=_missing, p=2.0, compute_mode=None, *extra, **unknown):
    """the distance of every row of one matrix from every row of another

    Args:
        out: a tensor that the result is written into; not while gradients are recorded.

    Dtypes:
        The operands are floating or complex.

    Differentiable in `x1` and `x2`. Under `flow.autocast` it computes in float32.

    Raises:
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cdist.
    """
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and p.__class__ is float and compute_mode is None and not extra and
            not unknown):
        return _c_dist(x1, x2, p, compute_mode)
    return _cdist_slow((x1, x2, p, compute_mode), extra, unknown)

_cdist_grad_slow = _Binding("cdist_grad", "TensorTuple (Tensor dy, Tensor x1, Tensor x2, Tensor y, PyObject order, Double p)",
        _c_dist_grad)
def cdist_grad(dy=_missing, x1=_missing, x2=_missing, y=_missing, order=_missing, p=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x1.__class__ is _Tensor and x2.__class__ is _Tensor and y.__class__ is _Tensor and
            order is not _missing and p.__class__ is float and not extra and not unknown):
        return _c_dist_grad(dy, x1, x2, y, order, p)
    return _cdist_grad_slow((dy, x1, x2, y, order, p), extra, unknown)

_methods = _publish(globals())
