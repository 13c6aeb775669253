"""Programs that look at numbers of tensors: parts of a captured graph, with reads and decisions between them."""
