"""Programs on sound: WAV files in folders, frames and spectrograms, noise and shifts, records of samples."""

import tensorflow as tf

from corpus import AUTO, program

SPEECH = "data/speech/*/*.wav"
PCM = "data/pcm-*.raw"
KINDS = ["no", "up", "yes"]


def load(path):
    audio, rate = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    label = tf.argmax(tf.strings.regex_replace(path, ".*/(\\w+)/[^/]*", "\\1") == tf.constant(KINDS))
    return tf.squeeze(audio, -1), label


def fitted(audio, length=800):
    audio = audio[:length]
    return tf.ensure_shape(tf.concat([audio, tf.zeros([length - tf.shape(audio)[0]])], 0), [length])


def spectrogram(audio):
    return tf.abs(tf.signal.stft(audio, frame_length=128, frame_step=64, fft_length=128))


def waves(shuffle=False):
    return tf.data.Dataset.list_files(SPEECH, shuffle=shuffle).map(load, num_parallel_calls=AUTO)


@program("audio", data=SPEECH)
def waves_of_one_length():
    def desired(path):
        audio, rate = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=800)
        return tf.cast(tf.squeeze(audio, -1) * 32768.0, tf.int16), rate, tf.strings.split(path, "/")[-2]

    return tf.data.Dataset.list_files(SPEECH, seed=4).map(desired, num_parallel_calls=AUTO).batch(4).prefetch(AUTO)


@program("audio", data=SPEECH)
def spectrograms():
    return (waves(shuffle=True).map(lambda audio, label: (spectrogram(fitted(audio))[..., tf.newaxis], label), num_parallel_calls=AUTO)
            .cache().shuffle(18).batch(6).prefetch(AUTO))


@program("audio", data=SPEECH, drawn={0: (-2, 2)}, spread=[0])
def noise_added():
    def noisy(audio, label):
        audio = fitted(audio)
        return audio + tf.random.normal(tf.shape(audio), stddev=0.05), label

    return waves().map(noisy, num_parallel_calls=AUTO).shuffle(18).batch(6).prefetch(AUTO)


@program("audio", data=SPEECH, drawn={0: (-2, 2)}, spread=[0])
def shifted_and_scaled():
    def shift(audio, label):
        audio = tf.roll(fitted(audio), tf.random.uniform([], -80, 81, tf.int32), axis=0)
        return audio * tf.random.uniform([], 0.5, 1.5), label

    return waves(shuffle=True).map(shift, num_parallel_calls=AUTO).batch(6, drop_remainder=True).prefetch(AUTO)


@program("audio", data=SPEECH, drawn={0: (-1, 1)})
def parts_drawn():
    def part(audio, label):
        return tf.image.random_crop(audio, [400]), label

    return waves().cache().map(part, num_parallel_calls=AUTO).batch(6).prefetch(AUTO)


@program("audio", data=SPEECH, drawn={0: (-2, 2)})
def background_mixed_in():
    """Noise of records is zipped with the sounds, now and then."""
    def mixed(sound, noise):
        audio, label = sound
        loud = tf.where(tf.random.uniform([]) < 0.8, tf.random.uniform([], 0.0, 0.3), 0.0)
        background = tf.tile(tf.cast(tf.io.decode_raw(noise, tf.int16), tf.float32) / 32768.0, [13])[:800]
        return fitted(audio) + loud * background, label

    noise = tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(PCM)), 128).shuffle(20).repeat()
    return tf.data.Dataset.zip((waves(), noise)).map(mixed, num_parallel_calls=AUTO).batch(6)


@program("audio", data=SPEECH, drawn={0: (0, 200)})
def spectrograms_with_masks():
    """SpecAugment: a stretch of times and a stretch of frequencies is blanked."""
    def masked(audio, label):
        image = spectrogram(fitted(audio))
        for axis in (0, 1):
            width = tf.random.uniform([], 0, 4, tf.int32)
            start = tf.random.uniform([], 0, tf.shape(image)[axis] - width, tf.int32)
            places = tf.range(tf.shape(image)[axis])
            image = tf.where(tf.expand_dims((places >= start) & (places < start + width), 1 - axis), 0.0, image)
        return image, label

    return waves().map(masked, num_parallel_calls=AUTO).batch(6).prefetch(AUTO)


@program("audio", data=SPEECH, drawn={0: (-1, 1), 1: (0, 1)}, spread=[0])
def sounds_mixed_up():
    def mixup(audio, labels):
        weight = tf.random.uniform([tf.shape(audio)[0], 1])
        order = tf.random.shuffle(tf.range(tf.shape(audio)[0]))
        return (audio * weight + tf.gather(audio, order) * (1.0 - weight),
                labels * weight + tf.gather(labels, order) * (1.0 - weight))

    return (waves().map(lambda audio, label: (fitted(audio), tf.one_hot(label, 3)), num_parallel_calls=AUTO)
            .shuffle(18).batch(6).map(mixup, num_parallel_calls=AUTO).prefetch(AUTO))


@program("audio", data=SPEECH, padded=[0])
def sounds_padded():
    """Every tenth sample, as whole numbers; lengths differ."""
    return (waves().map(lambda audio, label: (tf.cast(audio[::20] * 1000.0, tf.int32) + 1000, label), num_parallel_calls=AUTO)
            .padded_batch(4, ([None], [])).prefetch(AUTO))


# -------------------------------------------------------------------------------------------------- records of samples


def samples(record):
    return tf.cast(tf.io.decode_raw(record, tf.int16), tf.float32) / 32768.0


@program("audio", data=PCM)
def records_of_samples():
    return (tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(PCM)), record_bytes=128)
            .map(samples, num_parallel_calls=AUTO).map(lambda audio: tf.reduce_mean(tf.reshape(audio, [8, 8]), 1))
            .shuffle(80).batch(10).prefetch(AUTO))


@program("audio", data=PCM)
def records_behind_a_header():
    """The first record is passed over as if it were the file's header."""
    def read(file):
        return tf.data.FixedLengthRecordDataset(file, record_bytes=128, header_bytes=128)

    return (tf.data.Dataset.list_files(PCM).interleave(read, cycle_length=2, block_length=4, num_parallel_calls=AUTO)
            .map(lambda record: tf.io.decode_raw(record, tf.int16)[:8], num_parallel_calls=AUTO).batch(13))


@program("audio", data=PCM)
def windows_of_records():
    """Four records of a file that follow each other, two further each time."""
    def windows(file):
        records = tf.data.FixedLengthRecordDataset(file, 128).map(samples)
        return records.window(4, shift=2, drop_remainder=True).flat_map(lambda window: window.batch(4))

    return (tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(PCM))).flat_map(windows)
            .map(lambda frames: tf.reduce_max(frames, 1), num_parallel_calls=AUTO).batch(8).prefetch(AUTO))


@program("audio", data=PCM)
def windows_of_samples():
    """A record's samples become elements, and those windows of 48 that do not overlap."""
    def windows(file):
        return tf.data.FixedLengthRecordDataset(file, 1280).map(samples).unbatch().batch(48, drop_remainder=True)

    return (tf.data.Dataset.list_files(PCM, shuffle=False).interleave(windows, cycle_length=1)
            .map(lambda window: tf.stack([tf.reduce_min(window), tf.reduce_max(window)])).batch(32))


@program("audio", data=PCM, drawn={1: (-32768, 32767)}, spread=[1])
def records_dithered():
    def dither(record):
        audio = tf.cast(tf.io.decode_raw(record, tf.int16)[:6], tf.int32)
        return audio, audio + tf.random.uniform([6], -100, 101, tf.int32)

    return (tf.data.FixedLengthRecordDataset(sorted(tf.io.gfile.glob(PCM)), 128, num_parallel_reads=2)
            .map(dither, num_parallel_calls=AUTO).batch(16).prefetch(AUTO))
