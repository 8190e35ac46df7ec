"""Ops that few programs have: what stands in tf.data's corners, and what its own tests use."""

import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import compression_ops, distribute, snapshot, testing
from tensorflow.python.data.ops import save_op
from tensorflow.python.ops import gen_experimental_dataset_ops

from corpus import AUTO, NUMBERS, ident, program, universe
from corpus.sources import FEW, REVIEWS, few, files, reviews, words_of_reviews


def wrapped(dataset, op, **given):
    """A step that Python has no class of."""
    variant = op(dataset._variant_tensor, output_types=[tf.int64], output_shapes=[tf.TensorShape([])], **given)
    return tf.data.experimental.from_variant(variant, dataset.element_spec)


@program("tests", FEW)
def next_asserted():
    return few().apply(testing.assert_next(["Batch"])).batch(8)


@program("tests", FEW)
def next_two_asserted():
    return few().apply(testing.assert_next(["FiniteSkip", "FiniteTake"])).skip(10).take(50).batch(8)


@program("tests", FEW)
def previous_asserted():
    return few().filter(lambda n: n % 2 == 0).apply(testing.assert_prev([("FilterDataset", {})])).batch(8)


@program("tests", FEW)
def previous_two_asserted():
    return few().skip(10).take(60).apply(testing.assert_prev([("TakeDataset", {}), ("SkipDataset", {})])).batch(8)


@program("tests", FEW)
def sleeps():
    return few().batch(8).apply(testing.sleep(500))


@program("tests", FEW)
def sleeps_for_each_element():
    return few().filter(lambda n: n % 10 == 0).apply(testing.sleep(100)).batch(4)


@program("tests", FEW)
def sharded_automatically():
    return distribute._AutoShardDataset(few().batch(8), 1, 0)


@program("tests", NUMBERS)
def sharded_automatically_by_file():
    return distribute._AutoShardDataset(files(NUMBERS).interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(8), 1, 0)


@program("tests")
def shuffled_globally():
    from tensorflow.python.data.experimental.ops import global_shuffle_op  # which 2.15 and 2.16 lack

    return global_shuffle_op._global_shuffle(tf.data.Dataset.range(80)).batch(8)


@program("tests")
def shuffled_globally_seeded():
    numbered = tf.data.Dataset.from_tensor_slices(np.arange(60, dtype=np.int64)).map(lambda n: n * 2)
    from tensorflow.python.data.experimental.ops import global_shuffle_op

    return global_shuffle_op._global_shuffle(numbered, seed=3, reshuffle_each_iteration=False).batch(8)


@program("tests", FEW)
def saved_on_the_way():
    return save_op._SaveDataset(few(), "saved", None, None).batch(8)


@program("tests", FEW)
def saved_on_the_way_compressed():
    return save_op._SaveDataset(few().batch(8), "saved_batches", None, "GZIP")


@program("tests", FEW, refused=True)
def loaded_from_elsewhere():
    few().save("elsewhere")
    return tf.data.Dataset.load("elsewhere").batch(8)


@program("tests", FEW, refused=True)
def loaded_and_shuffled():
    few().batch(4).save("elsewhere_batches")
    return tf.data.Dataset.load("elsewhere_batches", reader_func=lambda shards: shards.flat_map(lambda shard: shard)).unbatch().shuffle(9).batch(8)


@program("tests", FEW)
def snapshot_legacy():
    return few().apply(snapshot.legacy_snapshot("legacy")).batch(8)


@program("tests", FEW)
def snapshot_legacy_of_map():
    return few().map(lambda n: n + 1, num_parallel_calls=2).apply(snapshot.legacy_snapshot("legacy", compression="GZIP")).batch(8)


@program("ops")
def cardinality_padded():
    return tf.data.Dataset.from_tensor_slices({"a": np.arange(30)}).apply(tf.data.experimental.pad_to_cardinality(32)).batch(
        8, drop_remainder=True)


@program("ops")
def cardinality_padded_of_pairs():
    return tf.data.Dataset.from_tensor_slices({"a": np.arange(21), "b": np.ones([21, 2])}).apply(
        tf.data.experimental.pad_to_cardinality(24, mask_key="real")).shuffle(10).batch(4)


@program("ops", FEW)
def elements_compressed():
    spec = tf.TensorSpec([], tf.int64)
    return few().map(compression_ops.compress).prefetch(4).map(lambda packed: compression_ops.uncompress(packed, spec)).batch(8)


@program("ops", REVIEWS)
def elements_compressed_in_parallel():
    spec = tf.TensorSpec([], tf.string)
    return reviews().map(compression_ops.compress, num_parallel_calls=AUTO).map(
        lambda packed: compression_ops.uncompress(packed, spec), num_parallel_calls=AUTO).batch(8)


@program("ops", FEW)
def table_from_dataset():
    pairs = tf.data.Dataset.range(2000, 2060).map(lambda n: (n, n * n))
    table = tf.data.experimental.table_from_dataset(pairs, default_value=-1, key_dtype=tf.int64)
    return few().map(lambda n: (n, table.lookup(n))).batch(8)


@program("ops", REVIEWS)
def index_table_from_dataset():
    vocabulary = tf.data.Dataset.from_tensor_slices(["the", "feed", "river", "runs"])
    table = tf.data.experimental.index_table_from_dataset(vocabulary, num_oov_buckets=1)
    return words_of_reviews().map(lambda w: (w[0], table.lookup(w[-1]))).batch(8)


@program("ops", FEW)
def optional_in_map():
    return few().map(lambda n: tf.experimental.Optional.from_value(n)).map(lambda optional: optional.get_value()).batch(8)


@program("ops", FEW)
def cardinality_in_map():
    return few().map(lambda n: (n, tf.data.Dataset.range(n % 7).cardinality())).batch(8)


@program("ops", FEW)
def counter_of_experimental():
    return tf.data.Dataset.zip((tf.data.experimental.Counter(5, 2), few())).batch(8)


@program("ops", drawn={0: (0, 4294967296)}, spread=[0])
def random_of_experimental():
    return tf.data.experimental.RandomDataset(seed=9).take(40).batch(8)


@program("ops", drawn={1: (0, 4294967296)}, spread=[1])
def random_zipped_each_epoch():
    return tf.data.Dataset.zip((
        tf.data.Dataset.range(40), tf.data.Dataset.random(seed=2, rerandomize_each_iteration=True))).repeat(2).batch(8)


@program("tests", FEW, unit="element")
def datasets_nested_and_flattened():
    return few().batch(10).map(lambda n: tf.data.Dataset.from_tensor_slices(n).batch(5)).flat_map(lambda inner: inner)


@program("tests", FEW)
def thread_pool_private():
    return wrapped(few(), lambda variant, **given: gen_experimental_dataset_ops.private_thread_pool_dataset(
        variant, num_threads=np.int64(2), **given)).batch(8)


@program("tests", FEW)
def thread_pool_private_behind_map():
    return wrapped(few().map(lambda n: n + 1, num_parallel_calls=2), lambda variant, **given: (
        gen_experimental_dataset_ops.private_thread_pool_dataset(variant, num_threads=np.int64(1), **given))).batch(8)


@program("tests", FEW)
def intra_op_parallelism():
    return wrapped(few(), lambda variant, **given: gen_experimental_dataset_ops.max_intra_op_parallelism_dataset(
        variant, max_intra_op_parallelism=np.int64(1), **given)).batch(8)


@program("tests", FEW)
def intra_op_parallelism_behind_filter():
    return wrapped(few().filter(lambda n: n % 2 == 0), lambda variant, **given: (
        gen_experimental_dataset_ops.max_intra_op_parallelism_dataset(variant, max_intra_op_parallelism=np.int64(2), **given))).batch(8)


@program("tests", FEW)
def sampled():
    """tf.data's sampling step with a rate of one keeps all."""
    return wrapped(few(), lambda variant, **given: gen_experimental_dataset_ops.sampling_dataset(
        variant, rate=1.0, seed=np.int64(1), seed2=np.int64(2), **given)).batch(8)


@program("tests", FEW, choice=True, count=(1, 100))
def sampled_by_half():
    return wrapped(few(), lambda variant, **given: gen_experimental_dataset_ops.sampling_dataset(
        variant, rate=0.5, seed=np.int64(1), seed2=np.int64(2), **given)).batch(8)


@universe("sampled_by_half")
def sampled_by_half_of():
    return few().batch(8)
