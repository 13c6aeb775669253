"""What the generator writes, one file a kind of output; each has a function from the project to text."""

HEADER = "Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit."
FUNCTORS = "tritonflow.functional.functors"
