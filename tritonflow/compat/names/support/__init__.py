"""Helpers of OneFlow's that programs import."""
