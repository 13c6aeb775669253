"""Files: `save` and `load`.

A file is a safetensors file: tensors as such, and in its metadata the structure that held them as JSON. Every reader of
safetensors sees the tensors under readable names; a directory can be given instead of a file. Nothing in it is
executed: objects that only pickle can describe are refused unless `allow_pickle=True` is given when saving and when
loading.
"""

from tritonflow.serialization.load import load
from tritonflow.serialization.save import save

__all__ = ["load", "save"]
