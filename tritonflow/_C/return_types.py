"""Named tuples that ops with several named outputs return.

Generated from op_registry.yaml by `python -m tritonflow.functional.generate`; do not edit.
"""
