"""From `op_registry.yaml` to functions: the generator. Nothing of it is imported at run time.

`schema`, `expression` and `project` read the registry. From it `generate` writes the binding (`tritonflow/_C`), the op tables and
the kernels of derivatives, a file of `emit` each.
"""
