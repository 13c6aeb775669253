"""Fusion: what is computed in one kernel (`group`), and its source (`codegen`)."""
