"""
Several processes under torchrun that train one model (DDP) and share one job.

    praline up
    torchrun --standalone --nproc-per-node 2 torchrun_ddp.py

Rank 0 submits the job, the others take their places in it. Each gets batches as fast as it asks for them: an element comes to
one of them, and who is done first waits for the others in `Join`.
"""

import os
import tempfile

import numpy as np
import praline
import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel

FEATURES, ROWS, BATCH = 8, 16384, 32


def rows(path):
    """A file of rows of float32: what is seen, and what is to be told from it. Workers must see it under the same path."""
    seen = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    told = seen @ np.arange(1, FEATURES + 1)
    np.column_stack([seen, told]).astype("<f4").tofile(path)


def train(folder):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    path = os.path.join(folder, "rows.bin")
    if rank == 0:
        rows(path)
    steps = [
        {"fixed": {"record_bytes": 4 * (FEATURES + 1)}},
        {"decode_raw": {"type": "float32", "shape": [FEATURES + 1]}},
        {"shuffle": {"size": 1000}},
        {"batch": {"size": BATCH}},
    ]
    model = DistributedDataParallel(torch.nn.Linear(FEATURES, 1))
    optimiser = torch.optim.SGD(model.parameters(), 0.02)
    # one id for all ranks, and another one for each run
    job = "ddp-" + os.environ["TORCHELASTIC_RUN_ID"] + "-" + os.path.basename(folder)
    elements, loss = 0, torch.tensor(0.0)  # who comes late may find nothing left
    shared = {"job": job, "consumers": ranks, "rank": rank}
    with praline.feed(steps, data=path, names=["row"], **shared) as feed, Join([model]):
        for batch in feed.torch():
            row = batch["row"]
            loss = torch.nn.functional.mse_loss(model(row[:, :FEATURES]), row[:, FEATURES:])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            elements += len(row)
    print(f"rank {rank}: {elements} elements, loss {loss.item():.5f}", flush=True)
    return feed.result()


def main():
    dist.init_process_group("gloo")
    with tempfile.TemporaryDirectory() as own:
        # all ranks are on this host: the folder of rank 0 is for all
        folders = [own]
        dist.broadcast_object_list(folders)
        result = train(folders[0])
        dist.barrier()
    if dist.get_rank() == 0:
        print(result)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
