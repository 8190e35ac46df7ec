"""Programs of a few maps each that look as if their steps could change places or stand behind the batch, and must not, or only
just may: `make_ordering.py` writes them. Values are those that arithmetic stumbles over, batches are as large as dimensions.
"""

import numpy as np
import tensorflow as tf

PROGRAMS = {}
NUMBERS = np.array(
    [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, -1e-40, 1.4e-45, 255.0, 255.5, 256.0, -1.0, -0.5, 0.5, 1.0, 1e30, -3e38,
     127.5, 128.0, 0.1, 254.99998, 1e-3, -77.25, 300.0, -300.0, 3e9, -3e9, 1e20, 2e-38] +
    [i * 37 % 256 + i / 64 for i in range(68)], np.float32).view(np.uint32)
# several that are no numbers, told apart by their other bits
NUMBERS[[2, 40, 41]] = 0x7FC12345, 0xFFC54321, 0x7F800001


def floats(*shape, count=20):
    size = int(np.prod(shape))
    at = np.arange(size)
    rows = [NUMBERS[(at * 7 + i * 31 + at**2 * i) % len(NUMBERS)].view(np.float32) for i in range(count)]
    return np.stack(rows).reshape(count, *shape)


def integers(dtype, *shape, count=20):
    limits = np.iinfo(dtype)
    values = np.random.default_rng(1).integers(limits.min, limits.max, (count, *shape), dtype, endpoint=True)
    values.reshape(-1)[::5], values.reshape(-1)[::7], values.reshape(-1)[::11] = limits.max, limits.min, 0
    return values


def program(title, data, *maps, batch=3, **how):
    """The data through maps, or filters where a pair says so, in batches."""

    def make():
        dataset = data if isinstance(data, tf.data.Dataset) else tf.data.Dataset.from_tensor_slices(data)
        for each in maps:
            dataset = dataset.filter(each[1]) if isinstance(each, tuple) else dataset.map(each)
        return dataset.padded_batch(batch, **how) if "padded_shapes" in how else dataset.batch(batch, **how)

    PROGRAMS[title] = make


def often(does, otherwise, seed=3):
    return tf.cond(tf.random.uniform([], seed=seed) < 0.5, does, otherwise)


def flip(x):
    return tf.reverse(x, [0])


def flip_last(x):
    return tf.reverse(x, [-1])


def add_one(x):
    return x + 1.0


def lines():
    return tf.constant([1.0, 2.0, 3.0])


PLACES = np.arange(21).reshape(7, 3)
LARGE = np.arange(2100).reshape(700, 3)

# which operand has a place: of several, the one that does
program("where_vector_else_scalar", floats(7, 3), lambda x: tf.where(x > 0.5, lines(), 0.0), flip_last)
program("where_tensor_else_scalar", floats(7, 3), lambda x: tf.where(x > 0.5, PLACES.astype(np.float32), 0.0), flip)
program("where_mask", floats(7, 3), lambda x: tf.where([True, False, True], x, 0.0), flip_last)
program("where_mask_of_all", floats(7, 3), lambda x: tf.where(PLACES % 2 == 0, x, 0.0), flip, lambda x: x[:5])
program("where_mask_captured", floats(700, 3, count=6), lambda x: tf.where(tf.constant(LARGE % 2 == 0), x, 0.0), flip)
program("select_rows", floats(3, 3), lambda x: tf.raw_ops.Select(condition=[True, False, True], x=x, y=x * 2.0), flip, add_one)
program("clip_by_vector", floats(3), lambda x: tf.clip_by_value(x, tf.constant([0.0, 1.0, 2.0]), 5.0), flip)
program("scalar_stretched", floats(), lambda x: lines() * x, add_one)
program("scalar_chooses", floats(), lambda x: tf.where(x > 0.5, lines(), 0.0), add_one)
program("vector_before_transpose", floats(3, 3), lambda x: x + lines(), tf.transpose, lambda x: x * 2.0)
program("vector_before_new_axis", floats(3), lambda x: x + lines(), lambda x: x[:, None], lambda x: x * lines())
program("reverse_drawn_axis", floats(3, 3), lambda x: x + lines(),
        lambda x: tf.reverse(x, [tf.random.uniform([], 0, 2, tf.int32, seed=1)]), lambda x: x * 2.0)
program("operand_of_shape", floats(7, 3), lambda x: x * tf.cast(tf.shape(x)[0], tf.float32), lambda x: x[2:])
program("equal_of_other_shape", floats(3), lambda x: tf.raw_ops.Equal(x=x, y=[1.0, 2.0], incompatible_shape_error=False))

# what writes values that were not there
program("or_zeros", floats(7, 3), lambda x: often(lambda: flip(x), lambda: tf.zeros([7, 3])), add_one, batch=7)
program("or_filled", floats(7, 3), lambda x: often(lambda: flip(x), lambda: tf.fill(tf.shape(x), 2.0)), add_one)
program("or_captured", floats(700, 3, count=6),
        lambda x: often(lambda: flip(x), lambda: tf.constant(LARGE.astype(np.float32))), add_one)
program("one_of_three", floats(7, 3), lambda x: tf.switch_case(
    tf.random.uniform([], 0, 3, tf.int32, seed=1), [lambda: x, lambda: flip(x), lambda: tf.ones([7, 3])]), add_one)
program("one_of_three_copies", floats(7, 3), lambda x: tf.switch_case(
    tf.random.uniform([], 0, 3, tf.int32, seed=1), [lambda: x, lambda: flip(x), lambda: x[::-1, ::-1]]), add_one)
program("padded_with_zeros", floats(3, 3), lambda x: tf.pad(x, [[1, 1], [0, 0]]), add_one, flip)

# a choice for each value is no choice for all
program("drawn_mask", floats(7, 3), lambda x: tf.where(tf.random.uniform([7, 3], seed=3) < 0.5, flip(x), x), flip, add_one)
program("drawn_mask_of_a_line", floats(7, 3), lambda x: tf.where(tf.random.uniform([3], seed=3) < 0.5, flip(x), x),
        lambda x: x + lines(), flip_last)
program("captured_mask", floats(700, 3, count=6), lambda x: tf.where(tf.constant(LARGE % 2 == 0), flip_last(x), x), flip)

# bits that hang on how many are computed at once
program("bfloat16", floats(35), lambda x: tf.cast(x, tf.bfloat16), lambda x: x * 3.0, tf.sqrt, lambda x: -x, lambda x: x / 3.0)
program("float16", floats(35), lambda x: tf.cast(x, tf.float16), lambda x: x * 3.0, tf.sqrt, lambda x: -x, lambda x: x / 3.0)
program("complex64", floats(36).view(np.complex64), lambda x: x * (2.0 + 3.0j), lambda x: x[1:], tf.sqrt, batch=5)
program("complex128", floats(36).astype(np.float64).view(np.complex128), lambda x: x * (2.0 + 3.0j), lambda x: x[1:])
program("added_to_no_number", floats(35), lambda x: x + NUMBERS[40:41].view(np.float32)[0], lambda x: x[3:], batch=5)
program("times_no_numbers", floats(35), lambda x: x * np.full(35, np.nan, np.float32), lambda x: x[3:], batch=5)
program("denormals", floats(33, 5), lambda x: x * 0.5, lambda x: tf.sqrt(tf.abs(x)), lambda x: x / 3.0, lambda x: x[1:], batch=5)
program("many_denormals", np.full((64, 64, 64), 1e-40, np.float32), lambda x: x * 0.5, lambda x: x + 1e-41, batch=32)
program("zeros_with_signs", floats(33), lambda x: x * -0.0, lambda x: x + 0.0, lambda x: -x, lambda x: x[1:])
program("largest_and_smallest", floats(33), lambda x: tf.maximum(x, 0.0), lambda x: tf.minimum(x, np.nan), lambda x: x[1:])

# casts and integers
for kind in (np.uint8, np.int8, np.uint16, np.int32, np.int64, np.uint64):
    program(f"{kind.__name__}_arithmetic", integers(kind, 5, 3), lambda x: x * 7 + 20, lambda x: x - 13, flip)
    program(f"{kind.__name__}_casts", integers(kind, 5, 3), lambda x: tf.cast(x, tf.int16), lambda x: x[1:],
            lambda x: tf.cast(x, tf.uint8), lambda x: tf.cast(x, tf.float32))
program("to_truth", integers(np.int64, 5, 3), lambda x: tf.cast(x, tf.bool), lambda x: x[1:], lambda x: tf.cast(x, tf.float32))
program("overflowing_cast", floats(33), lambda x: tf.cast(x, tf.int32), lambda x: x[1:], lambda x: tf.cast(x, tf.uint8))
program("integer_division", integers(np.int32, 5, 3), lambda x: tf.raw_ops.Div(x=x, y=7), lambda x: x // 3, flip)
program("truth_resized", integers(np.uint8, 6, 5, 1) > 99, lambda x: tf.cast(x, tf.float32),
        lambda x: tf.image.resize(x, [4, 9], method="nearest"))
program("uint16_resized", integers(np.uint16, 6, 5, 3), lambda x: tf.cast(x, tf.float32), lambda x: tf.image.resize(x, [4, 9]))

# texts
TEXTS = np.array([[b"a", b"bc"], [b"", b"d"], [b"x\xff", b"y"]] * 5)
program("texts_put_together", TEXTS, lambda s: s + b"z", lambda s: s[::-1], tf.strings.lower, batch=2)
program("texts_compared", TEXTS, lambda s: tf.equal(s, [b"a", b"d"]), lambda s: tf.cast(s, tf.int32), batch=2)

# components
program("halves", floats(9), lambda x: (x[:-1], x[1:]), lambda a, b: (a * 2.0, flip(b)))
program("halves_and_constants", floats(9), lambda x: (x[:-1], 7, tf.constant([1, 2]), "a"), lambda a, *more: (a * 2.0, *more))
program("one_dropped", (floats(9), floats(2)), lambda a, b: a, lambda a: a * 2.0)
program("swapped", (floats(3, 3), floats(3, 3)), lambda a, b: (b, a), lambda a, b: (a + 1.0, flip(b)))
program("swapped_by_chance", (floats(7, 3), floats(7, 3)), lambda a, b: often(lambda: (a, b), lambda: (b, a)),
        lambda a, b: (a + 1.0, flip(b)))
program("doubled", (floats(3, 3), floats(3, 3)), lambda a, b: (a, a), lambda a, b: (a + 1.0, flip(b)))
program("outer_product", (floats(3), floats(3)), lambda a, b: (a[:, None] * b, a, b), lambda m, a, b: (m * lines(), a, b))
program("scalar_and_vectors", (floats(), floats(3)), lambda a, b: (tf.where(b > 0.0, a, b), a * lines(), tf.where(a > 0.0, b, 0.0)))
program("stacked_on_zeros", floats(3), lambda x: (tf.stack([x, tf.zeros([3])]), x), lambda a, b: (a * 2.0, b))
program("put_together", (floats(3), floats(2)), lambda a, b: tf.concat([a, b, a], 0), lambda x: x * 2.0, batch=5)
program("taken_apart", floats(6), lambda x: tuple(tf.unstack(tf.reshape(x, [2, 3]))), lambda a, b: (a * 2.0, b))
program("many_views", floats(1, 3, 1), lambda x: (tf.squeeze(x), x[0], tf.transpose(x), x[..., None], x[:, ::-1]))

# filters, and what they may guard
N = np.arange(20)
program("filters_between", (floats(3, 3), N), lambda x, n: (x + 1.0, n), ("filter", lambda x, n: n % 3 != 0),
        lambda x, n: (flip(x), n), ("filter", lambda x, n: x[0, 0] > 0.0), lambda x, n: (x, n * 2))
program("guarded_division", (floats(3), N), ("filter", lambda x, n: n > 0),
        lambda x, n: (x, tf.raw_ops.Div(x=tf.constant(100, tf.int64), y=n)), lambda x, n: (x + 1.0, n))
program("guarded_sizes", tf.data.Dataset.range(20).map(lambda n: (tf.cast(tf.range(n % 4), tf.float32), n)),
        ("filter", lambda x, n: n % 4 == 3), lambda x, n: (x + lines(), n), batch=2)
program("guarded_resize", tf.data.Dataset.range(20).map(lambda n: (tf.zeros([n % 4, 4, 3]), n)),
        ("filter", lambda x, n: n % 4 > 0), lambda x, n: (tf.image.resize(x, [3, 3]), n), batch=2)

# batches of all kinds
program("batches_of_batches", tf.data.Dataset.from_tensor_slices(floats(3)).map(add_one).batch(3), lambda x: x * 2.0,
        add_one, batch=2, drop_remainder=True)
program("padded", floats(4, 3), add_one, batch=4, padded_shapes=[6, 3], padding_values=-1.0)
program("padded_by_nothing", (floats(4, 3), N), lambda x, n: (x + 1.0, n), lambda x, n: (x[1:], n * 2), batch=4,
        padded_shapes=([3, 3], []))
program("open_sizes", tf.data.Dataset.range(20).map(lambda n: tf.cast(tf.range(n % 3 + 3), tf.float32)), add_one, lambda x: x[:3])
program("records_of_many_lengths", np.array([bytes(range(n % 5 + 10)) for n in range(20)], object),
        lambda r: tf.io.decode_raw(r, tf.uint8), lambda x: x[:8], lambda x: tf.cast(x, tf.float32))
program("records_of_other_order", np.array([bytes(range(i, i + 12)) for i in range(20)], object),
        lambda r: tf.io.decode_raw(r, tf.int32, little_endian=False), lambda x: x + 1)
program("rest_dropped", floats(4, 3, count=19), add_one, lambda x: x[:, 1], batch=4, drop_remainder=True)

# a vector of one value makes a vector of a single value; a choice that waits for something else
program("stretched_then_one_taken", floats(3), lambda x: x + [1.0], lambda x: x[0], lambda x: x * 2.0)
program("stretched_between_dimensions", floats(3), lambda x: x[None], lambda x: x * [2.0], lambda x: x[0], lambda x: x[1])
PIXELS = integers(np.uint8, 6, 6, 3)
program("turned", PIXELS, lambda x: tf.cast(x, tf.float32) * 0.5, lambda x: tf.image.rot90(x, 1), lambda x: x - [3.0, 2.0, 1.0])
program("turned_by_chance", PIXELS, lambda x: tf.cast(x, tf.float32) * 0.5,
        lambda x: tf.image.rot90(x, tf.random.uniform([], 0, 4, tf.int32, seed=3)), lambda x: x - [3.0, 2.0, 1.0], batch=6)

# two values that are no numbers meet, and values of all bits
MANY = np.full((20, 13), NUMBERS[40]).view(np.float32), np.full((20, 13), NUMBERS[2]).view(np.float32)
program("no_numbers_added", MANY, lambda a, b: a + b, batch=5)
program("no_numbers_multiplied", MANY, lambda a, b: a * b, batch=5)
program("no_number_computed", MANY[0], lambda x: x + (tf.constant(np.inf) - tf.constant(np.inf)), lambda x: x[3:], batch=5)
program("all_bits", integers(np.int32, 13), lambda x: tf.bitcast(x, tf.float32),
        lambda x: (x + flip(x), x * flip(x), x - flip(x), x / flip(x), x < flip(x), tf.where(x < 0.0, x, flip(x))))
program("all_bits_of_halves", integers(np.uint16, 13), lambda x: tf.bitcast(x, tf.float16), lambda x: x * 3.0, flip,
        lambda x: (x + flip(x), tf.cast(x, tf.float32)), lambda a, b: (a / 7.0, b[2:]))

# what one component decides over another one
program("cut_where_another_says", (floats(7), N % 4), lambda x, n: (x[n:n + 3], n), lambda x, n: (x * 2.0, n + 1),
        lambda x, n: (flip(x), n), batch=1)
program("sizes_of_another", (floats(5, 4), floats(3)), lambda x, y: (x[1:], y),
        lambda x, y: (x, y * tf.cast(tf.size(x), tf.float32)), lambda x, y: (x[:2], y))
program("guarded_row", (floats(7), N), ("filter", lambda x, n: n < 7), lambda x, n: (x, x[n]), lambda x, y: (x[1:], y))
program("shapes_by_chance", PIXELS, lambda x: tf.cast(x, tf.float32),
        lambda x: often(lambda: tf.image.resize(x, [4, 4]), lambda: x[:4, :4]), lambda x: x / 255.0, flip)

# another dimension in the place of the last one, or its values elsewhere in it
SIX = np.arange(6, dtype=np.float32)


def coarse(x):
    rows = tf.expand_dims(tf.expand_dims(x, 0), -1)
    for size in (3, 6):
        rows = tf.image.resize(rows, [size, size], method="nearest")
    return tf.squeeze(rows, [0, 3])


program("coarser_there_and_back", floats(6, 6), lambda x: x + SIX, coarse)
program("a_column_as_a_row", floats(3, 3), lambda x: x + lines(), lambda x: x[None, :, 0])
program("a_column_in_a_branch", floats(3, 3), lambda x: x + lines(),
        lambda x: often(lambda: tf.expand_dims(tf.squeeze(x[:, :1], -1), 0), lambda: x[:1]))
program("the_first_channel_for_all", floats(7, 3), lambda x: x + lines(),
        lambda x: tf.where(tf.random.uniform([], seed=3) < 0.5, x[:, :1], x))
program("the_first_row_for_all_columns", floats(3, 3), lambda x: x + lines(),
        lambda x: tf.where(tf.random.uniform([], seed=3) < 0.5, tf.expand_dims(x, -1)[0], x))
program("the_first_row_for_all", floats(7, 3), lambda x: x + lines(),
        lambda x: tf.where(tf.random.uniform([], seed=3) < 0.5, x[:1], x))

# of what has no values there are no rows
program("nothing_left", floats(7, 3), add_one, lambda x: x[7:], lambda x: x * 2.0)

# an element that says where, in what is no element's
TABLE = np.arange(40)
program("cut_where_it_says", (N % 9).astype(np.int32).reshape(20, 1), lambda x: x * 2,
        lambda x: tf.slice(tf.constant(TABLE, tf.int32), x, [1]), lambda x: x + 1)
program("guarded_cut", (floats(3), N), ("filter", lambda x, n: n < 5),
        lambda x, n: (tf.cast(tf.slice(tf.constant(TABLE[:7]), [n], [2]), tf.float32), n), lambda x, n: (x + 1.0, n))
program("guarded_shape", (floats(3), N), ("filter", lambda x, n: n < 5),
        lambda x, n: (tf.reshape(tf.range(60.0), [n + 1, -1])[:1, :1], n), lambda x, n: (x + 1.0, n), batch=1)
SIZES = tf.data.Dataset.range(20).map(lambda n: (tf.zeros([n % 9]), tf.cast(n, tf.float32)), name="keep_position_sizes")
program("guarded_row_of_a_size", SIZES, ("filter", lambda x, y: tf.shape(x)[0] < 4),
        lambda x, y: (x, y * tf.gather(SIX[:4], tf.shape(x)[0])), lambda x, y: (x, y + 1.0), lambda x, y: y)
program("guarded_value_of_a_size", SIZES, ("filter", lambda x, y: tf.shape(x)[0] < 4),
        lambda x, y: (x, y * tf.constant(SIX[:4])[tf.shape(x)[0]]), lambda x, y: (x, y + 1.0), lambda x, y: y)
program("guarded_step", tf.data.Dataset.range(20).map(lambda n: (tf.zeros([n % 5]), n), name="keep_position_sizes"),
        ("filter", lambda x, n: n % 5 > 1), lambda x, n: (x[::tf.shape(x)[0] // 2], n), lambda x, n: (x[:1], n), batch=1)


def kept_in_an_array(x):
    array, flow = tf.raw_ops.TensorArrayV3(size=2, dtype=tf.float32)
    flow = tf.raw_ops.TensorArrayWriteV3(handle=array, index=0, value=x * 2.0, flow_in=flow)
    read = tf.raw_ops.TensorArrayReadV3(handle=array, index=0, flow_in=flow, dtype=tf.float32)
    return tf.ensure_shape(read, x.shape) + 1.0


program("kept_in_an_array", floats(7, 3), kept_in_an_array, lambda x: x[1:], add_one)
