"""The functions of the binding, a file a family.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
