"""Data parallelism over local tensors: a copy of a model on each rank."""

from tritonflow.nn.parallel import distributed
from tritonflow.nn.parallel.data_parallel import DataParallel, data_parallel
from tritonflow.nn.parallel.distributed import DistributedDataParallel
from tritonflow.nn.parallel.join import Join, Joinable
from tritonflow.nn.parallel.reducer import GradBucket

__all__ = ["DataParallel", "DistributedDataParallel", "GradBucket", "Join", "Joinable", "data_parallel", "distributed"]
