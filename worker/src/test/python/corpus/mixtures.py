"""Mixtures, parts, epochs and steps as loops of training are written around them."""

import glob

import numpy as np
import tensorflow as tf

from corpus import NUMBERS, ident, program
from corpus.sources import FEW, few

D = tf.data.Dataset


def opened(file):
    return tf.data.TFRecordDataset(file).map(ident)


def apart():
    """A dataset a file of numbers: 100, 100, 75 and 25 elements."""
    return [opened(name) for name in sorted(glob.glob(NUMBERS))]


# ------------------------------------------------------------------------------------------------------------ mixed


@program("guide", NUMBERS)
def chosen_by_weights_of_a_seed():
    """Which comes next is drawn by a seed; it ends when the first has no more."""
    bounds = tf.constant([500, 800, 950], tf.int64)
    choices = D.random(seed=3).map(lambda n: tf.searchsorted(bounds, [n % 1000], side="right", out_type=tf.int64)[0])
    return D.choose_from_datasets(apart(), choices.take(150), stop_on_empty_dataset=False).batch(8)


@program("guide", NUMBERS)
def weights_that_change_as_it_goes():
    """A curriculum: weights are a dataset, at first all of the one, at last all of the other."""
    one, two = (ds.repeat() for ds in apart()[:2])
    weights = D.range(100).map(lambda i: tf.stack([1.0 - tf.cast(i, tf.float32) / 99.0, tf.cast(i, tf.float32) / 99.0]))
    return D.sample_from_datasets([one, two], weights, seed=5).take(100).enumerate().batch(10)


@program("guide", NUMBERS)
def labelled_repeated_beside_unlabelled():
    """FixMatch: a few labelled ones, again and again, beside many without labels."""
    labelled, unlabelled = apart()[3].repeat().batch(4), apart()[0].batch(12, drop_remainder=True)
    return D.zip((labelled, unlabelled)).map(lambda l, u: (l, tf.reshape(u, [4, 3]), u[:4] + tf.reduce_max(l))).prefetch(2)


@program("guide", NUMBERS)
def new_ones_and_a_part_of_the_old():
    """Rehearsal: a task's elements, and among them some of the task before."""
    old, new = apart()[0].take(20).cache().repeat(), apart()[2]
    return D.choose_from_datasets([new, old], D.from_tensor_slices(np.array([0, 0, 0, 1], np.int64)).repeat()).enumerate().batch(10)


# ------------------------------------------------------------------------------------------------------------ parts


@program("guide", FEW)
def folds_by_shards():
    parts = [few().shard(4, i) for i in (0, 2, 3)]
    train = parts[0].concatenate(parts[1]).concatenate(parts[2])
    return D.zip((train.map(lambda n: n * 2), few().shard(4, 1).repeat())).batch(8)


# ------------------------------------------------------------------------------------------------------ epochs, steps


@program("guide", FEW)
def batches_by_a_budget_of_tokens():
    """As many rows as a budget allows: the shorter the rows the more."""
    rows = few().map(lambda n: tf.fill([1 + n % 7], n))
    return rows.group_by_window(
        lambda row: tf.size(row, tf.int64), lambda size, w: w.batch(24).map(lambda b: (b[:, 0], tf.fill([tf.shape(b)[0]], tf.size(b)))),
        window_size_func=lambda size: 24 // size)


# --------------------------------------------------------------------------------------------------- pairs and orders


@program("contrastive", FEW)
def elements_beside_another_of_their_class():
    """Each with the next of its class: groups of two that overlap."""
    return few().group_by_window(lambda n: n % 4, lambda k, w: D.zip((w, w.skip(1))).map(lambda a, b: (k, a, b)), window_size=100).batch(8)


@program("guide", FEW)
def batches_in_another_order_and_their_successors():
    """Shuffled batches of elements in order, beside the batch that follows them before the shuffle."""
    batches = few().batch(5)
    return D.zip((batches, batches.skip(1))).shuffle(20).map(lambda a, b: (a, b - a))


# ------------------------------------------------------------- of which one has no end: TensorFlow takes all batches to be full


def until_the_first_is_empty(*others):
    return D.sample_from_datasets([few(), *others], seed=3, stop_on_empty_dataset=True).map(lambda n: n + 1)


@program("guide", FEW)
def batches_until_one_of_two_is_empty():
    return until_the_first_is_empty(D.range(5).repeat()).batch(7).map(lambda b: b * 2)


@program("guide", FEW)
def shuffled_batches_with_their_numbers_until_one_of_two_is_empty():
    mixed = until_the_first_is_empty(D.range(5).repeat()).shuffle(20, seed=4).batch(7)
    return D.zip((D.counter(), mixed)).prefetch(1)


@program("guide", FEW, unit="element")
def batches_of_pairs_of_batches_until_one_of_two_is_empty():
    batches = until_the_first_is_empty(D.range(5).repeat()).batch(7)
    return D.zip((batches, batches.map(lambda b: -b)))


@program("guide", FEW)
def eight_and_two_of_each_ten_of_a_fixed_order():
    order = few().shuffle(100, seed=12, reshuffle_each_iteration=False)
    train, held = order.window(8, 10).flat_map(lambda w: w), order.skip(8).window(2, 10).flat_map(lambda w: w)
    return train.map(lambda n: (n, 0)).concatenate(held.map(lambda n: (n, 1))).batch(8)


@program("guide", FEW)
def padded_without_end_and_taken_kept_and_repeated():
    real = few().cache().map(lambda n: (n, 1))
    pad = D.from_tensors((tf.zeros([], tf.int64), 0)).repeat()
    taken = real.concatenate(pad).ragged_batch(16, drop_remainder=True).take(7).cache()
    return taken.repeat().take(14)


@program("guide", FEW)
def sharded_behind_places_and_batched_and_shuffled():
    """As estimators read: filtered for a shard, batched while mapped, then shuffled and repeated."""
    def is_mine(i, n):
        return i % 2 == 0

    mine = few().skip(10).enumerate().filter(is_mine).map(lambda i, n: n)
    batched = mine.apply(tf.data.experimental.map_and_batch(lambda n: (n, n * 2), 5, drop_remainder=True))
    return batched.apply(tf.data.experimental.shuffle_and_repeat(10, 2, 7))
