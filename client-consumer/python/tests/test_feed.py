"""Feeds from a cluster that runs."""

import gc
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
import types
import warnings

import numpy as np
import praline
import pytest
from praline import _java, _pipe, _progress
from praline._wire import FREED, RENEW, message


def rows(batch):
    """Each element of a batch as the Java side wrote it down."""
    for index, number in enumerate(batch["number"].tolist()):
        yield {
            "number": number,
            "image": float(batch["image"][index].sum(dtype=np.float64)),
            "text": batch["text"][index].decode(),
            "half": float(batch["half"][index]),
        }


def test_every_element_comes_once_an_epoch_as_the_java_client_yields_it(given):
    came = [[], []]
    with praline.feed(given.pipeline, given.data, names=given.names, epochs=2, seed=3) as feed:
        for epoch in feed.epochs():
            for batch in epoch:
                assert batch.epoch == epoch.number
                assert batch.size == len(batch.tickets) == len(batch["number"])
                assert batch["half"].dtype.name == "bfloat16" and batch["image"].dtype == np.float32
                came[batch.epoch] += rows(batch)
    wanted = [given.rows[number] for number in sorted(given.rows)]
    for epoch in came:
        assert sorted(epoch, key=lambda row: row["number"]) == wanted
    result = feed.result()
    assert (result.state, result.missing, result.duplicates) == ("COMPLETED", 0, 0)
    assert result.elements == 2 * len(wanted)


# Java's System.nanoTime() is this process's monotonic clock: else a lease would be over at once, or never
def test_a_lease_ends_within_its_length_by_the_clocks_of_this_process(given):
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        next(feed)
        monotonic, wall = feed._lease
        assert 0 < monotonic - time.monotonic_ns() <= 30_000_000_000
        assert 0 < wall * 1_000_000 - time.time_ns() <= 30_000_000_000


def test_a_batch_that_lay_there_until_the_lease_was_over_is_asked_about_and_taken(given, monkeypatch):
    asked = []
    put = _pipe.Pipe.put
    monkeypatch.setattr(_pipe.Pipe, "put", lambda pipe, command: (asked.append(command), put(pipe, command)))
    numbers = []
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        for batch in feed:
            numbers += batch["number"].tolist()
            feed._epoch_of_next()  # the next one lies there
            feed._lease = 0, 0  # as after a long stop
    assert sorted(numbers) == sorted(given.rows)
    assert asked.count(message(RENEW)) > 0


def test_arrays_that_are_kept_stay_as_they_were_and_the_feed_goes_on_with_copies(given):
    kept = []
    # images of all batches have twice as many bytes as the feed has memory
    with pytest.warns(RuntimeWarning, match="memory_mb"):
        with praline.feed(given.pipeline, given.data, names=given.names, epochs=2, memory_mb=8) as feed:
            for batch in feed:
                kept.append((batch["number"], batch["image"]))
    assert sum(image.nbytes for _, image in kept) > 16 << 20
    for numbers, image in kept:
        assert (image[:, 0, 0] == numbers).all() and (image[:, -1, -1] == numbers).all()
        image += 1  # writable, all of them


def test_batches_of_a_worker_on_this_host_lie_where_it_put_them_and_stay_behind_the_end_of_the_feed(given):
    came = []
    segments = {}
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        assert not feed._memory._segments
        for batch in feed:
            # a worker that has sent its last batch takes its segment back, which arrays keep
            segments.update((id(segment), segment) for segment in feed._memory._segments.values())
            came.append((batch["number"], batch["image"]))
        assert id(root_of(came[0][1])) in segments
    del segments, batch
    gc.collect()
    for numbers, image in came:
        assert (image[:, 0, 0] == numbers).all() and (image[:, -1, -1] == numbers).all()


def root_of(array):
    """The memory that an array's bytes lie in."""
    while array.base is not None and isinstance(array.base, np.ndarray):
        array = array.base
    return array.base


def test_memory_goes_back_when_the_last_array_is_gone_and_not_before(given):
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        first = next(feed)
        image, number = first["image"], first["number"]
        part = image[1:2, :1]
        del first, image
        assert feed.batches_held == 1  # by the part
        assert number.base is None  # small: a copy
        value = part.copy()
        for _ in feed:
            gc.collect()
            assert (part == value).all()
        held = feed.batches_held
        del part
        assert feed.batches_held == held - 1


def test_what_cannot_be_read_is_refused_in_a_line_with_the_next_step(given):
    with pytest.raises(praline.Refused, match="nothing-is-here") as refused:
        with praline.feed(given.pipeline, "/nothing-is-here/*.tfrecord") as feed:
            next(feed)
    assert "\n" not in str(refused.value)
    assert refused.value.__notes__
    with pytest.raises(praline.Refused, match="guarantee must be"):
        praline.feed(given.pipeline, given.data, guarantee="twice")


def test_break_leaves_nothing_behind(given):
    with praline.feed(given.pipeline, given.data, epochs=50) as feed:
        for batch in feed:
            break
    result = feed.result()
    assert (result.state, result.batches, result.elements) == ("CANCELLED", 1, batch.size)
    given.await_state(feed.job, "CANCELLED")
    with pytest.raises(praline.Refused, match="closed"):
        next(feed)


def take_all(feed, batches):
    """Takes them, and waits until the feed knows that nothing follows."""
    for _ in range(batches):
        next(feed)
    until = time.monotonic() + 90
    while not feed._over:
        assert time.monotonic() < until, feed.status()
        time.sleep(0.05)
        feed.status()


# steps_per_epoch, zip() of two feeds: nobody asks past the last one
def test_a_loop_that_takes_all_batches_and_no_more_leaves_no_job_behind(given):
    with praline.feed(given.pipeline, given.data) as feed:
        batches = sum(1 for _ in feed)
    with praline.feed(given.pipeline, given.data) as feed:
        take_all(feed, batches)
        closing = time.monotonic()
    assert time.monotonic() - closing < 9  # ten seconds are the patience for the last numbers
    assert feed.result().elements == len(given.rows)
    assert feed.result().state == "COMPLETED"
    given.await_state(feed.job, "COMPLETED")
    # a death, as far as Java knows
    feed = praline.feed(given.pipeline, given.data)
    take_all(feed, batches)
    feed._pipe.close()
    given.await_state(feed.job, "CANCELLED")


def test_epochs_of_a_closed_feed_are_refused_as_its_batches_are(given):
    with praline.feed(given.pipeline, given.data, epochs=3) as feed:
        with pytest.raises(praline.Refused, match="the feed is closed"):
            for epoch in feed.epochs():
                for _ in epoch:
                    feed.close()
    with pytest.raises(praline.Refused, match="the feed is closed"):
        next(feed.epochs())


def test_threads_that_share_a_feed_get_each_element_once(given):
    came = []
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:

        def take():
            for batch in feed:
                came.append(batch["number"].tolist())
                feed.status()

        takers = [threading.Thread(target=take) for _ in range(4)]
        for taker in takers:
            taker.start()
        for taker in takers:
            taker.join()
    assert sorted(sum(came, [])) == sorted(given.rows)
    assert feed.result().state == "COMPLETED"


def test_a_feed_that_breaks_does_not_end_like_one_that_is_complete(given):
    with praline.feed(given.pipeline, given.data, names=given.names) as feed:
        next(feed)
        feed._pipe.put(message(FREED, struct.pack("<q", 1 << 40)))
        with pytest.raises(praline.PralineError, match="no memory to be freed"):
            for _ in feed:
                pass


def test_closing_a_feed_ends_what_another_thread_waits_for_and_that_it_waits_is_said(given, monkeypatch, capfd):
    monkeypatch.setattr(_progress, "_PATIENCE", 1.0)
    told = queue.Queue()
    said = ""
    feed = praline.feed(given.pipeline, given.data, pool="without-workers")

    def wait():
        with pytest.raises(praline.PralineError) as refused:
            next(feed)
        told.put(refused.value)

    threading.Thread(target=wait).start()
    until = time.monotonic() + 90
    while "without-workers" not in said:
        assert time.monotonic() < until, said
        time.sleep(0.05)
        said += capfd.readouterr().err
    feed.close()
    refused = told.get(timeout=90)
    assert f"praline: job {feed.job} is waiting: " in said
    assert isinstance(refused, praline.Refused) and "closed by another thread" in str(refused)
    given.await_state(feed.job, "CANCELLED")


def test_a_feed_tells_people_how_it_goes(given, monkeypatch, capfd):
    shown = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=pretended_bar(shown)))
    monkeypatch.setattr(_progress, "_EVERY", 0.0)
    monkeypatch.setattr(_progress, "seen_by_people", lambda: True)
    with praline.feed(given.pipeline, given.data, progress=True, price_remote=1) as feed:
        batches = sum(1 for _ in feed)
        assert feed.page == f"http://page.example/#/jobs/{feed.job}"
        html = feed._repr_html_()
        assert f'<a href="{feed.page}"' in html and "epoch 0" in html and " remote, 0 on this host" in html
        explanation = feed.explain()
        assert "planned: " in str(explanation) and all(one.facts["reason"] for one in explanation)
        assert [line for one in explanation for line in one.lines] == str(explanation).splitlines()[: len(
            [line for one in explanation for line in one.lines]
        )]
    assert shown.count("update") == batches and shown[-1] == "close"
    assert any(" workers, " in words and words.endswith(" spent") for words in shown)
    assert capfd.readouterr().err.count(f"praline: job {feed.job}, to be watched at {feed.page}\n") == 1


def pretended_bar(shown):
    class Bar:
        n = 0

        def __init__(self, **_settings):
            pass

        def update(self):
            self.n += 1
            shown.append("update")

        def set_postfix_str(self, words):
            shown.append(words)

        def close(self):
            shown.append("close")

    return Bar


def test_a_pipeline_of_steps_is_what_the_file_of_the_same_steps_is(given):
    steps = ["tfrecord", "shuffle", {"batch": {"size": 10}}]
    with pytest.raises(praline.Refused, match="the pipeline's steps, line 2: .*'size'") as refused:
        praline.feed(steps, given.data)
    assert "\n" not in str(refused.value)
    steps[1] = {"shuffle": {"size": 100}}
    with praline.feed(steps, given.data, names=["text"]) as feed:
        came = [text.decode() for batch in feed for text in batch["text"]]
    assert sorted(came) == sorted(row["text"] for row in given.rows.values())
    as_a_file = {"source": "tfrecord", "steps": steps[1:], "names": ["text"]}
    with praline.feed(as_a_file, given.data) as feed:
        assert sorted(text.decode() for batch in feed for text in batch["text"]) == sorted(came)


def test_a_feed_is_of_one_process(given):
    with praline.feed(given.pipeline, given.data) as feed:
        with pytest.raises(praline.Refused, match="another process") as refused:
            pickle.dumps(feed)
        assert "num_workers=0" in refused.value.__notes__[0]
        child = os.fork()
        if child == 0:
            try:
                next(feed)
            except praline.Refused:
                os._exit(0)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sum(batch.size for batch in feed) == len(given.rows)


# by its pipe, which is closed with it: not when somebody looks the next time
def test_the_death_of_the_java_process_is_told_at_once_and_the_next_feed_has_another(given, monkeypatch):
    monkeypatch.setattr(_pipe, "_MEANWHILE_MS", 60_000)
    with pytest.raises(praline.Unreachable, match="killed by signal 9"):
        with praline.feed(given.pipeline, given.data, epochs=50) as feed:
            next(feed)
            java = _java.pid()
            os.kill(java, signal.SIGKILL)
            killed = time.monotonic()
            for _ in feed:
                pass
    assert time.monotonic() - killed < 30
    with praline.feed(given.pipeline, given.data) as feed:
        assert _java.pid() != java
        assert sum(batch.size for batch in feed) == len(given.rows)


def test_two_ranks_share_a_job_and_each_element_comes_to_one_of_them(given):
    job = f"ranks-{os.getpid()}-{time.time_ns()}"
    other = subprocess.Popen(
        [sys.executable, "-c", RANK, given.pipeline, given.data, job], stdout=subprocess.PIPE
    )
    first = []
    with praline.feed(given.pipeline, given.data, names=given.names, epochs=6, job=job, consumers=2) as feed:
        for batch in feed:
            if not first:
                assert other.stdout.readline() == b"here\n"
            first += batch["number"].tolist()
    second = [int(number) for number in other.communicate()[0].split()]
    assert other.returncode == 0
    assert sorted(first + second) == sorted(6 * list(given.rows))


def test_processes_of_one_run_that_do_not_share_a_job_are_told_that_each_gets_everything(given, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "0")
    with pytest.warns(UserWarning, match="each of the 2 processes of this run .* gets all of the data; job=ID, consumers=2"):
        praline.feed(given.pipeline, given.data).close()
    monkeypatch.setenv("RANK", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        praline.feed(given.pipeline, given.data).close()


def test_a_job_with_an_id_outlives_its_python_and_goes_on_for_who_attaches(given):
    job = f"kept-{os.getpid()}-{time.time_ns()}"
    taken = []
    with praline.feed(given.pipeline, given.data, names=given.names, job=job, consumers=2) as feed:
        for batch in feed:
            if len(taken) == 32:
                break  # not asked past: it comes again
            taken += batch["number"].tolist()
    with praline.feed(given.pipeline, rank=1, job=job, consumers=2) as feed:
        rest = [number for batch in feed for number in batch["number"].tolist()]
    assert sorted(taken + rest) == sorted(given.rows)


def test_the_rank_that_submits_may_be_started_again_and_goes_on_with_the_same_job(given):
    job = f"again-{os.getpid()}-{time.time_ns()}"
    taken = []
    with praline.feed(given.pipeline, given.data, names=given.names, job=job) as feed:
        for batch in feed:
            if len(taken) == 32:
                break  # not asked past: it comes again
            taken += batch["number"].tolist()
    with pytest.raises(praline.Refused, match="a job with another spec; choose another id") as refused:
        praline.feed(given.pipeline, given.data, names=given.names, job=job, seed=1)
    assert "\n" not in str(refused.value)
    with praline.feed(given.pipeline, given.data, names=given.names, job=job) as feed:
        taken += [number for batch in feed for number in batch["number"].tolist()]
    assert sorted(taken) == sorted(given.rows)
    with pytest.raises(praline.Refused, match="has ended"):
        praline.feed(given.pipeline, given.data, names=given.names, job=job)


RANK = """
import sys, praline
numbers = []
with praline.feed(sys.argv[1], job=sys.argv[3], consumers=2, rank=1) as feed:
    print("here", flush=True)
    for batch in feed:
        numbers += batch["number"].tolist()
print(*numbers)
"""

PROGRAM = """
import signal, sys, time, praline
from praline import _java
# whoever runs the tests may ignore it, as jobs do that a shell starts in the background
signal.signal(signal.SIGINT, signal.default_int_handler)
with praline.feed(sys.argv[1], sys.argv[2], epochs=500) as feed:
    for step, batch in enumerate(feed):
        if step == 3:
            print(feed.job, _java.pid(), flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_program_that_ends_takes_its_java_process_and_its_job_with_it(given, how):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, given.pipeline, given.data], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    job, java = program.stdout.readline().decode().split()
    program.send_signal(how)
    error = program.communicate()[1]
    if how == signal.SIGINT:
        assert b"KeyboardInterrupt" in error
    await_end(java)
    given.await_state(job, "CANCELLED")


def await_end(process):
    until = time.monotonic() + 90
    while os.path.exists(f"/proc/{process}"):
        assert time.monotonic() < until, f"process {process} still runs"
        time.sleep(0.05)


HOLDS = """
import sys, time
import praline
from praline import _java
with praline.feed(sys.argv[1], sys.argv[2], job=sys.argv[3]) as feed:
    print(next(iter(feed)).size, _java.pid(), flush=True)
    time.sleep(100)
"""


def test_what_a_program_held_that_was_killed_is_on_record_as_possibly_trained_twice(given):
    job = f"held-{os.getpid()}"
    program = subprocess.Popen(
        [sys.executable, "-c", HOLDS, given.pipeline, given.data, job], stdout=subprocess.PIPE
    )
    size, java = map(int, program.stdout.readline().split())
    program.kill()
    program.communicate()
    await_end(java)
    with praline.feed(given.pipeline, given.data, job=job) as feed:
        taken = sum(batch.size for batch in feed)
        result = feed.result()
    # and the next one, which it was offered
    assert size <= result.possibly_twice <= 2 * size
    assert taken == result.epochs[0]["elements"]
