"""Batches, their contrary, and windows."""

import glob

import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import distribute

from corpus import AUTO, EXAMPLES, NUMBERS, TEXTS, examples, ids, parsed, program, universe
from corpus.sources import FEW, REVIEWS, few, records, words, words_of_reviews


@program("ops", NUMBERS)
def batch_short_last():
    return ids().batch(7)


@program("ops", FEW, choice=True, count=(40, 100))
def batch_drop_remainder():
    return few().batch(7, drop_remainder=True)


@universe("batch_drop_remainder")
def batch_drop_remainder_of():
    return few().batch(7)


@program("ops", FEW)
def batch_drop_nothing():
    return few().batch(25, drop_remainder=True)


@program("ops", FEW)
def batch_of_one():
    return few().batch(1)


@program("ops", FEW)
def batch_larger_than_all():
    return few().batch(1000)


@program("ops", FEW)
def batch_parallel_auto():
    return few().map(lambda n: (n, tf.cast(n, tf.float32) / 8)).batch(6, num_parallel_calls=AUTO)


@program("ops", FEW)
def batch_parallel_unordered():
    return few().batch(6, num_parallel_calls=2, deterministic=False)


@program("ops", TEXTS)
def batch_parallel_of_words():
    return words().map(lambda w: w[0]).batch(6, num_parallel_calls=2, deterministic=True)


@program("ops", FEW, choice=True, count=(40, 100))
def batch_parallel_drops():
    return few().batch(16, drop_remainder=True, num_parallel_calls=AUTO)


@universe("batch_parallel_drops")
def batch_parallel_drops_of():
    return few().batch(16)


@program("ops", FEW)
def batch_of_batches():
    return few().batch(5).batch(2).map(lambda n: tf.reshape(n, [-1]))


@program("ops", FEW, unit="element", mixed=True)
def batch_of_batches_whole():
    return few().batch(25).batch(2)


@program("ops", FEW)
def batch_of_batches_with_tails():
    return few().batch(8).batch(3).map(lambda n: tf.reshape(n, [-1]))


@program("ops", FEW)
def batch_of_structures():
    return few().map(lambda n: {"n": n, "pair": (n % 3, tf.cast(n, tf.float32))}).batch(9)


@program("ops", EXAMPLES, padded=[0])
def padded_tokens():
    return examples().map(lambda e: (e["tokens"], e["label"])).padded_batch(8)


@program("ops", EXAMPLES)
def padded_tokens_to_ten():
    return examples().map(lambda e: (e["tokens"], e["label"])).padded_batch(8, padded_shapes=([10], []))


@program("ops", EXAMPLES)
def padded_with_values():
    return examples().map(lambda e: {"tokens": e["tokens"], "name": e["name"]}).padded_batch(
        8, padded_shapes={"tokens": [12], "name": []}, padding_values={"tokens": tf.constant(-1, tf.int64), "name": "?"})


@program("ops", REVIEWS)
def padded_words():
    return words_of_reviews().padded_batch(5, padded_shapes=[16], padding_values="[PAD]")


@program("ops", REVIEWS, choice=True, count=(4, 16))
def padded_words_drop_remainder():
    return words_of_reviews().padded_batch(5, padded_shapes=[16], drop_remainder=True)


@universe("padded_words_drop_remainder")
def padded_words_drop_remainder_of():
    return words_of_reviews().padded_batch(5, padded_shapes=[16])


@program("ops", FEW, padded=[0])
def padded_ranges():
    return few().map(lambda n: tf.range(1, 1 + n % 8)).shuffle(20).padded_batch(6, padded_shapes=[None])


@program("ops", FEW)
def padded_matrices():
    return few().map(lambda n: tf.fill([n % 3, 2], n)).padded_batch(5, padded_shapes=[3, 2], padding_values=np.int64(-1))


@program("tests", FEW, unit="element", mixed=True)
def padded_over_batch():
    return few().batch(10).padded_batch(5, padded_shapes=[10])


@program("tests", FEW)
def padded_over_batch_with_tail():
    return few().batch(7).padded_batch(3, padded_shapes=[7], padding_values=np.int64(-1)).unbatch().unbatch().filter(
        lambda n: n >= 0).batch(8)


@program("ops", FEW)
def unbatch_batches():
    return few().batch(10).unbatch().batch(8)


@program("ops", FEW)
def unbatch_rows_of_records():
    return records().map(lambda r: parsed(r)[1]).unbatch().batch(8)


@program("ops", FEW)
def unbatch_uneven():
    return few().map(lambda n: tf.fill([n % 4], n)).unbatch().batch(8)


@program("ops", REVIEWS)
def unbatch_words():
    return words_of_reviews().unbatch().batch(8)


@program("ops", EXAMPLES)
def unbatch_tokens_with_label():
    return examples().filter(lambda e: e["label"] % 6 == 0).map(
        lambda e: (e["tokens"], tf.fill(tf.shape(e["tokens"]), e["label"]))).unbatch().batch(8)


@program("tests", FEW)
def unbatch_masked_batch():
    return few().batch(20).map(lambda n: tf.boolean_mask(n, n % 3 == 0)).unbatch().batch(8)


@program("tests", FEW)
def unbatch_masked_structure():
    def masked(n, xy):
        keep = n % 2 == 1
        return tf.boolean_mask(n, keep), tf.boolean_mask(xy, keep)

    return records().map(parsed).batch(20).map(masked).unbatch().batch(8)


@program("tests", FEW)
def unbatch_to_twice_as_many():
    return few().batch(10).map(lambda n: tf.concat([n, n], 0)).unbatch().batch(8)


@program("tests", FEW)
def unbatch_between_shuffles():
    return few().shuffle(20).batch(10).shuffle(4).unbatch().shuffle(30).batch(8)


@program("ops", FEW)
def rebatch_smaller():
    return few().batch(12).rebatch(5)


@program("ops", FEW)
def rebatch_larger():
    return few().batch(4).rebatch(10)


@program("ops", FEW)
def rebatch_by_turns():
    return few().batch(8).rebatch([3, 5])


@program("ops", FEW, choice=True, count=(60, 100))
def rebatch_drops():
    return few().batch(8).rebatch(12, drop_remainder=True)


@universe("rebatch_drops")
def rebatch_drops_of():
    return few().batch(8)


@program("ops", FEW)
def rebatch_legacy():
    return distribute._LegacyRebatchDataset(few().batch(8), num_replicas=2)


@program("ops", FEW)
def rebatch_legacy_of_pairs():
    return distribute._LegacyRebatchDataset(few().map(lambda n: (n, -n)).batch(12), num_replicas=3)


@program("ops", REVIEWS)
def ragged_batch_to_tensor():
    return words_of_reviews().ragged_batch(8).map(lambda w: w.to_tensor("[PAD]", shape=[None, 16]))


@program("ops", FEW)
def ragged_batch_lengths():
    return few().map(lambda n: tf.range(n % 5)).ragged_batch(8).map(lambda rows: (rows.row_lengths(), tf.reduce_sum(rows, 1)))


@program("ops", REVIEWS)
def ragged_batch_dense():
    return words_of_reviews().apply(tf.data.experimental.dense_to_ragged_batch(8)).map(lambda w: w.to_tensor("", shape=[None, 16]))


@program("ops", FEW)
def ragged_batch_dense_drops_nothing():
    return few().map(lambda n: tf.fill([n % 3], n)).apply(
        tf.data.experimental.dense_to_ragged_batch(25, drop_remainder=True)).map(lambda rows: rows.row_lengths())


@program("ops", TEXTS, refused=True)
def ragged_batch_open():
    return words().ragged_batch(8)


@program("ops", FEW)
def sparse_batch_to_dense():
    return few().map(lambda n: tf.fill([1 + n % 4], n)).sparse_batch(8, row_shape=[5]).map(tf.sparse.to_dense)


@program("ops", FEW)
def sparse_batch_dense():
    return few().map(lambda n: tf.fill([1 + n % 4], n)).apply(tf.data.experimental.dense_to_sparse_batch(5, [6])).map(
        lambda rows: tf.sparse.to_dense(rows, default_value=-1))


@program("ops", FEW)
def map_and_batch_fused():
    return few().apply(tf.data.experimental.map_and_batch(lambda n: n * 2, batch_size=8))


@program("ops", FEW)
def map_and_batch_fused_parallel():
    return records().apply(tf.data.experimental.map_and_batch(parsed, batch_size=8, num_parallel_calls=AUTO))


@program("ops", TEXTS, padded=[0])
def bucket_words_by_length():
    return words().map(tf.strings.length, num_parallel_calls=AUTO).bucket_by_sequence_length(
        tf.size, bucket_boundaries=[5, 10], bucket_batch_sizes=[8, 6, 4])


@program("ops", FEW, padded=[0])
def bucket_with_label():
    return few().map(lambda n: (tf.fill([1 + n % 9], n), n % 9)).bucket_by_sequence_length(
        lambda row, label: tf.size(row), bucket_boundaries=[4, 7], bucket_batch_sizes=[6, 6, 6])


@program("ops", FEW)
def bucket_to_boundary():
    return few().map(lambda n: tf.fill([1 + n % 6], n)).bucket_by_sequence_length(
        tf.size, [4, 7], [5, 5, 5], pad_to_bucket_boundary=True).map(lambda rows: rows[:, 0])


@program("ops", FEW, choice=True, count=(40, 100))
def bucket_drops():
    return few().map(lambda n: tf.fill([1 + n % 6], n)).bucket_by_sequence_length(
        tf.size, [3, 5], [7, 7, 7], drop_remainder=True).map(lambda rows: rows[:, 0])


@universe("bucket_drops")
def bucket_drops_of():
    return few().batch(8)


@program("ops", FEW)
def group_by_remainder():
    return few().group_by_window(lambda n: n % 3, lambda key, window: window.batch(5), window_size=5)


@program("ops", FEW)
def group_by_window_size_of_key():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: window.batch(8), window_size_func=lambda key: (key + 1) * 2)


@program("ops", FEW)
def group_with_key():
    return few().group_by_window(
        lambda n: n // 1000, lambda key, window: window.map(lambda n: (key, n)).batch(4), window_size=10)


@program("ops", TEXTS, padded=[0])
def group_padded():
    return words().map(tf.strings.length).group_by_window(
        lambda w: tf.cast(tf.size(w) // 5, tf.int64), lambda key, window: window.padded_batch(6), window_size=6)


def summing():
    return tf.data.experimental.Reducer(
        init_func=lambda key: np.int64(0), reduce_func=lambda state, n: state + n, finalize_func=lambda state: state)


@program("ops", FEW, unit="element")
def group_reduced():
    return few().apply(tf.data.experimental.group_by_reducer(lambda n: n % 5, summing()))


@program("ops", TEXTS, unit="element")
def group_reduced_counts():
    counting = tf.data.experimental.Reducer(lambda key: np.int64(0), lambda state, w: state + 1, lambda state: state)
    return words().apply(tf.data.experimental.group_by_reducer(lambda w: tf.cast(tf.size(w), tf.int64), counting))


@program("ops", FEW)
def window_batched():
    return few().window(5).flat_map(lambda window: window.batch(5))


@program("ops", FEW, unit="element")
def window_sliding():
    return few().window(4, shift=1, drop_remainder=True).flat_map(lambda window: window.batch(4))


@program("ops", FEW, unit="element")
def window_sliding_with_tails():
    return few().window(4, shift=3).flat_map(lambda window: window.batch(4))


@program("ops", FEW, unit="element")
def window_strided():
    return few().window(3, shift=2, stride=2, drop_remainder=True).flat_map(lambda window: window.batch(3, drop_remainder=True))


@program("ops", FEW)
def window_of_pairs():
    return records().map(parsed).window(6).flat_map(lambda n, xy: tf.data.Dataset.zip((n.batch(6), xy.batch(6))))


@program("ops", FEW, unit="element")
def window_reduced():
    return few().window(10).map(lambda window: window.reduce(np.int64(0), lambda a, b: a + b))


@program("ops", FEW, unit="element")
def window_per_file():
    files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(FEW)))
    return files.flat_map(lambda f: tf.data.TFRecordDataset(f).map(lambda r: tf.strings.length(r)).window(
        5, shift=5, drop_remainder=True).flat_map(lambda window: window.batch(5)))


@program("ops", FEW, refused=True)
def window_of_datasets():
    return few().window(5)


@program("ops")
def window_of_range_with_labels():
    return tf.data.Dataset.range(60).window(6, shift=1, drop_remainder=True).flat_map(
        lambda window: window.batch(6)).map(lambda row: (row[:-1], row[-1])).shuffle(20).batch(8)


@program("ops")
def window_of_dictionary():
    rows = tf.data.Dataset.from_tensor_slices({"a": np.arange(30), "b": np.arange(30) * 2})
    return rows.window(3).flat_map(lambda window: tf.data.Dataset.zip({key: window[key].batch(3) for key in ("a", "b")}))
