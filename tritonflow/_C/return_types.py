"""Named tuples that ops with several named outputs return.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from collections import namedtuple

max = namedtuple("max", ["values", "indices"], module="tritonflow._C.return_types")
min = namedtuple("min", ["values", "indices"], module="tritonflow._C.return_types")
sort = namedtuple("sort", ["values", "indices"], module="tritonflow._C.return_types")
topk = namedtuple("topk", ["values", "indices"], module="tritonflow._C.return_types")
median = namedtuple("median", ["values", "indices"], module="tritonflow._C.return_types")
