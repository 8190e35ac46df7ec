"""What a repetition draws that the user seeded: the next order of a shuffle, or the first one again where a function makes it anew."""

import tensorflow as tf

from corpus import NUMBERS, ident, program
from corpus.sources import files

integers = tf.data.Dataset.range
random = tf.data.Dataset.random
sampled = tf.data.Dataset.sample_from_datasets


def records(name):
    return tf.data.TFRecordDataset(name).map(ident)


@program("repeated", ordered=True)
def a_part_of_each_order_of_a_shuffle():
    return integers(30).shuffle(30, seed=4).take(7).repeat(3).batch(4)


@program("repeated", ordered=True)
def the_rest_of_each_order_of_a_small_shuffle():
    return integers(30).shuffle(5, seed=4).skip(20).repeat(3).batch(4)


@program("repeated", unit="element", ordered=True)
def the_first_batches_of_each_order_of_a_shuffle():
    return integers(30).shuffle(10, seed=4).batch(4).take(3).repeat(3)


@program("repeated", ordered=True)
def sums_of_windows_of_each_order_of_a_shuffle():
    shuffled = integers(24).shuffle(24, seed=9).window(4, drop_remainder=True)
    return shuffled.flat_map(lambda window: window.batch(4)).map(tf.reduce_sum).repeat(3).batch(4)


@program("repeated", ordered=True)
def two_shuffles_paired_anew():
    return tf.data.Dataset.zip(integers(12).shuffle(12, seed=1), integers(12).shuffle(12, seed=2)).repeat(3).batch(4)


@program("repeated", ordered=True)
def orders_of_a_shuffle_kept_and_repeated():
    return integers(20).shuffle(20, seed=5).take(6).repeat(2).cache().repeat(2).batch(4)


@program("repeated", ordered=True)
def the_same_order_in_each_repetition():
    return integers(20).shuffle(20, seed=5, reshuffle_each_iteration=False).take(6).repeat(3).batch(4)


@program("repeated", ordered=True)
def random_numbers_drawn_anew():
    return random(seed=4, rerandomize_each_iteration=True).take(6).map(lambda drawn: drawn % 1000).repeat(3).batch(4)


@program("repeated", ordered=True)
def sampled_anew():
    low, high = integers(20), integers(100, 120)
    return sampled([low, high], [0.5, 0.5], seed=3, rerandomize_each_iteration=True).take(12).repeat(3).batch(4)


@program("repeated", NUMBERS)
def some_of_each_file_chosen_by_a_seed():
    return files(NUMBERS).interleave(lambda name: records(name).shuffle(50, seed=2).take(3), cycle_length=2).repeat(3).batch(4)


@program("repeated", NUMBERS)
def some_of_each_file_chosen_by_a_seed_of_its_own():
    def opened(number, name):
        return records(name).shuffle(50, seed=number).take(3)

    return files(NUMBERS).enumerate().flat_map(opened).repeat(2).batch(4)


@program("repeated", ordered=True)
def the_first_of_a_shuffle_that_a_map_makes():
    return integers(8).map(lambda x: (x, integers(100).shuffle(100, seed=3).take(1).get_single_element() + x)).repeat(3).batch(4)
