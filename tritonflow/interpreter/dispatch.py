"""Dispatch: from a functor into the interpreters, autograd outermost.

`dispatch1`, `dispatch2` and `dispatch3` are the short roads of ops with so many tensor inputs and one output, `dispatch_view` that
of views, `dispatch_number` that of a tensor and a number without further attributes, `dispatch_first` that of ops whose outputs
behind the first one are for their derivatives. They try the
eager local road first, where a cached plan proves that it is the right one, and ask `get_interpreter` where there is none.
`dispatch_new` is that road alone, of ops without inputs, by their arguments as a user gave them (`keep_new`): None where it does
not apply.
"""

from __future__ import annotations

from tritonflow.execution import eager_local
from tritonflow.interpreter import autograd

dispatch_new = eager_local.apply0
keep_new = eager_local.keep_new
dispatch = autograd.apply
dispatch_first = autograd.apply_first
dispatch1 = autograd.apply1
dispatch2 = autograd.apply2
dispatch3 = autograd.apply3
dispatch_number = autograd.apply_number
dispatch_view = autograd.apply_view
dispatch_split = autograd.apply_split
Cuts = autograd.Cuts
