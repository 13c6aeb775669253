"""Named tuples that ops with several named outputs return.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
