"""What models are made of: modules, parameters, their initial values and the functions behind the layers."""

from tritonflow.nn import common_types, functional, graph, init, modules, parameter, utils
from tritonflow.nn.modules import *  # noqa: F403 - modules.__all__ is the list of layers
from tritonflow.nn.parameter import Parameter

__all__ = ["Parameter", "common_types", "functional", "graph", "init", "modules", "parameter", "utils"]
__all__ += modules.__all__
