"""Local execution: what runs an op on tensors of this process, or records it while a graph is captured."""
