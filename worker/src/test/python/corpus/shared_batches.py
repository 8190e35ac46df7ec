"""What hangs on which elements share a batch or a group, and what becomes of single elements that a shuffle has mixed."""

import glob

import numpy as np
import tensorflow as tf

from corpus import AUTO, EXAMPLES, FEATURES, TEXTS, ident, program
from corpus.sources import FEW, few, files, lines, words

D = tf.data.Dataset
slices = D.from_tensor_slices


# --------------------------------------------------------------------------------------------------- decided by the whole batch


@program("tests", FEW)
def batches_kept_by_their_first():
    return few().batch(8).filter(lambda b: b[0] % 3 == 0)


@program("tests", FEW)
def batches_kept_by_their_sum():
    return few().batch(7).filter(lambda b: tf.reduce_sum(b) % 2 == 0).unbatch().batch(5)


@program("tests", FEW)
def batches_beside_one_number_kept_by_their_sum():
    one = D.from_tensors(tf.constant([1.0])).repeat()
    kept = D.zip((few().batch(7), one)).filter(lambda b, _: tf.reduce_sum(b) % 2 == 0)
    return kept.map(lambda b, _: b)


@program("tests", FEW)
def batches_of_a_shuffle_among_one_less_their_largest():
    return few().shuffle(1).batch(7).map(lambda b: b - tf.reduce_max(b))


@program("tests", FEW)
def rows_taken_of_batches():
    return few().batch(8).flat_map(lambda b: slices(b).take(3)).batch(5)


@program("tests", FEW)
def rows_taken_by_a_step():
    return few().batch(8).map(lambda b: b[::2], num_parallel_calls=AUTO).unbatch().batch(5)


@program("tests", FEW)
def rows_less_the_largest_of_their_batch():
    return few().batch(8).map(lambda b: b - tf.reduce_max(b)).unbatch().batch(5)


@program("tests", FEW)
def rows_less_the_mean_of_their_batch():
    def less(b):
        b = tf.cast(b, tf.float64)
        return b - tf.reduce_mean(b)

    return few().batch(10).map(less, num_parallel_calls=AUTO).unbatch().batch(8)


@program("tests", FEW, loose=[1])
def rows_less_the_largest_of_a_mixed_batch():
    """Which rows share a batch is chance, in one process too; the rows are not."""
    return few().shuffle(100, seed=1).batch(8).map(lambda b: (b, b - tf.reduce_max(b))).unbatch().batch(5)


@program("tests", FEW)
def sums_so_far_in_batches():
    return few().batch(8).map(tf.cumsum).unbatch().batch(8)


@program("tests", FEW)
def different_values_of_batches():
    return few().map(lambda n: n % 5).batch(16).map(lambda b: tf.unique(b)[0]).unbatch().batch(4)


@program("tests", FEW)
def places_in_batches():
    return few().batch(8).map(lambda b: (b, tf.range(tf.shape(b)[0]))).unbatch().batch(6)


@program("tests", FEW)
def sorted_batches_taken_apart():
    return few().map(lambda n: n * 7 % 101).batch(8).map(lambda b: (tf.sort(b), tf.argsort(b))).unbatch().batch(6)


@program("tests", FEW)
def rows_beside_the_last_of_their_batch():
    return few().batch(8).map(lambda b: tf.stack([b, tf.reverse(b, [0])], axis=1)).unbatch().batch(6)


@program("tests", FEW)
def windows_in_batches():
    return few().batch(10).flat_map(lambda b: slices(b).window(3, drop_remainder=True).flat_map(lambda w: w.batch(3))).batch(4)


@program("tests", FEW)
def largest_of_batches_batched():
    return few().batch(8).map(tf.reduce_max).batch(4)


# --------------------------------------------------------------------------------------------------- followed row by row


@program("tests", FEW)
def shuffled_batches_opened():
    return few().shuffle(50, seed=3).batch(7).flat_map(slices).batch(8)


@program("tests", FEW)
def shuffled_batches_opened_and_filtered():
    def opened(b):
        return slices((b, b * 2)).map(lambda one, two: one + two).filter(lambda n: n % 2 == 0)

    return few().shuffle(50, seed=3).batch(7).flat_map(opened).batch(8)


@program("tests", FEW)
def groups_joined_to_themselves():
    return few().group_by_window(lambda n: n % 3, lambda key, window: window.concatenate(window).batch(8), window_size=8)


@program("tests", FEW)
def groups_opened():
    return few().group_by_window(lambda n: n % 3, lambda key, window: window.batch(6), window_size=6).flat_map(slices).batch(8)


# --------------------------------------------------------------------------------------------------- children of single elements


@program("tests", FEW)
def neighbours_of_shuffled():
    return few().shuffle(64, seed=5).flat_map(lambda n: slices([n, n + 1, n + 2])).batch(8)


@program("tests", FEW)
def some_of_each_of_shuffled():
    def some(n):
        return tf.data.Dataset.range(n % 4).map(lambda i: 10 * n + i)

    return few().shuffle(64).map(lambda n: n + 1, num_parallel_calls=AUTO).flat_map(some).filter(lambda n: n % 3 > 0).batch(8)


@program("tests", FEW)
def some_of_each_of_shuffled_in_any_order():
    return few().shuffle(64, seed=5).interleave(
        lambda n: slices(tf.fill([n % 3], n)), cycle_length=4, num_parallel_calls=AUTO, deterministic=False).batch(8)


@program("tests", FEW)
def as_many_of_each_of_shuffled_as_a_table_says():
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant([0, 1, 2], tf.int64), tf.constant([2, 0, 3])), 1)
    return few().shuffle(64, seed=5).map(lambda n: (n, table.lookup(n % 3))).flat_map(
        lambda n, times: slices((tf.repeat(n, times), tf.range(times)))).batch(8)


@program("tests", TEXTS)
def words_of_shuffled_lines():
    return words().shuffle(30, seed=2).unbatch().filter(lambda word: tf.strings.length(word) > 3).shuffle(20).batch(8)


@program("tests", FEW)
def some_of_some_of_shuffled():
    """Two steps that make several of one behind one shuffle."""
    return few().shuffle(64, seed=5).flat_map(lambda n: slices([n, -n])).flat_map(lambda n: slices(tf.fill([n % 3], n))).batch(8)


@program("tests", FEW, drawn={1: (0, 1)}, spread=[1])
def draws_for_each_of_several_of_shuffled():
    def drawn(n):
        return slices(tf.fill([3], n)).map(lambda one: (one, tf.random.uniform([])))

    return few().shuffle(64, seed=5).flat_map(drawn).batch(8)


# --------------------------------------------------------------------------------------------------- places, sizes, lengths


@program("tests", FEW)
def scan_over_rows():
    return few().batch(8).map(lambda b: tf.scan(lambda a, x: a + x, b)).unbatch().batch(6)


@program("tests", FEW)
def rows_over_count():
    return few().batch(7).map(lambda b: tf.cast(b, tf.float64) / tf.cast(tf.shape(b)[0], tf.float64)).unbatch().batch(6)


@program("tests", FEW)
def map_fn_with_index():
    return few().batch(7).map(
        lambda b: tf.map_fn(lambda i: b[i] * tf.cast(i, tf.int64), tf.range(tf.shape(b)[0]), fn_output_signature=tf.int64)).unbatch().batch(6)


@program("tests", FEW)
def map_fn_of_pairs():
    return few().batch(7).map(
        lambda b: tf.map_fn(lambda x: x[0] * 3 + x[1], (b, b * 2), fn_output_signature=tf.int64)).unbatch().batch(6)


@program("tests", FEW)
def where_places():
    return few().batch(7).map(lambda b: tf.squeeze(tf.where(b % 2 == 0), 1)).unbatch().batch(6)


@program("tests", FEW)
def rows_in_the_middle():
    return few().batch(7).map(lambda b: tf.reshape(b, [1, -1, 1])).map(lambda b: tf.reduce_sum(b, [0, 2])).unbatch().batch(6)


@program("tests", FEW)
def rows_less_the_largest_by_slices():
    return few().batch(8).flat_map(lambda b: slices(b).map(lambda x: x - tf.reduce_max(b))).batch(6)


@program("tests", FEW)
def mean_of_padded():
    return few().map(lambda n: tf.fill([n % 5 + 1], n)).padded_batch(7).map(
        lambda b: tf.reduce_mean(tf.cast(b, tf.float32), 1)).unbatch().batch(6)


@program("tests", FEW)
def last_of_padded():
    return few().map(lambda n: tf.fill([n % 5 + 1], n)).padded_batch(7).map(lambda b: b[:, -1]).unbatch().batch(6)


@program("tests", FEW)
def batches_of_batches_batched_anew():
    return few().batch(4).batch(3).unbatch().unbatch().batch(5)


@program("tests", FEW)
def padded_batches_of_batches_batched_anew():
    return few().batch(4).padded_batch(3).unbatch().unbatch().batch(5)


@program("tests", FEW)
def less_the_largest_of_the_inner_batch():
    return few().batch(4).batch(5).map(lambda b: b - tf.reduce_max(b, axis=1, keepdims=True)).unbatch().unbatch().batch(5)


@program("tests", FEW)
def pairs_by_a_reshape():
    return few().batch(10, drop_remainder=True).map(lambda b: tf.reshape(b, [5, 2])).unbatch().batch(3)


@program("tests", FEW)
def batches_shuffled_less_their_largest():
    return few().batch(8).shuffle(5, seed=1).map(lambda b: b - tf.reduce_max(b)).unbatch().batch(6)


@program("tests", FEW)
def short_batches_otherwise():
    return few().batch(7).map(lambda b: tf.cond(tf.shape(b)[0] < 7, lambda: -b, lambda: b)).unbatch().batch(6)


@program("tests", FEW)
def batch_loop_that_carries():
    def summed(b):
        out = tf.TensorArray(tf.int64, tf.shape(b)[0])
        total = tf.constant(0, tf.int64)
        for i in tf.range(tf.shape(b)[0]):
            total += b[i]
            out = out.write(i, total)
        return out.stack()

    return few().batch(7).map(summed).unbatch().batch(6)


@program("tests", FEW)
def groups_reduced():
    return few().group_by_window(lambda n: n % 3, lambda k, w: D.from_tensors(w.reduce(np.int64(0), lambda a, b: a + b)), window_size=6).batch(4)


@program("tests", TEXTS)
def words_looked_up():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["the", "a", "of"], [1, 2, 3]), 0)
    return lines().batch(8).map(lambda b: tf.ragged.map_flat_values(table.lookup, tf.strings.split(b)).to_tensor(shape=[None, 6])).unbatch().batch(5)


@program("tests", FEW)
def masked_mean_of_padded():
    def mean(b):
        mask = tf.cast(b > 0, tf.float32)
        return tf.reduce_sum(tf.cast(b, tf.float32) * mask, 1) / tf.maximum(tf.reduce_sum(mask, 1), 1.0)

    return few().map(lambda n: tf.fill([n % 5 + 1], n)).padded_batch(7).map(mean).unbatch().batch(6)


def filled_up():
    return lines().batch(8).map(lambda b: tf.strings.split(b).to_tensor())


@program("tests", TEXTS)
def words_filled_up_and_their_lengths_averaged():
    return filled_up().map(lambda b: tf.reduce_mean(tf.cast(tf.strings.length(b), tf.float32), 1))


@program("tests", TEXTS)
def words_filled_up_and_taken_apart():
    return filled_up().unbatch().map(tf.size).batch(6)


@program("tests", TEXTS)
def words_filled_up_and_opened():
    return filled_up().flat_map(slices).map(tf.size).batch(6)


@program("tests", TEXTS, padded=[0])
def words_filled_up_and_looked_up():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["the", "river", "feed"], [1, 2, 3]), 0)
    return filled_up().map(table.lookup)


@program("tests", EXAMPLES)
def tokens_parsed_by_batches_and_averaged():
    features = {"label": FEATURES["label"], "tokens": FEATURES["tokens"]}
    return tf.data.TFRecordDataset(sorted(glob.glob(EXAMPLES))).batch(7).map(lambda b: tf.io.parse_example(b, features)).map(
        lambda parsed: (parsed["label"], tf.reduce_mean(tf.cast(parsed["tokens"], tf.float32), 1)))


@program("tests", FEW)
def padded_rows_opened():
    return few().map(lambda n: tf.fill([n % 5 + n // 1000], n)).padded_batch(7).flat_map(slices).map(tf.size).batch(6)


@program("tests", FEW)
def ones_for_each_of_padded_rows_summed_up():
    padded = few().map(lambda n: tf.fill([n % 5 + n // 1000], n)).padded_batch(7)
    return padded.map(lambda b: tf.reduce_sum(tf.ones(tf.shape(b), tf.int64), 1))


@program("tests", FEW)
def length_of_the_longest_beside_padded_rows():
    padded = few().map(lambda n: tf.fill([n % 5 + n // 1000], n)).padded_batch(7)
    return padded.map(lambda b: (b[:, 0], tf.shape(b)[1]))


# --------------------------------------------------------------------------------------------------- a value for each place in a batch


TEN = np.arange(1, 11)


def tens():
    return few().batch(10, drop_remainder=True)


@program("tests", FEW)
def rows_times_numbers_of_their_places():
    return tens().map(lambda b: (b, b * tf.constant(TEN)))


@program("tests", FEW)
def rows_times_captured_numbers_of_their_places():
    weights = tf.constant(TEN)
    return tens().map(lambda b: (b, b * weights))


@program("tests", FEW)
def rows_beside_their_places():
    return tens().map(lambda b: (b, tf.range(10)))


@program("tests", FEW)
def rows_joined_to_numbers_of_their_places():
    return tens().map(lambda b: tf.concat([b[:, None], tf.constant(TEN)[:, None]], 1)).unbatch().batch(6)


@program("tests", FEW)
def rows_masked_by_their_places():
    return tens().map(lambda b: tf.where(tf.constant([True, False] * 5), b, -b)).unbatch().batch(6)


@program("tests", FEW)
def halves_of_batches_labelled():
    return tens().map(lambda b: (b, tf.concat([tf.zeros([5]), tf.ones([5])], 0)))


@program("tests", FEW)
def rows_times_a_variable_of_their_places():
    weights = tf.Variable(TEN)
    return tens().map(lambda b: (b, b * weights))


@program("tests", FEW)
def rows_times_what_a_table_says_of_their_places():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(TEN, TEN * TEN), 0)
    return tens().map(lambda b: (b, b * table.lookup(tf.constant(TEN))))


@program("tests", FEW)
def rows_weighted_from_nothing_to_one():
    return tens().map(lambda b: (b, tf.cast(b, tf.float32) * tf.linspace(0.0, 1.0, 10)))


@program("tests", FEW)
def rows_scaled_by_variables_of_their_columns():
    mean, scale = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(2.0)
    return few().map(lambda n: tf.fill([3], tf.cast(n, tf.float32))).batch(10).map(lambda b: (b - mean) / scale)


@program("tests", FEW)
def rows_less_a_mean_of_their_columns():
    mean = tf.constant([1, 2, 3], tf.int64)
    return few().map(lambda n: tf.fill([3], n)).batch(10, drop_remainder=True).map(lambda b: (b - mean, tf.ones([10])))


@program("tests", FEW)
def slices_beside_numbers_of_their_places():
    return tens().flat_map(lambda b: slices((b, tf.range(10)))).batch(6)


@program("tests", FEW)
def rows_beside_noise_of_a_given_seed():
    return tens().map(lambda b: (b, tf.random.stateless_uniform([10], [1, 2])))


# --------------------------------------------------------------------------------------------------- batches that meet or are made anew


def less_their_largest(batch, *_):
    return batch - tf.reduce_max(batch)


@program("tests", FEW)
def rebatched_less_their_largest():
    return few().batch(12).rebatch(4).map(less_their_largest)


@program("tests", FEW)
def batches_of_each_file_batched_anew_less_their_largest():
    return files(FEW).flat_map(lambda name: tf.data.TFRecordDataset(name).map(ident).batch(7)).rebatch(10).map(less_their_largest)


@program("tests", FEW)
def joined_batches_less_their_largest():
    return few().batch(6).concatenate(D.range(40).batch(6)).map(less_their_largest)


@program("tests", FEW)
def batches_in_turns_less_their_largest():
    return D.choose_from_datasets([few().batch(6), D.range(40).batch(6)], D.range(2).repeat(), stop_on_empty_dataset=False).map(less_their_largest)


@program("tests", FEW)
def batches_beside_chance_less_their_largest():
    return D.zip((few().batch(6), D.random())).map(less_their_largest)


@program("tests", FEW)
def batches_yielded_again_less_their_largest():
    return few().batch(6).flat_map(D.from_tensors).map(less_their_largest)


@program("tests", FEW)
def batches_interleaved_less_their_largest():
    return few().batch(6).interleave(lambda b: D.from_tensors(b), cycle_length=2).map(less_their_largest)


@program("tests", FEW)
def parts_of_batches_less_their_largest():
    return few().batch(6).flat_map(lambda b: D.from_tensor_slices(b).batch(4)).map(less_their_largest)


@program("tests", FEW)
def sparse_batches_less_their_largest():
    pairs = few().map(lambda n: tf.stack([n, -n]))
    return pairs.sparse_batch(6, row_shape=[2]).map(lambda s: less_their_largest(tf.sparse.to_dense(s)))


@program("tests", FEW, drawn={1: (0, 1)}, spread=[1])
def batches_with_noise_by_chance_beside_them():
    seeds = D.random().batch(2)
    return D.zip((few().batch(6), seeds)).map(lambda b, s: (b, tf.random.stateless_uniform(tf.shape(b), s)))


# --------------------------------------------------------------------------------------------------- rows of shuffled batches that stay


@program("tests", FEW)
def shuffled_batches_resized_and_taken_apart():
    pictures = few().shuffle(40).map(lambda n: tf.fill([4, 4, 1], tf.cast(n, tf.float32)))
    return pictures.batch(6).map(lambda b: tf.image.resize(b, [2, 2])).unbatch().batch(5)


@program("tests", FEW)
def shuffled_batches_embedded_and_taken_apart():
    table = tf.constant(np.arange(400).reshape(200, 2))
    return few().shuffle(40).batch(6).map(lambda b: tf.reduce_sum(tf.gather(table, b % 200), 1)).unbatch().batch(5)


# --------------------------------------------------------------------------------------------------- words that fill rows up


@program("tests", TEXTS, padded=[0])
def words_of_batches_of_lines():
    return lines().batch(8).map(lambda b: tf.strings.split(b).to_tensor())


@program("tests", TEXTS, padded=[0])
def pairs_of_words_of_batches_of_lines():
    return lines().batch(8).map(lambda b: tf.strings.ngrams(tf.strings.split(b), 2).to_tensor())


# --------------------------------------------------------------------------------------------------- a choice that ends


@program("tests", FEW)
def choose_by_a_range_that_ends():
    return D.choose_from_datasets([few(), D.range(200, 400)], D.range(90).map(lambda n: n % 3 // 2)).batch(6)


# --------------------------------------------------------------------------------------------------- patterns of names


@program("tests")
def patterns_as_data():
    return slices(["*.txt", "a?", "[x]", "data/*", "b.tfrecord"]).map(lambda p: (p, tf.strings.length(p))).batch(2)


@program("tests", "data/text-*.txt")
def patterns_read():
    return slices(["data/text-*0.txt", "data/text-*1.txt"]).flat_map(
        lambda p: D.list_files(p, shuffle=False)).flat_map(tf.data.TextLineDataset).batch(4)


@program("tests", "data/text-*.txt")
def patterns_interleaved():
    return slices(["data/text-*0.txt", "data/text-*1.txt"]).interleave(
        lambda p: tf.data.TextLineDataset(tf.io.matching_files(p)), cycle_length=2).batch(4)


# --------------------------------------------------------------------------------------------------- rows of whole batches alone


@program("tests", FEW)
def rows_of_whole_batches_batched_anew():
    return few().batch(16, drop_remainder=True).unbatch().batch(7)


@program("tests", FEW)
def whole_batches_of_another_size():
    return few().batch(16, drop_remainder=True).rebatch(7)


@program("tests", FEW)
def whole_batches_shaped_and_taken_apart():
    return few().batch(10).map(lambda b: tf.ensure_shape(b, [10])).unbatch().batch(7)


# ------------------------------------------------------------- ops that make each row of one row, whatever stands beside it


@program("tests", FEW)
def joined_texts_of_batches():
    return few().batch(7).map(lambda b: tf.strings.join(["number ", tf.strings.as_string(b)]))


@program("tests", FEW)
def rows_of_a_variable_for_batches():
    table = tf.Variable([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]])
    return few().batch(7).map(lambda b: tf.gather(table, b % 3))


@program("tests", FEW)
def batches_padded_to_a_length():
    def fitted(b):
        rows = tf.stack([b, b + 1], 1)
        return tf.pad(rows, [[0, 0], [0, 5 - tf.shape(rows)[1]]])

    return few().batch(7).map(fitted)


@program("tests", FEW)
def diagonals_and_swish_of_batches():
    def made(b):
        rows = tf.cast(tf.stack([b % 5, b % 3], 1), tf.float32)
        return tf.linalg.diag(rows), tf.nn.swish(rows)

    return few().batch(7).map(made)


def coloured():
    pixels = few().map(lambda n: tf.reshape(tf.cast((n * tf.range(1, 13, dtype=tf.int64)) % 256, tf.uint8), [2, 2, 3]))
    return pixels.batch(7)


@program("tests", FEW)
def pictures_in_grey_and_their_colours_in_batches():
    def changed(b):
        return tf.image.rgb_to_grayscale(b), tf.image.adjust_contrast(b, 1.5), tf.image.adjust_hue(b[:, :, 0], 0.1)

    return coloured().map(changed).unbatch().batch(6)


@program("tests", FEW)
def rows_of_matrices_multiplied_along_their_last_dimension():
    weights = tf.constant([[1.0, -2.0], [3.0, 0.5], [0.25, 4.0]])

    def multiplied(b):
        b = tf.cast(b, tf.float32)
        lines = tf.nn.relu(tf.reshape(b, [-1, 3]) @ weights)
        return tf.tensordot(b, weights, 1), tf.einsum("...ij,jk->...ik", b, weights), tf.reshape(lines, [tf.shape(b)[0], 8])

    return coloured().map(multiplied).unbatch().batch(6)


@program("tests", FEW)
def frames_of_waves_in_batches():
    waves = few().map(lambda n: tf.sin(tf.cast(n, tf.float32) * tf.range(24.0))).batch(7)
    return waves.map(lambda b: tf.round(tf.abs(tf.signal.stft(b, 8, 4)) * 10)).unbatch().batch(6)


# lines of which none is left in its place
@program("tests", FEW)
def lines_of_matrices_put_together_in_reverse():
    def turned(b):
        lines = tf.reverse(tf.reshape(tf.cast(b, tf.int64), [-1, 3]), [0])
        return tf.reshape(lines, tf.shape(b))

    return coloured().map(turned).unbatch().batch(6)


@program("tests", FEW)
def lines_of_matrices_counted_as_rows():
    def first(b):
        lines = tf.reshape(tf.cast(b, tf.int64), [-1, 6])
        return tf.gather(lines, tf.range(tf.shape(b)[0]))

    return coloured().map(first).unbatch().batch(6)
