"""Lists of files with something beside each, and what else files are opened by, in another order each time."""

import glob

import numpy as np
import tensorflow as tf

from corpus import NUMBERS, ident, program

slices = tf.data.Dataset.from_tensor_slices


def names():
    return sorted(glob.glob(NUMBERS))


def labelled(name, label):
    return tf.data.TFRecordDataset(name).map(lambda record: (ident(record), label))


@program("tests", NUMBERS)
def shuffled_files_beside_their_labels():
    files = slices((names(), [7, 8, 9, 10])).shuffle(4)
    return files.interleave(labelled, cycle_length=2, num_parallel_calls=tf.data.AUTOTUNE).shuffle(30).batch(8)


@program("tests", NUMBERS)
def shuffled_pairs_of_files():
    def paired(one, other):
        records = tf.data.Dataset.zip((tf.data.TFRecordDataset(one), tf.data.TFRecordDataset(other)))
        return records.map(lambda a, b: (ident(a), ident(b)))

    files = tf.data.Dataset.zip((slices(names()[:2]), slices(names()[2:])))
    return files.shuffle(5).repeat(2).flat_map(paired).batch(8)


@program("tests", NUMBERS)
def shuffled_dictionaries_of_files_of_which_some_is_read():
    def some(file):
        records = tf.data.TFRecordDataset(file["name"]).skip(file["skip"])
        return records.map(lambda record: {"id": ident(record), "skipped": file["skip"]})

    files = slices({"name": names(), "skip": np.arange(4, dtype=np.int64)})
    return files.shuffle(4).filter(lambda file: file["skip"] != 2).interleave(some, cycle_length=3).batch(8)


@program("tests", NUMBERS)
def shuffled_numbers_of_files():
    files = tf.data.Dataset.range(4).shuffle(4).map(lambda n: tf.strings.format("data/numbers-0000{}.tfrecord", n))
    return files.interleave(lambda name: tf.data.TFRecordDataset(name).map(ident), cycle_length=2).batch(8)


@program("tests")
def shuffled_pairs_of_which_some_are_made():
    def some(first, second):
        return tf.data.Dataset.range(first).filter(lambda n: n % 3 != 1).map(lambda n: n + second)

    pairs = tf.data.Dataset.zip((slices(tf.range(1, 41, dtype=tf.int64)), slices(tf.range(100, 4100, 100, dtype=tf.int64))))
    return pairs.shuffle(10).flat_map(some).batch(8)
