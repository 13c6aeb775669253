"""nn.Graph and flow.compile: a step is captured by the lazy interpreter, optimised, planned in memory and run as one instruction.

The road of a call, room by room:

    api/ -> capture/ (ops into ir/) -> passes/ (with fusion/) -> plan/ (memory, schedule, executable)

`explain/` tells what a graph runs. A room imports only the rooms below it: api, explain, passes, then capture beside plan, then
fusion, then ir.
"""

from tritonflow.graph.api.compile import compile
from tritonflow.graph.api.graph import Graph

__all__ = ["Graph", "compile"]
