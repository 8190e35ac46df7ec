"""What tells how many rows share a batch, or which, by ways round: draws for each, branches, what inner functions capture, batches in batches."""

import tensorflow as tf

from corpus import program
from corpus.sources import FEW, few

D = tf.data.Dataset
slices = D.from_tensor_slices


def floats(batch):
    return tf.cast(batch, tf.float64)


# ---- as many as there are rows


@program("tests", FEW)
def rows_divided_by_the_size_of_a_drawn_mask():
    def made(batch):
        mask = tf.random.uniform([tf.shape(batch)[0]]) < 2.0
        return batch, floats(batch) / tf.cast(tf.size(mask), tf.float64)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_divided_by_ones_like_draws_added_up():
    def made(batch):
        noise = tf.random.normal(tf.shape(batch), dtype=tf.float64)
        return batch, floats(batch) / tf.reduce_sum(tf.ones_like(noise))

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_divided_by_ones_of_a_branch_added_up():
    weighted = tf.Variable(True)

    def made(batch):
        ones = tf.cond(weighted, lambda: tf.ones([tf.shape(batch)[0]], tf.float64), lambda: tf.zeros([1], tf.float64))
        return batch, floats(batch) / tf.reduce_sum(ones)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_divided_by_ones_of_a_case_added_up():
    kind = tf.Variable(1)

    def made(batch):
        count = tf.shape(batch)[0]
        kinds = [lambda: tf.ones([2], tf.float64), lambda: tf.ones([count], tf.float64)]
        return batch, floats(batch) / tf.reduce_sum(tf.switch_case(tf.identity(kind), kinds))

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_or_ones_of_their_shape():
    """Each row by itself."""
    plain = tf.Variable(True)

    def made(batch):
        return tf.cond(plain, lambda: floats(batch), lambda: tf.ones(tf.shape(batch), tf.float64))

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_times_weights_of_places_or_ones():
    weighted = tf.Variable(True)

    def made(batch):
        weights = tf.cond(weighted, lambda: tf.range(10, dtype=tf.int64), lambda: tf.ones([10], tf.int64))
        return batch, batch * weights

    return few().batch(10).map(made)


@program("tests", FEW)
def rows_times_weights_of_places_or_noise():
    noisy = tf.Variable(False)

    def made(batch):
        weights = tf.cond(noisy, lambda: tf.random.uniform([10], dtype=tf.float64), lambda: tf.range(10, dtype=tf.float64))
        return batch, floats(batch) * weights

    return few().batch(10).map(made)


@program("tests", FEW)
def rows_beside_a_matrix_of_ones():
    return few().batch(8).map(lambda b: (b, tf.ones([tf.shape(b)[0], tf.shape(b)[0]], tf.int32)))


@program("tests", FEW)
def rows_spread_over_as_many_columns():
    return few().batch(8).map(lambda b: b[:, None] * tf.ones([1, tf.shape(b)[0]], tf.int64))


@program("tests", FEW)
def rows_spread_over_as_many_columns_and_added_up():
    return few().batch(8).map(lambda b: (b, tf.reduce_sum(b[:, None] * tf.ones([1, tf.shape(b)[0]], tf.int64), 1)))


@program("tests", FEW)
def rows_by_a_product_with_ones_added_up():
    def made(batch):
        ones = tf.ones([1, tf.shape(batch)[0]], tf.float64)
        return batch, tf.reduce_sum(tf.matmul(floats(batch)[:, None], ones), 1)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_by_an_outer_product_with_ones_added_up():
    def made(batch):
        ones = tf.ones([3, tf.shape(batch)[0]], tf.float64)
        return batch, tf.reduce_sum(tf.einsum("i,kj->ij", floats(batch), ones), 1)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_times_an_even_share():
    def made(batch):
        shares = tf.nn.softmax(tf.zeros([2, tf.shape(batch)[0]], tf.float64))
        return batch, floats(batch) * shares[0, 0]

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_times_ones_one_by_one_added_up():
    def made(batch):
        ones = tf.ones([tf.shape(batch)[0]], tf.int64)
        return batch, tf.map_fn(lambda x: tf.reduce_sum(x * ones), batch)

    return few().batch(8).map(made)


# ---- what functions of rows capture


@program("tests", FEW)
def slices_divided_by_how_many_there_are():
    def opened(batch):
        count = tf.size(batch, tf.int64)
        return slices(batch).map(lambda n: n / count)

    return few().batch(8).flat_map(opened).batch(7)


@program("tests", FEW)
def slices_divided_by_a_number_beside_them():
    counted = few().batch(8).map(lambda b: (b, tf.size(b, tf.int64)))
    return counted.flat_map(lambda b, count: slices(b).map(lambda n: n / count)).batch(7)


@program("tests", FEW)
def slices_kept_by_how_many_there_are():
    def opened(batch):
        count = tf.size(batch, tf.int64)
        return slices(batch).filter(lambda n: n % count < 3)

    return few().batch(8).flat_map(opened).batch(7)


@program("tests", FEW)
def slices_as_often_as_there_are():
    return few().batch(8).flat_map(lambda b: slices(b).repeat(tf.size(b, tf.int64))).batch(7)


@program("tests", FEW)
def batches_as_often_as_they_have_rows():
    return few().batch(8).flat_map(lambda b: D.from_tensors(b).repeat(tf.size(b, tf.int64)))


@program("tests", FEW)
def slices_mixed_among_all_of_their_batch():
    """Each once."""
    return few().batch(8).flat_map(lambda b: slices(b).shuffle(tf.size(b, tf.int64))).batch(7)


@program("tests", FEW)
def slices_batched_as_they_were():
    """Each once."""
    return few().batch(8).flat_map(lambda b: slices(b).map(lambda n: n * 2).batch(tf.size(b, tf.int64)))


@program("tests", FEW)
def pairs_of_all_slices_of_a_batch():
    def opened(batch):
        rows = slices(batch)
        return rows.flat_map(lambda one: rows.map(lambda other: (one, other)))

    return few().batch(8).flat_map(opened).batch(7)


@program("tests", FEW)
def pairs_of_all_elements_of_a_group():
    def paired(_, window):
        return window.flat_map(lambda one: window.map(lambda other: (one, other)))

    return few().group_by_window(lambda n: n % 3, paired, window_size=7).batch(7)


# ---- batches in batches


def less_the_largest(batch):
    return batch - tf.reduce_max(batch)


def each_less_its_largest(batches):
    return batches - tf.reduce_max(batches, axis=1, keepdims=True)


@program("tests", FEW)
def batches_for_one_device_less_their_largest():
    return few().batch(8).batch(1).map(less_the_largest).unbatch()


@program("tests", FEW)
def batches_for_one_device_kept_by_their_sum():
    return few().batch(10).batch(1).filter(lambda b: tf.reduce_sum(b) % 2 == 0)


@program("tests", FEW)
def batches_for_each_of_two_devices_less_their_largest_behind_a_shuffle():
    return few().batch(10).shuffle(10).batch(2).map(each_less_its_largest).unbatch()


@program("tests", FEW)
def batches_for_each_of_two_devices_doubled_behind_a_shuffle():
    """Each row by itself."""
    return few().batch(10).shuffle(10).batch(2).map(lambda b: b * 2).unbatch()


@program("tests", FEW)
def batches_shuffled_and_batched_in_halves_less_their_largest():
    return few().batch(20).shuffle(10).unbatch().batch(10).map(less_the_largest)


@program("tests", FEW)
def batches_shuffled_and_opened_in_halves_less_their_largest():
    return few().batch(20).shuffle(10).flat_map(slices).batch(10).map(less_the_largest)


@program("tests", FEW)
def batches_shuffled_and_made_anew_in_halves_less_their_largest():
    return few().batch(20).shuffle(10).rebatch(10).map(less_the_largest)


@program("tests", FEW)
def batches_in_batches_taken_apart_less_their_largest():
    return few().batch(8).batch(2).unbatch().map(less_the_largest)


@program("tests", FEW)
def batches_in_batches_opened_less_their_largest():
    return few().batch(10).batch(2).flat_map(slices).map(less_the_largest)


@program("tests", FEW)
def rows_filled_up_for_one_device_and_averaged():
    filled = few().map(lambda n: tf.fill([n % 5 + 1], tf.cast(n, tf.float64))).padded_batch(8)
    return filled.batch(1).map(lambda b: tf.reduce_mean(b, -1)).unbatch()


# ---- rows that are more, or fewer, than were batched


@program("tests", FEW)
def both_views_beside_their_places():
    return few().batch(10).map(lambda b: tf.concat([b, -b], 0)).map(lambda b: (b, tf.range(20)))


@program("tests", FEW)
def both_views_and_their_places_at_once():
    return few().batch(10).map(lambda b: (tf.concat([b, -b], 0), tf.range(20)))


@program("tests", FEW)
def rows_of_batches_opened_in_halves_beside_their_places():
    return few().batch(20).flat_map(lambda b: slices(b).batch(10)).map(lambda b: (b, tf.range(10)))


# ---- rows that chance chooses


@program("tests", FEW, loose=[0])
def as_many_rows_drawn_of_each_batch():
    def drawn(batch):
        return tf.gather(batch, tf.random.uniform([6], maxval=tf.shape(batch)[0], dtype=tf.int32))

    return few().batch(8).map(drawn).unbatch().batch(7)


@program("tests", FEW, loose=[0])
def some_rows_of_each_batch():
    return few().batch(8).map(lambda b: tf.random.shuffle(b)[:2]).unbatch().batch(7)


@program("tests", FEW, loose=[0])
def rows_of_each_batch_mixed_and_taken_apart():
    """Each once."""
    return few().batch(8).map(lambda b: tf.random.shuffle(b) * 2).unbatch().batch(7)


@program("tests", FEW)
def rows_less_the_largest_of_their_partners():
    def made(batch):
        partners = tf.gather(batch, tf.random.shuffle(tf.range(tf.shape(batch)[0])))
        return batch - tf.reduce_max(partners, axis=0)

    return few().batch(8).map(made)


@program("tests", FEW)
def rows_masked_by_chance_and_taken_apart():
    return few().batch(8).map(lambda b: tf.boolean_mask(b, tf.random.uniform(tf.shape(b)) < 2.0)).unbatch().batch(7)
