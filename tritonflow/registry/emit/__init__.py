"""What the generator writes. Each file has a function from the project to the text of one kind of output."""

HEADER = "Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit."
UNFORMATTED = "# fmt: off"
UNSORTED = "# fmt: off\n# ruff: noqa: I001"
FUNCTORS = "tritonflow.functions"
