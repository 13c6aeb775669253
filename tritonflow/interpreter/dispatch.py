"""Dispatch: from a functor into the interpreters, autograd outermost.

`dispatch1`, `dispatch2` and `dispatch3` are the short roads of ops with so many tensor inputs and one output, `dispatch_view` that
of views, `dispatch_number` that of a tensor and a number without further attributes, `dispatch_first` that of ops whose outputs
behind the first one are for their derivatives. They try the
eager local road first, where a cached plan proves that it is the right one, and ask `get_interpreter` where there is none.
"""

from __future__ import annotations

from tritonflow.interpreter import autograd

dispatch = autograd.apply
dispatch_first = autograd.apply_first
dispatch1 = autograd.apply1
dispatch2 = autograd.apply2
dispatch3 = autograd.apply3
dispatch_number = autograd.apply_number
dispatch_view = autograd.apply_view
dispatch_split = autograd.apply_split
