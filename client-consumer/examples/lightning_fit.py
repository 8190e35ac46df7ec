"""
Lightning's Trainer on batches that Praline's workers make.

    praline up
    python lightning_fit.py

What it walks over for an epoch is an epoch of the feed. One job serves them all. Lightning looks for the end of what has no
length: it has fetched the next batch when it trains on one (`ahead`).
"""

import os
import tempfile

import lightning
import numpy as np
import praline
import torch

FEATURES, ROWS, BATCH, EPOCHS = 8, 4096, 32, 3


def rows(path):
    """A file of rows of float32: what is seen, and what is to be told from it. Workers must see it under the same path."""
    seen = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    told = seen @ np.arange(1, FEATURES + 1)
    np.column_stack([seen, told]).astype("<f4").tofile(path)


class Linear(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(FEATURES, 1)
        self.losses = []

    def training_step(self, row, _index):
        loss = torch.nn.functional.mse_loss(self.layer(row[:, :FEATURES]), row[:, FEATURES:])
        self.losses.append(loss.item())
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.02)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.bin")
        rows(path)
        steps = [
            {"fixed": {"record_bytes": 4 * (FEATURES + 1)}},
            {"decode_raw": {"type": "float32", "shape": [FEATURES + 1]}},
            {"shuffle": {"size": 1000}},
            {"batch": {"size": BATCH}},
        ]
        model = Linear()
        trainer = lightning.Trainer(
            max_epochs=EPOCHS, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False
        )
        with praline.feed(steps, data=path, names=["row"], epochs=EPOCHS, ahead=1) as feed:
            trainer.fit(model, feed.loader(lambda batch: torch.from_numpy(batch["row"])))
        print(f"loss {model.losses[0]:.3f}, then {model.losses[-1]:.5f}")
        print(feed.result())


if __name__ == "__main__":
    main()
