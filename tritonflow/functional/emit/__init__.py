"""What the generator writes, one file a kind of output; each has a function from the project to text."""

HEADER = "Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit."
UNFORMATTED = "# fmt: off"
UNSORTED = "# fmt: off\n# ruff: noqa: I001"
FUNCTORS = "tritonflow.functional.functors"
