"""Functions that are given whole groups: what hangs on which elements share one, and what is made row by row."""

import tensorflow as tf

from corpus import TEXTS, program
from corpus.sources import FEW, few, words

D = tf.data.Dataset
slices = D.from_tensor_slices


def thirds(made, size=5):
    """Groups of one remainder each."""
    return few().group_by_window(lambda n: n % 3, lambda key, window: made(window), window_size=size)


def rows_of_lengths():
    """Rows of one to six values, in no order."""
    return few().map(lambda n: tf.fill([1 + (n * n * 7 + n // 3) % 6], n))


def bucketed(**options):
    return rows_of_lengths().bucket_by_sequence_length(tf.size, [3, 5, 8], [4, 4, 4, 4], **options)


def averages(rows):
    return tf.reduce_mean(tf.cast(rows, tf.float64), 1)


# --------------------------------------------------------------------------------------------------- decided by the whole group


@program("tests", FEW)
def groups_less_their_mean():
    return thirds(lambda w: w.batch(5)).map(lambda b: tf.cast(b, tf.float64) - tf.reduce_mean(tf.cast(b, tf.float64)))


@program("tests", FEW)
def groups_doubled_less_their_largest():
    return thirds(lambda w: w.batch(5).map(lambda b: b * 2).map(lambda b: b - tf.reduce_max(b)))


@program("tests", FEW)
def groups_read_ahead_less_their_largest():
    return thirds(lambda w: w.batch(5).prefetch(1).map(lambda b: b - tf.reduce_max(b)))


@program("tests", FEW)
def groups_whole_summed_so_far():
    return thirds(lambda w: D.from_tensors(tf.cumsum(w.batch(5).get_single_element())))


@program("tests", FEW)
def groups_sorted_behind():
    return thirds(lambda w: w.batch(5)).map(lambda b: (b, tf.sort(b * 37 % 101)))


@program("tests", FEW)
def groups_counted():
    return thirds(lambda w: w.batch(7), 7).map(lambda b: (b, tf.repeat(tf.size(b), tf.size(b))))


@program("tests", FEW)
def groups_in_batches_less_their_largest():
    return thirds(lambda w: w.batch(4, drop_remainder=True), 4).batch(2).map(
        lambda b: b - tf.reduce_max(b, 1, keepdims=True)).unbatch()


@program("tests", FEW)
def groups_kept_where_whole():
    return thirds(lambda w: w.batch(6).filter(lambda b: tf.size(b) == 6), 6).unbatch().batch(7)


@program("tests", FEW)
def groups_opened_beside_their_least():
    return thirds(lambda w: w.batch(5)).flat_map(lambda b: slices((b, b - tf.reduce_min(b)))).batch(6)


@program("tests", FEW)
def groups_opened_and_batched_less_their_largest():
    return thirds(lambda w: w.batch(6), 6).flat_map(
        lambda b: slices(b).batch(3).prefetch(1).map(lambda part: part - tf.reduce_max(part))).unbatch().batch(6)


@program("tests", FEW)
def groups_shuffled_within_less_their_largest():
    """Which elements a group has is no chance, however they are mixed in it."""
    return thirds(lambda w: w.shuffle(10, seed=5).batch(6).map(lambda b: tf.sort(b) - tf.reduce_max(b)), 6)


@program("tests", FEW)
def groups_made_as_their_key_says():
    def made(key, window):
        return tf.cond(key == 0, lambda: window.batch(5).map(lambda b: b - tf.reduce_max(b)), lambda: window.batch(5))

    return few().group_by_window(lambda n: n % 3, made, window_size=5)


@program("tests", FEW)
def buckets_averaged():
    """Rows are filled up to the longest of their batch."""
    return bucketed().map(averages)


@program("tests", FEW)
def buckets_averaged_within():
    return rows_of_lengths().group_by_window(
        lambda row: tf.cast(tf.size(row) // 3, tf.int64), lambda key, window: window.padded_batch(4).prefetch(1).map(averages), window_size=4)


@program("tests", FEW)
def buckets_taken_apart():
    return bucketed().unbatch().map(tf.size).batch(8)


@program("tests", TEXTS)
def buckets_of_words_with_their_widths():
    return words().bucket_by_sequence_length(tf.size, [5, 8], [8, 8, 8]).map(
        lambda b: (b[:, 0], tf.fill([tf.shape(b)[0]], tf.shape(b)[1])))


# --------------------------------------------------------------------------------------------------- row by row


@program("tests", FEW)
def groups_row_by_row():
    return thirds(lambda w: w.batch(5).map(lambda b: b * 2)).map(lambda b: (b, tf.one_hot(b % 3, 3)))


@program("tests", FEW)
def groups_beside_their_keys():
    return few().group_by_window(
        lambda n: n % 3, lambda key, window: window.batch(5).map(lambda b: (b, tf.fill([tf.size(b)], key))), window_size=5)


@program("tests", FEW)
def buckets_to_their_bounds_averaged():
    """Rows are filled up to the bound of their bucket, whoever is in the batch."""
    return bucketed(pad_to_bucket_boundary=True).map(averages)


@program("tests", FEW, padded=[0])
def buckets_doubled():
    return bucketed().map(lambda b: b * 2)


@program("tests", FEW, loose=[1])
def groups_of_a_shuffle_less_their_largest():
    """Which elements share a group is chance, in one process too."""
    return few().shuffle(100, seed=1).group_by_window(
        lambda n: n % 3, lambda key, window: window.batch(5).map(lambda b: (b, b - tf.reduce_max(b))), window_size=5)


@program("tests", FEW)
def whole_groups_of_a_shuffle_less_their_largest():
    """A group that has room for all that the shuffle has open holds all of its key."""
    return few().shuffle(100).group_by_window(
        lambda n: n % 3, lambda key, window: window.batch(200), window_size=200).map(lambda b: (b, b - tf.reduce_max(b)))


@program("tests", FEW)
def whole_groups_of_a_shuffle_less_their_largest_within():
    return few().shuffle(100).group_by_window(
        lambda n: n % 3, lambda key, window: window.batch(200).map(lambda b: (b, b - tf.reduce_max(b))), window_size=200)


# -------------------------------------------------------------------------------------------------------- batches that are given


def sevens():
    return few().batch(7)


def less(batch):
    return batch - tf.reduce_max(batch)


def sevens_in_groups(made):
    return sevens().group_by_window(lambda b: b[0] % 3, lambda key, window: made(window), window_size=5)


@program("tests", FEW)
def batches_opened_as_one_less_their_largest():
    return sevens().flat_map(lambda b: D.from_tensors(b).map(less))


@program("tests", FEW)
def batches_opened_as_one_twice_less_their_largest():
    return sevens().interleave(lambda b: D.from_tensors(b).repeat(2).map(less), cycle_length=2)


@program("tests", FEW)
def batches_opened_as_columns_less_their_largest():
    def opened(b):
        return D.from_tensors(tf.stack([b, -b])).map(lambda c: tf.transpose(c - tf.reduce_max(c, 1, keepdims=True)))
    return sevens().flat_map(opened)


@program("tests", FEW)
def batches_opened_as_one_and_again_less_their_largest():
    return sevens().flat_map(lambda b: D.from_tensors(b).flat_map(lambda c: slices(less(c)))).batch(5)


@program("tests", FEW)
def batches_opened_as_one_doubled():
    return sevens().flat_map(lambda b: D.from_tensors(b).map(lambda c: c * 2))


@program("tests", FEW)
def groups_of_batches_less_their_largest():
    return sevens_in_groups(lambda w: w.map(less))


@program("tests", FEW)
def groups_of_batches_handed_on_less_their_largest():
    return sevens_in_groups(lambda w: w.prefetch(1)).map(less)


@program("tests", FEW)
def groups_of_batches_of_which_some_pass():
    return sevens_in_groups(lambda w: w.filter(lambda b: b[0] % 2 == 0))


@program("tests", FEW)
def groups_of_batches_beside_their_key():
    return sevens().group_by_window(lambda b: b[0] % 3, lambda key, w: w.map(lambda b: (b, b * 0 + key)), window_size=5)


@program("tests", FEW)
def groups_of_batches_doubled():
    return sevens_in_groups(lambda w: w.map(lambda b: b * 2))


@program("tests", FEW)
def sums_of_batches_in_groups_of_groups():
    groups = thirds(lambda w: w.batch(4), size=4)
    return groups.group_by_window(lambda b: tf.size(b, tf.int64), lambda key, w: w.map(tf.reduce_sum), window_size=9).batch(5)


@program("tests", FEW)
def groups_of_batches_filled_up_averaged():
    rows = rows_of_lengths().padded_batch(7)
    return rows.group_by_window(lambda b: tf.shape(b, tf.int64)[1], lambda key, w: w.map(averages), window_size=3)
