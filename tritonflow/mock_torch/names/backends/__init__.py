"""`torch.backends`."""
