"""Branches and loops as functions that take functions: torch's higher-order operators, which are also names of `tritonflow`.

They are Python: a branch or body is called, and its ops are recorded by autograd, and by a capture, like all others. The functions
must be pure: what they set outside is set as often as they are called.

Source: torch.cond, torch._higher_order_ops.
"""

from tritonflow.control_flow.associative_scan import associative_scan
from tritonflow.control_flow.cond import cond
from tritonflow.control_flow.scan import scan
from tritonflow.control_flow.while_loop import while_loop

__all__ = ["associative_scan", "cond", "scan", "while_loop"]
