"""Helpers for parameters as a whole, and for sequences of several lengths (`rnn`)."""

from tritonflow.nn.utils import rnn
from tritonflow.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from tritonflow.optim.clip_grad import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "rnn",
    "vector_to_parameters",
]
