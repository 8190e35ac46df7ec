"""One dataset that is read twice, and draws of each reading; draws that are the same in each epoch, or go on."""

import tensorflow as tf
from tensorflow.python.data.ops import dataset_ops

from corpus import ident, program, universe
from corpus.sources import FEW, few, files

D = tf.data.Dataset
NUMBER = (0, 1099511627776)


def number():
    return tf.random.uniform([], 0, 1 << 40, tf.int64)


def views(augmented):
    """Of each element the number, and what was drawn for it in one reading and in the other."""
    return D.zip((augmented, augmented)).map(lambda one, other: (one[0], one[1], other[1]))


@program("twice", FEW, drawn={1: NUMBER, 2: NUMBER}, distinct=[(1, 2)], spread=[1, 2])
def views_of_each_file_augmented():
    return files(FEW).interleave(
        lambda f: views(tf.data.TFRecordDataset(f).map(lambda record: (ident(record), number()))), cycle_length=2).batch(8)


@program("twice", FEW, drawn={1: NUMBER, 2: NUMBER}, distinct=[(1, 2)], spread=[1, 2])
def views_of_windows_augmented():
    return few().window(4).flat_map(lambda window: views(window.map(lambda n: (n, number())))).batch(8)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def clips_augmented_and_again():
    def clips(n):
        augmented = D.range(2).map(lambda clip: (n * 2 + clip, number()))
        return augmented.concatenate(augmented)

    return few().flat_map(clips).batch(8)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def augmented_and_kept_in_a_file_of_its_own():
    return files(FEW).enumerate().interleave(
        lambda i, f: D.range(10).map(lambda n: (i * 10 + n, number())).cache(tf.strings.format("kept-{}", i)), cycle_length=2).batch(8)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def augmented_and_shuffled_and_read_twice():
    augmented = few().map(lambda n: (n, number())).shuffle(50)
    return augmented.concatenate(augmented).batch(8)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def sums_of_a_generators_draws_for_each_group():
    generator = tf.random.Generator.from_seed(3)

    def summed(key, group):
        return D.from_tensors((key, group.reduce(
            tf.constant(0, tf.int64), lambda total, n: total + generator.uniform([], 0, 1 << 36, tf.int64))))

    return few().group_by_window(lambda n: n, summed, window_size=4).batch(8)


@program("twice", FEW, ordered=True)
def shuffled_and_repeated_by_a_seed_in_two_epochs():
    return few().apply(tf.data.experimental.shuffle_and_repeat(100, count=2, seed=7)).take(40).batch(8).repeat(2)


@program("twice", FEW, choice=True)
def parts_of_orders_of_a_shuffle_that_repeats_itself():
    return few().apply(tf.data.experimental.shuffle_and_repeat(100, count=2, seed=7)).take(140).repeat(2).batch(8)


@universe("parts_of_orders_of_a_shuffle_that_repeats_itself")
def all_of_them():
    return few().batch(8)


@program("twice", FEW, ordered=True)
def sampled_by_a_seed_in_two_epochs():
    some = few().take(90)
    sampled = tf.raw_ops.SamplingDataset(
        input_dataset=some._variant_tensor, rate=0.4, seed=3, seed2=4, output_types=[tf.int64], output_shapes=[[]])
    return dataset_ops._VariantDataset(sampled, some.element_spec).batch(8).repeat(2)


def noise_for_clips():
    """A layer in a function of a function, whose variable stays as it is."""
    layer = tf.keras.layers.GaussianNoise(1.0, seed=5)
    return few().flat_map(lambda n: D.range(2).map(lambda clip: (n * 2 + clip, layer(tf.zeros([]), training=True))))


@program("twice", FEW, drawn={1: (-9, 9)}, spread=[1])
def layer_for_the_clips_of_an_element():
    return noise_for_clips().batch(8)


@program("twice", FEW, drawn={1: (-9, 9)}, spread=[1])
def layer_for_clips_that_are_kept():
    return noise_for_clips().cache().batch(8)


@program("twice", FEW, drawn={1: (-9, 9), 2: (0, 100)}, spread=[1])
def generator_that_counts_heads():
    generator = tf.random.Generator.from_seed(3)
    return few().map(lambda n: (n, generator.normal([]), generator.binomial([], 100.0, 0.5))).batch(8)


@program("twice", FEW, drawn={1: (0, 1), 2: (0, 49)}, spread=[1])
def layer_that_chooses_among_categories():
    seeds = tf.keras.random.SeedGenerator(7)
    return few().map(lambda n: (
        n, tf.keras.random.uniform([], seed=seeds), tf.keras.random.categorical(tf.zeros([1, 50]), 3, seed=seeds)[0])).batch(8)


@program("twice", FEW, drawn={1: NUMBER}, spread=[1])
def pool_of_draws_by_a_seed():
    pool = D.range(4).map(lambda i: tf.random.uniform([], 0, 1 << 40, tf.int64, seed=3)).batch(4)
    return few().map(lambda n: (n, pool.get_single_element())).batch(8)


@program("twice", ordered=True)
def shuffled_globally_by_a_seed_and_taken():
    from tensorflow.python.data.experimental.ops import global_shuffle_op  # which 2.15 and 2.16 lack

    return global_shuffle_op._global_shuffle(D.range(100), seed=5).take(30).batch(8)
