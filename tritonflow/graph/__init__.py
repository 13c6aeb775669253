"""nn.Graph: a step captured by the lazy interpreter, optimised, planned in memory and run as one instruction.

The road: `capture` (ops into `ir`) -> `passes/` -> `memory` -> `executable`; `graph` is what users subclass.
"""

from tritonflow.graph.function import compile
from tritonflow.graph.graph import Graph

__all__ = ["Graph", "compile"]
