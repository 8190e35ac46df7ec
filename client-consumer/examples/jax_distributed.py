"""
Several processes under jax.distributed that train one model and share one job; on CPUs, as an example.

    praline up
    python jax_distributed.py

starts two of itself. Process 0 submits the job, the other takes its place in it. Each gets batches as fast as it asks for
them, of all epochs one after the other, so at the end one has none while the other still has: its part of a step counts
nothing then.
"""

import os
import socket
import subprocess
import sys
import tempfile

import numpy as np

FEATURES, ROWS, BATCH, PROCESSES, EPOCHS = 8, 16384, 32, 2, 3


def rows(path):
    """A file of rows of float32: what is seen, and what is to be told from it. Workers must see it under the same path."""
    seen = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    told = seen @ np.arange(1, FEATURES + 1)
    np.column_stack([seen, told]).astype("<f4").tofile(path)


def train(process, coordinator, path):
    import jax
    import jax.numpy as jnp
    import praline
    from jax.experimental import multihost_utils

    jax.distributed.initialize(coordinator, PROCESSES, process)
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
    divided = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))

    @jax.jit
    def step(weights, row, counts):
        def loss(weights):
            error = row[:, :FEATURES] @ weights - row[:, FEATURES]
            return jnp.sum(counts * error**2) / jnp.sum(counts)

        value, gradient = jax.value_and_grad(loss)(weights)
        return weights - 0.02 * gradient, value

    steps = [
        {"fixed": {"record_bytes": 4 * (FEATURES + 1)}},
        {"decode_raw": {"type": "float32", "shape": [FEATURES + 1]}},
        {"shuffle": {"size": 1000}},
        {"batch": {"size": BATCH, "drop_remainder": True}},
    ]
    weights = jnp.zeros(FEATURES)
    elements, value = 0, None
    # one id for both processes, and another one for each run
    job = "jax-" + os.path.basename(os.path.dirname(path))
    shared = {"job": job, "consumers": PROCESSES, "rank": process, "epochs": EPOCHS}
    with praline.feed(steps, data=path, names=["row"], **shared) as feed:
        while True:
            batch = next(feed, None)
            if not multihost_utils.process_allgather(np.array(batch is not None)).any():
                break
            row = np.zeros((BATCH, FEATURES + 1), np.float32) if batch is None else batch["row"]
            counts = np.full(BATCH, batch is not None, np.float32)
            elements += int(counts.sum())
            parts = [jax.make_array_from_process_local_data(divided, part) for part in (row, counts)]
            weights, value = step(weights, *parts)
    print(f"process {process}: {elements} elements, loss {float(value):.5f}", flush=True)
    if process == 0:
        print(feed.result())


def main():
    if len(sys.argv) > 1:
        train(int(sys.argv[1]), sys.argv[2], sys.argv[3])
        return
    with socket.socket() as one, tempfile.TemporaryDirectory() as folder:
        one.bind(("127.0.0.1", 0))
        coordinator = f"127.0.0.1:{one.getsockname()[1]}"
        one.close()
        path = os.path.join(folder, "rows.bin")
        rows(path)
        both = [subprocess.Popen([sys.executable, __file__, str(rank), coordinator, path]) for rank in range(PROCESSES)]
        if any([process.wait() for process in both]):
            raise SystemExit("a process failed")


if __name__ == "__main__":
    main()
