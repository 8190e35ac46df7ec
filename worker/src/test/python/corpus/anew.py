"""Programs that read something again: what was random comes again where one process would have it come again."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few


def both_times(dataset):
    """The two elements of each number: whether what was drawn for them is the same."""
    return (dataset.repeat(2).group_by_window(lambda n, drawn: n, lambda n, window: window.batch(2), window_size=2)
            .map(lambda n, drawn: (n[0], tf.reduce_all(drawn == drawn[0]))).batch(5))


@program("guide")
def random_numbers_come_again():
    """Each epoch has the same, unless it is asked for others."""
    return tf.data.Dataset.random(seed=4).take(10).repeat(2).batch(4)


@program("guide")
def random_numbers_without_a_seed_come_again():
    return both_times(tf.data.Dataset.zip((tf.data.Dataset.range(20), tf.data.Dataset.random())))


@program("guide", FEW)
def random_numbers_beside_records_in_two_epochs():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.random(seed=4))).batch(8).repeat(2)


@program("guide", FEW)
def snapshot_of_draws_comes_again():
    return both_times(few().map(lambda n: (n, tf.random.uniform([]))).snapshot("numbers_and_draws"))


@program("guide", FEW)
def snapshot_of_a_shuffle_taken_comes_again():
    return both_times(few().shuffle(100).snapshot("numbers_shuffled").take(10).map(lambda n: (n // 1000 * 0, n)).batch(10).map(
        lambda zero, n: (zero[0], tf.sort(n))))


@program("guide", FEW, drawn={1: (0, 1)}, spread=[1])
def snapshot_read_in_two_epochs():
    return few().snapshot("numbers_alone").map(lambda n: (n, tf.random.uniform([]))).repeat(2).batch(8)


@program("guide", unit="element", drawn={0: (0, 1)})
def one_element_repeated_and_drawn():
    """One element is no epoch: batches are made of its repetitions."""
    return tf.data.Dataset.from_tensors(0.0).repeat(60).map(lambda x: x + tf.random.uniform([])).batch(8, drop_remainder=True)


@program("guide", drawn={1: (0, 1)}, spread=[1])
def one_element_made_and_repeated_twice():
    one = tf.data.Dataset.from_tensors(tf.constant([3, 4])).map(lambda x: x * 2).repeat(5)
    return one.map(lambda x: (x, tf.random.uniform([]))).repeat(4).batch(8)


@program("guide", FEW)
def sample_taken_comes_again():
    """Which dataset is chosen follows from random numbers, which come again."""
    sampled = tf.data.Dataset.sample_from_datasets([few().take(40), few().skip(50)], [0.5, 0.5]).take(30)
    return sampled.batch(30).repeat(2).map(tf.sort).batch(2).map(lambda n: (n[0][:1] * 0, tf.reduce_all(n[0] == n[1])))


@program("guide", FEW)
def sample_taken_comes_again_in_each_epoch():
    """As epochs: the second takes what the first took."""
    sampled = tf.data.Dataset.sample_from_datasets([few().take(40), few().skip(50)], [0.5, 0.5], seed=3).take(30)
    return sampled.batch(10).repeat(2)
