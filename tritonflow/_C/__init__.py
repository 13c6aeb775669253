"""The functional API (`flow._C.relu`) and the Tensor methods of ops.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F403 (a family exports its functions, and all else with an underscore)
from tritonflow._C.functional import (arithmetic as _arithmetic, comparison as _comparison, elementwise as _elementwise,
        unary as _unary, special as _special, activation as _activation, reduction as _reduction, scan_sort as _scan_sort,
        matmul as _matmul, linalg as _linalg, softmax as _softmax, loss as _loss, distance as _distance, conv as _conv,
        pool as _pool, norm as _norm, attention as _attention, optimizer as _optimizer, gradients as _gradients, view as _view,
        join as _join, cast as _cast, index as _index, creation as _creation, random as _random, placement as _placement)
from tritonflow._C.functional.arithmetic import *
from tritonflow._C.functional.comparison import *
from tritonflow._C.functional.elementwise import *
from tritonflow._C.functional.unary import *
from tritonflow._C.functional.special import *
from tritonflow._C.functional.activation import *
from tritonflow._C.functional.reduction import *
from tritonflow._C.functional.scan_sort import *
from tritonflow._C.functional.matmul import *
from tritonflow._C.functional.linalg import *
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

_FAMILIES = (_arithmetic, _comparison, _elementwise, _unary, _special, _activation, _reduction, _scan_sort, _matmul, _linalg,
        _softmax, _loss, _distance, _conv, _pool, _norm, _attention, _optimizer, _gradients, _view, _join, _cast, _index,
        _creation, _random, _placement,)
METHODS = {name: function for family in _FAMILIES for name, function in family._methods.items()}
