"""What does not fill a batch and is left out, where it is told by how many elements there are, and where it is not."""

import tensorflow as tf

from corpus import program, universe
from corpus.sources import FEW, few


def none(rows):
    """As many rows, whichever they are: which do not fill a batch is decided by which are there last."""
    return tf.zeros(tf.shape(rows)[:1])


def by_remainder(size, made):
    return few().group_by_window(lambda n: n % 3, lambda key, window: made(window), size)


def rows_of_lengths():
    return few().map(lambda n: tf.fill([n % 6], n))


@program("tests", FEW)
def batches_made_anew_of_which_the_last_is_dropped():
    return few().batch(6).rebatch(7, drop_remainder=True).map(none)


@program("tests", FEW)
def batches_of_shuffled_made_anew_of_which_the_last_is_dropped():
    return few().shuffle(20).batch(6).rebatch(7, drop_remainder=True).map(none)


@program("tests", FEW)
def batches_of_several_sizes_made_anew_of_which_the_last_is_dropped():
    return few().batch(6).rebatch([3, 2, 4], drop_remainder=True).map(none)


@program("tests", FEW)
def buckets_of_several_sizes_that_drop_what_is_left():
    rows = rows_of_lengths()
    return rows.bucket_by_sequence_length(tf.size, [2, 4], [7, 5, 3], drop_remainder=True).map(none)


@program("tests", FEW)
def groups_of_whole_batches_that_drop_what_is_left():
    return by_remainder(8, lambda window: window.batch(4, drop_remainder=True)).map(none)


@program("tests", FEW)
def groups_that_drop_what_fills_no_batch_of_them():
    return by_remainder(10, lambda window: window.batch(3, drop_remainder=True)).map(none)


@program("tests", FEW)
def groups_of_which_some_are_kept_that_drop_what_is_left():
    return by_remainder(6, lambda window: window.filter(lambda n: n % 2 == 0).batch(2, drop_remainder=True)).map(none)


@program("tests", FEW)
def groups_as_large_as_their_key_says_that_drop_what_is_left():
    def rows(key, window):
        return window.batch(3, drop_remainder=True)

    return few().group_by_window(lambda n: n % 3, rows, window_size_func=lambda key: 4 + 3 * key).map(none)


def children():
    return few().shuffle(20).flat_map(lambda n: tf.data.Dataset.range(n % 3).filter(lambda i: i > 0))


@program("tests", FEW, choice=True, count=(0, 33))
def children_that_nobody_can_count_in_whole_batches():
    return children().batch(7, drop_remainder=True).map(none)


@universe("children_that_nobody_can_count_in_whole_batches")
def children_that_nobody_can_count_in_whole_batches_of():
    return children().batch(7).map(none)
