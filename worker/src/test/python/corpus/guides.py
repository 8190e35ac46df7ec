"""Programs of the guides to tf.data and its performance, and those that Keras' own functions make of folders and arrays."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program, universe

DOCUMENTS = "data/documents-*.txt"
FLOWERS = "data/flowers/*/*.jpg"
NUMBERS = "data/numbers-*.tfrecord"
FEW = "data/numbers-0000[23].tfrecord"
EXAMPLES = "data/examples-*.tfrecord"
PEOPLE = "data/people-*.csv"


def lines():
    return tf.data.TextLineDataset(sorted(tf.io.gfile.glob(DOCUMENTS)))


# ------------------------------------------------------------------------------------------------- the guide to tf.data


@program("guide", choice=True, count=(98, 98))
def batching():
    increasing, decreasing = tf.data.Dataset.range(100), tf.data.Dataset.range(0, -100, -1)
    return tf.data.Dataset.zip((increasing, decreasing)).batch(7, drop_remainder=True)


@universe("batching")
def all_pairs():
    increasing, decreasing = tf.data.Dataset.range(100), tf.data.Dataset.range(0, -100, -1)
    return tf.data.Dataset.zip((increasing, decreasing)).batch(7)


@program("guide", padded=[0])
def padding():
    dataset = tf.data.Dataset.range(1, 40)
    return dataset.map(lambda x: tf.fill([tf.cast(x, tf.int32)], x)).padded_batch(4, padded_shapes=(None,))


@program("guide", data=PEOPLE)
def survivors():
    def survived(line):
        return tf.not_equal(tf.strings.substr(line, -1, 1), "0")

    people = tf.data.Dataset.list_files(PEOPLE, shuffle=False).interleave(
        lambda file: tf.data.TextLineDataset(file).skip(1), cycle_length=1)
    return people.filter(survived).batch(10)


@program("guide", data=DOCUMENTS, mixed=True)
def repeated_then_batched():
    """Batches straddle the epochs."""
    return lines().map(tf.strings.length).repeat(2).batch(32)


@program("guide", data=DOCUMENTS)
def batched_then_repeated():
    return lines().batch(32).map(tf.strings.length).repeat(2)


@program("guide", data=DOCUMENTS)
def shuffled_lines_and_their_places():
    """The guide shows by a counter how a small buffer shuffles."""
    return (tf.data.Dataset.zip((tf.data.Dataset.counter(), lines()))
            .map(lambda place, line: (place, tf.strings.length(line)))
            .shuffle(buffer_size=30).batch(20))


@program("guide", data=FEW)
def shuffle_before_repeat():
    return (tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(FEW)))
            .map(lambda record: tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0])
            .shuffle(buffer_size=100).batch(10).repeat(2))


@program("guide", drawn={0: (0, 1), 1: (0, 99)})
def random_slices():
    """The guide's first example of nested structures: values that are drawn when the pipeline is written."""
    return (tf.data.Dataset.from_tensor_slices(tf.random.uniform([30, 4]))
            .map(lambda row: (row, tf.cast(row * 99.0, tf.int32))).batch(10))


@program("guide", drawn={0: (0, 4294967295)})
def random_dataset():
    return tf.data.Dataset.random(seed=4).take(40).batch(8)


@program("guide", data=FLOWERS, drawn={0: (0, 1)}, spread=[0])
def pictures_turned_by_an_angle():
    """The guide turns pictures in Python; here a projection does."""
    def turned(path):
        image = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), [12, 12]) / 255.0
        angle = tf.random.uniform([], -0.5, 0.5)
        cosine, sine = tf.cos(angle), tf.sin(angle)
        transform = tf.stack([cosine, -sine, 6.0 - 6.0 * cosine + 6.0 * sine, sine, cosine, 6.0 - 6.0 * sine - 6.0 * cosine, 0.0, 0.0])
        return tf.raw_ops.ImageProjectiveTransformV3(
            images=image[None], transforms=transform[None], output_shape=[12, 12], interpolation="BILINEAR",
            fill_mode="CONSTANT", fill_value=0.0)[0]

    return tf.data.Dataset.list_files(FLOWERS, shuffle=False).map(turned, num_parallel_calls=AUTO).batch(6)


# -------------------------------------------------------------------------------------------- the guide to performance


@program("guide")
def vectorized_mapping():
    return tf.data.Dataset.range(120).batch(16).map(lambda x: x + 1, num_parallel_calls=AUTO).prefetch(AUTO)


@program("guide", data=NUMBERS)
def parallel_reading():
    """Options say that order does not matter."""
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    return (tf.data.Dataset.list_files(NUMBERS).with_options(options)
            .interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
            .map(lambda record: tf.io.decode_raw(tf.strings.substr(record, 0, 8), tf.int64)[0], num_parallel_calls=AUTO)
            .filter(lambda number: number % 2 == 0).batch(16).prefetch(AUTO))


# ------------------------------------------------------------------------------------------------------------- of Keras


@program("guide")
def keras_folder_of_pictures():
    return tf.keras.utils.image_dataset_from_directory(
        "data/flowers", label_mode="categorical", shuffle=False, image_size=(8, 8), batch_size=6, verbose=False)


@program("guide")
def keras_folder_training_part():
    return tf.keras.utils.image_dataset_from_directory(
        "data/flowers", validation_split=0.25, subset="training", seed=123, image_size=(8, 8), batch_size=6, verbose=False)


@program("guide")
def keras_folder_validation_part():
    return tf.keras.utils.image_dataset_from_directory(
        "data/flowers", validation_split=0.25, subset="validation", seed=123, image_size=(8, 8), batch_size=6, verbose=False)


@program("guide")
def keras_folder_of_texts():
    return tf.keras.utils.text_dataset_from_directory(
        "data/reviews", batch_size=4, seed=5, verbose=False).map(
            lambda text, label: (tf.strings.regex_replace(tf.strings.lower(text), "[^a-z ]", ""), label))


@program("guide")
def keras_folder_of_texts_in_ids():
    texts = tf.keras.utils.text_dataset_from_directory("data/reviews", batch_size=4, shuffle=False, verbose=False)
    layer = tf.keras.layers.TextVectorization(
        max_tokens=30, output_sequence_length=8, vocabulary=["the", "and", "of", "river", "feed", "good", "poor"])
    return texts.map(lambda text, label: (layer(text), label), num_parallel_calls=AUTO).prefetch(AUTO)


@program("guide")
def keras_folder_of_sounds():
    return tf.keras.utils.audio_dataset_from_directory(
        "data/speech", batch_size=6, output_sequence_length=640, seed=1, verbose=False).map(
            lambda audio, label: (tf.squeeze(audio, -1)[:, ::16], label))


@program("guide")
def keras_windows_of_two_steps():
    series = np.arange(90, dtype=np.float32)
    inputs = tf.keras.utils.timeseries_dataset_from_array(series[:-5], None, sequence_length=5, sequence_stride=5, batch_size=6)
    targets = tf.keras.utils.timeseries_dataset_from_array(series[5:], None, sequence_length=5, sequence_stride=5, batch_size=6)
    return tf.data.Dataset.zip((inputs, targets))
