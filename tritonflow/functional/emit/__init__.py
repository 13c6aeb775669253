"""What the generator writes, one file a kind of output; each has a function from the project to text."""

HEADER = "Generated from op_registry.yaml by `python -m tritonflow.functional.generate`; do not edit."
