"""Programs that augment with Keras' layers, with seeds that are given, and with draws that belong together."""

import glob

import tensorflow as tf

from corpus import AUTO, ident, program, universe
from corpus.sources import FEW, few, files

CIFAR = "data/cifar-0000[01].bin"
UNIT = (0, 1)


def picture(record):
    raw = tf.io.decode_raw(record, tf.uint8)
    return tf.cast(tf.transpose(tf.reshape(raw[1:], [3, 8, 8]), [1, 2, 0]), tf.float32) / 255.0, tf.cast(raw[0], tf.int32)


def cifar():
    return tf.data.FixedLengthRecordDataset(sorted(glob.glob(CIFAR)), record_bytes=193).map(picture, num_parallel_calls=AUTO)


def mask(image):
    return tf.cast(image > 0.5, tf.float32)


# ------------------------------------------------------------------------------------------------- Keras' layers


@program("classification", data=CIFAR, mirrored=[0])
def keras_flips():
    layer = tf.keras.layers.RandomFlip("horizontal")
    return cifar().map(lambda image, label: (layer(image, training=True), label)).batch(8)


@program("classification", data=CIFAR, drawn={0: UNIT}, spread=[0])
def keras_flips_and_crops():
    layers = tf.keras.Sequential([tf.keras.layers.RandomFlip("horizontal"), tf.keras.layers.RandomCrop(6, 6)])
    return cifar().shuffle(32).map(lambda image, label: (layers(image, training=True), label), num_parallel_calls=AUTO).batch(8)


@program("classification", data=CIFAR, drawn={0: (-9, 9)}, spread=[0])
def keras_augmentation_behind_the_batch():
    layers = tf.keras.Sequential([
        tf.keras.layers.RandomRotation(0.2), tf.keras.layers.RandomZoom(0.1), tf.keras.layers.RandomTranslation(0.1, 0.1),
        tf.keras.layers.RandomContrast(0.1), tf.keras.layers.RandomBrightness(0.1, value_range=(0, 1))])
    return cifar().batch(8).map(lambda image, label: (layers(image, training=True), label), num_parallel_calls=AUTO).prefetch(AUTO)


@program("classification", data=CIFAR, drawn={1: (-9, 9)}, spread=[1])
def keras_noise_of_two_epochs():
    """The second epoch goes on with the layer's seeds where the first ended: no noise comes twice."""
    layer = tf.keras.layers.GaussianNoise(1.0, seed=5)
    return few().map(lambda n: (n, layer(tf.zeros([]), training=True))).batch(8).repeat(2)


@program("classification", data=CIFAR, drawn={1: (0, 8)})
def keras_dropout():
    layer = tf.keras.layers.Dropout(0.5)
    return few().map(lambda n: (n, layer(tf.ones([8]), training=True))).batch(8)


@program("classification", data=FEW, choice=True, count=(20, 180))
def keras_noise_decides_what_is_kept():
    """In two epochs the layer goes on with its seeds: what is kept differs."""
    layer = tf.keras.layers.GaussianNoise(1.0, seed=5)
    return few().filter(lambda n: layer(tf.zeros([]), training=True) > 0.0).batch(8).repeat(2)


@universe("keras_noise_decides_what_is_kept")
def keras_noise_decides_what_is_kept_of():
    return few().batch(8)


@program("classification", data=FEW, drawn={1: (-9, 9)}, spread=[1])
def keras_noise_in_a_running_sum():
    layer = tf.keras.layers.GaussianNoise(0.1, seed=5)
    return few().scan(tf.constant(0, tf.int64), lambda sum, n: (sum + n, (sum + n, layer(tf.zeros([]), training=True)))).batch(8)


@program("classification", data=CIFAR)
def keras_masks_flipped_as_their_pictures():
    """As in TensorFlow's tutorial on segmentation: two layers of one seed make the same changes."""
    images, masks = (tf.keras.layers.RandomFlip("horizontal", seed=42) for _ in range(2))

    def agreed(image, label):
        image, truth = images(image, training=True), masks(mask(image), training=True)
        return tf.reduce_all(mask(image) == truth), label

    return cifar().map(agreed).batch(8)


@program("classification", data=CIFAR)
def keras_normalised_and_encoded():
    normalise = tf.keras.layers.Normalization(axis=-1, mean=[0.5, 0.4, 0.3], variance=[0.2, 0.2, 0.2])
    encode = tf.keras.layers.CategoryEncoding(num_tokens=10, output_mode="one_hot")
    return (cifar().map(lambda image, label: (tf.image.resize(image, [2, 2]), label))
            .batch(8).map(lambda image, label: (normalise(image), encode(label)), num_parallel_calls=AUTO))


# ------------------------------------------------------------------------------------------------- seeds that are given


@program("classification", data=CIFAR)
def masks_flipped_by_one_seed():
    """Two ops of one seed draw the same."""
    def agreed(image, label):
        flipped = tf.image.random_flip_left_right(image, seed=7)
        truth = tf.image.random_flip_left_right(mask(image), seed=7)
        return tf.reduce_all(mask(flipped) == truth), label

    return cifar().map(agreed).batch(8)


@program("classification", data=CIFAR)
def masks_cropped_by_one_seed():
    def agreed(image, label):
        cropped = tf.image.random_crop(image, [5, 5, 3], seed=3)
        truth = tf.image.random_crop(mask(image), [5, 5, 3], seed=3)
        return tf.reduce_all(mask(cropped) == truth), label

    return cifar().map(agreed).batch(8)


@program("classification", data=CIFAR)
def masks_flipped_by_one_seed_in_two_maps():
    def compared(image, truth):
        return tf.reduce_all(mask(image) == truth)

    return (cifar().map(lambda image, label: (image, mask(image)))
            .map(lambda image, truth: (tf.image.random_flip_left_right(image, seed=7), truth))
            .map(lambda image, truth: (image, tf.image.random_flip_left_right(truth, seed=7)))
            .map(compared).map(lambda same: (same, 1)).batch(8))


@program("classification", data=CIFAR)
def masks_of_their_own_dataset_flipped_by_one_seed():
    images = cifar().map(lambda image, label: tf.image.random_flip_up_down(image, seed=11))
    masks = cifar().map(lambda image, label: tf.image.random_flip_up_down(mask(image), seed=11))
    return tf.data.Dataset.zip((images, masks)).map(lambda image, truth: (tf.reduce_all(mask(image) == truth), 1)).batch(8)


@program("classification", data=CIFAR)
def masks_flipped_by_one_seed_behind_the_batch():
    def agreed(image, label):
        flipped = tf.image.random_flip_left_right(image, seed=7)
        truth = tf.image.random_flip_left_right(mask(image), seed=7)
        return tf.reduce_all(mask(flipped) == truth, axis=[1, 2, 3]), label

    return cifar().batch(8).map(agreed)


@program("ops", FEW)
def one_seed_in_two_functions():
    @tf.function
    def first(n):
        return tf.random.uniform([], seed=9) + tf.cast(n, tf.float32) * 0.0

    @tf.function
    def second(n):
        return tf.random.uniform([], seed=9) + tf.cast(n, tf.float32) * 0.0

    return few().map(lambda n: (n, first(n) == second(n))).batch(8)


@program("classification", data=CIFAR)
def masks_flipped_by_stateless_seeds():
    def agreed(place, pair):
        seed = tf.stack([tf.cast(place, tf.int32), 5])
        flipped = tf.image.stateless_random_flip_left_right(pair[0], seed)
        truth = tf.image.stateless_random_flip_left_right(mask(pair[0]), seed)
        return tf.reduce_all(mask(flipped) == truth), tf.image.resize(flipped, [2, 2]), pair[1]

    return tf.data.Dataset.zip((tf.data.Dataset.counter(), cifar())).map(agreed, num_parallel_calls=AUTO).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_by_the_global_seed():
    tf.random.set_seed(77)
    return few().map(lambda n: (n, tf.random.uniform([]))).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draws_by_two_seeds():
    return few().map(lambda n: (n, tf.random.uniform([], seed=1), tf.random.uniform([], seed=2))).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT}, distinct=[(1, 2)], spread=[1, 2])
def draws_of_one_seed_in_the_turns_of_a_loop():
    def turns(n):
        array = tf.TensorArray(tf.float32, 2)
        for i in tf.range(2):
            array = array.write(i, tf.random.uniform([], seed=4))
        one, two = tf.unstack(tf.ensure_shape(array.stack(), [2]))
        return n, one, two

    return few().map(turns).batch(8)


# ------------------------------------------------------------------------------------------------- draws that belong together


@program("ops", FEW)
def one_draw_for_a_file():
    """Drawn when a file is opened: the same for all of its records."""
    def opened(file):
        drawn = tf.random.uniform([])
        return tf.data.TFRecordDataset(file).map(lambda r: (ident(r), drawn)).batch(25)

    return files(FEW).interleave(opened, cycle_length=2).map(lambda n, u: (n, u == u[0]))


@program("ops", FEW)
def one_draw_for_all_children():
    def children(n):
        drawn = tf.random.uniform([])
        return tf.data.Dataset.range(3).map(lambda i: (n, i, drawn)).batch(3)

    return few().flat_map(children).map(lambda n, i, u: (n, tf.reduce_all(u == u[0]))).batch(8)


@program("ops", FEW, drawn={1: UNIT, 2: UNIT, 3: UNIT}, distinct=[(1, 2), (2, 3), (1, 3)], spread=[1, 2, 3])
def views_of_one_element_repeated():
    return (few().flat_map(lambda n: tf.data.Dataset.from_tensors(n).repeat(3).map(lambda n: (n, tf.random.uniform([]))).batch(3))
            .map(lambda n, u: (n[0], u[0], u[1], u[2])).batch(8))


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def repeated_augmented_and_cached():
    """Twice as many augmented elements are kept as there are."""
    return few().repeat(2).map(lambda n: (n, tf.random.uniform([]))).cache().batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def augmented_repeated_and_cached():
    return few().map(lambda n: (n, tf.random.uniform([]))).repeat(2).cache().shuffle(50).batch(8)


@program("ops", FEW, drawn={0: (0, 1152921504606846976)})
def cached_draws_come_again():
    return few().map(lambda n: tf.random.uniform([], 0, 1 << 60, tf.int64)).cache().repeat(2).unique().batch(8)


@program("ops", FEW, drawn={0: (0, 1152921504606846976)})
def draws_of_two_repetitions_differ():
    return few().map(lambda n: tf.random.uniform([], 0, 1 << 60, tf.int64)).repeat(2).unique().batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_before_repeat_taken():
    return few().map(lambda n: (n, tf.random.uniform([]))).repeat(3).take(280).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_branches_repeated():
    drawn = few().map(lambda n: (n, tf.random.uniform([]))).repeat(3)
    return drawn.concatenate(tf.data.Dataset.range(9).map(lambda n: (n, tf.random.uniform([])))).batch(8)


@program("ops", FEW, drawn={1: (-1, 1)}, spread=[1])
def draws_of_one_seed_behind_a_shuffle():
    """They have lost each other: the second of an element is another element's first."""
    return (few().map(lambda n: (n, tf.random.uniform([], seed=1))).shuffle(40, seed=3)
            .map(lambda n, u: (n, u - tf.random.uniform([], seed=1))).batch(8))


@program("classification", data=CIFAR, drawn={1: (-9, 9), 2: (-9, 9), 3: (-9, 9)}, distinct=[(1, 2), (2, 3), (1, 3)], spread=[1, 2, 3])
def keras_layer_in_two_maps():
    layer = tf.keras.layers.GaussianNoise(1.0, seed=5)
    return (few().map(lambda n: (n, layer(tf.zeros([]), training=True)))
            .map(lambda n, u: (n, u, layer(tf.zeros([]), training=True), layer(tf.zeros([]), training=True))).batch(8))


@program("guide", data=FEW)
def counted_by_a_variable_in_two_epochs():
    seen = tf.Variable(0, dtype=tf.int64)
    return few().map(lambda n: (n, seen.assign_add(1))).repeat(2).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_the_function_of_a_group():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: window.map(lambda n: (n, tf.random.uniform([]))).batch(5), window_size=5)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_the_batch_of_a_group():
    return few().group_by_window(
        lambda n: n % 4, lambda key, window: window.batch(5).map(lambda n: (n, tf.random.uniform([tf.size(n)]))), window_size=5)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_in_windows():
    return few().window(4, drop_remainder=True).flat_map(
        lambda window: window.map(lambda n: (n, tf.random.uniform([]))).batch(4))


@program("ops", FEW, drawn={1: (0, 10)})
def draw_in_reduce_of_windows():
    return few().window(5).flat_map(lambda window: tf.data.Dataset.from_tensors(
        (window.reduce(tf.constant(0, tf.int64), tf.maximum),
         window.reduce(0.0, lambda total, n: total + tf.random.uniform([]))))).batch(4)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_for_words_unbatched():
    return few().batch(5).map(lambda n: (n, tf.random.uniform([5]))).unbatch().shuffle(20).batch(8)


@program("ops", FEW, drawn={1: (0, 1e9)})
def negatives_of_a_candidate_sampler():
    def sampled(n):
        found, _, _ = tf.random.log_uniform_candidate_sampler(
            true_classes=tf.reshape(n, [1, 1]), num_true=1, num_sampled=4, unique=True, range_max=4000, seed=3)
        return n, found

    return few().map(sampled).batch(8)


@program("ops", FEW, drawn={1: (0, 4)})
def dropout_of_ones():
    return few().map(lambda n: (n, tf.nn.dropout(tf.ones([6]), 0.5))).batch(8)


@program("ops", FEW, drawn={1: (0, 5e9)})
def stamped_with_the_time():
    return few().map(lambda n: (n, tf.timestamp())).batch(8)


@program("ops", FEW)
def stateless_shuffles_and_gammas():
    def shuffled(n):
        seed = tf.stack([n, n * 2])
        return (tf.random.experimental.stateless_shuffle(tf.range(6), seed), tf.random.stateless_gamma([2], seed, alpha=1.5),
                tf.random.experimental.index_shuffle(n % 10, [1, 2], 9), n)

    return few().map(shuffled).batch(8)


@program("ops", FEW)
def draw_kept_in_two_components():
    def paired(n):
        drawn = tf.random.uniform([], 0, 1000, tf.int64)
        return n + drawn, drawn

    return few().map(paired).shuffle(30).map(lambda total, drawn: (total - drawn, 1)).batch(8)


@program("ops", FEW, drawn={1: UNIT}, spread=[1])
def draw_until_it_fits():
    return few().map(lambda n: (n, tf.while_loop(
        lambda u: u > 0.5, lambda u: tf.random.uniform([]), [tf.random.uniform([])])[0])).batch(8)


@program("ops", FEW, drawn={1: (0, 1)})
def one_seed_around_flat_map():
    """One process draws the same, since each element becomes one; here the two have lost each other, and that is said."""
    return (few().map(lambda n: (n, tf.random.uniform([], seed=3)))
            .flat_map(lambda n, u: tf.data.Dataset.from_tensors((n, u)))
            .map(lambda n, u: (n, tf.cast(u == tf.random.uniform([], seed=3), tf.float32))).batch(8))
