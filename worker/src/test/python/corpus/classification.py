"""Programs that train and evaluate classifiers of images: ImageNet's records, CIFAR's, folders of pictures."""

import tensorflow as tf

from corpus import AUTO, program

IMAGENET = "data/imagenet-0000[012].tfrecord"
CIFAR = "data/cifar-0000[01].bin"
FLOWERS = "data/flowers/*/*.jpg"
CLASSES = ["daisy", "rose", "tulip"]
MEAN = [123.68, 116.78, 103.94]


# ------------------------------------------------------------------------------------------------- ImageNet's records


def imagenet_files(training):
    files = tf.data.Dataset.list_files(IMAGENET, shuffle=training)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=AUTO)


def parse_imagenet(record):
    features = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64, -1),
        "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    })
    sides = [tf.expand_dims(features[f"image/object/bbox/{side}"].values, 0) for side in ("ymin", "xmin", "ymax", "xmax")]
    boxes = tf.transpose(tf.expand_dims(tf.concat(sides, 0), 0), [0, 2, 1])
    return features["image/encoded"], tf.cast(features["image/class/label"], tf.int32), boxes


def decode_and_random_crop(encoded, boxes):
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.image.extract_jpeg_shape(encoded), bounding_boxes=boxes, min_object_covered=0.1,
        aspect_ratio_range=[0.75, 1.33], area_range=[0.05, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=True)
    top, left, _ = tf.unstack(begin)
    height, width, _ = tf.unstack(size)
    return tf.image.decode_and_crop_jpeg(encoded, tf.stack([top, left, height, width]), channels=3)


def decode_and_center_crop(encoded, size=16, padding=2):
    shape = tf.image.extract_jpeg_shape(encoded)
    side = tf.cast(size / (size + padding) * tf.cast(tf.minimum(shape[0], shape[1]), tf.float32), tf.int32)
    window = tf.stack([(shape[0] - side + 1) // 2, (shape[1] - side + 1) // 2, side, side])
    image = tf.image.decode_and_crop_jpeg(encoded, window, channels=3)
    return tf.image.resize([image], [size, size], method="bicubic")[0]


def decoded(record, size=16):
    encoded, label, _ = parse_imagenet(record)
    image = tf.io.decode_jpeg(encoded, channels=3)
    return tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), [size, size]), label


def imagenet_pictures():
    return imagenet_files(training=True).map(decoded, num_parallel_calls=AUTO)


@program("classification", data=IMAGENET, drawn={0: (-124, 256)}, spread=[0])
def imagenet_training():
    def preprocess(record):
        encoded, label, boxes = parse_imagenet(record)
        image = tf.image.random_flip_left_right(decode_and_random_crop(encoded, boxes))
        image = tf.image.resize(image, [16, 16], method="bilinear")
        return image - tf.constant(MEAN, shape=[1, 1, 3]), label

    files = tf.data.Dataset.list_files(IMAGENET, shuffle=False).shuffle(4)
    records = files.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=AUTO)
    return (records.prefetch(8).shuffle(16).map(preprocess, num_parallel_calls=AUTO)
            .batch(6, drop_remainder=True).prefetch(AUTO))


@program("classification", data=IMAGENET)
def imagenet_evaluation():
    def preprocess(record):
        encoded, label, _ = parse_imagenet(record)
        return tf.saturate_cast(tf.round(decode_and_center_crop(encoded)), tf.uint8), label

    return imagenet_files(training=False).map(preprocess, num_parallel_calls=AUTO).batch(10).prefetch(AUTO)


@program("classification", data=IMAGENET, mirrored=[0])
def imagenet_cached_before_flips():
    pictures = imagenet_files(training=False).map(lambda r: decoded(r, 12), num_parallel_calls=AUTO)
    pictures = pictures.map(lambda image, label: (tf.image.convert_image_dtype(image, tf.uint8), label)).cache()
    return (pictures.shuffle(48)
            .map(lambda image, label: (tf.image.random_flip_left_right(image), label), num_parallel_calls=AUTO)
            .batch(8).prefetch(AUTO))


@program("classification", data=IMAGENET, drawn={0: (0, 1)}, spread=[0])
def imagenet_colours():
    def augment(image, label):
        image = tf.image.random_brightness(image, max_delta=32.0 / 255.0)
        image = tf.image.random_saturation(image, lower=0.5, upper=1.5)
        image = tf.image.random_hue(image, max_delta=0.2)
        image = tf.image.random_contrast(image, lower=0.5, upper=1.5)
        return tf.clip_by_value(image, 0.0, 1.0), label

    return imagenet_pictures().map(augment, num_parallel_calls=AUTO).shuffle(20).batch(8).prefetch(AUTO)


@program("classification", data=IMAGENET, drawn={0: (0, 1)})
def imagenet_rand_augment():
    def layer(image):
        magnitude = tf.random.uniform([], 0.1, 0.9)
        return tf.switch_case(tf.random.uniform([], 0, 5, tf.int32), [
            lambda: image,
            lambda: tf.image.adjust_brightness(image, magnitude - 0.5),
            lambda: tf.image.adjust_contrast(image, 1.0 + magnitude),
            lambda: tf.where(image < magnitude, image, 1.0 - image),
            lambda: tf.transpose(image, [1, 0, 2]),
        ])

    def augment(image, label):
        for _ in range(2):
            image = tf.clip_by_value(layer(image), 0.0, 1.0)
        return tf.ensure_shape(image, [16, 16, 3]), label

    return imagenet_pictures().map(augment, num_parallel_calls=AUTO).batch(8).prefetch(AUTO)


@program("classification", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, spread=[0])
def imagenet_mixup():
    def mixup(images, labels):
        size = tf.shape(images)[0]
        weight = tf.random.uniform([size, 1])
        order = tf.random.shuffle(tf.range(size))
        images = images * weight[:, :, None, None] + tf.gather(images, order) * (1.0 - weight)[:, :, None, None]
        return images, labels * weight + tf.gather(labels, order) * (1.0 - weight)

    return (imagenet_pictures().map(lambda image, label: (image, tf.one_hot(label, 6)), num_parallel_calls=AUTO)
            .shuffle(36).batch(6, drop_remainder=True).map(mixup, num_parallel_calls=AUTO).prefetch(AUTO))


@program("classification", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)})
def imagenet_mixup_beta():
    """The weight is of a beta distribution, of two gamma draws."""
    def mixup(images, labels):
        size = tf.shape(images)[0]
        first, second = tf.random.gamma([size], 0.8), tf.random.gamma([size], 0.8)
        weight = tf.clip_by_value(first / (first + second + 1e-6), 0.0, 1.0)
        images = images * weight[:, None, None, None] + tf.reverse(images, [0]) * (1.0 - weight[:, None, None, None])
        return images, labels * weight[:, None] + tf.reverse(labels, [0]) * (1.0 - weight[:, None])

    return (imagenet_pictures().map(lambda image, label: (image, tf.one_hot(label, 6)))
            .batch(6).map(mixup, num_parallel_calls=AUTO))


@program("classification", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)}, spread=[0])
def imagenet_mixup_of_two():
    def mixup(one, two):
        weight = tf.random.uniform([])
        return one[0] * weight + two[0] * (1.0 - weight), one[1] * weight + two[1] * (1.0 - weight)

    pictures = imagenet_pictures().map(lambda image, label: (image, tf.one_hot(label, 6)), num_parallel_calls=AUTO)
    return (tf.data.Dataset.zip((pictures.shuffle(48), pictures.shuffle(48)))
            .map(mixup, num_parallel_calls=AUTO).batch(8).prefetch(AUTO))


@program("classification", data=IMAGENET, drawn={0: (0, 1), 1: (0, 1)})
def imagenet_cutmix():
    def cutmix(images, labels):
        weight = tf.random.uniform([])
        side = tf.cast(16.0 * tf.sqrt(1.0 - weight), tf.int32)
        y, x = tf.unstack(tf.random.uniform([2], 0, 16, tf.int32))
        top, bottom = tf.maximum(y - side // 2, 0), tf.minimum(y + side // 2, 16)
        left, right = tf.maximum(x - side // 2, 0), tf.minimum(x + side // 2, 16)
        box = tf.pad(tf.ones([bottom - top, right - left]), [[top, 16 - bottom], [left, 16 - right]])[None, :, :, None]
        kept = 1.0 - tf.cast((bottom - top) * (right - left), tf.float32) / 256.0
        images = images * (1.0 - box) + tf.roll(images, 1, axis=0) * box
        return images, labels * kept + tf.roll(labels, 1, axis=0) * (1.0 - kept)

    return (imagenet_pictures().map(lambda image, label: (image, tf.one_hot(label, 6)), num_parallel_calls=AUTO)
            .batch(6, drop_remainder=True).map(cutmix, num_parallel_calls=AUTO).prefetch(2))


@program("classification", data=IMAGENET, drawn={0: (0, 1)}, spread=[0])
def imagenet_random_erasing():
    def erase(image, label):
        noise = tf.random.normal([6, 6, 3], 0.5, 0.1)
        top, left = tf.random.uniform([], 0, 11, tf.int32), tf.random.uniform([], 0, 11, tf.int32)
        padding = [[top, 10 - top], [left, 10 - left], [0, 0]]
        erased = image * (1.0 - tf.pad(tf.ones_like(noise), padding)) + tf.pad(noise, padding)
        return tf.clip_by_value(erased, 0.0, 1.0), label

    return imagenet_pictures().map(erase, num_parallel_calls=AUTO).batch(8).prefetch(AUTO)


@program("classification", data=IMAGENET)
def imagenet_smoothed_labels():
    def smooth(image, label):
        return tf.cast(image * 255.0, tf.uint8), tf.one_hot(label, 6) * 0.9 + 0.1 / 6

    return (imagenet_files(training=True).map(lambda r: decoded(r, 2), num_parallel_calls=AUTO)
            .map(smooth, num_parallel_calls=AUTO).shuffle(24).batch(16).prefetch(AUTO))


@program("classification", data=IMAGENET, drawn={0: (0, 1)})
def imagenet_jpeg_quality():
    def degrade(record):
        encoded, label, _ = parse_imagenet(record)
        image = tf.image.random_jpeg_quality(tf.io.decode_jpeg(encoded, channels=3), 40, 95)
        return tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), [12, 12]), label

    return imagenet_files(training=False).map(degrade, num_parallel_calls=AUTO).batch(8)


# ---------------------------------------------------------------------------------------------------- CIFAR's records


def cifar():
    return tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(CIFAR)), record_bytes=193)


def parse_cifar(record):
    raw = tf.io.decode_raw(record, tf.uint8)
    return tf.transpose(tf.reshape(raw[1:193], [3, 8, 8]), [1, 2, 0]), tf.cast(raw[0], tf.int32)


@program("classification", data=CIFAR, drawn={0: (0, 255)})
def cifar_with_a_counter_as_seed():
    """As the tutorial on augmentation does: stateless draws whose seed is a counter zipped with the pictures."""
    def augment(picture, seed):
        image, label = picture
        fresh = tf.random.split(seed, num=1)[0]
        image = tf.image.stateless_random_brightness(tf.cast(image, tf.float32), max_delta=60.0, seed=fresh)
        image = tf.image.stateless_random_flip_left_right(image, seed=seed)
        return tf.clip_by_value(image, 0.0, 255.0), label

    counter = tf.data.Dataset.counter()
    return (tf.data.Dataset.zip((cifar().map(parse_cifar), (counter, counter)))
            .map(lambda picture, seed: augment(picture, tf.stack(seed)), num_parallel_calls=AUTO)
            .shuffle(64).batch(16).prefetch(AUTO))


@program("classification", data=CIFAR, drawn={0: (0, 1)})
def cifar_with_a_generator():
    """As the tutorial on augmentation does: a tf.random.Generator that the map captures."""
    generator = tf.random.Generator.from_seed(123, alg="philox")

    def augment(image, label):
        seed = generator.make_seeds(2)[0]
        image = tf.image.stateless_random_brightness(tf.cast(image, tf.float32) / 255.0, max_delta=0.3, seed=seed)
        return tf.clip_by_value(image, 0.0, 1.0), label

    return cifar().map(parse_cifar).map(augment, num_parallel_calls=AUTO).batch(16)


# -------------------------------------------------------------------------------------------------- folders of pictures


def process_path(path):
    label = tf.argmax(tf.strings.regex_replace(path, ".*/(\\w+)/[^/]*", "\\1") == tf.constant(CLASSES))
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [16, 16]), label


@program("classification", data=FLOWERS)
def flowers_for_performance():
    files = tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False)
    return (files.map(process_path, num_parallel_calls=AUTO)
            .cache().shuffle(buffer_size=24).batch(4).prefetch(buffer_size=AUTO))


@program("classification", data=FLOWERS)
def flowers_validation_part():
    files = tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False)
    files = files.shuffle(24, seed=5, reshuffle_each_iteration=False)
    return files.take(8).map(process_path, num_parallel_calls=AUTO).batch(4)


@program("classification", data=FLOWERS)
def flowers_training_part():
    files = tf.data.Dataset.list_files("data/flowers/*/*", shuffle=False)
    files = files.shuffle(24, seed=5, reshuffle_each_iteration=False)
    return files.skip(8).map(process_path, num_parallel_calls=AUTO).batch(4)
