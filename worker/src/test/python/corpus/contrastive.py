"""Programs that learn without labels: two views of a picture or more, pairs, triplets."""

import tensorflow as tf

from corpus import AUTO, program

IMAGENET = "data/imagenet-*.tfrecord"
CIFAR = "data/cifar-0000[12].bin"
FLOWERS = "data/flowers/*/*.jpg"
SIZE = 12


def pictures(shuffle=False):
    def parse(record):
        features = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string), "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.image.resize(tf.io.decode_jpeg(features["image/encoded"], channels=3), [16, 16]) / 255.0
        return image, features["image/class/label"]

    files = tf.data.Dataset.list_files(IMAGENET, shuffle=shuffle)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=AUTO).map(parse, num_parallel_calls=AUTO)


def cifar():
    def parse(record):
        raw = tf.io.decode_raw(record, tf.uint8)
        image = tf.transpose(tf.reshape(raw[1:193], [3, 8, 8]), [1, 2, 0])
        return tf.cast(image, tf.float32) / 255.0, tf.cast(raw[0], tf.int32)

    return tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(CIFAR)), 193).map(parse, num_parallel_calls=AUTO)


# --------------------------------------------------------------------------------------------- what a view is made by


def random_apply(function, probability, image):
    return tf.cond(tf.random.uniform([]) < probability, lambda: function(image), lambda: image)


def color_jitter(image, strength=0.5):
    image = tf.image.random_brightness(image, 0.8 * strength)
    image = tf.image.random_contrast(image, 1.0 - 0.8 * strength, 1.0 + 0.8 * strength)
    image = tf.image.random_saturation(image, 1.0 - 0.8 * strength, 1.0 + 0.8 * strength)
    image = tf.image.random_hue(image, 0.2 * strength)
    return tf.clip_by_value(image, 0.0, 1.0)


def color_drop(image):
    return tf.tile(tf.image.rgb_to_grayscale(image), [1, 1, 3])


def blur(image):
    sigma = tf.random.uniform([], 0.1, 2.0)
    kernel = tf.exp(-tf.square(tf.range(-1.0, 2.0)) / (2.0 * tf.square(sigma)))
    kernel = kernel / tf.reduce_sum(kernel)
    kernel = tf.tile((kernel[:, None] * kernel[None, :])[:, :, None, None], [1, 1, 3, 1])
    return tf.nn.depthwise_conv2d(image[None], kernel, [1, 1, 1, 1], "SAME")[0]


def crop(image, size=SIZE):
    return tf.image.random_flip_left_right(tf.image.random_crop(image, [size, size, 3]))


def dimmed(image):
    """Never the same twice."""
    return image * tf.random.uniform([], 0.3, 1.0) + tf.random.uniform([], 0.0, 0.1)


@tf.function
def augment(image):
    return tf.clip_by_value(dimmed(crop(image)), 0.0, 1.0)


# ----------------------------------------------------------------------------------------------------------- two views


@program("contrastive", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0, 1])
def one_function_called_twice():
    return (pictures(shuffle=True).map(lambda image, label: (augment(image), augment(image), label), num_parallel_calls=AUTO)
            .shuffle(16).batch(8, drop_remainder=True).prefetch(AUTO))


@program("contrastive", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0, 1])
def two_maps_that_call_it():
    return (pictures()
            .map(lambda image, label: (image, augment(image), label), num_parallel_calls=AUTO)
            .map(lambda image, view, label: (augment(image), view, label), num_parallel_calls=AUTO)
            .batch(8).prefetch(AUTO))


@program("contrastive", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)])
def functions_within_functions():
    @tf.function
    def jittered(image):
        return random_apply(color_jitter, 0.8, image)

    @tf.function
    def view(image):
        return tf.clip_by_value(dimmed(random_apply(color_drop, 0.2, jittered(crop(image)))), 0.0, 1.0)

    @tf.function
    def views(image):
        return view(image), view(image)

    return (pictures(shuffle=True).map(lambda image, label: (*views(image), label), num_parallel_calls=AUTO)
            .batch(12, drop_remainder=True).prefetch(AUTO))


@program("contrastive", data=FLOWERS, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0, 1])
def views_of_files():
    def load(path):
        image = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [16, 16]) / 255.0
        return augment(image), augment(image)

    return (tf.data.Dataset.list_files("data/flowers/*/*").map(load, num_parallel_calls=AUTO)
            .batch(6).prefetch(AUTO))


@program("contrastive", data=CIFAR, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0])
def views_of_a_traced_python_function():
    """No tf.function: the map traces both calls into one body."""
    def view(image):
        return tf.clip_by_value(dimmed(crop(image, 6)), 0.0, 1.0)

    return cifar().map(lambda image, label: (view(image), view(image), label), num_parallel_calls=AUTO).batch(16)


@program("contrastive", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)])
def byol():
    """The two views are made in two ways: one is blurred more often, the other solarised."""
    def one(image):
        return random_apply(blur, 0.9, crop(image))

    def two(image):
        image = random_apply(blur, 0.1, crop(image))
        return random_apply(lambda i: tf.where(i < 0.5, i, 1.0 - i), 0.2, image)

    def views(image, label):
        return dimmed(one(image)) / 1.1, dimmed(two(image)) / 1.1, label

    return (pictures(shuffle=True).shuffle(48).map(views, num_parallel_calls=AUTO)
            .batch(8, drop_remainder=True).prefetch(AUTO))


@program("contrastive", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)])
def two_maps_zipped():
    """The same source is read twice, in the order of its files."""
    source = tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(IMAGENET))).map(
        lambda record: tf.io.parse_single_example(record, {"image/encoded": tf.io.FixedLenFeature([], tf.string)}))

    def view(features):
        image = tf.io.decode_jpeg(features["image/encoded"], channels=3)
        return augment(tf.image.resize(image, [16, 16]) / 255.0)

    return tf.data.Dataset.zip((
        source.map(view, num_parallel_calls=AUTO), source.map(view, num_parallel_calls=AUTO))).batch(8).prefetch(AUTO)


@program("contrastive", data=CIFAR, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0])
def views_behind_the_batch():
    """Each row is augmented on its own by a map_fn over the batch."""
    def view(image):
        return tf.clip_by_value(dimmed(crop(image, 6)), 0.0, 1.0)

    def views(images, labels):
        first, second = tf.map_fn(
            lambda image: (view(image), view(image)), images, fn_output_signature=(tf.float32, tf.float32))
        return first, second, labels

    return cifar().batch(16).map(views, num_parallel_calls=AUTO).prefetch(AUTO)


@program("contrastive", data=CIFAR, drawn={0: (0, 1), 1: (0, 1)}, distinct=[(0, 1)], spread=[0])
def views_behind_the_batch_at_once():
    def view(images):
        size = tf.shape(images)[0]
        flip = tf.random.uniform([size, 1, 1, 1]) < 0.5
        images = tf.where(flip, tf.reverse(images, [2]), images)
        return images * tf.random.uniform([size, 1, 1, 1], 0.5, 1.0)

    return cifar().shuffle(50).batch(12).map(lambda images, labels: (view(images), view(images), labels)).prefetch(AUTO)


@program("contrastive", data=CIFAR, drawn={0: (0, 1)}, spread=[0])
def views_stacked():
    def views(image, label):
        return tf.stack([augment_small(image) for _ in range(2)]), label

    return cifar().map(views, num_parallel_calls=AUTO).batch(16, num_parallel_calls=AUTO, drop_remainder=True)


@tf.function
def augment_small(image):
    return tf.clip_by_value(dimmed(crop(image, 4)), 0.0, 1.0)


@program("contrastive", data=CIFAR, drawn={0: (0, 1)}, spread=[0])
def views_by_repeating_the_element():
    """A picture becomes two elements, each augmented by the same map."""
    return (cifar().flat_map(lambda image, label: tf.data.Dataset.from_tensors((image, label)).repeat(2))
            .map(lambda image, label: (augment_small(image), label), num_parallel_calls=AUTO).batch(16))


@program("contrastive", data=CIFAR, drawn={0: (0, 1)})
def jitter_in_a_drawn_order():
    def apply(image, label):
        order = tf.random.shuffle(tf.range(2))
        for place in range(2):
            image = tf.switch_case(order[place], [
                lambda: tf.image.random_brightness(image, 0.4),
                lambda: image * tf.random.uniform([], 0.6, 1.4),
            ])
        return tf.clip_by_value(image, 0.0, 1.0), label

    return cifar().map(apply, num_parallel_calls=AUTO).batch(16)


@program("contrastive", data=CIFAR, drawn={0: (0, 1), 1: (0, 1)}, spread=[0, 1])
def views_with_given_seeds():
    """Operations that are given seeds: each of the two has its own."""
    def view(image, seed):
        image = tf.image.random_flip_left_right(image, seed=seed)
        return image * tf.random.uniform([], 0.5, 1.0, seed=seed + 1)

    return cifar().map(lambda image, label: (view(image, 11), view(image, 23), label)).batch(16)


# ---------------------------------------------------------------------------------------------------- pairs, triplets


@program("contrastive", data=FLOWERS, drawn={2: (0, 255)})
def triplets():
    """Anchor and positive are bound, the negative is drawn from all pictures."""
    def load(path):
        return tf.cast(tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [4, 4]), tf.uint8)

    anchors = tf.data.Dataset.list_files(FLOWERS, shuffle=False)
    negatives = tf.data.Dataset.list_files(FLOWERS, shuffle=True)
    return (tf.data.Dataset.zip((anchors, anchors, negatives))
            .map(lambda a, p, n: (load(a), load(p)[::-1], load(n)), num_parallel_calls=AUTO)
            .shuffle(24).batch(6).prefetch(8))


@program("contrastive", data=CIFAR, drawn={0: (0, 1), 1: (0, 1)}, loose=[2])
def pairs_of_one_class():
    """Two pictures of one class by group_by_window; of which class a pair's turn comes depends on the order."""
    return (cifar().shuffle(96)
            .group_by_window(lambda image, label: tf.cast(label % 2, tf.int64), lambda _, window: window.batch(2), window_size=2)
            .map(lambda images, labels: (images[0], images[-1], labels[0])).batch(8))
