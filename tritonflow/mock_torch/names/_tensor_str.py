"""`torch._tensor_str`: the options with which tensors print."""

from tritonflow.members.print_options import PRINT_OPTS, get_printoptions, printoptions, set_printoptions

__all__ = ["PRINT_OPTS", "get_printoptions", "printoptions", "set_printoptions"]
