"""Programs that train and tune encoders of text: masked words, next sentences, pairs, tokens of lines and of files."""

import tensorflow as tf

from corpus import AUTO, program, universe

PRETRAINING = "data/pretraining-0000[02].tfrecord"
DOCUMENTS = "data/documents-0000[12].txt"
PAIRS = "data/pairs-*.tsv"
REVIEWS = "data/reviews/*/*.txt"
WORDS = ("[PAD] [UNK] [CLS] [SEP] [MASK] the and of river feed trainer worker cluster picture batch record "
         "runs waits reads holds gives takes drops sends").split()
PAD, CLS, SEP, MASK = 0, 2, 3, 4
LENGTH = 16


# ----------------------------------------------------------------------------------------- records made by a pretrainer


SPEC = {
    "input_ids": tf.io.FixedLenFeature([LENGTH], tf.int64),
    "input_mask": tf.io.FixedLenFeature([LENGTH], tf.int64),
    "segment_ids": tf.io.FixedLenFeature([LENGTH], tf.int64),
    "masked_lm_positions": tf.io.FixedLenFeature([3], tf.int64),
    "masked_lm_ids": tf.io.FixedLenFeature([3], tf.int64),
    "masked_lm_weights": tf.io.FixedLenFeature([3], tf.float32),
    "next_sentence_labels": tf.io.FixedLenFeature([1], tf.int64),
}


def decode(record):
    example = tf.io.parse_single_example(record, SPEC)
    return {name: tf.cast(value, tf.int32) if value.dtype == tf.int64 else value for name, value in example.items()}


def pretraining(cycle_length=3):
    files = tf.data.Dataset.list_files(PRETRAINING, shuffle=False)
    return files.interleave(tf.data.TFRecordDataset, cycle_length=cycle_length, num_parallel_calls=AUTO)


@program("bert", data=PRETRAINING)
def bert_pretraining():
    files = tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(PRETRAINING))).shuffle(buffer_size=3)
    return (files.interleave(tf.data.TFRecordDataset, cycle_length=3, num_parallel_calls=AUTO, deterministic=False)
            .shuffle(buffer_size=20).map(decode, num_parallel_calls=AUTO)
            .batch(8, drop_remainder=True).prefetch(AUTO))


@program("bert", data=PRETRAINING)
def bert_parsed_by_batches():
    spec = {name: SPEC[name] for name in ("input_ids", "masked_lm_weights")}
    return pretraining().batch(12).map(lambda records: tf.io.parse_example(records, spec), num_parallel_calls=AUTO).prefetch(2)


@program("bert", data=PRETRAINING, drawn={1: (0, 23), 2: (0, 1)})
def masks_drawn():
    def mask(example):
        ids = example["input_ids"]
        chosen = (tf.random.uniform(tf.shape(ids)) < 0.15) & (ids > MASK)
        return ids, tf.where(chosen, MASK, ids), tf.cast(chosen, tf.float32)

    return (pretraining().map(decode, num_parallel_calls=AUTO).map(mask, num_parallel_calls=AUTO)
            .batch(12).prefetch(AUTO))


@program("bert", data=PRETRAINING, drawn={1: (0, 15), 2: (0, 23)})
def masks_by_a_shuffle_of_places():
    def mask(example):
        ids = example["input_ids"]
        candidates = tf.where(ids != PAD)[:, 0]
        places = tf.sort(tf.random.shuffle(candidates)[:3])
        masked = tf.tensor_scatter_nd_update(ids, places[:, None], tf.fill([tf.size(places)], MASK))
        return ids, tf.ensure_shape(places, [3]), masked

    return pretraining().map(decode, num_parallel_calls=AUTO).map(mask, num_parallel_calls=AUTO).batch(9)


@program("bert", data=PRETRAINING, drawn={1: (0, 23)})
def masks_drawn_behind_the_batch():
    def mask(ids):
        return ids, tf.where((tf.random.uniform(tf.shape(ids)) < 0.5) & (ids > MASK), MASK, ids)

    return (pretraining().map(decode, num_parallel_calls=AUTO).map(lambda e: e["input_ids"])
            .batch(12).map(mask, num_parallel_calls=AUTO).prefetch(AUTO))


@program("bert", data=PRETRAINING, drawn={1: (0, 23)})
def masks_drawn_anew_each_epoch():
    """RoBERTa's: the records are kept, the masks are not."""
    def mask(ids):
        return ids, tf.where((tf.random.uniform([LENGTH]) < 0.5) & (ids > MASK), MASK, ids)

    return (pretraining().map(lambda record: decode(record)["input_ids"], num_parallel_calls=AUTO).cache()
            .shuffle(72).repeat(2).map(mask, num_parallel_calls=AUTO).batch(16).prefetch(AUTO))


@program("bert", data=PRETRAINING, drawn={1: (0, 23)})
def words_replaced_by_others():
    """ELECTRA's, with a loop over the places to predict."""
    def replace(example):
        ids = example["input_ids"]
        corrupt = ids
        for place in example["masked_lm_positions"]:
            if tf.random.uniform([]) < 0.5:
                corrupt = tf.tensor_scatter_nd_update(corrupt, [[place]], tf.random.uniform([1], 5, 24, tf.int32))
        return ids, corrupt

    return pretraining().map(decode, num_parallel_calls=AUTO).map(replace, num_parallel_calls=AUTO).batch(12)


# ------------------------------------------------------------------------------------------------------ lines of text


def vocabulary():
    return tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(WORDS, tf.range(len(WORDS), dtype=tf.int64)), num_oov_buckets=2)


def words(line):
    return tf.compat.v1.string_split([line]).values


def lines():
    files = tf.data.Dataset.list_files(DOCUMENTS, shuffle=False)
    return files.interleave(tf.data.TextLineDataset, cycle_length=3, num_parallel_calls=AUTO).filter(
        lambda line: tf.strings.length(line) > 0)


@program("bert", data=DOCUMENTS, padded=[0])
def lines_in_buckets_of_length():
    table = vocabulary()
    return (lines().map(lambda line: tf.cast(table.lookup(words(line)), tf.int32), num_parallel_calls=AUTO)
            .shuffle(50)
            .bucket_by_sequence_length(tf.size, bucket_boundaries=[4, 7, 10], bucket_batch_sizes=[8, 8, 4, 4], pad_to_bucket_boundary=False)
            .prefetch(AUTO))


@program("bert", data=DOCUMENTS)
def lines_packed_within_a_file():
    """The words of a file run on through rows of eight; what is left at its end is dropped."""
    table = vocabulary()

    def packed(file):
        ids = tf.data.TextLineDataset(file).filter(lambda line: tf.strings.length(line) > 0).map(
            lambda line: tf.concat([table.lookup(words(line)), [SEP]], 0)).unbatch()
        return ids.batch(8, drop_remainder=True)

    return (tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(DOCUMENTS)))
            .interleave(packed, cycle_length=3, num_parallel_calls=AUTO).batch(4).prefetch(AUTO))


@program("bert", data=DOCUMENTS, mixed=True)
def lines_packed_over_files():
    """The words run on from file to file; which of them share a row hangs on the order of the files."""
    table = vocabulary()
    text = tf.data.TextLineDataset(sorted(tf.io.gfile.glob(DOCUMENTS)))
    return (text.filter(lambda line: tf.strings.length(line) > 0)
            .map(lambda line: tf.concat([[CLS], table.lookup(words(line))], 0), num_parallel_calls=AUTO)
            .unbatch().batch(LENGTH, drop_remainder=True))


@program("bert", data=DOCUMENTS)
def next_sentences():
    """Two lines of a file that follow each other, by a window."""
    def pairs(file):
        return tf.data.TextLineDataset(file).window(2, shift=1, drop_remainder=True).flat_map(lambda window: window.batch(2))

    return (tf.data.Dataset.list_files(DOCUMENTS, shuffle=True)
            .interleave(pairs, cycle_length=2, num_parallel_calls=AUTO)
            .filter(lambda two: tf.reduce_all(tf.strings.length(two) > 0))
            .map(lambda two: (two[0], two[1], tf.constant(1)), num_parallel_calls=AUTO).shuffle(20).batch(8))


@program("bert", data=DOCUMENTS, drawn={1: (0, 1)})
def next_sentences_or_others():
    """Half of the second sentences are taken from a list by a draw."""
    others = tf.constant(["the end", "the feed runs", "nothing follows"])

    def pair(two):
        is_next = tf.random.uniform([]) < 0.5
        second = tf.cond(is_next, lambda: two[1], lambda: tf.random.shuffle(others)[0])
        return two[0], tf.cast(is_next, tf.int32) * tf.cast(tf.strings.length(second) > 0, tf.int32)

    def windows(file):
        return tf.data.TextLineDataset(file).batch(2, drop_remainder=True)

    return (tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(DOCUMENTS)))
            .interleave(windows, cycle_length=3).map(pair, num_parallel_calls=AUTO).batch(6))


@program("bert", data=DOCUMENTS, drawn={0: (0, 1)})
def order_of_sentences():
    """ALBERT's: the two of a pair change places by chance."""
    def swapped(two):
        swap = tf.random.uniform([], 0, 2, tf.int32)
        first, second = tf.unstack(tf.reverse(two, [0])) if swap == 1 else tf.unstack(two)
        lengths = tf.strings.length(first) + tf.strings.length(second)
        return swap, lengths

    return (tf.data.Dataset.list_files(DOCUMENTS, shuffle=False)
            .interleave(lambda file: tf.data.TextLineDataset(file).batch(2, drop_remainder=True), cycle_length=3)
            .map(swapped, num_parallel_calls=AUTO).batch(8))


@program("bert", data=DOCUMENTS, refused=True)
def lines_as_ragged_tokens():
    table = vocabulary()
    return lines().batch(8).map(lambda batch: table.lookup(tf.strings.split(batch)), num_parallel_calls=AUTO)


@program("bert", data=DOCUMENTS)
def lines_with_a_vocabulary_file():
    """The table is filled from a file when the pipeline begins."""
    table = tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer(
        "data/vocabulary.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), num_oov_buckets=1)
    return lines().map(lambda line: (line, table.lookup(words(line))[:3]), num_parallel_calls=AUTO).batch(10)


# ------------------------------------------------------------------------------------------------------------- tuning


def pair_rows():
    def read(file):
        return tf.data.experimental.CsvDataset(
            file, [tf.int64, tf.string, tf.string, tf.int32], header=True, field_delim="\t")

    return tf.data.Dataset.list_files(PAIRS, shuffle=False).interleave(read, cycle_length=2, num_parallel_calls=AUTO)


@program("bert", data=PAIRS)
def pairs_of_sentences():
    table = vocabulary()

    def encode(index, first, second, label):
        one = tf.concat([[CLS], table.lookup(words(first)), [SEP]], 0)
        two = tf.concat([table.lookup(words(second)), [SEP]], 0)
        segments = tf.concat([tf.zeros_like(one), tf.ones_like(two)], 0)[:24]
        return {"index": index, "ids": tf.concat([one, two], 0)[:24], "segments": segments}, label

    return (pair_rows().map(encode, num_parallel_calls=AUTO)
            .padded_batch(8, ({"index": [], "ids": [24], "segments": [24]}, [])).prefetch(AUTO))


@program("bert", data=REVIEWS)
def reviews_of_folders():
    labels = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["good", "poor"], [1, 0]), default_value=-1)

    def read(path):
        return tf.strings.strip(tf.io.read_file(path)), labels.lookup(tf.strings.split(path, "/")[-2])

    files = tf.data.Dataset.list_files("data/reviews/*/*.txt", seed=3)
    return files.map(read, num_parallel_calls=AUTO).cache().batch(4).prefetch(AUTO)


@program("bert", data=REVIEWS, choice=True)
def reviews_training_part():
    """Which ones are held back is drawn anew: no seed is given."""
    files = tf.data.Dataset.list_files(REVIEWS, shuffle=False).shuffle(16, reshuffle_each_iteration=False)
    return files.skip(4).map(lambda path: (path, tf.io.read_file(path))).batch(4)


@universe("reviews_training_part")
def all_reviews():
    return tf.data.Dataset.list_files(REVIEWS, shuffle=False).map(lambda path: (path, tf.io.read_file(path))).batch(4)
