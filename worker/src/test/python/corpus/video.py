"""Programs on frames of video: sequence examples, clips from a drawn place, strides, windows of frames."""

import tensorflow as tf

from corpus import AUTO, program

CLIPS = "data/clips-*.tfrecord"


def records(shuffle=False):
    files = tf.data.Dataset.list_files(CLIPS, shuffle=shuffle)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=3, num_parallel_calls=AUTO)


def parse(record):
    context, sequence = tf.io.parse_single_sequence_example(
        record,
        {"clip/label/index": tf.io.FixedLenFeature([], tf.int64), "clip/media_id": tf.io.FixedLenFeature([], tf.string)},
        {"image/encoded": tf.io.FixedLenSequenceFeature([], tf.string),
         "image/timestamp": tf.io.FixedLenSequenceFeature([], tf.int64)})
    return {"frames": sequence["image/encoded"], "times": sequence["image/timestamp"],
            "label": tf.cast(context["clip/label/index"], tf.int32), "name": context["clip/media_id"]}


def decoded(frames):
    images = tf.map_fn(lambda one: tf.io.decode_png(one, channels=3), frames, fn_output_signature=tf.uint8)
    return tf.ensure_shape(images, [None, 8, 8, 3])


def clips(shuffle=False):
    return records(shuffle).map(parse, num_parallel_calls=AUTO)


@program("video", data=CLIPS, drawn={0: (0, 255), 1: (0, 520)})
def clips_from_a_drawn_frame():
    def drawn(clip):
        start = tf.random.uniform([], 0, tf.shape(clip["frames"])[0] - 4 + 1, tf.int32)
        frames = tf.slice(clip["frames"], [start], [4])
        return decoded(frames), clip["times"][start], clip["name"]

    return clips(shuffle=True).shuffle(24).map(drawn, num_parallel_calls=AUTO).batch(4, drop_remainder=True).prefetch(AUTO)


@program("video", data=CLIPS, drawn={1: (0, 520)})
def every_second_frame():
    """A stride of two from a drawn offset; a clip too short begins anew."""
    def strided(clip):
        count = tf.shape(clip["times"])[0]
        offset = tf.random.uniform([], 0, count, tf.int32)
        places = (tf.range(4) * 2 + offset) % count
        return clip["name"], tf.gather(clip["times"], places)

    return clips().map(strided, num_parallel_calls=AUTO).batch(8).prefetch(AUTO)


@program("video", data=CLIPS)
def windows_of_frames():
    """A video becomes windows of four frames, two further each time."""
    def windows(clip):
        frames = tf.data.Dataset.from_tensor_slices((clip["times"], clip["frames"]))
        frames = frames.map(lambda time, frame: (time, tf.reduce_max(tf.cast(tf.io.decode_png(frame, 3), tf.int32), [0, 1])))
        return frames.window(4, shift=2, drop_remainder=True).flat_map(
            lambda times, frames: tf.data.Dataset.zip((times.batch(4), frames.batch(4))))

    return clips().flat_map(windows).batch(8).prefetch(AUTO)


@program("video", data=CLIPS, drawn={0: (0, 255)})
def one_flip_for_all_frames():
    def flip(clip):
        frames = decoded(clip["frames"][:4])
        frames = tf.cond(tf.random.uniform([]) < 0.5, lambda: tf.reverse(frames, [2]), lambda: frames)
        return tf.ensure_shape(frames, [4, 8, 8, 3]), clip["label"]

    return clips().map(flip, num_parallel_calls=AUTO).shuffle(12).batch(6).prefetch(AUTO)


@program("video", data=CLIPS, drawn={0: (0, 1)}, spread=[0])
def each_frame_lit_on_its_own():
    def augment(clip):
        frames = tf.cast(decoded(clip["frames"][:3]), tf.float32) / 255.0
        lit = tf.map_fn(lambda frame: tf.image.random_brightness(frame, 0.3), frames)
        return tf.ensure_shape(tf.clip_by_value(lit, 0.0, 1.0), [3, 8, 8, 3]), clip["label"]

    return clips().map(augment, num_parallel_calls=AUTO).batch(6)


@program("video", data=CLIPS, drawn={0: (0, 2), 1: (0, 2)}, distinct=[(0, 1)], spread=[0, 1])
def two_clips_of_a_video():
    @tf.function
    def view(frames):
        start = tf.random.uniform([], 0, tf.shape(frames)[0] - 2, tf.int32)
        part = tf.cast(decoded(frames[start:start + 3]), tf.float32) / 255.0
        return tf.ensure_shape(part * tf.random.uniform([], 0.5, 1.5), [3, 8, 8, 3])

    return clips(shuffle=True).map(
        lambda clip: (view(clip["frames"]), view(clip["frames"]), clip["name"]), num_parallel_calls=AUTO).batch(8).prefetch(AUTO)


@program("video", data=CLIPS, padded=[0])
def videos_in_buckets():
    return (clips().map(lambda clip: (clip["times"] + 1, clip["label"]), num_parallel_calls=AUTO)
            .bucket_by_sequence_length(lambda times, label: tf.size(times), [8, 11], [4, 4, 4]))


@program("video", data=CLIPS)
def long_videos_only():
    return (clips().filter(lambda clip: tf.size(clip["times"]) >= 8)
            .map(lambda clip: {"label": clip["label"], "name": clip["name"], "time": clip["times"][-1]})
            .cache().batch(5))


@program("video", data=CLIPS, refused=True)
def videos_ragged():
    return clips().map(lambda clip: (clip["times"], clip["label"])).ragged_batch(4)


@program("video", data=CLIPS)
def labels_parsed_by_batches():
    def labels(batch):
        context, lists, lengths = tf.io.parse_sequence_example(
            batch, {"clip/label/index": tf.io.FixedLenFeature([], tf.int64)},
            {"image/timestamp": tf.io.FixedLenSequenceFeature([], tf.int64)})
        return context["clip/label/index"], tf.reduce_max(lists["image/timestamp"], 1), lengths["image/timestamp"]

    return records().batch(6).map(labels, num_parallel_calls=AUTO).prefetch(AUTO)


@program("video")
def frames_of_files():
    """Pictures in the order of their names are a video's frames: two names make a clip."""
    def load(paths):
        images = tf.map_fn(
            lambda path: tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [4, 4]), paths,
            fn_output_signature=tf.float32)
        return tf.cast(images, tf.uint8), paths[0]

    def clips_of(folder):
        names = tf.data.Dataset.list_files(tf.strings.join([folder, "/*.jpg"]), shuffle=False)
        return names.batch(2, drop_remainder=True)

    folders = tf.data.Dataset.from_tensor_slices(["data/flowers/daisy", "data/flowers/rose", "data/flowers/tulip"])
    return folders.flat_map(clips_of).map(load, num_parallel_calls=AUTO).batch(4).prefetch(AUTO)
