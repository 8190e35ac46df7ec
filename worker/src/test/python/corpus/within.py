"""What is drawn in datasets that functions make or are given, and of what a cache keeps that is not read to its end."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset

@program("repeated", ordered=True)
def a_shuffle_kept_and_not_read_to_its_end():
    return D.range(100).shuffle(100, seed=3).cache().take(30).repeat(3).batch(8)


@program("repeated", ordered=True)
def a_shuffle_kept_and_read_to_its_end_and_more():
    return D.range(30).shuffle(30, seed=3).cache().take(40).repeat(3).batch(8)


@program("tests", FEW)
def kept_in_files_of_which_a_part_is_read_again():
    return few().snapshot("parts", reader_func=lambda parts: parts.flat_map(lambda part: part.take(10))).batch(8)


@program("tests", FEW, unit="element", mixed=True)
def rows_of_a_batch_for_each_of_two_devices():
    return few().batch(12, drop_remainder=True).map(lambda batch: tf.reshape(batch, [2, 6]))
