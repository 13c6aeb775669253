"""What models are made of: modules, parameters, their initial values and the functions behind the layers."""

from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.nn import attention, common_types, functional, graph, init, modules, parameter, utils
from tritonflow.nn.modules import *  # noqa: F403 - modules.__all__ is the list of layers
from tritonflow.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

_AT_FIRST_USE = {
    "Graph": "graph.Graph",
    "parallel": "nn.parallel.",
    "DataParallel": "nn.parallel.DataParallel",
    "CoinFlip": "compat.layers.CoinFlip",
    "CombinedMarginLoss": "compat.layers.CombinedMarginLoss",
    "FusedBatchNorm1d": "compat.layers.FusedBatchNorm1d",
    "FusedBatchNorm2d": "compat.layers.FusedBatchNorm2d",
    "FusedBatchNorm3d": "compat.layers.FusedBatchNorm3d",
    "FusedMLP": "compat.layers.FusedMLP",
    "RMSLayerNorm": "compat.layers.RMSLayerNorm",
    **{n: f"compat.quantization.{n}" for n in ("FakeQuantization", "MinMaxObserver", "MovingAverageMinMaxObserver")},
    **{n: f"compat.quantization.{n}" for n in ("QatConv1d", "QatConv2d", "QatConv3d", "Quantization")},
}

__getattr__ = _at_first_use(__name__, _AT_FIRST_USE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_AT_FIRST_USE})


__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter"]
__all__ += ["attention", "common_types", "functional", "graph", "init", "modules", "parameter", "utils"]
__all__ += modules.__all__
__all__ += ["DataParallel", "Graph", "parallel"]  # noqa: F405
