"""Mixtures of classes and tasks: episodes of few shots, classes resampled, negatives and positives side by side."""

import numpy as np
import tensorflow as tf

from corpus import NUMBERS, ident, program, universe
from corpus.sources import FEW, few

D = tf.data.Dataset


def of_class(c, shuffled=True):
    """The elements of one class, again and again, beside its number."""
    kept = few().filter(lambda n: n % 4 == c)
    kept = kept.shuffle(100) if shuffled else kept
    return D.zip((kept.repeat(), D.from_tensors(tf.constant(c, tf.int64)).repeat()))


@program("guide", FEW, choice=True, count=(80, 80))
def two_classes_of_four_drawn_for_each_episode():
    drawn = D.counter().map(lambda _: tf.random.shuffle(tf.range(4, dtype=tf.int64))[:2])
    choices = drawn.flat_map(lambda classes: D.from_tensor_slices(classes).repeat(2))
    return D.choose_from_datasets([of_class(c) for c in range(4)], choices).batch(8).take(10)


@universe("two_classes_of_four_drawn_for_each_episode")
def _():
    return few().map(lambda n: (n, n % 4)).batch(8)


@program("guide", FEW)
def episodes_of_classes_by_written_descriptions():
    """Descriptions of several lengths, serialised, in an order of a seed: how many of which class stand in an episode."""
    written = [np.array(d, np.int64) for d in ([[0, 2], [3, 1]], [[1, 1], [2, 1], [3, 1]], [[2, 3]])]
    texts = [tf.io.serialize_tensor(one) for one in written]

    def opened(text):
        parsed = tf.ensure_shape(tf.io.parse_tensor(text, tf.int64), [None, 2])
        return tf.repeat(parsed[:, 0], parsed[:, 1])

    choices = D.from_tensor_slices(texts).shuffle(3, seed=1).repeat().map(opened).unbatch()
    return D.choose_from_datasets([of_class(c, False) for c in range(4)], choices).batch(3).take(12).prefetch(1)


@program("guide", NUMBERS)
def batches_of_tasks_in_turn_to_the_end():
    tasks = [tf.data.TFRecordDataset(name).map(ident).map(lambda n, t=t: (n, t)).batch(8)
             for t, name in enumerate(sorted(tf.io.gfile.glob(NUMBERS)))]
    return D.choose_from_datasets(tasks, D.range(4).repeat(), stop_on_empty_dataset=False)


@program("guide", FEW)
def one_of_each_class_after_the_other():
    """Balanced by two filters of one dataset, zipped and laid one behind the other."""
    pairs = D.zip((few().filter(lambda n: n % 3 == 0), few().filter(lambda n: n % 3 > 0)))
    return pairs.flat_map(lambda a, b: D.from_tensors(a).concatenate(D.from_tensors(b))).batch(8)


@program("guide", NUMBERS, choice=True, count=(0, 300))
def files_resampled_by_their_kind():
    names = sorted(tf.io.gfile.glob(NUMBERS))
    pairs = D.from_tensor_slices((np.array([0, 0, 1, 1]), names))
    kept = pairs.rejection_resample(lambda kind, _: kind, [0.5, 0.5], [0.5, 0.5], seed=42).map(lambda _, pair: pair[1])
    return kept.shuffle(4).interleave(lambda name: tf.data.TFRecordDataset(name).map(ident), cycle_length=2, block_length=5).batch(8)


@universe("files_resampled_by_their_kind")
def _():
    return tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(NUMBERS))).map(ident).batch(8)


@program("guide", FEW)
def best_three_of_each_group_by_a_reducer():
    """A state that counts how many it has taken: those that come first."""
    def reduce(state, n):
        return tf.cond(state[1] < 3, lambda: (state[0] + n, state[1] + 1), lambda: state)

    reducer = tf.data.experimental.Reducer(lambda _: (tf.constant(0, tf.int64), 0), reduce, lambda s, c: (s, c))
    return few().apply(tf.data.experimental.group_by_reducer(lambda n: n % 6, reducer)).batch(4)


@program("guide", FEW)
def stations_of_one_time_beside_their_neighbours():
    """All stations of a time, exploded into one element each, beside the value of the one that a table calls its neighbour."""
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        tf.range(5, dtype=tf.int64), tf.constant([3, 0, 4, 1, 2], tf.int64)), -1)

    def exploded(batch):
        def beside(n):
            place = tf.argmax(tf.cast(batch % 5 == table.lookup(n % 5), tf.int32))
            return n, batch[place]

        return D.from_tensor_slices(batch).map(beside)

    timed = few().group_by_window(lambda n: n // 5, lambda k, w: w.batch(5, drop_remainder=True), window_size=5)
    return timed.flat_map(exploded).batch(8)
