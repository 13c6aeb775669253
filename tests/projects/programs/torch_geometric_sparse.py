"""Graph networks over sparse adjacency matrices: GCN, GraphSAGE and GIN on COO, CSR and CSC, and `utils.spmm`."""

# needs: torch_geometric

import json
import sys
import warnings

import torch
from torch_geometric.nn import GCNConv, GINConv, SAGEConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import (
    is_torch_sparse_tensor,
    spmm,
    to_edge_index,
    to_torch_coo_tensor,
    to_torch_csc_tensor,
    to_torch_csr_tensor,
)  # fmt: skip

warnings.filterwarnings("ignore")
LAYOUTS = {"coo": to_torch_coo_tensor, "csr": to_torch_csr_tensor, "csc": to_torch_csc_tensor}


def filled(shape, step):
    count = 1
    for n in shape:
        count *= n
    return torch.sin(torch.arange(count, dtype=torch.float64) * step).reshape(shape)


class Net(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "gcn":
            self.layers = torch.nn.ModuleList([GCNConv(6, 8), GCNConv(8, 3)])
        elif kind == "sage":
            self.layers = torch.nn.ModuleList([SAGEConv(6, 8), SAGEConv(8, 3)])
        elif kind == "sage_max":
            self.layers = torch.nn.ModuleList([SAGEConv(6, 8, aggr="max"), SAGEConv(8, 3, aggr="max")])
        else:
            mlp = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8))
            self.layers = torch.nn.ModuleList([GINConv(mlp, train_eps=True), GINConv(torch.nn.Linear(8, 3))])

    def forward(self, x, adj_t):
        return self.layers[1](self.layers[0](x, adj_t).relu(), adj_t)


def edges():
    pairs = [(i, j) for i in range(12) for j in range(12) if (i * 7 + j * 5) % 6 == 0 and i != j]
    return torch.tensor(pairs).t().contiguous()


def losses(kind, layout):
    edge_index = edges()
    net = Net(kind).double()
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(filled(tuple(p.shape), 0.7 + k))
    weight = None if "sage" in kind else filled((edge_index.size(1),), 0.3).abs() + 0.1
    adj_t = LAYOUTS[layout](edge_index.flip([0]), weight if weight is not None else torch.ones(edge_index.size(1)).double(), 12)
    assert is_torch_sparse_tensor(adj_t)
    x, y = filled((12, 6), 0.11), torch.arange(12) % 3
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    found = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x, adj_t), y)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def products():
    edge_index, x = edges(), filled((12, 4), 0.2)
    weight = filled((edge_index.size(1),), 0.4)
    found = {}
    for layout, make in LAYOUTS.items():
        adj = make(edge_index, weight, 12)
        for reduce in ("sum", "mean", "min", "max") if layout != "csc" else ("sum",):
            found[f"{layout} {reduce}"] = spmm(adj, x, reduce).tolist()
        back, values = to_edge_index(adj)
        found[f"{layout} edges"] = [sorted(map(tuple, back.t().tolist())) == sorted(map(tuple, edge_index.t().tolist()))]
        found[f"{layout} weights"] = values.sum().item()
    normed, _ = gcn_norm(to_torch_coo_tensor(edge_index, weight.abs(), 12), None, 12)
    found["gcn_norm"] = normed.to_dense().tolist()
    return found


def main(folder):
    found = {f"{kind} {layout}": losses(kind, layout) for kind in ("gcn", "sage", "sage_max", "gin") for layout in ("coo", "csr")}
    found["sage csc"] = losses("sage", "csc")
    found.update(products())
    adj = to_torch_csr_tensor(edges(), size=12)
    torch.save(adj, f"{folder}/adj.pt")
    found["loaded"] = torch.load(f"{folder}/adj.pt").to_dense().tolist() == adj.to_dense().tolist()
    print(json.dumps(found))


main(sys.argv[1])
