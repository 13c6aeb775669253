# Generated from the assembled package by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
"""What models are made of: modules, parameters, their initial values and the functions behind the layers."""
from tritonflow.compat.layers import (CoinFlip, CombinedMarginLoss, FusedBatchNorm1d, FusedBatchNorm2d, FusedBatchNorm3d,
        FusedMLP, RMSLayerNorm)
from tritonflow.compat.quantization import (FakeQuantization, MinMaxObserver, MovingAverageMinMaxObserver, QatConv1d, QatConv2d,
        QatConv3d, Quantization)
from tritonflow.graph.api.graph import (Graph)
from tritonflow.nn import (attention, common_types, functional, graph, init, modules, parallel, parameter, utils)
from tritonflow.nn.modules.activation import (CELU, ELU, GELU, Hardshrink, Hardsigmoid, Hardswish, Hardtanh, LeakyReLU,
        LogSigmoid, LogSoftmax, Mish, PReLU, QuickGELU, ReLU, ReLU6, SELU, SiLU, Sigmoid, Softmax, Softmax2d, Softmin, Softplus,
        Softshrink, Softsign, Tanh, Tanhshrink, Threshold)
from tritonflow.nn.modules.adaptive import (AdaptiveLogSoftmaxWithLoss)
from tritonflow.nn.modules.attention import (MultiheadAttention)
from tritonflow.nn.modules.batchnorm import (BatchNorm1d, BatchNorm2d, BatchNorm3d)
from tritonflow.nn.modules.container import (ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential)
from tritonflow.nn.modules.conv import (Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
from tritonflow.nn.modules.distance import (CosineSimilarity, PairwiseDistance)
from tritonflow.nn.modules.dropout import (AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout)
from tritonflow.nn.modules.element_losses import (BCELoss, BCEWithLogitsLoss, GaussianNLLLoss, HingeEmbeddingLoss, HuberLoss,
        KLDivLoss, L1Loss, PoissonNLLLoss, SmoothL1Loss, SoftMarginLoss)
from tritonflow.nn.modules.embedding import (Embedding, EmbeddingBag)
from tritonflow.nn.modules.flatten import (Flatten, Unflatten)
from tritonflow.nn.modules.gates import (GLU, RReLU)
from tritonflow.nn.modules.instancenorm import (InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, LocalResponseNorm)
from tritonflow.nn.modules.lazy import (LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d, LazyConv1d, LazyConv2d, LazyConv3d,
        LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d, LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d,
        LazyLinear)
from tritonflow.nn.modules.linear import (Bilinear, Identity, Linear)
from tritonflow.nn.modules.linear_loss import (LinearCrossEntropyLoss, LinearCrossEntropyOptions)
from tritonflow.nn.modules.loss import (CrossEntropyLoss, MSELoss, NLLLoss)
from tritonflow.nn.modules.margin_losses import (CTCLoss, CosineEmbeddingLoss, MarginRankingLoss, MultiLabelMarginLoss,
        MultiLabelSoftMarginLoss, MultiMarginLoss, TripletMarginLoss, TripletMarginWithDistanceLoss)
from tritonflow.nn.modules.module import (Module)
from tritonflow.nn.modules.normalization import (GroupNorm, LayerNorm, RMSNorm)
from tritonflow.nn.modules.padding import (CircularPad1d, CircularPad2d, CircularPad3d, ConstantPad1d, ConstantPad2d,
        ConstantPad3d, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d, ReplicationPad2d, ReplicationPad3d,
        ZeroPad1d, ZeroPad2d, ZeroPad3d)
from tritonflow.nn.modules.pooling import (AdaptiveAvgPool1d, AdaptiveAvgPool2d, AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d)
from tritonflow.nn.modules.pooling3d import (AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d,
        AvgPool3d, FractionalMaxPool2d, FractionalMaxPool3d, LPPool1d, LPPool2d, LPPool3d, MaxPool3d, MaxUnpool1d, MaxUnpool2d,
        MaxUnpool3d)
from tritonflow.nn.modules.resampling import (ChannelShuffle, Fold, PixelShuffle, PixelUnshuffle, Unfold, Upsample,
        UpsamplingBilinear2d, UpsamplingNearest2d)
from tritonflow.nn.modules.rnn import (GRU, LSTM, RNN, RNNBase)
from tritonflow.nn.modules.rnn_cell import (GRUCell, LSTMCell, RNNCell, RNNCellBase)
from tritonflow.nn.modules.syncbatchnorm import (SyncBatchNorm)
from tritonflow.nn.modules.transformer import (Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder,
        TransformerEncoderLayer)
from tritonflow.nn.parallel.data_parallel import (DataParallel)
from tritonflow.nn.parameter import (Buffer, Parameter, UninitializedBuffer, UninitializedParameter)


__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveLogSoftmaxWithLoss", "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AlphaDropout", "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss",
        "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Bilinear", "Buffer", "CELU", "CTCLoss",
        "ChannelShuffle", "CircularPad1d", "CircularPad2d", "CircularPad3d", "CoinFlip", "CombinedMarginLoss", "ConstantPad1d",
        "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
        "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "DataParallel", "Dropout", "Dropout1d", "Dropout2d",
        "Dropout3d", "ELU", "Embedding", "EmbeddingBag", "FakeQuantization", "FeatureAlphaDropout", "Flatten", "Fold",
        "FractionalMaxPool2d", "FractionalMaxPool3d", "FusedBatchNorm1d", "FusedBatchNorm2d", "FusedBatchNorm3d", "FusedMLP",
        "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss", "Graph", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish",
        "Hardtanh", "HingeEmbeddingLoss", "HuberLoss", "Identity", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
        "KLDivLoss", "L1Loss", "LPPool1d", "LPPool2d", "LPPool3d", "LSTM", "LSTMCell", "LayerNorm", "LazyBatchNorm1d",
        "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d",
        "LazyConvTranspose2d", "LazyConvTranspose3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d",
        "LazyLinear", "LeakyReLU", "Linear", "LinearCrossEntropyLoss", "LinearCrossEntropyOptions", "LocalResponseNorm",
        "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d",
        "MaxUnpool2d", "MaxUnpool3d", "MinMaxObserver", "Mish", "Module", "ModuleDict", "ModuleList",
        "MovingAverageMinMaxObserver", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss",
        "MultiheadAttention", "NLLLoss", "PReLU", "PairwiseDistance", "Parameter", "ParameterDict", "ParameterList",
        "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "QatConv1d", "QatConv2d", "QatConv3d", "Quantization", "QuickGELU",
        "RMSLayerNorm", "RMSNorm", "RNN", "RNNBase", "RNNCell", "RNNCellBase", "RReLU", "ReLU", "ReLU6", "ReflectionPad1d",
        "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "SELU", "Sequential",
        "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmax2d", "Softmin", "Softplus", "Softshrink",
        "Softsign", "SyncBatchNorm", "Tanh", "Tanhshrink", "Threshold", "Transformer", "TransformerDecoder",
        "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer", "TripletMarginLoss",
        "TripletMarginWithDistanceLoss", "Unflatten", "Unfold", "UninitializedBuffer", "UninitializedParameter", "Upsample",
        "UpsamplingBilinear2d", "UpsamplingNearest2d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "attention", "common_types",
        "functional", "graph", "init", "modules", "parallel", "parameter", "utils"]
