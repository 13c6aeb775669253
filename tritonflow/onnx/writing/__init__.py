"""Captured programs as ONNX models: a table of ops by family, views and sizes as ONNX has them."""
