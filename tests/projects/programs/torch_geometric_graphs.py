"""PyTorch Geometric: convolutions of graphs train on nodes and on batches of graphs; a model and a graph are saved and loaded."""

# needs: torch_geometric
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATConv, GCNConv, GINConv, SAGEConv, global_add_pool, global_max_pool, global_mean_pool
from torch_geometric.utils import add_self_loops, degree, softmax, to_dense_adj, to_dense_batch, to_undirected

folder = sys.argv[1]
random = np.random.default_rng(0)


def drawn(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    return model


def graph(nodes, edges):
    x = torch.tensor(random.standard_normal((nodes, 8)), dtype=torch.float32)
    ends = torch.tensor(random.integers(0, nodes, (2, edges)))
    return Data(x=x, edge_index=to_undirected(ends, num_nodes=nodes), y=torch.tensor([int(random.integers(0, 2))]))


class Nodes(torch.nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.conv1, self.conv2 = first, second

    def forward(self, data):
        x = F.elu(self.conv1(data.x, data.edge_index))
        return F.log_softmax(self.conv2(x, data.edge_index), dim=1)


class Graphs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GINConv(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()), train_eps=True)
        self.out = torch.nn.Linear(24, 2)

    def forward(self, x, edge_index, batch):
        x = self.conv(x, edge_index)
        pools = [pool(x, batch) for pool in (global_mean_pool, global_max_pool, global_add_pool)]
        return self.out(torch.cat(pools, dim=1))


def trained(model, steps, loss_of):
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4), []
    for step in range(steps):
        optimizer.zero_grad()
        loss = loss_of(model, step)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


whole = graph(24, 48)
labels, mask = torch.tensor(random.integers(0, 3, 24)), torch.arange(24) < 16
found = {"whole": [whole.num_nodes, whole.num_edges, whole.is_undirected(), whole.has_self_loops(), whole.has_isolated_nodes()]}
found["text"] = str(whole)
models = {
    "gcn": Nodes(GCNConv(8, 8), GCNConv(8, 3)),
    "gat": Nodes(GATConv(8, 4, heads=2), GATConv(8, 3, heads=1)),
    "sage": Nodes(SAGEConv(8, 8), SAGEConv(8, 3, aggr="max")),
}
for name, model in models.items():
    drawn(model)
    found[name] = trained(model, 5, lambda model, _: F.nll_loss(model(whole)[mask], labels[mask]))
    found[f"{name}_accuracy"] = (model(whole).argmax(dim=1) == labels).float().mean().item()
torch.save(models["gcn"].state_dict(), f"{folder}/gcn.pt")
again = Nodes(GCNConv(8, 8), GCNConv(8, 3))
again.load_state_dict(torch.load(f"{folder}/gcn.pt"))
found["loaded"] = torch.equal(again(whole), models["gcn"](whole))

graphs = [graph(int(n), 2 * int(n)) for n in random.integers(4, 9, 12)]
loader = DataLoader(graphs, batch_size=4, shuffle=False)
batches = list(loader)
found["batches"] = [[batch.num_graphs, batch.num_nodes, batch.ptr.tolist(), batch.batch.sum().item()] for batch in batches]
classifier = drawn(Graphs())
found["graphs"] = trained(
    classifier, 6, lambda model, step: F.cross_entropy(model(*(batches[step % 3][k] for k in ("x", "edge_index", "batch"))), batches[step % 3].y)
)
together = Batch.from_data_list(graphs)
parts = together.to_data_list()
found["parts"] = all(torch.equal(a.edge_index, b.edge_index) and torch.equal(a.x, b.x) for a, b in zip(parts, graphs))
found["classes"] = classifier(together.x, together.edge_index, together.batch).argmax(dim=1).tolist()

edges, _ = add_self_loops(whole.edge_index, num_nodes=24)
found["degrees"] = degree(edges[0], 24).tolist()
found["softmax"] = softmax(torch.arange(edges.shape[1]) * 0.01, edges[1], num_nodes=24)[:6].tolist()
found["dense"] = to_dense_adj(whole.edge_index, max_num_nodes=24).sum().item()
padded, real = to_dense_batch(together.x, together.batch)
found["padded"] = [list(padded.shape), real.sum(dim=1).tolist()]
print(json.dumps(found))
