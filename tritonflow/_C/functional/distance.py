"""Functions of the binding: distance.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding
from tritonflow.functions.distance import (cosine_similarity as _cosine_similarity, pairwise_distance as _pairwise_distance)
from tritonflow.functions.distance_pairwise import (cdist as _c_dist, cdist_grad as _cdist_grad, pdist as _pdist)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_cosine_similarity_slow = _Binding("cosine_similarity", "Tensor (Tensor x1, Tensor x2, Int32 dim=1, Double eps=1e-8)",
        _cosine_similarity, autocast="float32")
def cosine_similarity(x1=_missing, x2=_missing, dim=1, eps=1e-08, *extra, **unknown):
    """sum(x1 * x2) / (norm(x1) * norm(x2)) along a dimension; a norm counts as eps at least.

    Both broadcast and are promoted first.

    Args:
        x1: vectors.
        x2: vectors.
        dim: the dimension; a negative one counts from the end.
        eps: the least norm.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., D, ...), (..., D, ...) -> (..., ...).

    Dtypes:
        The operands are floating.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: shapes that do not broadcast, or two integer tensors.
        NotImplementedError: a dtype that is not taken.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.cosine_similarity.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.tensor([[1.0, 0.0]]), flow.tensor([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
        >>> flow.cosine_similarity(x, y)
        tensor([ 1.,  0., -1.])
    """
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and dim.__class__ is int and eps.__class__ is float and not extra and
            not unknown):
        return _cosine_similarity(x1, x2, dim, eps)
    return _cosine_similarity_slow((x1, x2, dim, eps), extra, unknown)

_cdist_slow = _Binding("cdist", "Tensor (Tensor x1, Tensor x2, Double p=2.0, PyObject compute_mode=None)", _c_dist,
        autocast="float32")
def cdist(x1=_missing, x2=_missing, p=2.0, compute_mode=None, *extra, **unknown):
    """The distance of every row of one matrix from every row of another.

        out[i, j] = norm(x1[i] - x2[j], p)

    It is always made of differences, which loses no digits where rows are near. The gradient of a
    distance 0 is 0.

    Args:
        x1: rows.
        x2: rows.
        p: which norm, at least 0; 0 counts the elements that differ.
        compute_mode: torch's choice of a method, which is checked and chooses nothing.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., P, D), (..., R, D) -> (..., P, R).

    Dtypes:
        The operands are floating.

    Differentiable. Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another compute_mode.
        RuntimeError: a negative p, integers, fewer than 2 dimensions, or widths that differ.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cdist.

    Example:
        >>> import tritonflow as flow
        >>> flow.cdist(flow.tensor([[0.0, 0.0]]), flow.tensor([[3.0, 4.0], [0.0, 1.0]]))
        tensor([[5., 1.]])
    """
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and p.__class__ is float and compute_mode is None and not extra and
            not unknown):
        return _c_dist(x1, x2, p, compute_mode)
    return _cdist_slow((x1, x2, p, compute_mode), extra, unknown)

_pairwise_distance_slow = _Binding("pairwise_distance",
        "Tensor (Tensor x1, Tensor x2, Double p=2.0, Double eps=1e-6, Bool keepdim=False)", _pairwise_distance)
def pairwise_distance(x1=_missing, x2=_missing, p=2.0, eps=1e-06, keepdim=False, *extra, **unknown):
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and p.__class__ is float and eps.__class__ is float and
            (keepdim is False or keepdim is True) and not extra and not unknown):
        return _pairwise_distance(x1, x2, p, eps, keepdim)
    return _pairwise_distance_slow((x1, x2, p, eps, keepdim), extra, unknown)

_pdist_slow = _Binding("pdist", "Tensor (Tensor input, Double p=2.0)", _pdist, autocast="float32")
def pdist(input=_missing, p=2.0, *extra, **unknown):
    if input.__class__ is _Tensor and p.__class__ is float and not extra and not unknown:
        return _pdist(input, p)
    return _pdist_slow((input, p), extra, unknown)

_cdist_grad_slow = _Binding("cdist_grad", "TensorTuple (Tensor dy, Tensor x1, Tensor x2, Tensor y, PyObject order, Double p)",
        _cdist_grad)
def cdist_grad(dy=_missing, x1=_missing, x2=_missing, y=_missing, order=_missing, p=_missing, *extra, **unknown):
    if (dy.__class__ is _Tensor and x1.__class__ is _Tensor and x2.__class__ is _Tensor and y.__class__ is _Tensor and
            order is not _missing and p.__class__ is float and not extra and not unknown):
        return _cdist_grad(dy, x1, x2, y, order, p)
    return _cdist_grad_slow((dy, x1, x2, y, order, p), extra, unknown)

_methods = _publish(globals())
