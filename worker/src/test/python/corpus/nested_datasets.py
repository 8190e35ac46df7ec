"""Datasets that are elements of datasets: episodes with their steps, files with their records, groups that are handed on."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, NUMBERS, ident, program
from corpus.sources import FEW, few, files

D = tf.data.Dataset


def opened(file):
    return tf.data.TFRecordDataset(file).map(ident)


def itself(dataset):
    return dataset


@program("nested", NUMBERS)
def files_that_become_datasets():
    return files(NUMBERS).map(opened).flat_map(itself).batch(8)


@program("nested", NUMBERS)
def files_that_become_datasets_shuffled_and_numbered():
    datasets = files(NUMBERS).map(opened).enumerate().shuffle(4, seed=1)
    return datasets.interleave(lambda i, d: d.take(20).map(lambda n: (i, n)), cycle_length=2, num_parallel_calls=AUTO).batch(8)


@program("nested", FEW, drawn={1: (0, 1), 2: (0, 1)}, distinct=[(1, 2)], spread=[1, 2])
def steps_that_draw_read_twice():
    made = few().map(lambda n: D.range(3).map(lambda i: (n * 3 + i, tf.random.uniform([]))))
    return made.flat_map(lambda d: D.zip((d, d)).map(lambda a, b: (a[0], a[1], b[1]))).batch(8)


@program("nested", FEW)
def batches_that_become_datasets_beside_their_mean():
    made = few().batch(8).map(lambda b: {"rows": D.from_tensor_slices(b), "mean": tf.reduce_sum(b)})
    return made.flat_map(lambda e: e["rows"].map(lambda n: (n, e["mean"]))).batch(10)


@program("nested", FEW)
def groups_handed_on_as_datasets():
    groups = few().group_by_window(lambda n: n % 3, lambda k, w: D.from_tensors((k, w)), window_size=7)
    return groups.flat_map(lambda k, w: w.batch(7).map(lambda b: (k + b * 0, b, b - tf.reduce_max(b)))).batch(1).unbatch()


@program("nested", FEW)
def elements_beside_a_dataset_of_their_neighbours():
    """A window's dataset is kept beside its first element, and read later."""
    slid = few().window(4, shift=1, drop_remainder=True)
    beside = slid.map(lambda w: (w.take(1).get_single_element(), w.skip(1)))
    return beside.filter(lambda n, w: n % 2 == 0).flat_map(lambda n, w: w.map(lambda m: (n, m - n))).batch(8)


@program("nested", NUMBERS)
def datasets_chosen_by_what_an_element_says():
    """Each element says of which file so many are taken."""
    plan = D.from_tensor_slices(([0, 3, 1, 3], np.array([5, 2, 7, 4], np.int64)))
    names = [f"data/numbers-0000{i}.tfrecord" for i in range(4)]
    made = plan.map(lambda file, many: opened(tf.gather(names, file)).take(many))
    return made.interleave(itself, cycle_length=2).enumerate().batch(6)


@program("nested", FEW, drawn={1: (0, 1), 2: (0, 1)}, distinct=[(1, 2)], spread=[1, 2])
def children_zipped_with_themselves():
    def views(n):
        drawn = D.range(3).map(lambda i: (n * 3 + i, tf.random.uniform([])))
        return D.zip((drawn, drawn)).map(lambda one, two: (one[0], one[1], two[1]))

    return few().flat_map(views).batch(8)


@program("nested", FEW, drawn={1: (0, 1)}, spread=[1])
def steps_that_draw_repeated():
    made = few().map(lambda n: D.range(2).map(lambda i: (n * 2 + i, tf.random.uniform([]))))
    return made.flat_map(lambda d: d.repeat(2)).batch(8)


@program("nested", FEW, drawn={1: (0, 3), 2: (0, 3)}, distinct=[(1, 2)], spread=[1, 2])
def steps_that_draw_summed_in_two_steps():
    made = few().map(lambda n: {"id": n, "steps": D.range(3).map(lambda i: tf.random.uniform([]))})

    def summed(e):
        return e["steps"].reduce(0.0, lambda total, x: total + x)

    return made.map(lambda e: (e, summed(e))).map(lambda e, first: (e["id"], first, summed(e))).batch(8)


@program("nested", FEW, drawn={1: (0, 3), 2: (0, 3)}, distinct=[(1, 2)], spread=[1, 2])
def dataset_within_a_map_summed_twice():
    def summed(n):
        drawn = D.range(3).map(lambda i: tf.random.uniform([]))
        one, two = (drawn.reduce(0.0, lambda total, x: total + x) for _ in range(2))
        return n, one, two

    return few().map(summed).batch(8)


@program("nested", FEW, drawn={1: (0, 1)}, spread=[1])
def augmented_and_shuffled_joined_to_itself():
    """What keeps an order is one dataset for both."""
    augmented = few().map(lambda n: (n, tf.random.uniform([]))).shuffle(10)
    return augmented.concatenate(augmented).batch(8)


@program("nested", FEW)
def augmented_by_a_seed_and_shuffled_joined_to_itself():
    """By a seed each reading draws the same."""
    augmented = few().map(lambda n: (n, tf.random.uniform([], 0, 1000, tf.int32, seed=5))).shuffle(10)
    twice = augmented.concatenate(augmented)
    return twice.group_by_window(lambda n, x: n, lambda n, w: w.batch(2), window_size=2).map(lambda n, x: (n, x[0] == x[1]))


@program("nested", FEW)
def augmented_and_kept_joined_to_itself():
    augmented = few().map(lambda n: (n, tf.random.uniform([]))).cache().shuffle(10)
    twice = augmented.concatenate(augmented)
    return twice.group_by_window(lambda n, x: n, lambda n, w: w.batch(2), window_size=2).map(lambda n, x: (n, x[0] == x[1]))


@program("nested", FEW)
def children_kept_and_joined_to_themselves():
    def twice(n):
        drawn = D.range(3).map(lambda i: tf.random.uniform([])).cache()
        return drawn.concatenate(drawn).batch(6).map(lambda x: (n, tf.reduce_all(x[:3] == x[3:])))

    return few().flat_map(twice).batch(8)


@program("nested", FEW)
def steps_kept_and_read_twice():
    made = few().map(lambda n: {"id": n, "steps": D.range(3).map(lambda i: tf.random.uniform([])).cache()})
    return made.flat_map(lambda e: e["steps"].concatenate(e["steps"]).batch(6).map(
        lambda x: (e["id"], tf.reduce_all(x[:3] == x[3:])))).batch(8)


@program("nested", FEW, drawn={1: (0, 1)}, spread=[1])
def counted_draws_shuffled_and_joined_to_themselves():
    """A generator goes on counting in the second reading."""
    generator = tf.random.Generator.from_seed(3)
    augmented = few().map(lambda n: (n, generator.uniform([]))).shuffle(10)
    return augmented.concatenate(augmented).batch(8)


@program("nested", FEW, drawn={1: (-9, 9), 2: (-9, 9)}, distinct=[(1, 2)], spread=[1, 2])
def noise_of_a_layer_zipped_with_itself():
    noise = tf.keras.layers.GaussianNoise(0.5, seed=3)
    augmented = few().map(lambda n: (n, noise(tf.zeros([1]), training=True)[0]))
    return D.zip((augmented, augmented)).map(lambda one, two: (one[0], one[1], two[1])).batch(8)


@program("nested", FEW, drawn={1: (-9, 9)}, spread=[1])
def noise_of_a_layer_shuffled_and_joined_to_itself():
    noise = tf.keras.layers.GaussianNoise(0.5, seed=3)
    augmented = few().map(lambda n: (n, noise(tf.zeros([1]), training=True)[0])).shuffle(10)
    return augmented.concatenate(augmented).batch(8)


@program("nested", NUMBERS)
def patches_of_files_zipped_in_pairs():
    """Names of pictures and of their masks are zipped, shuffled and repeated, then opened side by side."""
    names = sorted(tf.io.gfile.glob(NUMBERS))
    pairs = D.zip((D.from_tensor_slices(names[:2]), D.from_tensor_slices(names[1::-1]))).shuffle(2).repeat(2)
    opened = pairs.flat_map(lambda *both: D.zip(tuple(tf.data.TFRecordDataset(one).map(ident) for one in both)))
    patches = opened.map(lambda a, b: (tf.stack([a, a + 1]), tf.stack([b, b + 1])), num_parallel_calls=2)
    return patches.flat_map(lambda a, b: D.zip((D.from_tensor_slices(a), D.from_tensor_slices(b)))).batch(8)
