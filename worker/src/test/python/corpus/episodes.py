"""Series in time and episodes of agents: windows, targets ahead, states that are carried on, returns."""

import glob

import numpy as np
import tensorflow as tf

from corpus import AUTO, program
from corpus.sources import FEW, few, files

D = tf.data.Dataset
WALKS = "data/walk-*.txt"
WEATHER = "data/weather-*.csv"


def walk(file):
    return tf.data.TextLineDataset(file).map(tf.strings.to_number)


def weather():
    lines = files(WEATHER).flat_map(lambda f: tf.data.TextLineDataset(f).skip(1))
    return lines.map(lambda line: tuple(tf.io.decode_csv(line, [[0], [0.0], [0.0], [0.0]])), num_parallel_calls=AUTO)


def windows(ds, size, **named):
    return ds.window(size, drop_remainder=True, **named).flat_map(lambda w: w.batch(size))


# ------------------------------------------------------------------------------------------------------------ windows


@program("series", WALKS)
def several_horizons_of_each_window():
    def targets(w):
        return {"past": w[:8], "one": w[8], "all": w[8:], "mean": tf.reduce_mean(w[8:])}

    return files(WALKS).interleave(lambda f: windows(walk(f), 12, shift=3), cycle_length=3, block_length=2).map(targets).batch(6)


@program("series")
def keras_windows_with_a_sampling_rate():
    values = np.stack([np.arange(80), np.arange(80) ** 2 % 50], -1).astype(np.float32)
    return tf.keras.utils.timeseries_dataset_from_array(
        values, values[24:, 0], sequence_length=8, sampling_rate=3, sequence_stride=2, batch_size=5, shuffle=True, seed=3)


@program("series", WEATHER)
def hours_into_days():
    """Down to a day: the mean of 24 hours that follow each other, whatever file they are in."""
    days = weather().batch(20, drop_remainder=True).map(lambda hour, t, p, h: (hour[0], tf.reduce_mean(t), tf.reduce_max(h)))
    return D.zip((days, days.skip(1))).map(lambda today, tomorrow: (*today, tomorrow[1])).batch(3)


@program("series", WALKS)
def readers_zipped():
    """The same by zip: a reader a file, a row a reader."""
    readers = tuple(walk(name).batch(5, drop_remainder=True) for name in sorted(glob.glob(WALKS)))
    return D.zip(readers).map(lambda *rows: tf.stack(rows)).enumerate().map(
        lambda step, block: (block, tf.repeat(step, 3)))


# ------------------------------------------------------------------------------------------------------------ episodes


def steps(n):
    """An episode of one to five steps of one number: observation, reward, whether it is the last."""
    count = 1 + n % 5
    return D.range(count).map(lambda i: (n * 10 + i, tf.cast(i, tf.float32) * 0.5, i == count - 1))


@program("series", FEW)
def returns_over_the_ends_of_episodes():
    """As a buffer of steps has them: windows of steps, whatever episode they are of, cut where one ends."""
    def cut(o, r, last):
        alive = tf.math.cumprod(1.0 - tf.cast(last, tf.float32), exclusive=True)
        return o[0], tf.reduce_sum(r * alive * [1.0, 0.9, 0.81, 0.729])

    slid = few().flat_map(steps).window(4, shift=1, drop_remainder=True)
    return slid.flat_map(lambda o, r, last: D.zip((o.batch(4), r.batch(4), last.batch(4)))).map(cut).shuffle(100).batch(16)
