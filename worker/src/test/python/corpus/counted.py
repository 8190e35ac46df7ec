"""What tells how many rows share a batch or a group, in ways that are not to be seen at once."""

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
