"""Feeds in what PyTorch and TensorFlow know; each where it is installed."""

import gc
import os
import subprocess
import sys
import time
import warnings

import numpy as np
import praline
import pytest
from conftest import framework

# read where JAX is first imported: a device of its own for each half of a batch
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")


def test_pytorch_has_tensors_over_the_same_memory(given):
    torch = framework("torch")
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        seen = []
        for batch in feed.torch():
            assert batch["half"].dtype == torch.bfloat16
            assert (batch["image"][:, 3, 5] == batch["number"]).all()
            assert (batch["half"] == batch["number"].to(torch.bfloat16)).all()
            seen += batch["number"].tolist()
    assert sorted(seen) == sorted(given.rows)


def test_pytorch_takes_every_type_that_a_component_may_have():
    torch = framework("torch")
    from praline import _types, _views

    tensor = _views._to_torch(None)
    for number in [*_types._NUMPY, *_types._ML_DTYPES]:
        for shape in ((2, 3), (), (0, 4)):
            value = np.ones(shape, _types.numpy_type(number))
            made = tensor(value)
            numbers = made if made.is_complex() else made.to(torch.float32)
            assert made.shape == shape and (numbers == 1).all(), value.dtype
    assert tensor(np.array([[b"a"]], object)).tolist() == [[b"a"]]


def test_pytorch_keeps_the_memory_until_its_last_tensor_is_gone(given):
    torch = framework("torch")
    with praline.feed(given.pipeline, given.data, names=given.names, epochs=2) as feed:
        tensors = feed.torch()
        batch = next(tensors)
        kept, number = batch["image"][:, ::7, 3].t(), batch["number"].clone()  # a view of a view, not contiguous
        del batch
        assert feed.batches_held == 1
        for other in tensors:
            assert feed.batches_held <= 3
        del other
        assert (kept == number).all() and not kept.is_contiguous()
        kept += 1
        assert feed.batches_held == 1
        del kept
        gc.collect()
        assert feed.batches_held == 0


def test_tensors_that_are_kept_stay_as_they_were_beyond_the_feeds_memory(given):
    torch = framework("torch")
    kept, labels = [], []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with praline.feed(given.pipeline, given.data, names=given.names, epochs=2, memory_mb=8) as feed:
            for batch in feed.torch():
                labels.append(batch["number"])
                kept.append(batch["image"])
    assert [str(one.message)[:7] for one in warned] == ["batches"]
    for number, image in zip(labels, kept):
        assert (image == number[:, None, None]).all()
        image.mul_(2)  # writable, all of them
    assert sorted(torch.cat(labels).tolist()) == sorted(2 * list(given.rows))


def test_what_a_loader_of_pytorchs_makes_of_a_feed_is_told_in_a_sentence(given):
    torch = framework("torch")

    class Batches(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(feed)

    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        with pytest.raises(TypeError, match="walk over the feed itself"):
            next(iter(torch.utils.data.DataLoader(feed)))
        with pytest.raises(praline.Refused, match="num_workers=0"):
            next(iter(torch.utils.data.DataLoader(Batches(), batch_size=None, num_workers=1)))
        alone = torch.utils.data.DataLoader(Batches(), batch_size=None, num_workers=0, collate_fn=lambda batch: batch["number"])
        assert sorted(number for numbers in alone for number in numbers.tolist()) == sorted(given.rows)


def sorted_rows(batches):
    """Each row of the batches by itself, in any order."""
    return sorted(
        (words.numpy().tolist(), size, flags.numpy().tolist())
        for batch in batches
        for words, size, flags in zip(batch["words"], batch["size"].numpy().tolist(), dense(batch["flags"]))
    )


def dense(sparse):
    tf = framework("tensorflow")
    return tf.sparse.to_dense(sparse)


def test_ragged_and_sparse_tensors_travel_in_parts_and_come_back_whole():
    tf = framework("tensorflow")

    def step(size):
        words = tf.strings.as_string(tf.range(size))
        return {"words": words, "size": size, "flags": tf.sparse.from_dense(tf.one_hot(size % 3, 3))}

    dataset = tf.data.Dataset.range(24).map(step).ragged_batch(4)
    with praline.feed(dataset) as feed:
        batch = next(iter(feed))
        words, flags = batch["words"], batch["flags"]
        assert batch.size == 4
        assert words.row_splits.dtype == np.int64 and words.row_splits[0] == 0 and words.row_splits[-1] == len(words.values)
        assert np.diff(words.row_splits).tolist() == batch["size"].tolist()
        assert flags.indices.shape == (4, 2) and flags.values.tolist() == [1] * 4 and flags.dense_shape.tolist() == [4, 3]
    with praline.feed(dataset) as feed:
        again = feed.tf()
        assert again.element_spec == dataset.element_spec
        assert sorted_rows(again) == sorted_rows(dataset)


def test_rows_of_ragged_tensors_come_one_by_one_and_in_rows_of_rows():
    tf = framework("tensorflow")
    ragged = tf.ragged.constant([[["a"] * (row % 3), [str(row)]] for row in range(9)])
    rows = tf.data.Dataset.from_tensor_slices(ragged)
    with praline.feed(rows.batch(2, drop_remainder=True)) as feed:
        for batch in feed:
            assert batch.size == 2 and batch.data.row_splits.tolist() == [0, 2, 4]
            assert batch.data.values.row_splits.shape == (5,)
    walked = rows.map(lambda row: row[1]).apply(praline.distribute())
    assert sorted(row.numpy().tolist() for row in walked) == sorted([str(row).encode()] for row in range(9))


def test_a_tensorflow_dataset_comes_back_as_one(given):
    tf = framework("tensorflow")

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


@pytest.mark.long
def test_a_dataset_is_distributed_where_that_of_tensorflows_service_was(given):
    tf = framework("tensorflow")
    dataset = tf.data.TFRecordDataset(tf.data.Dataset.list_files(given.data)).map(
        lambda record: {"number": tf.strings.to_number(record, tf.int64), "text": record}
    )
    job = f"walks-{os.getpid()}-{time.time_ns()}"
    distributed = dataset.batch(8).apply(praline.distribute(data=given.data, job=job))
    assert distributed.element_spec == dataset.batch(8).element_spec
    after = distributed.map(lambda batch: batch["number"] * 2).unbatch()
    for _walk in range(2):
        assert sorted(after.as_numpy_iterator()) == [2 * number for number in sorted(given.rows)]
    for number, walked in enumerate([job, f"{job}-1"]):
        given.await_state(walked, "COMPLETED")
    for _batch in distributed:
        break
    gc.collect()
    whole = tf.data.Dataset.range(95).batch(10).apply(praline.distribute(epochs=2))
    assert int(whole.cardinality()) == 20 and len(list(whole)) == 20


@pytest.mark.long
def test_a_program_makes_the_same_graph_whenever_it_is_started():
    framework("tensorflow")
    made = {subprocess.run([sys.executable, "-c", SAME], stdout=subprocess.PIPE, check=True).stdout for _ in range(2)}
    assert len(made) == 1 and made != {b""}


# functions that call functions, and many attributes: TensorFlow writes them in an order of chance
SAME = """
import hashlib, tensorflow as tf
from praline._source import source_of
def twice(x):
    return {"a": tf.cond(x > 3, lambda: x, lambda: -x), "b": tf.cast(x, tf.float32) + tf.random.uniform([])}
ds = tf.data.Dataset.range(9).map(twice).filter(lambda x: x["b"] > 0).shuffle(5).batch(2)
print(hashlib.sha256(source_of(ds).graph).hexdigest())
"""


def test_the_length_is_told_where_tensorflow_knows_it(given):
    tf = framework("tensorflow")
    with praline.feed(tf.data.Dataset.range(95).batch(10), epochs=2) as feed:
        assert len(feed) == 20
        batches = [batch.data for batch in feed]
    assert len(batches) == 20
    assert sorted(np.concatenate(batches).tolist()) == sorted(2 * list(range(95)))
    with praline.feed(given.pipeline, given.data) as feed:
        with pytest.raises(TypeError, match="not known"):
            len(feed)


def test_jax_has_arrays_divided_over_devices(given):
    jax = framework("jax")
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("data",))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
    for sharding in (None, rows):
        with praline.feed(given.pipeline, given.data, names=given.names) as feed:
            seen = []
            for batch in feed.jax(sharding):
                image = batch["image"]
                assert isinstance(image, jax.Array) and batch["half"].dtype == jax.numpy.bfloat16
                assert len(image.sharding.device_set) == (1 if sharding is None else len(jax.devices()))
                assert (np.asarray(image[:, 3, 5]) == np.asarray(batch["number"])).all()
                assert [int(text) for text in batch["text"].tolist()] == batch["number"].tolist()
                seen += batch["number"].tolist()
        assert sorted(seen) == sorted(given.rows)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_an_epoch_comes_in_what_a_framework_knows(given, name):
    framework(name)
    with praline.feed(given.pipeline, given.data, names=given.names, epochs=2) as feed:
        seen = []
        for epoch in feed.epochs():
            for batch in getattr(epoch, name)():
                assert type(batch["image"]).__module__.split(".")[0] in (name, "jaxlib")
                assert (np.asarray(batch["image"][:, 3, 5]) == np.asarray(batch["number"])).all()
                seen.append((epoch.number, batch["number"].tolist()))
                del batch
        assert feed.batches_held <= 1
    for number in (0, 1):
        assert sorted(sum((rows for of, rows in seen if of == number), [])) == sorted(given.rows)


def test_jax_keeps_the_memory_until_its_last_array_is_gone(given):
    jax = framework("jax")
    with praline.feed(given.pipeline, given.data, names=given.names, epochs=2) as feed:
        arrays = feed.jax()
        batch = next(arrays)
        kept, number = batch["image"], np.asarray(batch["number"])
        del batch
        assert feed.batches_held == 1
        for other in arrays:
            assert feed.batches_held <= 5
        del other
        assert (np.asarray(kept)[:, 9, 9] == number).all()
        assert feed.batches_held >= 1
        jax.block_until_ready(kept)
        del kept
        gc.collect()
        assert feed.batches_held == 0


def test_labels_that_are_kept_keep_no_image_and_images_that_are_kept_stop_nothing(given):
    jax = framework("jax")
    labels, images = [], []
    with praline.feed(given.pipeline, given.data, names=given.names, memory_mb=8) as feed:
        for batch in feed.jax():
            labels.append(batch["number"])
            del batch
            assert feed.batches_held <= 5
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with praline.feed(given.pipeline, given.data, names=given.names, memory_mb=8, epochs=2) as feed:
            for batch in feed.jax():
                images.append((batch["number"], batch["image"]))
    assert len([one for one in warned if "memory_mb" in str(one.message)]) == 1
    assert sorted(np.concatenate(labels).tolist()) == sorted(given.rows)
    for numbers, image in images:
        assert (np.asarray(image) == np.asarray(numbers)[:, None, None]).all()


def test_integers_that_jax_would_cut_are_refused(given):
    framework("jax")
    from praline import _views

    array = _views._to_jax(None)
    assert array(np.array([2**31 - 1, -(2**31)])).dtype == np.int32
    with pytest.raises(praline.Refused, match="values from 0 to 2147483648, and JAX would cut them to int32"):
        array(np.array([0, 2**31]))
