"""Feeds in what PyTorch and TensorFlow know; each where it is installed."""

import numpy as np
import praline
import pytest


def test_pytorch_has_tensors_over_the_same_memory(given):
    torch = pytest.importorskip("torch")
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        seen = []
        for batch in feed.torch():
            assert batch["half"].dtype == torch.bfloat16
            assert (batch["image"][:, 3, 5] == batch["number"]).all()
            assert (batch["half"] == batch["number"].to(torch.bfloat16)).all()
            seen += batch["number"].tolist()
    assert sorted(seen) == sorted(given.rows)


def test_a_tensorflow_dataset_comes_back_as_one(given):
    tf = pytest.importorskip("tensorflow")

    def parse(record):
        number = tf.strings.to_number(record, tf.int64)
        return {"number": number, "pair": (tf.fill([70, 70], number), record)}, number * 2

    dataset = tf.data.TFRecordDataset(tf.data.Dataset.list_files(given.data)).map(parse).batch(8)
    with praline.feed(dataset) as feed:
        again = feed.tf()
        assert again.element_spec == dataset.element_spec
        seen = []
        for features, double in again.as_numpy_iterator():
            images, texts = features["pair"]
            assert (features["number"] * 2 == double).all() and (images[:, 9, 9] == features["number"]).all()
            assert [int(text) for text in texts] == features["number"].tolist()
            seen += features["number"].tolist()
    assert sorted(seen) == sorted(given.rows)


def test_the_length_is_told_where_tensorflow_knows_it(given):
    tf = pytest.importorskip("tensorflow")
    with praline.feed(tf.data.Dataset.range(95).batch(10), epochs=2) as feed:
        assert len(feed) == 20
        batches = [batch.data for batch in feed]
    assert len(batches) == 20
    assert sorted(np.concatenate(batches).tolist()) == sorted(2 * list(range(95)))
    with praline.feed(given.pipeline, given.data) as feed:
        with pytest.raises(TypeError, match="not known"):
            len(feed)
