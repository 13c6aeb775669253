"""Programs on several processes: `python -m tritonflow.distributed.launch` starts them, `restart` begins anew behind a failure."""

from tritonflow.wire.connection import restart

__all__ = ["restart"]
