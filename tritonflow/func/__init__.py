"""Transforms of functions, with `torch.func`'s names: gradients, Jacobians, modules as functions."""

from tritonflow.autograd.batching import chunk_vmap, vmap
from tritonflow.func.modules import debug_unwrap, functionalize, replace_all_batch_norm_modules_, stack_module_state
from tritonflow.func.transforms import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from tritonflow.nn.utils.stateless import functional_call

__all__ = [
    "chunk_vmap", "debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev",
    "jvp", "linearize", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap",
]  # fmt: skip
