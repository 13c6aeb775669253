"""The functional API (`flow._C.relu`), its derivatives and the Tensor methods.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F403 (a family exports its functions, and all else with an underscore)
from tritonflow._C.decompositions import DECOMPOSITIONS as _DECOMPOSITIONS
from tritonflow._C.derivatives import DERIVATIVES as _DERIVATIVES
from tritonflow._C.derivatives import INPLACE_DERIVATIVES as _INPLACE_DERIVATIVES
from tritonflow._C.functional import (arithmetic as _arithmetic, comparison as _comparison, elementwise as _elementwise,
        unary as _unary, activation as _activation, reduction as _reduction, scan_sort as _scan_sort, matmul as _matmul,
        softmax as _softmax, loss as _loss, distance as _distance, conv as _conv, pool as _pool, norm as _norm,
        attention as _attention, optimizer as _optimizer, gradients as _gradients, view as _view, join as _join, cast as _cast,
        index as _index, creation as _creation, random as _random, placement as _placement)
from tritonflow._C.functional.arithmetic import *
from tritonflow._C.functional.comparison import *
from tritonflow._C.functional.elementwise import *
from tritonflow._C.functional.unary import *
from tritonflow._C.functional.activation import *
from tritonflow._C.functional.reduction import *
from tritonflow._C.functional.scan_sort import *
from tritonflow._C.functional.matmul import *
from tritonflow._C.functional.softmax import *
from tritonflow._C.functional.loss import *
from tritonflow._C.functional.distance import *
from tritonflow._C.functional.conv import *
from tritonflow._C.functional.pool import *
from tritonflow._C.functional.norm import *
from tritonflow._C.functional.attention import *
from tritonflow._C.functional.optimizer import *
from tritonflow._C.functional.gradients import *
from tritonflow._C.functional.view import *
from tritonflow._C.functional.join import *
from tritonflow._C.functional.cast import *
from tritonflow._C.functional.index import *
from tritonflow._C.functional.creation import *
from tritonflow._C.functional.random import *
from tritonflow._C.functional.placement import *
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.derivatives import register_derivatives as _register_derivatives
from tritonflow.functional.library import attach_methods as _attach_methods
from tritonflow.functional.support import register_decompositions as _register_decompositions

_FAMILIES = (_arithmetic, _comparison, _elementwise, _unary, _activation, _reduction, _scan_sort, _matmul, _softmax, _loss,
        _distance, _conv, _pool, _norm, _attention, _optimizer, _gradients, _view, _join, _cast, _index, _creation, _random,
        _placement,)
METHODS = {name: function for family in _FAMILIES for name, function in family._methods.items()}

_register_derivatives(_DERIVATIVES, _INPLACE_DERIVATIVES)
_register_decompositions(_DECOMPOSITIONS)
_attach_methods(_Tensor, METHODS)
