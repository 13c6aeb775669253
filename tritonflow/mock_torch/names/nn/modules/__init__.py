"""`torch.nn.modules`."""
