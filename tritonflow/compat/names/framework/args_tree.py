"""OneFlow's walk over the arguments of a call."""

from tritonflow.compat.args_tree import ArgsTree, NamedArg

__all__ = ["ArgsTree", "NamedArg"]
