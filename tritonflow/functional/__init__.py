"""From `op_registry.yaml` to functions.

`schema`, `prototype` and `expression` read the registry. From it `generate` writes the binding (`tritonflow/_C`), the op tables and
the kernels of derivatives. At run time the binding uses `arguments`, `library`, `derivatives` and `functors`.
"""
