"""
Hugging Face's Trainer on batches that Praline's workers make.

    praline up
    python hf_trainer.py

The batches are made already: the Trainer takes them as they come, in place of a DataLoader's. One job serves all epochs.
"""

import os
import tempfile

import numpy as np
import praline
import torch
from transformers import Trainer, TrainingArguments

FEATURES, ROWS, BATCH, EPOCHS = 8, 4096, 32, 3


def rows(path):
    """A file of rows of float32: what is seen, and what is to be told from it. Workers must see it under the same path."""
    seen = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    told = seen @ np.arange(1, FEATURES + 1)
    np.column_stack([seen, told]).astype("<f4").tofile(path)


class Linear(torch.nn.Module):
    """A model as the Trainer wants it: named inputs, and the loss first of what comes out."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(FEATURES, 1)

    def forward(self, seen, labels):
        told = self.layer(seen)
        return torch.nn.functional.mse_loss(told, labels), told


def inputs(batch):
    row = torch.from_numpy(batch["row"])
    return {"seen": row[:, :FEATURES], "labels": row[:, FEATURES:]}


class OfAFeed(Trainer):
    def __init__(self, feed, **given):
        super().__init__(**given)
        self._loader = feed.loader(inputs, batches=ROWS // BATCH)

    def get_train_dataloader(self):
        return self._loader


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.bin")
        rows(path)
        steps = [
            {"fixed": {"record_bytes": 4 * (FEATURES + 1)}},
            {"decode_raw": {"type": "float32", "shape": [FEATURES + 1]}},
            {"shuffle": {"size": 1000}},
            {"batch": {"size": BATCH, "drop_remainder": True}},
        ]
        settings = TrainingArguments(
            output_dir=folder, num_train_epochs=EPOCHS, learning_rate=0.5, logging_steps=64, save_strategy="no",
            report_to=[], use_cpu=True, disable_tqdm=True,
        )
        with praline.feed(steps, data=path, names=["row"], epochs=EPOCHS) as feed:
            trainer = OfAFeed(feed, model=Linear(), args=settings)
            trainer.train()
            list(feed)  # the Trainer counts its steps: what it left is passed over
            losses = [told["loss"] for told in trainer.state.log_history if "loss" in told]
        print(f"loss {losses[0]:.3f}, then {losses[-1]:.5f}")
        print(feed.result())


if __name__ == "__main__":
    main()
