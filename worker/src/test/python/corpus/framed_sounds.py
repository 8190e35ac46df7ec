"""Sounds and films as people cut them in frames, mix and pair them for training."""

import glob

import tensorflow as tf

from corpus import AUTO, program
from corpus.sources import files

PCM = "data/pcm-*.raw"
CLIPS = "data/clips-*.tfrecord"


def noises():
    """80 pieces of 64 samples."""
    return tf.data.FixedLengthRecordDataset(sorted(glob.glob(PCM)), 128).map(
        lambda record: tf.cast(tf.io.decode_raw(record, tf.int16), tf.float32) / 32768.0)


def clips():
    def parse(record):
        context, lists = tf.io.parse_single_sequence_example(
            record, {"clip/media_id": tf.io.FixedLenFeature([], tf.string)},
            {"image/encoded": tf.io.FixedLenSequenceFeature([], tf.string),
             "image/timestamp": tf.io.FixedLenSequenceFeature([], tf.int64)})
        return context["clip/media_id"], lists["image/encoded"], lists["image/timestamp"]

    return files(CLIPS).interleave(tf.data.TFRecordDataset, cycle_length=3).map(parse, num_parallel_calls=AUTO)


def energy(wave):
    return 1000.0 * tf.reduce_mean(tf.square(wave))


# ------------------------------------------------------------------------------------------------------------ windows


@program("audio", PCM)
def loudness_that_follows_the_signal():
    """Gain control: the level is carried on by a scan."""
    def gain(level, piece):
        level = 0.8 * level + 0.2 * tf.sqrt(energy(piece) / 1000.0)
        return level, (tf.reduce_max(piece), tf.reduce_max(piece) / (level + 1e-3))

    return noises().scan(tf.constant(0.1), gain).batch(8).prefetch(AUTO)


@program("audio", PCM)
def loudness_by_files_at_once():
    def gain(file):
        pieces = tf.data.FixedLengthRecordDataset(file, 128).map(lambda r: tf.cast(tf.io.decode_raw(r, tf.int16), tf.float32))
        most = pieces.reduce(0.0, lambda most, piece: tf.maximum(most, tf.reduce_max(tf.abs(piece))))
        return pieces.map(lambda piece: piece[:4] / most)

    return files(PCM).interleave(gain, cycle_length=2, num_parallel_calls=2).shuffle(80).batch(8)


# ------------------------------------------------------------------------------------------------------------ films


@program("video", CLIPS)
def frames_in_an_order_to_be_told():
    """Which of six orders three frames are in is the label; it follows from the clip's name."""
    orders = tf.constant([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])

    def mixed(name, frames, times):
        label = tf.strings.to_hash_bucket_fast(name, 6)
        return name, tf.gather(times, tf.gather(orders, label) * 2), label

    return clips().cache().shuffle(24).map(mixed).batch(6).repeat(2)
