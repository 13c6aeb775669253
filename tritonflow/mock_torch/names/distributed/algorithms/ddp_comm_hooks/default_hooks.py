"""`torch.distributed.algorithms.ddp_comm_hooks.default_hooks`: the mean, in the gradients' dtype or a smaller one."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.comm.collectives import all_reduce
from tritonflow.mock_torch import rank_groups
from tritonflow.mock_torch.torch_futures import Future
from tritonflow.nn.parallel.reducer import GradBucket


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean over the ranks."""
    return _mean(process_group, bucket, bucket.buffer().dtype)


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean of gradients that are sent as float16."""
    return _mean(process_group, bucket, flow.float16)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Future:
    """The mean of gradients that are sent as bfloat16."""
    return _mean(process_group, bucket, flow.bfloat16)


def _mean(process_group: Any, bucket: GradBucket, dtype: Any) -> Future:
    ranks, whole = rank_groups.ranks_of(process_group), bucket.buffer()
    future = Future()
    future.set_result(all_reduce(whole.to(dtype) / len(ranks), ranks=ranks).to(whole.dtype))
    return future
