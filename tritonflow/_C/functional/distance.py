"""Functions of the binding: distance.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.distance import (cosine_similarity as _cosine_similarity)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_cosine_similarity_slow = _Binding("cosine_similarity", "Tensor (Tensor x1, Tensor x2, Int32 dim=1, Double eps=1e-8)",
        _cosine_similarity, autocast="float32")
def cosine_similarity(x1=_missing, x2=_missing, dim=1, eps=1e-08, *extra, **unknown):
    """sum(x1 * x2) / (norm(x1) * norm(x2)) along a dimension; a norm counts as eps at least"""
    if (x1.__class__ is _Tensor and x2.__class__ is _Tensor and dim.__class__ is int and eps.__class__ is float and not extra and
            not unknown):
        return _cosine_similarity(x1, x2, dim, eps)
    return _cosine_similarity_slow((x1, x2, dim, eps), extra, unknown)

_methods = _publish(globals())
