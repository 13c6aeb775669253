"""`torch._dynamo.eval_frame`: the class of compiled modules."""

from tritonflow.graph.api.compiled_module import CompiledModule as OptimizedModule
from tritonflow.mock_torch.names._dynamo import optimize, optimize_assert

__all__ = ["OptimizedModule", "optimize", "optimize_assert"]
