"""What a function of a batch takes from the places of its rows, or from how many there are, where that is not to be seen at once."""

import tensorflow as tf

from corpus import TEXTS, program
from corpus.sources import FEW, few, lines

D = tf.data.Dataset


def tens():
    return few().batch(10)


def vectors():
    """Of ten each."""
    return few().map(lambda n: tf.fill([10], tf.cast(n, tf.float32))).batch(10)


@program("tests", FEW)
def rows_that_weigh_less_from_turn_to_turn():
    def weighted(b):
        b = tf.cast(b, tf.float64)
        rows = tf.shape(b)[0]
        begun = 0, tf.TensorArray(tf.float64, size=rows), tf.constant(1.0, tf.float64)
        return tf.while_loop(
            lambda i, *_: i < rows, lambda i, made, weight: (i + 1, made.write(i, b[i] * weight), weight * 0.5), begun)[1].stack()

    return tens().map(weighted).unbatch().batch(7)


@program("tests", FEW)
def rows_divided_by_the_last_size_of_their_batch():
    return few().batch(7).map(lambda b: tf.cast(b, tf.float64) / tf.cast(tf.shape(b)[-1], tf.float64)).unbatch().batch(6)


@program("tests", FEW)
def rows_divided_by_the_last_but_one_of_their_sizes():
    pairs = few().map(lambda n: tf.stack([n, -n])).batch(7)
    return pairs.map(lambda b: tf.cast(b, tf.float64) / tf.cast(tf.shape(b)[-2], tf.float64)).unbatch().batch(6)


@program("tests", FEW)
def rows_cut_to_as_many_values_as_there_are_rows():
    return few().map(lambda n: tf.fill([10], n)).batch(7).map(lambda b: tf.reduce_sum(b[:, : tf.shape(b)[0]], 1))


@program("tests", FEW)
def rows_beside_padded_ones_cut_to_their_length():
    both = few().map(lambda n: (tf.fill([n % 5 + 1], n), tf.fill([6], n)))
    padded = both.padded_batch(7, ([None], [6]))
    return padded.map(lambda rows, whole: tf.reduce_sum(whole[:, : tf.shape(rows)[1]], 1))


@program("tests", FEW)
def rows_beside_themselves_given_their_number():
    return tens().map(lambda b: tf.reshape(tf.concat([b, -b], 0), [tf.shape(b)[0], 2])).unbatch().batch(7)


@program("tests", FEW)
def rows_that_vectors_choose_by_places():
    chosen = tf.constant([True, False] * 5)

    def more(b):
        return b + tf.compat.v1.where(chosen, tf.ones([10, 10]), tf.zeros([10, 10]))

    return vectors().map(more).unbatch().batch(7)


@program("tests", FEW)
def pictures_moved_by_their_places():
    moves = tf.constant([[1.0, 0, i % 3, 0, 1, 0, 0, 0] for i in range(10)])

    def moved(b):
        return tf.raw_ops.ImageProjectiveTransformV3(
            images=b, transforms=moves, output_shape=[4, 4], fill_value=0.0, interpolation="NEAREST")

    pictures = few().map(lambda n: tf.reshape(tf.range(16.0), [4, 4, 1]) + tf.cast(n, tf.float32))
    return pictures.batch(10).map(moved).unbatch().batch(7)


@program("tests", FEW)
def pictures_met_by_each_other():
    def met(b):
        return tf.nn.conv2d(b, tf.transpose(b, [1, 2, 3, 0]), 1, "VALID")[:, 0, 0, :2]

    pictures = few().map(lambda n: tf.reshape(tf.range(4.0), [2, 2, 1]) + tf.cast(n, tf.float32))
    return pictures.batch(10).map(met).unbatch().batch(7)


@program("tests", FEW)
def rows_on_the_diagonal_of_their_batch():
    columns = few().map(lambda n: tf.cast(n * 10, tf.float32) + tf.range(10.0))
    return columns.batch(10).map(lambda b: tf.einsum("ii->i", b)).unbatch().batch(7)


@program("tests", FEW)
def rows_told_apart_from_as_many_as_there_are():
    return few().batch(7).map(lambda b: tf.reduce_sum(tf.one_hot(b % 10, tf.shape(b)[0]), 1)).unbatch().batch(6)


@program("tests", FEW)
def rows_beside_weights_that_another_step_takes():
    weights = tf.range(1, 11, dtype=tf.int64)
    return tens().map(lambda b: (b, weights)).map(lambda b, w: b * w).unbatch().batch(7)


@program("tests", TEXTS)
def lines_joined_in_pairs():
    def paired(b):
        words = tf.strings.split(b)
        return tf.RaggedTensor.from_row_splits(words.values, words.row_splits[::2]).to_tensor(shape=[None, 20])

    return lines().batch(8, drop_remainder=True).map(paired).unbatch().batch(5)


@program("tests", TEXTS)
def lines_joined_in_pairs_by_numbers_of_rows():
    def paired(b):
        words = tf.strings.split(b)
        return tf.RaggedTensor.from_value_rowids(words.values, words.value_rowids() // 2).to_tensor(shape=[None, 20])

    return lines().batch(8, drop_remainder=True).map(paired).unbatch().batch(5)


@program("tests", FEW)
def rows_zipped_to_weights_of_their_places():
    weights = D.from_tensors(tf.range(1, 11, dtype=tf.int64)).repeat()
    return D.zip((tens(), weights)).cache().map(lambda b, w: b * w).unbatch().batch(7)


@program("tests", FEW)
def rows_zipped_to_weights_and_taken_apart():
    weights = D.from_tensors(tf.range(1, 11, dtype=tf.int64)).repeat()
    return D.zip((tens(), weights)).unbatch().batch(7)


@program("tests", FEW)
def rows_with_what_is_added_by_columns_of_a_turned_batch():
    def added(b):
        return tf.transpose(tf.nn.bias_add(tf.transpose(b), tf.range(10.0)))

    return vectors().map(added).unbatch().batch(7)


@program("tests", FEW)
def rows_tiled_beside_those_in_reverse():
    def met(b):
        return tf.tile(b, [2]) - tf.tile(tf.reverse(b, [0]), [2])

    return tens().map(met).unbatch().batch(7)


@program("tests", FEW)
def mixed_and_joined_to_others_less_their_largest():
    return D.range(10).shuffle(10).concatenate(few()).batch(10).map(lambda b: b - tf.reduce_max(b)).unbatch().batch(7)


def numbers_or_not():
    return few().map(lambda n: tf.where(n % 17 == 3, "none", tf.strings.as_string(n)))


@program("tests", FEW)
def batches_left_out_with_one_that_is_no_number():
    return numbers_or_not().batch(8).map(tf.strings.to_number).ignore_errors()


# one process makes one step of the map and the batch
@program("tests", FEW)
def numbers_in_batches_left_out_with_one_that_is_none():
    return numbers_or_not().map(tf.strings.to_number).batch(8).ignore_errors()


@program("tests", FEW)
def numbers_in_batches_of_groups_left_out_with_one_that_is_none():
    return numbers_or_not().group_by_window(
        lambda n: tf.cast(tf.strings.length(n) % 2, tf.int64), lambda _, group: group.map(tf.strings.to_number).batch(4), 8).ignore_errors()


@program("tests", FEW)
def numbers_in_one_step_with_their_batches_left_out():
    return numbers_or_not().apply(tf.data.experimental.map_and_batch(tf.strings.to_number, 8)).ignore_errors()


@program("tests", FEW)
def rows_behind_beginnings_of_whole_batches():
    begins = tf.fill([10, 1], tf.constant(-1, tf.int64))
    rows = few().map(lambda n: tf.stack([n, n + 1, n + 2]))
    return rows.batch(10).map(lambda b: (tf.concat([begins, b[:, :-1]], 1), b))


@program("tests", FEW)
def rows_of_whole_batches_in_a_column():
    return tens().map(lambda b: tf.ensure_shape(b, [10])).prefetch(1).map(lambda b: tf.reshape(b, [-1, 1]))


@program("tests", FEW)
def rows_of_shuffled_whole_batches_beside_states():
    return few().shuffle(30).batch(10).map(lambda b: {"rows": b, "states": tf.zeros([10, 2])}).cache().repeat(2)


def whole(b):
    tf.debugging.assert_equal(tf.shape(b)[0], 10)
    return b


def whole_or_error(b):
    rows = tf.size(b)
    if rows % 10 != 0:
        tf.debugging.Assert(False, [rows])
    return b


@program("tests", FEW)
def rows_of_batches_that_are_asserted_to_be_whole():
    return tens().map(whole)


@program("tests", FEW)
def rows_of_batches_that_are_asserted_to_be_whole_in_a_branch():
    return tens().map(tf.function(whole_or_error))


@program("tests", FEW)
def rows_of_batches_of_which_the_width_is_asserted():
    def of_ten(b):
        tf.debugging.assert_equal(tf.shape(b)[1], 10)
        return b
    return few().map(lambda n: tf.fill([n % 1 + 10], n)).batch(7).map(of_ten)


@program("tests", FEW)
def ranks_among_all_of_a_shuffle():
    return few().shuffle(100).batch(100).map(lambda b: (b, tf.argsort(tf.argsort(b)))).unbatch().batch(7)


@program("tests")
def integers_less_the_largest_of_all_of_a_shuffle():
    return D.range(40).shuffle(1000).batch(40).map(lambda b: b - tf.reduce_max(b)).unbatch().batch(7)


def volumes():
    return few().map(lambda n: tf.cast(tf.reshape(n + tf.range(27, dtype=tf.int64), [3, 3, 3, 1]), tf.float32))


@program("tests", FEW)
def rows_of_volumes_smoothed_and_pooled():
    def smoothed(b):
        patches = tf.extract_volume_patches(b, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID")
        return tf.nn.conv3d(b, tf.ones([2, 2, 2, 1, 1]), [1, 1, 1, 1, 1], "VALID"), tf.nn.max_pool3d(patches, 2, 2, "VALID")

    return volumes().batch(7).map(smoothed)


@program("tests", FEW)
def rows_smoothed_with_those_beside_them_as_one_volume():
    return volumes().map(lambda v: v[0]).batch(7).map(lambda b: tf.nn.avg_pool3d(b[None], [2, 1, 1], 1, "SAME")[0])


def boxes():
    """Three of each, with scores."""
    corners = few().map(lambda n: tf.cast(tf.stack([n % 7 + tf.range(3, dtype=tf.int64), n % 5 + tf.range(3, dtype=tf.int64)], 1), tf.float32))
    return corners.map(lambda c: (tf.concat([c, c + 2.0], 1), tf.stack([c[0, 0], c[1, 1], c[2, 0]])))


@program("tests", FEW)
def rows_of_boxes_that_their_scores_choose():
    def chosen(b, s):
        found = tf.image.combined_non_max_suppression(b[:, :, None], s[:, :, None], 2, 2)
        return found.nmsed_boxes, found.nmsed_scores, found.valid_detections

    return boxes().batch(7).map(chosen)


@program("tests", FEW)
def rows_of_boxes_that_scores_of_others_choose():
    return boxes().batch(7).map(lambda b, s: tf.image.combined_non_max_suppression(b[:, :, None], s[::-1, :, None], 2, 2).nmsed_boxes)


@program("tests", FEW)
def rows_of_which_their_own_numbers_take_values():
    return boxes().batch(7).map(lambda b, s: tf.gather(b, tf.argsort(s, axis=1, stable=True)[:, :2], batch_dims=1))


@program("tests", FEW)
def rows_of_which_numbers_of_others_take_values():
    return boxes().batch(7).map(lambda b, s: tf.gather(b, tf.argmax(s[::-1], 1)[:, None], batch_dims=1))


@program("tests", FEW)
def rows_of_a_shuffle_in_pairs_taken_apart():
    return few().shuffle(30).batch(10).map(lambda b: tf.reshape(b * 0, [-1, 2])).unbatch().batch(6)


@program("tests", FEW)
def rows_of_a_shuffle_in_pairs_of_pairs():
    return few().map(lambda n: tf.stack([n, n])).shuffle(30).batch(10).map(lambda b: tf.reshape(b, [-1, 2, 2])).map(lambda b: tf.reshape(b, [-1, 2]))
