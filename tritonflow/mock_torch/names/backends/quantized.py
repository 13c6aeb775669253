"""`torch.backends.quantized`: nothing is quantized."""

engine = "none"
supported_engines = ["none"]
