"""Pictures as people mix, cut, pair and tile them for training."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program
from corpus.sources import files

D = tf.data.Dataset
CIFAR = "data/cifar-0000[12].bin"
OBJECTS = "data/objects-*.tfrecord"


def cifar():
    """64 pictures of 8x8 and their labels."""
    def parse(record):
        raw = tf.io.decode_raw(record, tf.uint8)
        image = tf.transpose(tf.reshape(raw[1:193], [3, 8, 8]), [1, 2, 0])
        return tf.cast(image, tf.float32) / 255.0, tf.cast(raw[0], tf.int64)

    return tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(CIFAR)), 193).map(parse, num_parallel_calls=AUTO)


def mean(image):
    return tf.reduce_mean(image)


# ---------------------------------------------------------------------------------------------------- mixed with others


@program("classification", CIFAR, drawn={0: (0, 1), 2: (0, 9)}, spread=[0])
def mixup_of_two_shuffles_of_batches():
    """Keras' example: two shuffled datasets of batches, zipped."""
    one, two = (cifar().shuffle(64).batch(16) for _ in range(2))

    def mixed(first, second):
        (images, labels), (others, their) = first, second
        gamma = [tf.random.gamma([tf.shape(images)[0]], 0.2) + 1e-6 for _ in range(2)]
        share = tf.reshape(gamma[0] / (gamma[0] + gamma[1]), [-1, 1, 1, 1])
        return images * share + others * (1 - share), labels, their

    return D.zip((one, two)).map(mixed, num_parallel_calls=AUTO).prefetch(AUTO)


@program("classification", CIFAR)
def mixed_with_the_batch_in_reverse():
    """The usual short form of mixup: the batch and its mirror image."""
    def mixed(images, labels):
        return labels, images[:, 0, 0, 0] * 0.7 + images[::-1][:, 0, 0, 0] * 0.3, tf.reverse(labels, [0])

    return cifar().batch(16).map(mixed)


@program("classification", CIFAR)
def mosaics_of_a_picture_and_three_that_are_shuffled():
    ds = cifar()
    others = [ds.shuffle(64, seed=seed) for seed in (1, 2, 3)]

    def mosaic(*four):
        (a, la), (b, lb), (c, lc), (d, ld) = four
        image = tf.concat([tf.concat([a, b], 1), tf.concat([c, d], 1)], 0)
        return mean(image), tf.stack([la, lb, lc, ld])

    return D.zip((ds, *others)).map(mosaic).batch(8)


# ------------------------------------------------------------------------------------------------------ views and pairs


@program("contrastive", CIFAR, drawn={0: (0, 1), 1: (0, 1), 2: (0, 1), 3: (0, 1)}, distinct=[(0, 1), (2, 3)], spread=[0, 1, 2, 3])
def two_large_crops_and_some_small_ones():
    """DINO's."""
    def crops(image, label):
        large = [tf.image.random_crop(image, [6, 6, 3]) * tf.random.uniform([], 0.5, 1.0) for _ in range(2)]
        small = [tf.image.random_crop(image, [3, 3, 3]) * tf.random.uniform([], 0.5, 1.0) for _ in range(4)]
        return (*large, tf.stack(small[:2]), tf.stack(small[2:]), label)

    return cifar().shuffle(32).map(crops, num_parallel_calls=AUTO).batch(16, drop_remainder=True)


@program("contrastive", CIFAR)
def hard_pairs_with_a_shuffle_of_themselves():
    ds = cifar().map(lambda image, label: (mean(image), label))
    pairs = D.zip((ds, ds.shuffle(64, seed=9)))
    return pairs.filter(lambda a, b: a[1] == b[1]).map(lambda a, b: (a[0], b[0], a[1])).batch(4)


@program("contrastive", CIFAR)
def positives_of_one_class_beside_a_negative():
    """Pairs of a class in order, and the pair behind them as what they are told from."""
    pairs = cifar().map(lambda i, l: (mean(i), l)).group_by_window(
        lambda i, l: l % 4, lambda k, w: w.batch(2, drop_remainder=True), window_size=2)
    return D.zip((pairs, pairs.skip(1))).map(lambda pair, other: (pair[0], other[0][0], pair[1][0])).batch(4)


# ----------------------------------------------------------------------------------------------------------- policies


@program("classification", CIFAR)
def counts_of_labels_within_the_map():
    """The same, by a dataset that the map reads."""
    labels = cifar().map(lambda image, label: label).cache()

    def weighted(image, label):
        same = labels.filter(lambda other: other == label).reduce(np.int64(0), lambda n, _: n + 1)
        return mean(image), label, 1.0 / tf.cast(same, tf.float32)

    return cifar().map(weighted).batch(8)


# ------------------------------------------------------------------------------------------------------- tiles, objects


OBJECT = {"image/source_id": tf.io.FixedLenFeature([], tf.string),
          **{f"image/object/bbox/{side}": tf.io.VarLenFeature(tf.float32) for side in ("ymin", "xmin", "ymax", "xmax")},
          "image/object/class/label": tf.io.RaggedFeature(tf.int64)}


def objects():
    def parse(record):
        parsed = tf.io.parse_single_example(record, OBJECT)
        boxes = tf.stack([tf.sparse.to_dense(parsed[f"image/object/bbox/{side}"]) for side in ("ymin", "xmin", "ymax", "xmax")], -1)
        return tf.strings.to_number(parsed["image/source_id"], tf.int64), boxes, parsed["image/object/class/label"]

    return files(OBJECTS).interleave(tf.data.TFRecordDataset, cycle_length=3).map(parse, num_parallel_calls=AUTO)


@program("detection", OBJECTS)
def boxes_of_a_batch_numbered_by_their_picture():
    """As roi pooling wants them: all boxes of a batch in one list, and which picture each is of."""
    def listed(number, boxes, labels):
        which = tf.where(labels > 0)
        rows = tf.cast(which[:, 0], tf.int32)
        return tf.gather(number, rows), rows, tf.gather_nd(labels, which)

    return objects().padded_batch(5, ([], [None, 4], [None])).map(listed)


@program("detection", OBJECTS)
def objects_in_batches_of_their_class():
    crops = objects().flat_map(lambda number, boxes, labels: D.from_tensor_slices((tf.fill([tf.size(labels)], number), boxes, labels)))
    return crops.group_by_window(lambda n, box, label: label % 3, lambda key, window: window.batch(4), window_size=4).map(
        lambda n, box, label: (n, box[:, 2] - box[:, 0], label))
