"""`torch.distributed.fsdp`: `fully_shard` and its policies."""

from tritonflow.distributed import (  # noqa: F401
    CPUOffloadPolicy,
    FSDPModule,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)
