"""The wire: moves bytes between ranks, and never adds. Only this room knows torch.distributed."""
