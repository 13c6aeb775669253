"""Helpers that deal with parameters as a whole."""

from tritonflow.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

__all__ = ["parameters_to_vector", "vector_to_parameters"]
