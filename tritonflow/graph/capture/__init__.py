"""Running a function over lazy tensors: its ops become nodes, and what it reads of Python becomes guards."""
