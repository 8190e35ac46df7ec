"""What tells how many rows share a batch or a group, in ways that are not to be seen at once."""

import numpy as np
import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset
slices = D.from_tensor_slices


def of_all(batch):
    """How many there are, by ones."""
    return tf.reduce_sum(tf.ones([tf.shape(batch)[0]], tf.float64))


def divided(batch):
    return batch, tf.cast(batch, tf.float64) / of_all(batch)


@program("tests", FEW)
def rows_divided_by_ones_added_up():
    return few().batch(8).map(divided)


@program("tests", FEW)
def weights_that_add_up_to_one_in_each_batch():
    def weighted(batch):
        ones = tf.ones(tf.shape(batch), tf.float64)
        return batch, ones / tf.reduce_sum(ones)

    return few().batch(8).map(weighted)


@program("tests", FEW)
def groups_divided_by_ones_added_up():
    return few().group_by_window(lambda n: n % 3, lambda key, window: window.batch(7).map(divided), window_size=7)


@program("tests", FEW)
def slices_beside_one_over_ones_added_up():
    def opened(batch):
        return slices((batch, tf.fill([tf.size(batch)], 1.0 / of_all(batch))))

    return few().batch(8).flat_map(opened).batch(7)


@program("tests", FEW)
def rows_times_ones_by_columns_added_up():
    def made(batch):
        ones = tf.ones([3, tf.shape(batch)[0]])
        return batch, tf.reduce_sum(ones, 1)[0] * tf.cast(batch, tf.float32)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_beside_an_identity_matrix():
    return few().batch(10).map(lambda b: (b, tf.eye(tf.shape(b)[0], dtype=tf.int32)))


@program("tests", FEW)
def rows_beside_ones_summed_so_far():
    return few().batch(10).map(lambda b: (b, tf.cumsum(tf.ones([tf.shape(b)[0]], tf.int64))))


@program("tests", FEW)
def rows_beside_a_mask_of_ones():
    """Each has its own."""
    def masked(batch):
        ones = tf.ones_like(batch)
        begin = tf.ones([tf.shape(batch)[0], 1], tf.int64)
        return batch, tf.concat([begin, ones], 1), tf.reduce_sum(ones, 1), tf.cumsum(ones, 1)

    return few().map(lambda n: tf.fill([5], n)).batch(8).map(masked)


MARK = -1


@program("tests", FEW)
def batches_ended_by_a_mark_and_taken_apart():
    return few().batch(8).map(lambda b: tf.concat([b, [MARK]], 0)).unbatch().batch(7)


@program("tests", FEW)
def batches_ended_by_a_mark_behind_a_shuffle():
    return few().shuffle(50).batch(8).map(lambda b: tf.concat([b, [MARK]], 0)).unbatch().batch(7)


@program("tests", FEW)
def batches_filled_up_with_zeros_and_taken_apart():
    def whole(b):
        return tf.concat([b, tf.zeros([8 - tf.shape(b)[0]], tf.int64)], 0)

    return few().batch(8).map(whole).unbatch().batch(7)


@program("tests", FEW)
def batches_begun_by_a_mark_and_opened():
    return few().batch(8).map(lambda b: tf.concat([[MARK], b], 0)).flat_map(slices).batch(7)


@program("tests", FEW)
def batches_opened_and_ended_by_a_mark():
    return few().batch(8).flat_map(lambda b: slices(b).concatenate(slices(tf.constant([MARK], tf.int64)))).batch(7)


@program("tests", FEW)
def batches_ended_by_a_mark_opened_as_one():
    return few().batch(8).flat_map(lambda b: D.from_tensors(tf.concat([b, [MARK]], 0)))


@program("tests", FEW)
def batches_of_groups_ended_by_a_mark_and_batched_anew():
    grouped = few().group_by_window(lambda n: n % 3, lambda key, window: window.batch(7), window_size=7)
    return grouped.map(lambda b: tf.concat([b, [MARK]], 0)).rebatch(7)


@program("tests", FEW)
def batches_joined_to_others_of_them_and_taken_apart():
    """As many for each."""
    return few().batch(8).map(lambda b: tf.concat([b, -b, tf.ones_like(b)], 0)).unbatch().batch(7)


@program("tests", FEW)
def elements_ended_by_a_mark_and_taken_apart():
    return few().map(lambda n: tf.stack([n, n, MARK])).map(lambda v: tf.concat([v, [MARK]], 0)).unbatch().batch(7)


@program("tests", FEW)
def batches_of_one_ended_by_a_mark_and_taken_apart():
    return few().batch(1).map(lambda b: tf.concat([b, [MARK]], 0)).unbatch().batch(7)


@program("tests", FEW)
def groups_ended_by_a_mark():
    def ended(key, window):
        return window.concatenate(D.from_tensors(tf.constant(MARK, tf.int64)))

    return few().group_by_window(lambda n: n % 3, ended, window_size=7).batch(8)


@program("tests", FEW)
def groups_of_which_the_key_is_told():
    return few().group_by_window(lambda n: n % 3, lambda key, window: D.from_tensors(key), window_size=1000).batch(2)


@program("tests", FEW)
def groups_counted_by_their_cardinality():
    def counted(key, window):
        return D.from_tensors((key, window.cardinality()))

    return few().group_by_window(lambda n: n % 3, counted, window_size=1000).batch(2)


@program("tests", FEW)
def groups_counted_for_each_of_theirs():
    def counted(_, window):
        return window.map(lambda n: (n, window.cardinality()))

    return few().group_by_window(lambda n: n % 3, counted, window_size=1000).batch(8)


@program("tests", FEW)
def rows_beside_a_variable_of_any_length():
    places = tf.Variable(np.arange(10), shape=tf.TensorShape([None]))
    return few().batch(10).map(lambda b: (b, tf.identity(places)))


@program("tests", FEW)
def rows_of_unknown_rank_beside_their_places():
    parsed = few().map(lambda n: tf.io.parse_tensor(tf.io.serialize_tensor(n), tf.int64))
    return parsed.batch(10, drop_remainder=True).map(lambda b: (b, tf.range(10)))


@program("tests", FEW)
def rows_behind_one_number_beside_their_places():
    rate = D.from_tensors(tf.constant(0.5)).repeat()
    return D.zip((rate, few().batch(10))).map(lambda _, b: (b, tf.range(10)))


@program("tests", FEW, unit="element")
def batches_opened_as_one_beside_their_places():
    return few().batch(10).flat_map(lambda b: D.from_tensors((b, tf.range(10))))


@program("tests", FEW)
def rows_that_take_words_of_a_list_of_any_length():
    words = tf.strings.split("a b c")
    return few().batch(10).map(lambda b: (b, tf.gather(words, b % 3)))


@program("tests", FEW)
def rows_of_shuffled_whole_batches_beside_weights_that_are_zipped():
    weights = D.from_tensors(np.arange(10)).repeat()
    return D.zip((few().shuffle(50).batch(10), weights)).map(lambda b, w: b + w * 0)


@program("tests", FEW)
def rows_of_shuffled_whole_batches_beside_batches_of_chance():
    return D.zip((few().shuffle(50).batch(10), D.random().batch(10).map(lambda r: r // 2))).map(lambda b, r: b + (r - r))


@program("tests", FEW)
def rows_of_shuffled_whole_batches_beside_some_that_are_drawn():
    return few().shuffle(50).batch(10).map(lambda b: b + 0 * tf.reduce_sum(tf.gather(b, tf.random.uniform([3], 0, 10, tf.int32))))
