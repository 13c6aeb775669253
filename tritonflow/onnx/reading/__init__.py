"""Reading of ONNX models: `load.py` checks a file and makes the nodes, `module.py` runs them, and the files of op types say how."""
