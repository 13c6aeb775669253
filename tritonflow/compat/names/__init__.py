"""Modules that only programs written for OneFlow import, each where OneFlow has it: `oneflow.support.env_var_util` is in support/.

`compat.install` adds these folders to the packages of the same names, so that `import tritonflow.support` finds them.
"""
