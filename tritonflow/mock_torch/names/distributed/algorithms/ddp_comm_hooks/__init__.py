"""`torch.distributed.algorithms.ddp_comm_hooks`: what averages the gradients of a bucket."""
