"""What users call, `flow.compile` and `nn.Graph`, and the way from a call to its executable."""
