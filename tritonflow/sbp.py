"""How consistent tensors lie over ranks: `flow.sbp.split(dim)`, `broadcast`, `partial_sum`, `partial_max`, `partial_min`.

`flow.sbp.sbp` is the class of all of them. A placement with several dimensions takes a list, one for each.

Source: oneflow.sbp; `partial_max` and `partial_min` are torch.distributed.tensor's.
"""

from tritonflow.framework.sbp import Sbp as sbp
from tritonflow.framework.sbp import broadcast, partial_max, partial_min, partial_sum, split

__all__ = ["broadcast", "partial_max", "partial_min", "partial_sum", "sbp", "split"]
