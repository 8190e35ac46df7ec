"""Parts of one order, to train and to validate; orders of the same data that are not one; caches of draws that a shuffle reads ahead of."""

import tensorflow as tf

from corpus import ident, program, universe
from corpus.sources import FEW, few, files

D = tf.data.Dataset


def fixed(dataset):
    return dataset.shuffle(100, reshuffle_each_iteration=False)


@program("twice", FEW)
def mixed_by_two_orders_of_one_dataset():
    """Mixup: each with another one, but for a few by chance."""
    pairs = D.zip((fixed(few()), fixed(few()))).batch(100)
    return pairs.map(lambda one, other: tf.reduce_mean(tf.cast(one == other, tf.float32)) < 0.5).batch(1)


@program("twice")
def bags_of_two_orders_of_one_dataset():
    bags = fixed(D.range(1000)).take(30).concatenate(fixed(D.range(1000)).take(30)).batch(60)
    return bags.map(lambda bag: tf.size(tf.unique(bag)[0]) > 40).batch(1)


@program("twice")
def as_many_of_each_class_to_validate():
    """Stratified: some of each class of one order, and the rest."""
    shuffled = fixed(D.range(90))

    def part(of):
        return shuffled.group_by_window(lambda n: n % 3, lambda key, window: of(window), window_size=100)

    return part(lambda window: window.take(6)).concatenate(part(lambda window: window.skip(6))).batch(8)


@program("twice")
def folds_that_functions_read():
    shuffled = fixed(D.range(90))

    def folds(chosen):
        return D.range(5).filter(chosen).flat_map(lambda fold: shuffled.shard(5, fold))

    return folds(lambda fold: fold == 2).concatenate(folds(lambda fold: fold != 2)).batch(8)


@program("twice")
def rows_of_batches_to_validate():
    batches = fixed(D.range(90)).batch(10)
    return batches.map(lambda b: b[:2]).unbatch().concatenate(batches.map(lambda b: b[2:]).unbatch()).batch(8)


@program("twice")
def validation_behind_training_of_a_kept_order():
    """Who trains has read the cache to its end."""
    kept = D.range(90).shuffle(100).cache()
    return kept.skip(20).concatenate(kept.take(20)).batch(8)


NUMBER = (0, 1099511627776)


def drawn(n):
    return n, tf.random.uniform([], 0, 1 << 40, tf.int64)


def kept_again(dataset, often):
    """Of each element as often as it comes: whether what was drawn for it is the same."""
    return (dataset.group_by_window(lambda n, u: n, lambda n, window: window.batch(often), window_size=often)
            .map(lambda n, u: tf.reduce_all(u == u[0])).batch(100).map(tf.reduce_all).batch(1))


@program("twice")
def draws_kept_that_a_shuffle_has_read_to_their_end():
    """Half of the elements are taken, and its buffer holds all."""
    return kept_again(D.range(100).map(drawn).cache().shuffle(100).take(50).repeat(4), 4)


@program("twice", drawn={0: (0, 99), 1: NUMBER}, spread=[1])
def draws_kept_for_some_steps():
    return D.range(100).map(drawn).cache().shuffle(100).repeat().batch(8).take(10)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def draws_kept_and_more_taken_than_there_may_be():
    return few().map(drawn).cache().take(1000).batch(8)


@program("twice", FEW, choice=True, count=(60, 95))
def part_that_a_filter_draws_by_a_seed():
    return few().filter(lambda n: tf.random.uniform([], seed=4) < 0.8).batch(8)


universe("part_that_a_filter_draws_by_a_seed")(lambda: few().batch(8))


@program("twice", FEW)
def parts_that_filters_choose_by_draws_that_are_kept():
    kept = few().map(lambda n: (n, tf.random.uniform([]))).cache()
    both = kept.filter(lambda n, u: u < 0.8).concatenate(kept.filter(lambda n, u: u >= 0.8))
    return both.map(lambda n, u: n).batch(8)


@program("twice", FEW)
def parts_that_filters_choose_by_draws_of_a_seed_that_are_kept():
    kept = few().map(lambda n: (n, tf.random.uniform([], seed=4))).cache()
    both = kept.filter(lambda n, u: u < 0.8).concatenate(kept.filter(lambda n, u: u >= 0.8))
    return both.map(lambda n, u: n).batch(8)


HUNDREDS = "data/numbers-0000[01].tfrecord"


def opened(names):
    return names.interleave(lambda name: tf.data.TFRecordDataset(name).map(ident), cycle_length=2)


def of_files():
    return opened(files(HUNDREDS)).batch(8)


@program("twice", HUNDREDS, choice=True)
def files_of_one_order_to_train_with():
    return opened(fixed(files(HUNDREDS)).skip(1)).batch(8)


@program("twice", HUNDREDS, choice=True)
def some_elements_of_the_files_of_one_order_to_validate():
    return opened(fixed(files(HUNDREDS)).take(1)).take(50).batch(8)


universe("files_of_one_order_to_train_with")(of_files)
universe("some_elements_of_the_files_of_one_order_to_validate")(of_files)


@program("twice", FEW, drawn={1: (0, 1)})
def draws_of_one_seed_in_two_branches():
    """One process draws the same for both; several tasks draw for each element of each."""
    def branch():
        return few().map(lambda n: (n, tf.random.uniform([], seed=4)))

    return branch().concatenate(branch()).batch(8)


@program("twice", FEW, drawn={1: (0, 1)}, spread=[1])
def draws_kept_beside_fewer():
    kept = few().map(lambda n: (n, tf.random.uniform([]))).cache()
    return tf.data.Dataset.zip((kept, tf.data.Dataset.range(30))).map(lambda pair, place: (pair[0], pair[1], place)).batch(8)


@program("twice", FEW, drawn={1: (0, 1)}, spread=[1])
def draws_kept_and_counted():
    kept = few().map(lambda n: (n, tf.random.uniform([]))).cache()
    return kept.enumerate().map(lambda place, pair: (pair[0], pair[1], place)).batch(8)


@program("twice")
def validation_behind_training_of_a_kept_sample():
    halves = [D.range(50).shuffle(50), D.range(50, 100).shuffle(50)]
    kept = D.sample_from_datasets(halves, [0.5, 0.5]).cache()
    return kept.skip(20).concatenate(kept.take(20)).batch(8)


level = tf.Variable(3, dtype=tf.int64)


@program("twice", FEW)
def a_level_that_a_loop_may_change():
    return few().map(lambda n: (n, n * level)).batch(8)
