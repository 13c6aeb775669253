"""`torch.profiler`."""
