"""What is read, drawn or kept more than once, batches that are changed before they are taken apart, and what yields nothing."""

import glob

import tensorflow as tf

from corpus import ident, program
from corpus.sources import FEW, few, files

UNIT = (0, 1)
CIFAR = "data/cifar-0000[01].bin"
MANY = (0, 1152921504606846976)


def number():
    return tf.random.uniform([], 0, 1152921504606846976, tf.int64)


def opened(file):
    return tf.data.TFRecordDataset(file).map(ident)


# ------------------------------------------------------------------------------------------------- read more than once


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def drawn_and_repeated_inside_flat_map():
    return few().flat_map(lambda n: tf.data.Dataset.from_tensors(n).map(lambda n: (n, tf.random.uniform([]))).repeat(3)).batch(8)


@program("ops", FEW, drawn={2: UNIT}, spread=[2])
def pairs_with_a_dataset_that_draws():
    """The second dataset is read anew for each element of the first."""
    first, second = (opened(name) for name in sorted(glob.glob(FEW)))
    noisy = second.map(lambda b: (b, tf.random.uniform([])))
    return first.filter(lambda n: n % 25 == 0).flat_map(lambda a: noisy.map(lambda b, u: (a, b, u))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def epochs_of_a_range_that_draw():
    return tf.data.Dataset.range(3).flat_map(
        lambda epoch: files(FEW).flat_map(opened).map(lambda n: (n, tf.random.uniform([])))).batch(8)


@program("ops", FEW, drawn={0: MANY})
def repeated_draws_of_a_whole_that_repeats_twice():
    return few().map(lambda n: number()).repeat(2).map(lambda u: u).repeat(2).unique().batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def drawn_by_filter_and_map_below_repeat_taken():
    return few().filter(lambda n: n % 2 == 0).map(lambda n: (n, tf.random.uniform([]))).repeat(4).skip(10).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def names_repeated_and_drawn_for():
    return files(FEW).repeat(3).flat_map(lambda f: opened(f).map(lambda n: (n, tf.random.uniform([])))).take(280).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def shuffled_and_repeated_by_one_op_and_drawn():
    return few().map(lambda n: (n, tf.random.uniform([]))).apply(tf.data.experimental.shuffle_and_repeat(30, count=3)).batch(8)


@program("ops", FEW, drawn={0: MANY})
def generator_draws_of_two_repetitions():
    generator = tf.random.Generator.from_seed(4)
    return few().map(lambda n: generator.uniform([], 0, 1152921504606846976, tf.int64)).repeat(2).unique().batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def generator_in_two_maps():
    generator = tf.random.Generator.from_seed(4)
    return few().map(lambda n: (n, generator.uniform([]))).map(lambda n, u: (n, u, generator.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def layer_below_repeat_taken():
    layer = tf.keras.layers.Dropout(0.5, seed=3)
    return few().map(lambda n: (n, tf.reduce_mean(layer(tf.ones([64]), training=True)) / 2.0 + tf.random.uniform([]) * 1e-6)).repeat(
        3).take(280).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def cached_in_the_middle_and_drawn_around():
    return (few().map(lambda n: (n, tf.random.uniform([]))).cache().shuffle(20)
            .map(lambda n, u: (n, u, tf.random.uniform([]))).repeat(2).take(100).batch(8))


@program("ops", FEW)
def shuffled_alike_by_one_seed_within_batches():
    """Rows and labels of a batch shuffled by one seed stay together."""
    return few().map(lambda n: (n, n * 3)).batch(10).map(
        lambda n, m: (tf.random.shuffle(n, seed=5) * 3, tf.random.shuffle(m, seed=5))).map(lambda a, b: (a, a == b))


@program("classification", data=CIFAR)
def stretched_and_cropped_by_one_seed():
    def agreed(record):
        raw = tf.cast(tf.io.decode_raw(record, tf.uint8)[1:], tf.float32)
        image = tf.transpose(tf.reshape(raw, [3, 8, 8]), [1, 2, 0])
        one = tf.image.random_flip_up_down(tf.image.random_crop(image, [6, 6, 3], seed=1), seed=2)
        two = tf.image.random_flip_up_down(tf.image.random_crop(image * 2.0, [6, 6, 3], seed=1), seed=2)
        brighter = tf.image.random_brightness(image, 0.2, seed=9) - image
        darker = tf.image.random_brightness(image * 2.0, 0.2, seed=9) - image * 2.0
        return tf.reduce_all(one * 2.0 == two), tf.reduce_all(tf.abs(brighter - darker) < 1e-3)

    return tf.data.FixedLengthRecordDataset(sorted(glob.glob(CIFAR)), record_bytes=193).shuffle(20).map(agreed).batch(8)


@program("ops", FEW)
def seeds_of_two_normal_draws():
    return few().map(lambda n: (n, tf.random.normal([3], seed=8) == tf.random.normal([3], seed=8))).batch(8)


# ------------------------------------------------------------------------------------------------- changed, and taken apart


@program("ops", FEW)
def shuffled_batches_turned_and_batched_again():
    return few().shuffle(30).batch(10).map(lambda n: tf.reverse(n, [0])).rebatch(7)


@program("ops", FEW)
def sorted_within_groups_and_taken_apart():
    return few().group_by_window(lambda n: n % 3, lambda key, window: window.batch(6), window_size=6).map(
        lambda n: tf.sort(n, direction="DESCENDING")).unbatch().batch(7)


@program("ops", FEW, padded=[0])
def padded_batches_turned_and_taken_apart():
    return (few().map(lambda n: tf.ones([n % 4 + 1], tf.int64) * n).shuffle(20).padded_batch(6, padded_shapes=[4])
            .map(lambda rows: tf.reverse(rows, [0])).unbatch().batch(5))


@program("ops", FEW)
def batches_mapped_row_by_row_and_taken_apart():
    return few().shuffle(30).batch(10).map(lambda n: (n * 2, tf.strings.as_string(n))).unbatch().batch(7)


@program("ops", FEW)
def batches_of_changed_size_taken_apart():
    return few().shuffle(30).batch(10).map(lambda n: tf.boolean_mask(n, n % 2 == 0)).unbatch().batch(7)


@program("ops", FEW)
def elements_of_branches_batched_turned_and_taken_apart():
    halves = [opened(name).shuffle(9).batch(5).map(lambda n: tf.reverse(n, [0])) for name in sorted(glob.glob(FEW))]
    return tf.data.Dataset.sample_from_datasets(halves, seed=2).unbatch().batch(8)


@program("ops", FEW)
def counted_in_a_filter():
    """Every third that the filter sees."""
    seen = tf.Variable(0, dtype=tf.int64)
    return few().filter(lambda n: seen.assign_add(1) % 3 == 0).batch(8)


@program("ops", FEW)
def first_of_each_kind_by_a_table():
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, default_value=-1)

    def first(n):
        found = table.lookup(n % 10)
        with tf.control_dependencies([table.insert(n % 10, n)]):
            return tf.identity(found) < 0

    return few().filter(first).batch(4)


@program("ops", FEW)
def groups_numbered():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: window.enumerate().map(lambda i, n: (i, n)).batch(5), window_size=5)


@program("ops", FEW)
def groups_zipped_with_their_successors():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: tf.data.Dataset.zip((window, window.skip(1))).batch(5), window_size=10)


@program("ops", FEW)
def last_of_each_group():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: window.batch(100).map(lambda n: tf.reduce_max(n)), window_size=10).batch(4)


@program("ops", FEW, drawn={1: UNIT})
def one_draw_for_the_records_of_a_file():
    def drawn(file):
        u = tf.random.uniform([])
        return tf.data.TFRecordDataset(file).map(lambda r: (ident(r), u))

    return files(FEW).interleave(drawn, cycle_length=2).batch(8)


# ------------------------------------------------------------------------------------------------- nothing


@program("ops", FEW, empty=True)
def filtered_to_nothing():
    return few().filter(lambda n: n < 0).batch(8)


@program("ops", FEW, empty=True)
def shuffled_and_filtered_to_nothing():
    return few().repeat(2).shuffle(20).filter(lambda n: n < 0).map(lambda n: (n, tf.random.uniform([]))).batch(8).prefetch(1)


@program("ops", FEW, empty=True)
def nothing_taken():
    return few().take(0).batch(8)


@program("ops", FEW, empty=True)
def everything_skipped():
    return few().skip(1000).batch(8)


@program("ops", FEW, empty=True)
def no_whole_batch():
    return few().batch(1000, drop_remainder=True)


@program("ops", FEW, empty=True)
def repeated_never():
    return few().repeat(0).batch(8)


@program("ops", FEW, empty=True)
def flat_mapped_to_nothing():
    return few().flat_map(lambda n: tf.data.Dataset.range(n - n)).batch(8)


@program("ops", FEW, empty=True)
def nothing_but_errors_ignored():
    return few().map(lambda n: tf.strings.to_number(tf.strings.join(["x", tf.strings.as_string(n)]))).ignore_errors().batch(8)


@program("ops", empty=True)
def range_of_nothing():
    return tf.data.Dataset.range(5, 5).map(lambda n: n + 1).batch(8)


@program("ops", FEW)
def half_of_a_mixture_is_nothing():
    halves = [opened(name) for name in sorted(glob.glob(FEW))]
    return tf.data.Dataset.sample_from_datasets([halves[0].filter(lambda n: n < 0), halves[1]], [0.5, 0.5]).batch(8)
