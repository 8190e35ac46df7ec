"""Episodes of agents as libraries of recorded behaviour read them: nested steps, padded, cut, shifted, made into transitions."""

import tensorflow as tf

from corpus import AUTO, ident, program
from corpus.sources import FEW, few, files

D = tf.data.Dataset


def steps(n):
    """Two to six steps of a dictionary."""
    count = 2 + n % 5
    return D.range(count).map(lambda i: {"obs": tf.stack([n, i]), "reward": tf.cast(i, tf.float32), "last": i == count - 1})


def episodes():
    return few().map(lambda n: {"id": n, "steps": steps(n)})


def windows(ds, size, shift=1, drop=True):
    def joined(w):
        return D.zip({key: part.batch(size, drop_remainder=drop) for key, part in w.items()})

    return ds.window(size, shift=shift, drop_remainder=drop).flat_map(joined)


@program("series", FEW)
def episodes_padded_by_their_first_step():
    def padded(episode):
        first = episode["steps"].take(1).get_single_element()
        many = D.from_tensors(first).concatenate(D.from_tensors(first).repeat(2))
        return episode | {"steps": many.concatenate(episode["steps"].skip(1))}

    return episodes().map(padded, num_parallel_calls=AUTO).flat_map(lambda e: windows(e["steps"], 3)).batch(8)


@program("series", FEW)
def steps_of_episodes_up_to_a_condition():
    def cut(ds):
        marked = ds.scan(False, lambda before, step: (step["reward"] > 1.5, (step, before)))
        return marked.take_while(lambda step, before: tf.logical_not(before)).map(lambda step, before: step)

    return episodes().interleave(lambda e: cut(e["steps"]), cycle_length=4, block_length=2).batch(8)


@program("series", FEW)
def rewards_shifted_in_batches_that_overlap():
    """As a batched map shifts some keys of the steps of an episode by one."""
    def shifted(e):
        def realigned(batch):
            return {"obs": batch["obs"][:-1], "reward": batch["reward"][1:], "last": batch["last"][1:]}

        return windows(e["steps"], 4, shift=3, drop=False).map(realigned).unbatch()

    return episodes().flat_map(shifted).batch(8)


@program("series", FEW)
def returns_to_go_by_a_scan_in_reverse():
    def transitions(e):
        every = e["steps"].batch(100).get_single_element()
        reward, alive = every["reward"][:-1], 1.0 - tf.cast(every["last"][:-1], tf.float32)
        to_go = tf.scan(lambda acc, rd: acc * rd[1] * 0.5 + rd[0], (reward, alive), 0.0, reverse=True)
        return {"obs": every["obs"][:-1], "next": every["obs"][1:], "to_go": to_go}

    return episodes().map(transitions, num_parallel_calls=AUTO, deterministic=True).unbatch().shuffle(50, seed=2).batch(8)


@program("series", FEW, unit="element")
def episodes_cut_by_a_scan_that_carries_them():
    """Steps of a file are gathered until one is the last."""
    def gathered(name):
        flat = tf.data.TFRecordDataset(name).map(ident).flat_map(steps)

        def block(state, step):
            grown = tf.concat([state, step["obs"][None]], 0)
            return tf.cond(step["last"], lambda: (state[:0], grown), lambda: (grown, state[:0]))

        kept = flat.scan(tf.zeros([0, 2], tf.int64), block)
        return kept.filter(lambda g: tf.shape(g)[0] > 0)

    return files(FEW).interleave(gathered, cycle_length=2).shuffle(20, seed=1)


@program("series", FEW, unit="element")
def elements_gathered_up_to_a_size_and_flushed():
    """A scan to which one more element is joined, so that what is left comes too."""
    marked = few().map(lambda n: (n, False)).concatenate(D.from_tensors((tf.constant(0, tf.int64), True)))

    def gather(state, element):
        n, final = element
        grown = tf.concat([state, [n]], 0)
        full = tf.reduce_sum(grown % 10) > 30
        return tf.cond(full, lambda: tf.reshape(n, [1]), lambda: grown), (state, tf.logical_or(full, final))

    kept = marked.scan(tf.zeros([0], tf.int64), gather).filter(lambda state, full: full)
    return kept.map(lambda state, full: state)


@program("series", FEW)
def seeds_drawn_once_for_each_iteration_repeated():
    def opened(seed):
        return few().shuffle(40, seed=seed)

    seeds = D.from_tensors(0).map(lambda _: tf.random.uniform([], maxval=1 << 40, dtype=tf.int64))
    return seeds.flat_map(opened).repeat(2).batch(8)


@program("series", "data/walk-*.txt")
def rows_of_contexts_for_a_state_that_is_carried():
    """Sequences that follow each other, then windows of those at a stride, so that each row goes on with the batch before."""
    values = files("data/walk-*.txt").flat_map(tf.data.TextLineDataset).map(tf.strings.to_number)
    sequences = values.window(5, 5).flat_map(lambda w: w.batch(5))
    return sequences.window(4, 1, 9).flat_map(lambda w: w.batch(4, drop_remainder=True))
