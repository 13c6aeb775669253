"""OneFlow's walk over the arguments of a call, under its older name."""

from tritonflow.compat.args_tree import ArgsTree, NamedArg

__all__ = ["ArgsTree", "NamedArg"]
