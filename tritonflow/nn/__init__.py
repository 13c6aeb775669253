"""What models are made of: modules, parameters, their initial values and the functions behind the layers."""

from tritonflow.nn import attention, common_types, functional, graph, init, modules, parameter, utils
from tritonflow.nn.modules import *  # noqa: F403 - modules.__all__ is the list of layers
from tritonflow.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter"]
__all__ += ["attention", "common_types", "functional", "graph", "init", "modules", "parameter", "utils"]
__all__ += modules.__all__
