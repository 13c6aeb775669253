"""`torch.utils.tensorboard`."""
