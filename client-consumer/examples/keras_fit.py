"""
Keras `fit` on batches that Praline's workers make: `distribute` stands where tf.data's own service stood.

    praline up
    python keras_fit.py

Each epoch is a walk over the dataset, and so a job of its own, which draws in another order.
"""

import os
import tempfile

import keras
import numpy as np
import praline
import tensorflow as tf

FEATURES, ROWS, BATCH, EPOCHS = 8, 4096, 32, 3


def rows(path):
    """A file of rows of float32: what is seen, and what is to be told from it. Workers must see it under the same path."""
    seen = np.random.default_rng(1).normal(size=(ROWS, FEATURES))
    told = seen @ np.arange(1, FEATURES + 1)
    np.column_stack([seen, told]).astype("<f4").tofile(path)


def parse(record):
    row = tf.io.decode_raw(record, tf.float32)
    return row[:FEATURES], row[FEATURES:]


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.bin")
        rows(path)
        dataset = tf.data.FixedLengthRecordDataset(path, 4 * (FEATURES + 1)).map(parse).shuffle(1000, seed=1).batch(BATCH)
        batches = dataset.apply(praline.distribute())
        model = keras.Sequential([keras.Input([FEATURES]), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(0.02), "mse")
        losses = model.fit(batches, epochs=EPOCHS, verbose=2).history["loss"]
        print(f"loss {losses[0]:.3f}, then {losses[-1]:.5f}")


if __name__ == "__main__":
    main()
