"""Programs on series in time: windows, their labels, strides, several files of measures."""

import numpy as np
import tensorflow as tf

from corpus import AUTO, program

WALKS = "data/walk-*.txt"
WEATHER = "data/weather-*.csv"


def walk(file):
    return tf.data.TextLineDataset(file).map(tf.strings.to_number)


def weather(file):
    lines = tf.data.TextLineDataset(file).skip(1)
    return lines.map(lambda line: tf.stack(tf.io.decode_csv(line, [[0.0]] * 4)[1:]))


def sine(size=120):
    return (np.sin(np.arange(size) / 6) * 8).astype(np.float32)


# ------------------------------------------------------------------------------------------------------ held in memory


@program("series")
def windowed_dataset():
    """The course's: windows of a series, the last value is the label, shuffled."""
    dataset = tf.data.Dataset.from_tensor_slices(sine(70))
    dataset = dataset.window(13, shift=1, drop_remainder=True).flat_map(lambda window: window.batch(13))
    dataset = dataset.shuffle(100).map(lambda window: (window[:-1], window[-1]))
    return dataset.batch(16).prefetch(1)


@program("series")
def integers_in_windows():
    """The guide's make_window_dataset."""
    windows = tf.data.Dataset.range(400).window(10, shift=5, stride=3)
    return windows.flat_map(lambda window: window.batch(10, drop_remainder=True)).batch(8)


@program("series")
def next_step_by_batch():
    """The guide's: rows of ten, the label is the row one step on."""
    return tf.data.Dataset.range(300).batch(10, drop_remainder=True).map(lambda row: (row[:-1], row[1:])).batch(4)


@program("series")
def last_steps_as_labels():
    return tf.data.Dataset.range(300).batch(15, drop_remainder=True).map(lambda row: (row[:-5], row[-5:])).batch(5)


@program("series")
def labels_of_the_next_batch():
    """The guide's: features of one batch, labels of the one after it."""
    features = tf.data.Dataset.range(200).batch(10, drop_remainder=True)
    labels = features.skip(1).map(lambda labels: labels[:5])
    return tf.data.Dataset.zip((features, labels)).batch(4)


@program("series")
def window_generator():
    """The tutorial's WindowGenerator: inputs and labels are cut of a window behind the batch."""
    data = np.stack([sine(), sine()[::-1], np.arange(120) % 24], -1).astype(np.float32)

    def split(windows):
        inputs, labels = windows[:, :6, :], windows[:, 6:, 1:2]
        inputs.set_shape([None, 6, None])
        return inputs, labels

    return tf.keras.utils.timeseries_dataset_from_array(
        data=data, targets=None, sequence_length=8, sequence_stride=3, shuffle=True, batch_size=12).map(split)


@program("series")
def start_places_zipped():
    """Each window's first place is an element, the data a constant that the map holds."""
    data = tf.constant(sine())
    places = tf.data.Dataset.range(0, 100, 2).shuffle(50, seed=9)
    windows = tf.data.Dataset.zip((tf.data.Dataset.from_tensors(data).repeat(), places)).map(
        lambda series, place: (place, tf.gather(series, tf.range(place, place + 8))), num_parallel_calls=AUTO)
    return windows.batch(10).prefetch(AUTO)


@program("series")
def windows_of_two_columns():
    series = tf.data.Dataset.from_tensor_slices({"value": sine(), "hour": np.arange(120) % 24})
    return (series.window(8, shift=4, stride=2, drop_remainder=True)
            .flat_map(lambda window: tf.data.Dataset.zip({name: column.batch(8) for name, column in window.items()}))
            .batch(6).prefetch(AUTO))


@program("series", drawn={1: (-12, 12)}, spread=[1])
def windows_with_noise():
    def noisy(window):
        scale = tf.random.normal([1], 1.0, 0.05)
        return window, tf.clip_by_value(window * scale + tf.random.normal(tf.shape(window), stddev=0.1), -12.0, 12.0)

    windows = tf.data.Dataset.from_tensor_slices(sine()).window(8, shift=2, drop_remainder=True)
    return (windows.flat_map(lambda window: window.batch(8)).map(noisy, num_parallel_calls=AUTO)
            .shuffle(20).batch(8).prefetch(AUTO))


@program("series", drawn={0: (0, 111), 1: (-8, 8)}, spread=[1])
def windows_at_drawn_places():
    data = tf.constant(sine())

    def window(_):
        place = tf.random.uniform([], 0, 112, tf.int32)
        return place, data[place:place + 8]

    return (tf.data.Dataset.range(80).map(window, num_parallel_calls=AUTO)
            .map(lambda place, part: (place, tf.ensure_shape(part, [8]))).batch(16).prefetch(AUTO))


# ------------------------------------------------------------------------------------------------------------ of files


@program("series", data=WALKS)
def windows_within_a_file():
    def windows(file):
        return walk(file).window(10, shift=2, drop_remainder=True).flat_map(lambda window: window.batch(10))

    return (tf.data.Dataset.list_files(WALKS).interleave(windows, cycle_length=3, num_parallel_calls=AUTO)
            .map(lambda window: (window[:-1], window[-1:]), num_parallel_calls=AUTO).shuffle(60).batch(8).prefetch(AUTO))


@program("series", data="data/walk-00001.txt")
def windows_of_one_file():
    return (walk("data/walk-00001.txt").window(6, shift=1, drop_remainder=True)
            .flat_map(lambda window: window.batch(6, drop_remainder=True)).batch(10))


@program("series", data=WALKS, unit="element", ordered=True)
def windows_over_files():
    """A window may begin in one file and end in the next."""
    return (tf.data.TextLineDataset(sorted(tf.io.gfile.glob(WALKS))).map(tf.strings.to_number)
            .window(25, shift=10, drop_remainder=True).flat_map(lambda window: window.batch(25)))


@program("series", data=WALKS)
def rows_of_a_file():
    """Rows that do not overlap; the last, shorter one of a file is dropped."""
    return (tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(WALKS)))
            .flat_map(lambda file: walk(file).batch(7, drop_remainder=True))
            .map(lambda row: (row - tf.reduce_mean(row), tf.reduce_max(row)), num_parallel_calls=AUTO).batch(6))


@program("series", data=WEATHER)
def weather_windows():
    """A day's measures, and the temperature six hours on."""
    def windows(file):
        return weather(file).window(18, shift=6, drop_remainder=True).flat_map(lambda window: window.batch(18))

    return (tf.data.Dataset.list_files(WEATHER, shuffle=False).interleave(windows, cycle_length=2, num_parallel_calls=AUTO)
            .map(lambda window: (window[:12], window[-1, 0]), num_parallel_calls=AUTO).batch(4).prefetch(AUTO))


@program("series", data=WEATHER)
def warm_windows_only():
    def windows(file):
        return weather(file).window(4, shift=4, drop_remainder=True).flat_map(lambda window: window.batch(4))

    return (tf.data.Dataset.list_files(WEATHER, shuffle=False).flat_map(windows)
            .filter(lambda window: tf.reduce_mean(window[:, 0]) > 8.0).shuffle(10).batch(5).prefetch(AUTO))


@program("series", data=WALKS, ordered=True)
def smoothed():
    """An exponential mean by scan over the first file."""
    first = tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(WALKS))).take(1).flat_map(walk)
    return first.scan(tf.constant(0.0), lambda mean, value: (0.9 * mean + 0.1 * value, 0.9 * mean + 0.1 * value)).batch(10)
