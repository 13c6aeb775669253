"""`flow.backends`: how exact a GPU's products of float32 are, under torch's names.

    flow.backends.cuda.matmul.allow_tf32 = True          # matrix products in TF32; False is the default
    flow.backends.cudnn.allow_tf32 = False               # convolutions without; True is the default, as torch's
    flow.backends.cuda.matmul.fp32_precision = "ieee"    # in float32 itself, and not in three products of TF32
"""

from tritonflow.backends import cuda, cudnn

__all__ = ["cuda", "cudnn"]
