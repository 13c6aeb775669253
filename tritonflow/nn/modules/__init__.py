"""Layers, one family a file."""

from tritonflow.nn.modules.activation import (
    CELU,
    ELU,
    GELU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    QuickGELU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Softshrink,
    Softsign,
    Tanh,
    Threshold,
)
from tritonflow.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from tritonflow.nn.modules.container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from tritonflow.nn.modules.conv import Conv1d, Conv2d
from tritonflow.nn.modules.dropout import Dropout
from tritonflow.nn.modules.embedding import Embedding
from tritonflow.nn.modules.flatten import Flatten, Unflatten
from tritonflow.nn.modules.linear import Identity, Linear
from tritonflow.nn.modules.loss import CrossEntropyLoss, MSELoss, NLLLoss
from tritonflow.nn.modules.module import Module
from tritonflow.nn.modules.normalization import LayerNorm
from tritonflow.nn.modules.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d

__all__ = [
    "AdaptiveAvgPool2d",
    "AvgPool2d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "CELU",
    "Conv1d",
    "Conv2d",
    "CrossEntropyLoss",
    "Dropout",
    "ELU",
    "Embedding",
    "Flatten",
    "GELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "Identity",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MaxPool2d",
    "Mish",
    "Module",
    "ModuleDict",
    "ModuleList",
    "NLLLoss",
    "PReLU",
    "ParameterDict",
    "ParameterList",
    "QuickGELU",
    "ReLU",
    "ReLU6",
    "SELU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Threshold",
    "Unflatten",
]
