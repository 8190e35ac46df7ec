"""What is read at several places: a file by several datasets of a function, and a dataset of the program itself."""

import numpy as np
import tensorflow as tf

from corpus import ident, program
from corpus.sources import FEW, few, files

slices = tf.data.Dataset.from_tensor_slices
integers = tf.data.Dataset.range
pairs = tf.data.Dataset.zip


def records(name):
    return tf.data.TFRecordDataset(name).map(ident)


@program("twice", FEW)
def elements_beside_the_first_of_their_file():
    def opened(name):
        first = records(name).take(1).get_single_element()
        return records(name).map(lambda number: (number, number - first))

    return files(FEW).interleave(opened, cycle_length=2).batch(8)


@program("twice", FEW)
def elements_beside_the_first_of_the_same_dataset():
    def opened(name):
        numbers = records(name)
        first = numbers.take(1).get_single_element()
        return numbers.map(lambda number: (number, number - first))

    return files(FEW).interleave(opened, cycle_length=2).batch(8)


@program("twice", FEW)
def elements_less_the_most_of_their_file():
    def opened(name):
        numbers = records(name)
        most = numbers.reduce(np.int64(0), tf.maximum)
        return numbers.map(lambda number: (number, number - most))

    return files(FEW).flat_map(opened).batch(8)


@program("twice", FEW)
def elements_counted_within_a_map():
    def opened(name):
        lines = tf.data.TFRecordDataset(name)
        return lines.map(lambda line: (ident(line), lines.reduce(np.int64(0), lambda count, _: count + 1)))

    return files(FEW).flat_map(opened).batch(8)


@program("twice", FEW)
def elements_that_are_not_the_first():
    def opened(name):
        numbers = records(name)
        return numbers.filter(lambda number: numbers.take(1).get_single_element() < number)

    return files(FEW).flat_map(opened).batch(8)


@program("twice", FEW)
def folds_of_one_shuffle():
    shuffled = few().shuffle(100, reshuffle_each_iteration=False)
    folds = [shuffled.shard(4, fold) for fold in range(4)]
    return folds[0].concatenate(folds[1]).concatenate(folds[2]).concatenate(folds[3]).batch(8)


@program("twice")
def training_behind_validation():
    shuffled = integers(40).shuffle(40, reshuffle_each_iteration=False)
    return shuffled.take(10).concatenate(shuffled.skip(10)).batch(8)


@program("twice")
def fifths_by_their_places():
    shuffled = integers(20).shuffle(20, reshuffle_each_iteration=False).enumerate()
    training = shuffled.filter(lambda place, _: place % 5 != 0)
    return training.concatenate(shuffled.filter(lambda place, _: place % 5 == 0)).map(lambda _, number: number).batch(4)


@program("twice", FEW)
def two_views_of_one_shuffle():
    shuffled = few().shuffle(100, reshuffle_each_iteration=False)
    return pairs((shuffled, shuffled.map(lambda number: number * 2))).map(lambda one, two: two - 2 * one).batch(8)


@program("twice")
def two_orders_of_a_seeded_shuffle():
    shuffled = integers(20).shuffle(20, seed=4)
    return pairs((shuffled, shuffled)).batch(4)


@program("twice")
def parts_of_two_orders_of_a_seeded_shuffle():
    shuffled = integers(20).shuffle(20, seed=4)
    return shuffled.take(10).concatenate(shuffled.skip(10)).batch(4)


@program("twice")
def two_shuffles_of_one_seed():
    return pairs((integers(20).shuffle(20, seed=4), integers(20).shuffle(20, seed=4))).batch(4)


@program("twice", FEW)
def random_numbers_read_twice():
    chance = tf.data.Dataset.random(seed=5, rerandomize_each_iteration=True)
    return pairs((few(), chance, chance)).map(lambda number, one, other: (number, one == other)).batch(8)


@program("twice")
def draws_kept_for_two():
    kept = integers(10).map(lambda number: (number, tf.random.uniform([]))).cache()
    return kept.concatenate(kept).batch(20).map(lambda _, drawn: drawn[:10] - drawn[10:])


@program("twice")
def draws_kept_in_a_file_for_two():
    kept = integers(10).map(lambda number: (number, tf.random.uniform([]))).cache("kept")
    return kept.concatenate(kept).batch(20).map(lambda _, drawn: drawn[:10] - drawn[10:])


@program("twice")
def an_order_kept_for_two():
    kept = integers(10).shuffle(10).cache()
    return kept.concatenate(kept.skip(4)).batch(16).map(lambda number: number[4:10] - number[10:])


@program("twice", FEW)
def rows_beside_those_of_the_batch_reversed():
    return few().batch(4).flat_map(lambda batch: pairs((slices(batch), slices(tf.reverse(batch, [0]))))).batch(6)


@program("twice", FEW)
def rows_interleaved_beside_those_reversed():
    return few().batch(4).interleave(
        lambda batch: pairs((slices(batch), slices(batch[::-1]))), cycle_length=2).batch(6)


@program("twice", FEW)
def elements_beside_a_shuffle_that_is_captured():
    others = integers(200).shuffle(200, seed=3)
    return files(FEW).interleave(lambda name: pairs((records(name), others)), cycle_length=2).batch(8)


# as it is serialised the second map has a variable of its own
@program("twice", drawn={2: (0, 20)})
def counted_by_one_and_read_by_another():
    seen = tf.Variable(0, dtype=tf.int64)
    counted = integers(20).map(lambda number: (number, seen.assign_add(1)))
    return counted.map(lambda number, count: (number, count, seen.read_value())).batch(4)


@program("twice", FEW, drawn={1: (0, 1), 2: (0, 1)}, spread=[1, 2])
def cached_draws_read_side_by_side():
    """Apart in one process, in the epoch that fills the cache; alike in a job, as later epochs are."""
    kept = few().map(lambda number: (number, tf.random.uniform([]))).cache()
    return pairs((kept, kept)).map(lambda one, other: (one[0], one[1], other[1])).batch(8)


@program("twice", FEW, drawn={1: (0, 1), 2: (0, 1)}, spread=[1, 2], distinct=[(1, 2)])
def cached_draws_left_by_two_before_their_end():
    kept = few().map(lambda number: (number, tf.random.uniform([]))).cache()
    return pairs((kept.take(30), kept.take(30))).map(lambda one, other: (one[0], one[1], other[1])).batch(8)
