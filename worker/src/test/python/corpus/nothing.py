"""Programs whose source holds nothing, or of which nothing is left: one process yields no element, and does not fail."""

import numpy as np
import tensorflow as tf

from corpus import NUMBERS, ident, program
from corpus.sources import FEW, few, files


@program("guide", empty=True)
def empty_slices():
    return tf.data.Dataset.from_tensor_slices(np.zeros([0, 3], np.float32)).batch(4)


@program("guide", empty=True)
def empty_range_of_two_epochs():
    return tf.data.Dataset.range(5, 2).map(lambda n: n * 2).shuffle(10).batch(4).repeat(2)


@program("guide", empty=True)
def empty_list_of_files():
    names = tf.data.Dataset.from_tensor_slices(tf.constant([], tf.string))
    return names.interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(4)


@program("guide", empty=True)
def empty_list_of_records():
    return tf.data.TFRecordDataset(tf.constant([], tf.string)).map(ident).batch(4)


@program("guide", NUMBERS, empty=True)
def shard_without_a_file():
    return files(NUMBERS).shard(9, 7).interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(4)


@program("guide", NUMBERS, empty=True)
def no_name_matches():
    names = files(NUMBERS).filter(lambda name: tf.strings.regex_full_match(name, ".*nothing.*"))
    return names.interleave(tf.data.TFRecordDataset, cycle_length=2).map(ident).batch(4)


@program("guide", FEW, empty=True)
def filtered_to_nothing_in_two_epochs():
    return few().filter(lambda n: n < 0).map(lambda n: (n, n)).batch(4).repeat(2)


@program("guide", empty=True)
def empty_dataset_beside_another():
    return tf.data.Dataset.zip((tf.data.Dataset.range(0), tf.data.Dataset.range(5))).batch(4)


@program("guide", FEW)
def empty_datasets_joined_to_records():
    none = tf.data.Dataset.from_tensor_slices(np.zeros([0], np.int64))
    return tf.data.Dataset.range(0).concatenate(few()).concatenate(none).batch(8)
