"""The functional room: from `op_registry.yaml` to functions.

`schema`, `prototype` and `expression` understand the registry; `generate` writes the binding (`tritonflow/_C`), the op
tables and the kernels of derivatives from it; `arguments`, `library`, `derivatives` and `functors` are what the binding
uses at run time.
"""
