"""Programs as they stand in people's repositories: files with labels, pairs of files, parts of a whole, mixtures, cuts."""

import glob

import numpy as np
import tensorflow as tf

from corpus import AUTO, NUMBERS, TEXTS, ident, program, universe
from corpus.sources import FEW, few, files, reviews, words

DOCUMENTS = "data/documents-0000[12].txt"
PEOPLE = "data/people-0000[02].csv"
FLOWERS = "data/flowers/*/*.jpg"
CLIPS = "data/clips-*.tfrecord"
SPEECH = "data/speech/*/*.wav"
WALKS = "data/walk-*.txt"


def opened(file):
    return tf.data.TFRecordDataset(file).map(ident)


# ------------------------------------------------------------------------------------------------- files that belong to something


@program("guide", data=FEW)
def files_with_their_labels():
    names = sorted(glob.glob(FEW))
    return tf.data.Dataset.from_tensor_slices((names, [7, 9])).interleave(
        lambda file, label: opened(file).map(lambda n: (n, label)), cycle_length=2, num_parallel_calls=AUTO).batch(8)


@program("guide", data=FEW)
def files_with_their_places():
    return files(FEW).enumerate().flat_map(lambda place, file: opened(file).map(lambda n: (n, place))).batch(8)


@program("guide", data=TEXTS)
def lines_with_their_labels():
    """As in the tutorial on texts: a label for each file, joined and shuffled."""
    parts = [tf.data.TextLineDataset(name).map(lambda line, i=i: (tf.strings.length(line), tf.constant(i, tf.int64)))
             for i, name in enumerate(sorted(glob.glob(TEXTS)))]
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.concatenate(part)
    return joined.shuffle(500, reshuffle_each_iteration=False).batch(16)


@program("guide", data=FEW)
def records_beside_lines_of_another_file():
    def both(file):
        other = tf.strings.regex_replace(file, "numbers-0000[0-9].tfrecord", "text-00000.txt")
        return tf.data.Dataset.zip((opened(file), tf.data.TextLineDataset(other)))

    return files(FEW).flat_map(both).batch(8)


@program("guide", data=FEW)
def files_read_by_another_name():
    return files(FEW).interleave(
        lambda file: opened(tf.strings.regex_replace(file, "0000([0-9])", "0000\\1")), cycle_length=2).batch(8)


@program("guide", data="data/numbers-00003.tfrecord")
def one_file_twice():
    return tf.data.TFRecordDataset(["data/numbers-00003.tfrecord"] * 2).map(ident).batch(8)


@program("guide", data=FEW)
def each_file_twice_inside():
    return files(FEW).flat_map(lambda file: tf.data.TFRecordDataset([file, file]).map(ident)).batch(8)


@program("guide", data=FEW)
def each_file_joined_to_itself():
    return files(FEW).flat_map(lambda file: opened(file).concatenate(opened(file).map(lambda n: -n))).batch(8)


@program("guide", data=FEW)
def names_repeated_and_taken():
    return files(FEW).repeat().take(3).flat_map(opened).batch(8)


@program("guide", data=NUMBERS)
def names_shuffled_by_a_seed_and_taken():
    return files(NUMBERS).shuffle(4, seed=3).take(2).interleave(opened, cycle_length=2).batch(8)


@program("guide", data=NUMBERS)
def names_batched_and_opened_together():
    return files(NUMBERS).batch(2).flat_map(lambda names: tf.data.TFRecordDataset(names).map(ident)).batch(8)


@program("guide", data=NUMBERS)
def names_filtered():
    return files(NUMBERS).filter(lambda name: tf.strings.regex_full_match(name, ".*[13].tfrecord")).flat_map(opened).batch(8)


@program("guide", data=DOCUMENTS)
def files_read_whole_and_split():
    return (files(DOCUMENTS).map(tf.io.read_file)
            .flat_map(lambda text: tf.data.Dataset.from_tensor_slices(tf.strings.split(text, "\n")))
            .filter(lambda line: tf.strings.length(line) > 0).shuffle(30).batch(8))


@program("guide", data=DOCUMENTS)
def files_read_whole_and_unbatched():
    return files(DOCUMENTS).map(lambda name: tf.strings.split(tf.io.read_file(name), "\n")).unbatch().batch(8)


@program("guide", data=FLOWERS)
def pictures_of_a_shuffled_index():
    names = np.array(sorted(glob.glob(FLOWERS)))
    labels = np.arange(len(names))
    return (tf.data.Dataset.range(len(names)).shuffle(len(names), seed=4)
            .map(lambda i: (tf.gather(names, i), tf.gather(labels, i)))
            .map(lambda name, label: (tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(name)), [3, 3]), label), num_parallel_calls=AUTO)
            .batch(6, drop_remainder=True).prefetch(AUTO))


@program("guide", data=FEW)
def epochs_written_as_a_flat_map():
    return tf.data.Dataset.range(3).flat_map(
        lambda epoch: files(FEW).shuffle(2, seed=epoch).interleave(opened, cycle_length=2).map(lambda n: (epoch, n))).batch(8)


# ------------------------------------------------------------------------------------------------- places and parts


@program("guide", data=FEW)
def elements_and_their_successors():
    return tf.data.Dataset.zip((few(), few().skip(1))).batch(8)


@program("guide", data=FEW)
def labels_in_turn():
    return tf.data.Dataset.zip((few(), tf.data.Dataset.range(3).repeat())).batch(8)


@program("guide", data=FEW)
def labels_in_turn_of_an_array():
    labels = tf.data.Dataset.from_tensor_slices(np.array(["a", "b", "c"])).repeat()
    return tf.data.Dataset.zip((few(), labels)).shuffle(30).batch(8)


@program("guide", data=FEW)
def first_and_last_joined():
    return few().take(10).concatenate(few().skip(90)).batch(4)


@program("guide", data=FEW)
def shards_joined():
    return few().shard(3, 0).concatenate(few().shard(3, 2)).batch(8)


@program("guide", data=DOCUMENTS)
def skipped_behind_a_filter():
    return tf.data.TextLineDataset(sorted(glob.glob(DOCUMENTS))).filter(lambda line: tf.strings.length(line) > 0).skip(5).batch(8)


@program("guide", data=FEW)
def shuffled_by_a_seed_and_taken():
    return few().shuffle(20, seed=3).take(30).batch(8)


@program("guide", data=FEW)
def shuffled_by_a_seed_and_sharded():
    return few().shuffle(20, seed=3).shard(2, 1).batch(8)


@program("guide", data=FEW)
def shuffled_by_the_global_seed_and_taken():
    tf.random.set_seed(5)
    return few().shuffle(100).take(30).batch(8)


@program("guide", data=FEW)
def validation_part_of_three_epochs():
    return few().shuffle(100, seed=7, reshuffle_each_iteration=False).skip(80).repeat(3).batch(8)


@program("guide", data=FEW)
def two_shuffles_of_one_seed_zipped():
    features = few().shuffle(40, seed=6)
    labels = few().map(lambda n: n * 10).shuffle(40, seed=6)
    return tf.data.Dataset.zip((features, labels)).batch(8)


@program("guide")
def arrays_shuffled_by_one_seed_and_zipped():
    features = tf.data.Dataset.from_tensor_slices(np.arange(80)).shuffle(80, seed=6).repeat(2)
    labels = tf.data.Dataset.from_tensor_slices(np.arange(80) * 10).shuffle(80, seed=6).repeat(2)
    return tf.data.Dataset.zip((features, labels)).batch(8)


@program("guide", data=FEW)
def kept_by_a_hash():
    return few().filter(lambda n: tf.strings.to_hash_bucket_fast(tf.strings.as_string(n), 10) < 8).batch(8)


@program("guide", data=FEW)
def places_behind_an_interleave():
    return files(FEW).interleave(opened, cycle_length=2, block_length=4).enumerate().batch(8)


@program("guide", data=FEW)
def places_behind_a_parallel_interleave():
    return files(FEW).interleave(opened, cycle_length=2, num_parallel_calls=2).enumerate().map(lambda i, n: (n, i)).batch(8)


@program("guide", data=FEW)
def places_of_batches():
    return few().batch(10, drop_remainder=True).enumerate().map(lambda i, n: (n, tf.fill([10], i)))


@program("guide", data=FEW)
def places_group_elements():
    return few().enumerate().group_by_window(
        lambda i, n: i % 3, lambda key, window: window.batch(4).map(lambda i, n: (n, i % 3)), window_size=4)


@program("guide", data=FEW)
def places_choose_a_branch():
    return few().enumerate().map(lambda i, n: tf.cond(i % 2 == 0, lambda: n, lambda: -n)).batch(8)


@program("guide", data=FEW)
def places_make_children():
    return few().enumerate().flat_map(lambda i, n: tf.data.Dataset.range(i % 3).map(lambda j: (n, i + j))).batch(8)


@program("guide", data=FEW)
def places_that_nothing_reads():
    return few().enumerate().filter(lambda i, n: n % 2 == 0).map(lambda i, n: n).batch(8)


@program("guide", data=FEW)
def counted_by_a_variable():
    """Each element gets the next number of a variable."""
    seen = tf.Variable(0, dtype=tf.int64)
    return few().map(lambda n: (n, seen.assign_add(1))).batch(8)


@program("guide", data=FEW)
def counted_by_a_table():
    """A table remembers what was seen."""
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, default_value=0)

    def seen(n):
        key = n % 10
        count = table.lookup(key) + 1
        with tf.control_dependencies([table.insert(key, count)]):
            return n, tf.identity(count)

    return few().map(seen).batch(8)


@program("guide", data=FEW)
def running_mean_taken_away():
    return (few().map(lambda n: tf.cast(n, tf.float64))
            .scan((tf.constant(0.0, tf.float64), tf.constant(0.0, tf.float64)),
                  lambda state, x: ((state[0] + x, state[1] + 1.0), (x, x - (state[0] + x) / (state[1] + 1.0))))
            .shuffle(20).batch(8))


@program("guide", data=WALKS)
def walks_differenced_within_a_file():
    def walk(file):
        return tf.data.TextLineDataset(file).map(lambda line: tf.strings.to_number(line)).scan(
            0.0, lambda last, x: (x, x - last)).skip(1)

    return files(WALKS).interleave(walk, cycle_length=3).batch(10)


@program("guide", data=FEW)
def while_small_within_a_file():
    return files(FEW).flat_map(lambda file: opened(file).take_while(lambda n: n % 1000 < 12)).batch(8)


@program("guide", data=FEW)
def no_element_twice_within_a_file():
    return files(FEW).interleave(lambda file: opened(file).map(lambda n: n // 4).unique(), cycle_length=2).batch(8)


# ------------------------------------------------------------------------------------------------- groups and windows


@program("guide", data=FEW)
def some_of_each_group():
    return few().group_by_window(lambda n: n % 5, lambda key, window: window.take(3).batch(3), window_size=10)


@program("guide", data=FEW, choice=True, count=(0, 100))
def whole_groups_only():
    return few().group_by_window(
        lambda n: n % 5, lambda key, window: window.batch(4, drop_remainder=True), window_size=4)


@universe("whole_groups_only")
def whole_groups_only_of():
    return few().batch(8)


@program("guide", data=NUMBERS)
def files_beside_their_labels():
    labelled = tf.data.Dataset.zip((files(NUMBERS), tf.data.Dataset.from_tensor_slices([3, 1, 2, 0]), tf.data.Dataset.range(4, 40, 5)))
    return labelled.flat_map(
        lambda name, label, place: tf.data.TFRecordDataset(name).map(lambda record: (ident(record), label, place))).batch(8)


@program("guide", data=NUMBERS)
def files_with_their_places_shuffled_and_read():
    numbered = files(NUMBERS).enumerate().shuffle(4)
    return numbered.flat_map(lambda place, name: tf.data.TFRecordDataset(name).map(lambda record: (ident(record), place))).batch(8)


@program("guide", data=NUMBERS)
def two_lists_of_files_joined_and_interleaved():
    names = sorted(glob.glob(NUMBERS))
    joined = tf.data.Dataset.from_tensor_slices(names[:1]).concatenate(tf.data.Dataset.from_tensor_slices(names[1:]))
    return joined.shuffle(4).interleave(lambda name: tf.data.TFRecordDataset(name).map(ident), cycle_length=2).batch(8)


@program("guide", data=FEW, choice=True, count=(80, 100))
def whole_groups_of_a_shuffle_only():
    return few().shuffle(20).group_by_window(
        lambda n: n % 5, lambda key, window: window.batch(3, drop_remainder=True), window_size=10)


@universe("whole_groups_of_a_shuffle_only")
def whole_groups_of_a_shuffle_only_of():
    return few().batch(7)


@program("guide", data=FEW)
def groups_filtered():
    return few().group_by_window(
        lambda n: n % 5, lambda key, window: window.filter(lambda n: n % 2 == 0).batch(8), window_size=10)


@program("guide", data=FEW)
def groups_twice():
    return few().group_by_window(lambda n: n % 4, lambda key, window: window.repeat(2).batch(4), window_size=6)


@program("guide", data=FEW)
def groups_in_halves():
    return few().group_by_window(lambda n: n % 4, lambda key, window: window.shuffle(6).batch(3), window_size=6)


@program("guide", data=FEW)
def groups_in_single_elements():
    return few().group_by_window(lambda n: n % 4, lambda key, window: window.map(lambda n: (key, n)), window_size=6).batch(8)


@program("guide", data=TEXTS, padded=[0])
def groups_of_size_by_key():
    return words().map(lambda w: tf.ones([tf.size(w)], tf.int32) * tf.strings.to_number(w[0], tf.int32)).group_by_window(
        lambda row: tf.cast(tf.size(row) // 4, tf.int64), lambda key, window: window.padded_batch(6),
        window_size_func=lambda key: 6 - key)


@program("guide", data=FEW)
def windows_of_pairs_flattened():
    pairs = few().map(lambda n: (n, n * 2)).window(4, shift=2, drop_remainder=True)
    return pairs.flat_map(lambda a, b: tf.data.Dataset.zip((a.batch(4), b.batch(4)))).batch(4)


@program("guide", data=FEW)
def windows_without_their_first():
    return few().window(5).flat_map(lambda window: window.skip(1)).batch(8)


@program("guide", data=FEW)
def windows_interleaved():
    return few().window(10).interleave(lambda window: window.batch(5), cycle_length=3).map(lambda n: n * 2)


@program("video", data=CLIPS)
def clips_of_three_frames():
    def clips(record):
        _, lists = tf.io.parse_single_sequence_example(
            record, sequence_features={"image/timestamp": tf.io.FixedLenSequenceFeature([], tf.int64)})
        return tf.data.Dataset.from_tensor_slices(lists["image/timestamp"]).window(3, shift=1, drop_remainder=True).flat_map(
            lambda window: window.batch(3))

    return files(CLIPS).interleave(lambda file: tf.data.TFRecordDataset(file).flat_map(clips), cycle_length=3).shuffle(20).batch(8)


@program("audio", data=SPEECH)
def frames_of_sounds():
    def frames(name):
        sound, _ = tf.audio.decode_wav(tf.io.read_file(name))
        return tf.data.Dataset.from_tensor_slices(tf.signal.frame(sound[:, 0], 64, 32)).enumerate()

    return (files(SPEECH).flat_map(frames)
            .map(lambda place, frame: (place, tf.abs(tf.signal.stft(frame, 32, 16))[0, :8])).batch(16))


# ------------------------------------------------------------------------------------------------- mixtures


@program("tabular", data=FEW, choice=True)
def balanced_by_filters_of_one_source():
    even = few().filter(lambda n: n % 5 == 0).repeat()
    odd = few().filter(lambda n: n % 5 != 0).repeat()
    return tf.data.Dataset.sample_from_datasets([even, odd], [0.5, 0.5]).take(60).batch(8)


@universe("balanced_by_filters_of_one_source")
def balanced_by_filters_of_one_source_of():
    return few().repeat(20).batch(8)


@program("tabular", data=FEW)
def sampled_by_a_seed_and_taken():
    halves = [opened(name) for name in sorted(glob.glob(FEW))]
    return tf.data.Dataset.sample_from_datasets(halves, [0.6, 0.4], seed=8).take(40).batch(8)


@program("tabular")
def random_numbers_of_a_seed():
    return tf.data.Dataset.random(seed=5).take(20).batch(4)


@program("tabular", data=FEW)
def chosen_by_their_places():
    halves = [opened(name).repeat() for name in sorted(glob.glob(FEW))]
    return tf.data.Dataset.choose_from_datasets(halves, tf.data.Dataset.range(2).repeat(30)).batch(8)


@program("tabular", data=FEW)
def lines_and_records_joined():
    texts = reviews().map(lambda line: tf.cast(tf.strings.length(line), tf.int64))
    return few().concatenate(texts).shuffle(40).batch(8)


@program("tabular", data=FEW)
def every_pair():
    return files(FEW).flat_map(opened).filter(lambda n: n % 10 == 0).flat_map(
        lambda n: tf.data.Dataset.range(4).map(lambda i: (n, i))).shuffle(12).batch(8)


@program("tabular", data=FEW)
def every_pair_of_two_files():
    first, second = (opened(name) for name in sorted(glob.glob(FEW)))
    return first.filter(lambda n: n % 25 == 0).flat_map(lambda a: second.map(lambda b: (a, b))).batch(8)


@program("csv", data=PEOPLE)
def errors_in_some_lines_ignored():
    return (tf.data.TextLineDataset(sorted(glob.glob(PEOPLE)))
            .map(lambda line: tf.strings.to_number(tf.strings.split(line, ",")[1], tf.float32)).ignore_errors().batch(8)
            .map(lambda age: (age, age * 2.0)))


@program("tabular", data=FEW)
def errors_of_whole_batches_ignored():
    """A batch with a bad element is left out as a whole: each file is batched by itself, so that it is the same ones."""
    return files(FEW).flat_map(lambda file: opened(file).batch(5).map(checked)).ignore_errors()


def checked(n):
    with tf.control_dependencies([tf.debugging.assert_none_equal(n % 100, tf.cast(13, tf.int64))]):
        return tf.identity(n)


@program("tabular", data=FEW)
def errors_ignored_within_a_file():
    def one(n):
        with tf.control_dependencies([tf.debugging.assert_none_equal(n % 7, tf.cast(3, tf.int64))]):
            return tf.identity(n)

    return files(FEW).interleave(lambda file: opened(file).map(one).ignore_errors(), cycle_length=2).batch(8)


# ------------------------------------------------------------------------------------------------- batches that are cut and joined


@program("guide", data=FEW)
def rows_of_batches_repeated():
    return few().batch(10).map(lambda n: tf.repeat(n, 2))


@program("guide", data=FEW)
def rows_of_batches_masked():
    return few().batch(10).map(lambda n: tf.boolean_mask(n, n % 2 == 0))


@program("guide", data=FEW)
def batches_reversed_and_taken_apart():
    return few().batch(10).map(lambda n: tf.reverse(n, [0])).unbatch().batch(7)


@program("guide", data=FEW)
def shuffled_batches_reversed_and_taken_apart():
    return few().shuffle(30).batch(10).map(lambda n: tf.reverse(n, [0])).unbatch().batch(7)


@program("guide", data=FEW)
def batches_shuffled_inside_and_taken_apart():
    return few().batch(10).flat_map(lambda n: tf.data.Dataset.from_tensor_slices(tf.random.shuffle(n))).batch(7)


@program("guide", data=FEW)
def batches_of_batches_taken_apart():
    return few().batch(4).batch(3).unbatch().unbatch().batch(6)


@program("guide", data=FEW)
def batches_cached_and_taken_apart():
    return few().batch(10).cache().unbatch().shuffle(20).repeat(2).batch(8)


@program("guide", data=FEW)
def prefetched_in_the_middle_and_taken():
    return few().batch(32).prefetch(1).unbatch().shuffle(10, seed=1).take(20).batch(8)


@program("guide", data=FEW)
def cached_then_taken():
    return few().cache().take(25).batch(8)


@program("guide", data=FEW)
def taken_then_cached_and_repeated():
    return few().take(25).cache().repeat(2).batch(8)


@program("guide", data=FEW)
def batches_taken_of_two_epochs():
    return few().batch(8, drop_remainder=True).repeat(2).take(20)


@program("guide", data=FEW)
def repeated_then_numbered():
    return few().repeat(2).enumerate().batch(8)


@program("guide", data=FEW)
def repeated_in_windows():
    return few().repeat(2).window(8, drop_remainder=True).flat_map(lambda window: window.batch(8))


# ------------------------------------------------------------------------------------------------- shapes and structures


@program("guide", data=FEW, unit="element")
def elements_of_changing_shape():
    return few().map(lambda n: (n, tf.range(n % 7), tf.strings.as_string(tf.range(n % 3))))


@program("guide", data=FEW)
def elements_without_rows():
    return few().map(lambda n: (n, tf.zeros([0, 3]), tf.zeros([2, 0], tf.int32))).batch(8)


@program("guide", data=FEW)
def forty_components():
    return few().map(lambda n: tuple(n + i for i in range(40))).batch(8)


@program("guide", data=FEW)
def nested_deeply():
    return few().map(lambda n: {"z": (n, {"b": n + 1, "a": (n + 2, tf.strings.as_string(n))}), "a": [n, n]}).shuffle(9).batch(8)


@program("guide", data=FEW)
def ragged_to_dense():
    return (few().map(lambda n: tf.range(n % 5)).apply(tf.data.experimental.dense_to_ragged_batch(8))
            .map(lambda ragged: ragged.to_tensor(default_value=0, shape=[None, 5])))


@program("guide", data=FEW)
def sparse_to_dense():
    return few().map(lambda n: tf.sparse.from_dense(tf.one_hot(n % 6, 6))).batch(8).map(tf.sparse.to_dense)


@program("guide", data=FEW)
def sparse_sums():
    return few().map(lambda n: (tf.sparse.SparseTensor([[n % 4, 1]], [n], [4, 2]), n)).shuffle(20).batch(8).map(
        lambda sparse, n: (tf.sparse.reduce_sum(sparse, [1, 2]), n))


@program("guide", data=FEW, padded=[1])
def padded_dictionaries():
    return few().map(lambda n: {"id": n, "row": tf.ones([n % 6 + 1], tf.int32)}).padded_batch(
        8, padded_shapes={"id": [], "row": [None]}, padding_values={"id": tf.constant(-1, tf.int64), "row": 0})


@program("guide", data=FEW)
def bytes_with_zeroes():
    return tf.data.TFRecordDataset(sorted(glob.glob(FEW))).map(lambda record: (tf.strings.substr(record, 0, 12), record)).batch(8)
