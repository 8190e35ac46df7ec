"""What a feed says to its Java process, and when: against ends of its pipes that the tests hold, without a cluster."""

import dataclasses
import itertools
import json
import os
import select
import signal
import struct
import sys
import threading
import time
import traceback
import warnings
import weakref

import praline
import pytest
from praline import _java, _orphans
from praline._errors import Refused, Unreachable
from praline._feed import Feed
from praline._memory import outlived
from praline._result import Result
from praline._source import Source
from praline._wire import (
    ACKNOWLEDGED,
    CLOSE,
    CLOSED,
    COMPONENT,
    COMPONENTS,
    END,
    ERROR,
    EXPLAINED,
    FOLLOWS,
    FREED,
    HEAD,
    IN_SEGMENT,
    LEASE,
    LEASE_END,
    OFFER,
    OFFERED,
    OPEN,
    OPENED,
    RENEW,
    RESULT,
    SEGMENT,
    SEGMENT_HEAD,
    STATUS,
    TAKEN,
    TOLD_RESULT,
    TOLD_STATUS,
    WAITING,
    WAITS,
    message,
)

LONG = 30
MEMORY = 1 << 18
#: smaller components do not lie in the feed's memory
LEAST = 1 << 16


#: a lease that is never over
NEVER = (2**63 - 1, 2**63 - 1)


def offer_of(number, epoch=0, elements=1, place=0, components=0, offset=0, size=0, tickets=0, lease=NEVER):
    return OFFER.pack(number, epoch, elements, place, components, offset, size, tickets, *lease)


class Java:
    """The other side of a feed."""

    opened = b'{"job": "it", "page": null, "own": false}'

    def __init__(self, commands, events):
        self._commands = commands
        self._events = events
        self._closed = False
        self.say(OPENED, self.opened)

    def say(self, kind, body=b""):
        os.write(self._events, message(kind, body))

    def offer(self, number, epoch=0, lease=NEVER):
        """A batch of nothing but its number."""
        self.say(OFFERED, offer_of(number, epoch, lease=lease))

    def heard(self):
        """All that was said since this was asked last: at least one command."""
        if not select.select([self._commands], [], [], LONG)[0]:
            raise TimeoutError("the feed says nothing")
        came = os.read(self._commands, 1 << 16)
        commands = []
        while came:
            length, kind = HEAD.unpack_from(came)
            body = came[HEAD.size : length + 4]
            commands.append((kind, *struct.unpack(f"<{len(body) // 8}q", body)) if kind != OPEN else (kind,))
            came = came[length + 4 :]
        return commands

    def ends(self):
        """All that it says to a feed that is being closed."""
        self.say(TOLD_RESULT, RESULT_OF_NOTHING)
        self.say(CLOSED)
        os.close(self._events)
        self._events = None

    def close(self):
        if not self._closed:
            self._closed = True
            os.close(self._commands)
            if self._events is not None:
                os.close(self._events)


@pytest.fixture
def opened(monkeypatch):
    """Opens a feed, of which nobody but who asked has hold, and gives it with its other side."""
    made = []
    monkeypatch.setattr(_java, "ask", lambda line: made.append(Java(os.dup(line["commands"]), os.dup(line["events"]))))

    def open_feed(ahead=0, said={"job": "it"}):
        feed = Feed(Source(b"", "", "", [], None, None, None), said, MEMORY, ahead=ahead)
        assert made[-1].heard() == [(OPEN,)]
        return feed, made[-1]

    yield open_feed
    for java in made:
        java.close()


@pytest.fixture
def java(opened):
    feed, other = opened()
    yield feed, other
    feed._pipe.close()


def playing(java, part):
    """Plays a part of the other side on a thread of its own; what it raises ends the feed, and the test with it."""
    raised = []

    def run():
        try:
            part()
        except BaseException as failed:
            raised.append(failed)
            java.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def end():
        thread.join(LONG)
        assert not thread.is_alive() and not raised, raised

    return end


def test_a_question_says_all_in_one_piece_and_before_the_batch_is_there(java):
    feed, other = java
    heard = []

    def answer():
        for number in range(3):
            heard.append(other.heard())
            other.offer(number)
        heard.append(other.heard())
        other.say(END)

    end = playing(other, answer)
    assert sum(1 for _ in feed) == 3
    end()
    assert heard == [
        [(TAKEN, 0)],
        # what lies in no memory that is shown is free at once
        [(FREED, 0), (ACKNOWLEDGED, 0), (TAKEN, 1)],
        [(FREED, 1), (ACKNOWLEDGED, 1), (TAKEN, 2)],
        [(FREED, 2), (ACKNOWLEDGED, 2), (TAKEN, 3)],
    ]


@pytest.mark.parametrize("own", [False, True])
def test_a_job_whose_java_is_lost_is_cancelled_unless_its_cluster_went_too(own, opened, monkeypatch):
    cancelled = []
    monkeypatch.setattr(_orphans, "cancel_soon", lambda job, said: cancelled.append(job))
    monkeypatch.setattr(Java, "opened", Java.opened.replace(b"false", json.dumps(own).encode()))
    feed, other = opened(said={})
    other.close()
    with pytest.raises(Unreachable, match="the feed is over"):
        next(feed)
    assert cancelled == ([] if own else ["it"])


def acknowledged(other):
    """Of which batches the loop says now that it is done with them, and with all before."""
    return [number[0] for kind, *number in other.heard() if kind == ACKNOWLEDGED]


# Lightning looks for the end of what has no length: the batch that it was at work on was acknowledged before its step
def test_a_loop_that_fetches_ahead_is_done_with_a_batch_so_many_questions_later(opened):
    feed, other = opened(ahead=1)
    with pytest.raises(Refused):
        with feed:
            said = []
            for number in range(3):
                other.offer(number)
                next(feed)
                said += acknowledged(other)
            feed.done()  # as in a step's last words, with the last batch in hand
            said += acknowledged(other)
            other.say(END)
            assert list(feed) == []
            other.ends()
            raise Refused("its step threw")
    said += acknowledged(other)
    assert said == [0, 1]


@pytest.mark.parametrize("by_epochs", [False, True])
def test_at_its_end_a_loop_that_fetches_ahead_is_done_with_all_once_it_leaves_the_feed(opened, by_epochs):
    feed, other = opened(ahead=2)
    with feed:
        other.offer(0)
        epoch = next(feed.epochs()) if by_epochs else feed
        next(epoch)
        for number in range(1, 3):
            other.offer(number)
            next(epoch)
        other.say(END)
        assert list(epoch) == []
        assert acknowledged(other) == [0]
        other.ends()
    assert acknowledged(other) == [2]


# max_epochs above the feed's: all was trained on, and the job was called cancelled, or waited for its last batch for ever
@pytest.mark.parametrize("ahead", [0, 1])
def test_a_trainer_that_begins_an_epoch_too_many_is_done_with_all_before(opened, ahead):
    feed, other = opened(ahead=ahead)
    with pytest.raises(Refused, match="the feed has 1 epoch, and its loop begins another one"):
        with feed:
            loader = feed.loader()
            other.offer(0)
            other.say(END)
            other.say(TOLD_RESULT, RESULT_OF_NOTHING)
            assert len(list(loader)) == 1
            other.ends()
            list(loader)
    assert acknowledged(other) == [0]


# Lightning and Hugging Face's Trainer count their steps where they know how many there are: the job was called cancelled
@pytest.mark.parametrize("threw", [False, True])
def test_a_job_without_an_id_is_complete_where_its_loop_took_all_and_did_not_look_for_the_end(opened, threw):
    feed, other = opened(said={})
    try:
        with feed:
            for number in range(2):
                other.offer(number)
                next(feed)
            assert acknowledged(other) == [0]
            other.say(END)
            other.say(TOLD_RESULT, RESULT_OF_NOTHING)
            other.ends()
            if threw:
                raise Interrupted
    except Interrupted:
        pass
    assert acknowledged(other) == ([] if threw else [1])


def test_a_feed_that_nobody_closed_is_not_known_to_be_done_with(opened):
    feed, other = opened(ahead=1)
    other.offer(0)
    next(feed)
    other.say(END)
    assert list(feed) == []
    other.ends()
    del feed
    assert acknowledged(other) == []


# zip() ends with the iterator in front, and leaves the last batch of those behind it in the loop's hands
def test_a_loop_says_that_it_is_done_where_it_asks_for_no_more(opened):
    feed, other = opened()
    other.offer(0)
    assert list(zip(range(1), feed)) and acknowledged(other) == []
    feed.done()
    assert acknowledged(other) == [0]
    other.offer(1)
    next(feed)
    assert acknowledged(other) == []
    feed.done()
    feed.done()
    assert acknowledged(other) == [1]
    feed._pipe.close()
    with pytest.raises(Refused, match="closed"):
        feed.done()


def ends_in(seconds):
    """A lease that is over then, by both clocks."""
    return time.monotonic_ns() + int(seconds * 1e9), (time.time_ns() + int(seconds * 1e9)) // 1_000_000


#: by one clock, by the other, by both
OVER = [(0, 0), (0, NEVER[1]), (NEVER[0], 0)]


def until_it_asks(other):
    heard = other.heard()
    while heard[-1] != (RENEW,):
        heard += other.heard()
    return heard


# a program and its Java process are stopped, and another program is started in their place
@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("by_epochs", [False, True])
def test_a_batch_that_was_offered_before_a_long_stop_is_not_taken_where_another_process_has_the_place(java, over, by_epochs):
    feed, other = java
    other.offer(0, lease=over)

    def answer():
        assert (TAKEN, 0) in until_it_asks(other)
        other.say(ERROR, b'{"kind": "Superseded", "line": "another process took its place", "next": ""}')

    end = playing(other, answer)
    for _ in range(2):
        with pytest.raises(praline.Superseded, match="another process took its place"):
            next(next(feed.epochs()) if by_epochs else feed)
    end()


@pytest.mark.parametrize("over", OVER)
def test_a_batch_that_was_offered_before_a_long_stop_is_taken_once_it_is_heard_that_nobody_else_has_the_place(java, over):
    feed, other = java
    heard = []

    def answer():
        heard.append(until_it_asks(other))
        other.say(LEASE, LEASE_END.pack(*over))  # stopped again before it was read
        heard.append(until_it_asks(other))
        other.say(END)  # of the batches behind it, which is no answer
        other.say(TOLD_STATUS)
        other.say(LEASE, LEASE_END.pack(*NEVER))

    other.offer(0, lease=over)
    end = playing(other, answer)
    assert [batch.size for batch in feed] == [1]
    end()
    assert heard == [[(TAKEN, 0), (RENEW,)], [(RENEW,)]]
    assert [number for kind, *number in other.heard() if kind == ACKNOWLEDGED] == [[0]]


# one newest word on the lease is for all that lies there: the loop's own Java holds the place then
def test_what_is_offered_next_says_of_the_batch_before_too_that_it_may_be_taken(java):
    feed, other = java
    other.offer(0, lease=(0, 0))

    def answer():
        until_it_asks(other)
        other.offer(1, lease=ends_in(LONG))
        other.say(END)

    end = playing(other, answer)
    assert len(list(feed)) == 2
    end()


def test_a_batch_that_others_had_meanwhile_is_not_taken_and_the_feed_is_at_its_end(java):
    feed, other = java
    other.offer(0)
    other.offer(1, lease=(0, 0))

    def answer():
        until_it_asks(other)
        other.say(LEASE)
        other.say(END)

    end = playing(other, answer)
    assert [batch.size for batch in feed] == [1]
    end()
    with pytest.warns(UserWarning, match="at its end"):
        assert list(feed) == []


def test_a_lease_that_is_not_over_is_not_asked_about(java):
    feed, other = java
    for number in range(3):
        other.offer(number, lease=ends_in(LONG))
        next(feed)
    assert [kind for kind, *_ in other.heard()].count(RENEW) == 0


def test_a_question_about_the_lease_that_was_interrupted_is_asked_again(java):
    feed, other = java
    before = signal.signal(signal.SIGUSR1, interrupt)
    main = threading.get_ident()
    other.offer(0, lease=(0, 0))

    def answer():
        until_it_asks(other)
        signal.pthread_kill(main, signal.SIGUSR1)
        assert until_it_asks(other)[-1] == (RENEW,)
        other.say(LEASE, LEASE_END.pack(*NEVER))
        other.say(END)

    end = playing(other, answer)
    try:
        with pytest.raises(Interrupted):
            next(feed)
        assert [batch.size for batch in feed] == [1]
    finally:
        signal.signal(signal.SIGUSR1, before)
    end()


RESULT_OF_NOTHING = json.dumps({**{field.name: None for field in dataclasses.fields(Result)}, "epochs": []}).encode()


class Interrupted(Exception):
    pass


def interrupt(_signal, _frame):
    raise Interrupted


def test_what_comes_after_a_question_that_was_interrupted_is_given_to_the_next(java):
    feed, other = java
    before = signal.signal(signal.SIGUSR1, interrupt)
    main = threading.get_ident()

    def answer():
        assert other.heard() == [(TAKEN, 0)]
        signal.pthread_kill(main, signal.SIGUSR1)
        # what was being said when it was interrupted may be said again
        assert other.heard()[-1] == (STATUS,)
        # the loop has asked for it: the end is told without another question
        other.offer(0)
        other.say(END)
        other.say(TOLD_STATUS, json.dumps({"state": "RUNNING"}).encode())
        heard = other.heard()
        while (ACKNOWLEDGED, 0) not in heard:
            heard += other.heard()

    end = playing(other, answer)
    try:
        with pytest.raises(Interrupted):
            next(feed)
        assert feed.status() == {"state": "RUNNING"}
        assert [batch.size for batch in feed] == [1]
    finally:
        signal.signal(signal.SIGUSR1, before)
    end()


def test_a_loop_over_epochs_looks_at_the_next_one_and_does_not_take_it(java):
    feed, other = java

    def until_it_waits():
        heard = other.heard()
        while heard[-1] != (WAITING,):
            heard += other.heard()
        return heard

    def answer():
        assert other.heard() == [(WAITING,)]
        other.offer(0, epoch=0)
        assert until_it_waits() == [(TAKEN, 0), (FREED, 0), (ACKNOWLEDGED, 0), (WAITING,)]
        other.offer(1, epoch=1)

    end = playing(other, answer)
    epochs = feed.epochs()
    assert [batch.epoch for batch in next(epochs)] == [0]
    end()

    def end_it():
        assert until_it_waits() == [(TAKEN, 1), (FREED, 1), (ACKNOWLEDGED, 1), (WAITING,)]
        other.say(END)
        other.say(TOLD_RESULT, RESULT_OF_NOTHING)

    end = playing(other, end_it)
    assert [[batch.epoch for batch in epoch] for epoch in epochs] == [[1]]
    end()


def test_a_loop_over_epochs_is_done_with_its_last_batch_also_where_the_end_came_with_another_answer(java):
    feed, other = java

    def answer():
        assert other.heard() == [(WAITING,)]
        other.offer(0)
        heard = other.heard()
        while heard[-1] != (STATUS,):
            heard += other.heard()
        other.say(END)
        other.say(TOLD_STATUS, json.dumps({"state": "RUNNING"}).encode())
        other.say(TOLD_RESULT, RESULT_OF_NOTHING)
        while (ACKNOWLEDGED, 0) not in heard:
            heard += other.heard()

    end = playing(other, answer)
    for epoch in feed.epochs():
        for _batch in epoch:
            assert feed.status() == {"state": "RUNNING"}
    end()


@pytest.fixture
def given(opened):
    """Makes a feed that has one batch in each of these epochs."""
    made = []

    def given_in(*epochs):
        feed, other = opened()
        made.append(feed)
        for number, epoch in enumerate(epochs):
            other.offer(number, epoch=epoch)
        other.say(END)
        other.say(TOLD_RESULT, RESULT_OF_NOTHING)
        return feed

    yield given_in
    for feed in made:
        feed._pipe.close()


def test_an_epoch_of_which_nothing_comes_is_one(opened):
    said = {"epochs": 6}

    def of(feed, other, *epochs, state="COMPLETED", began=0):
        for number, epoch in enumerate(epochs):
            other.offer(number, epoch=epoch)
        other.say(END)
        for _ in range(6):  # answers, as many as a loop may ask for
            other.say(TOLD_RESULT, json.dumps({**json.loads(RESULT_OF_NOTHING), "state": state, "epochs": [{}] * began}).encode())
        return feed

    def came(feed):
        walked = [(epoch.number, len(list(epoch))) for epoch in feed.epochs()]
        feed._pipe.close()
        return walked

    empty = [(epoch, 0) for epoch in range(6)]
    assert came(of(*opened(said=said), 1, 1, 3)) == [(0, 0), (1, 2), (2, 0), (3, 1), (4, 0), (5, 0)]
    assert came(of(*opened(said=said))) == empty
    assert came(of(*opened(said=said), 0, state="CANCELLED", began=2)) == [(0, 1)]
    # of a pipeline that repeats itself, twice in each of three
    assert came(of(*opened(said={"epochs": 3}), 1, began=6)) == [(0, 0), (1, 1), *empty[2:]]
    # some of it may have come to this loop before it was started again
    assert came(of(*opened(said={**said, "job": "it"}), 3, 5)) == [(3, 1), (4, 0), (5, 1)]
    assert came(of(*opened(said={**said, "job": "it"}))) == []

    walked = of(*opened(said=said), 0, 4)
    loader = walked.loader(lambda batch: batch.epoch)
    assert [list(loader) for _ in range(6)] == [[0], [], [], [], [4], []]
    with pytest.raises(Refused, match="the feed has 6 epochs, and its loop begins another one"):
        list(loader)
    walked._pipe.close()


# Lightning's Trainer begins a walk to see whether it can, and another one that it walks
def test_a_trainer_walks_over_an_epoch_at_a_time_and_one_behind_the_last_is_refused(given):
    loader = given(0, 1, 2).loader(lambda batch: batch.epoch, batches=1)
    assert len(loader) == 1
    for epoch in range(3):
        iter(loader)
        assert list(loader) == [epoch]
    with pytest.raises(Refused, match="the feed has 3 epochs, and its loop begins another one") as refused:
        list(loader)
    assert "praline.feed more by epochs=" in refused.value.__notes__[0]
    with pytest.raises(Refused, match="nothing comes of the feed any more"):
        list(given().loader())
    assert [batch.epoch for batch in given(4).loader()] == [4]
    with pytest.raises(TypeError, match=r"feed.loader\(batches=N\) says it"):
        len(given(0).loader())


def test_what_a_trainer_leaves_of_an_epoch_is_not_in_its_next_one(given):
    loader = given(0, 0, 1).loader()
    assert next(iter(loader)).epoch == 0
    assert [batch.epoch for batch in loader] == [1]


def test_a_second_walk_over_a_feed_that_was_walked_over_is_warned_of(given):
    feed = given(0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        next(feed)
        assert len(list(feed)) == 1
    with pytest.warns(UserWarning, match="one walk over it has all epochs"):
        assert list(feed) == []


def test_a_generator_that_asks_for_an_epoch_behind_the_last_is_told_so(given):
    epochs = given(0).epochs()

    def walk():
        yield from next(epochs)

    assert len(list(walk())) == 1
    with pytest.raises(RuntimeError) as raised:
        list(walk())
    assert "the feed has 1 epoch, and its loop" in str(raised.value.__cause__)


class Serving(Java):
    """The other side of a feed of so many batches, each of one element more than the one before; on a thread of its own."""

    def __init__(self, commands, events, batches):
        super().__init__(commands, events)
        self.freed = []
        self._batches = batches
        self._offered = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        came = b""
        self._offer(0)
        while True:
            more = os.read(self._commands, 1 << 16)
            if not more:
                return
            came += more
            while len(came) >= HEAD.size and len(came) >= HEAD.unpack_from(came)[0] + 4:
                length, kind = HEAD.unpack_from(came)
                body, came = came[HEAD.size : length + 4], came[length + 4 :]
                if kind == FREED:
                    self.freed += struct.unpack(f"<{len(body) // 8}q", body)
                elif kind == TAKEN:
                    self._offer(struct.unpack("<q", body)[0] + 1)

    def _offer(self, until):
        while self._offered <= until and self._offered <= self._batches:
            if self._offered == self._batches:
                self.say(END)
            else:
                self.say(OFFERED, offer_of(self._offered, elements=self._offered + 1))
            self._offered += 1

    def end(self):
        self._thread.join(LONG)
        assert not self._thread.is_alive()
        self.close()


def interrupted(call, at):
    """Calls it, and has Ctrl-C come before that instruction of the package, of those that run; whether there were so many."""
    left = at

    def trace(frame, event, _argument):
        nonlocal left
        if os.path.basename(os.path.dirname(frame.f_code.co_filename)) != "praline":
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)


def test_whatever_ctrl_c_interrupts_a_loop_that_goes_on_gets_all_or_is_told(monkeypatch):
    told = 0
    for at in itertools.count(1):
        made = []
        monkeypatch.setattr(
            _java, "ask", lambda line, made=made: made.append(Serving(os.dup(line["commands"]), os.dup(line["events"]), 5))
        )
        feed = Feed(Source(b"", "", "", [], None, None, None), {"job": "it"}, 1 << 16)
        sizes = [next(feed).size for _ in range(2)]
        over = False
        try:
            interrupted(lambda: sizes.append(next(feed).size), at)
            over = True
        except KeyboardInterrupt:
            pass
        try:
            sizes += [batch.size for batch in feed]
        except Unreachable as refused:
            assert "interrupted" in str(refused)
            told += 1
        else:
            # but for the one that was handed out when Ctrl-C came
            assert sizes in ([1, 2, 3, 4, 5], [1, 2, 4, 5]), at
        feed._pipe.close()
        made[0].end()
        assert len(set(made[0].freed)) == len(made[0].freed), at
        if over:
            break
    assert at > 100 and told < at / 20


def test_what_opening_waits_for_is_said(monkeypatch, capsys):
    made = []

    class Slow(Java):
        def __init__(self, commands, events):
            self._commands, self._events, self._closed = commands, events, False
            self.say(WAITS, "waiting for Kafka at h:1".encode())
            self.say(OPENED, self.opened)

    monkeypatch.setattr(_java, "ask", lambda line: made.append(Slow(os.dup(line["commands"]), os.dup(line["events"]))))
    feed = Feed(Source(b"", "", "", [], None, None, None), {"job": "it"}, MEMORY)
    feed._pipe.close()
    made[0].close()
    assert capsys.readouterr().err == "praline: waiting for Kafka at h:1\n"


# as a program does that is asked to end, and goes on to do so in order
# IPython keeps the error that it showed, and looked into its frames for that
def test_a_feed_that_an_interrupted_cell_had_is_closed_when_the_cell_is_run_again(opened, monkeypatch):
    feed, other = opened()
    gone = weakref.ref(feed)

    def cell(feed):
        try:
            for epoch in feed.epochs():
                list(epoch)
        finally:
            raise ValueError

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        cell(feed)
    except ValueError as error:
        assert isinstance(error.__context__, KeyboardInterrupt)
        monkeypatch.setattr(sys, "last_value", error, raising=False)
        for kept in (error, error.__context__):
            for frame, _line in traceback.walk_tb(kept.__traceback__):
                frame.f_locals
    finally:
        signal.signal(signal.SIGALRM, before)
    del feed, frame, kept
    assert gone() is not None
    other.ends()
    again = praline.feed(b"", progress=False)
    again._pipe.close()
    assert gone() is None and other.heard()[-1] == (CLOSE,)


def test_a_handler_of_signals_may_close_the_feed_that_its_loop_waits_for(java):
    feed, other = java
    main = threading.get_ident()
    before = signal.signal(signal.SIGUSR1, lambda *_: feed.close())

    def answer():
        assert other.heard() == [(TAKEN, 0)]
        signal.pthread_kill(main, signal.SIGUSR1)
        heard = other.heard()
        assert heard[-1] == (RESULT,)
        other.say(ERROR, b'{"kind": "JobFailed", "line": "it broke", "next": ""}')
        assert other.heard() == [(CLOSE,)]
        other.say(CLOSED)
        other.close()

    end = playing(other, answer)
    try:
        with pytest.raises(Refused, match="the feed is closed"):
            next(feed)
    finally:
        signal.signal(signal.SIGUSR1, before)
    end()


@pytest.mark.parametrize("raised, acknowledged", [(None, True), (ValueError, False), (KeyboardInterrupt, False), (GeneratorExit, True)])
def test_the_last_batch_is_acknowledged_by_the_end_of_the_feed_unless_its_step_threw(monkeypatch, raised, acknowledged):
    made = []
    monkeypatch.setattr(_java, "ask", lambda line: made.append(Java(os.dup(line["commands"]), os.dup(line["events"]))))
    feed = Feed(Source(b"", "", "", [], None, None, None), {}, MEMORY)
    other = made[0]
    other.heard()
    other.offer(0)
    other.say(END)
    other.say(TOLD_STATUS)
    said = []

    def answer():
        while (CLOSE,) not in said:
            said.extend(other.heard())
            if said[-1] == (RESULT,):
                other.say(ERROR, b'{"kind": "JobFailed", "line": "it broke", "next": ""}')
        other.close()

    end = playing(other, answer)
    try:
        with feed:
            next(feed)
            feed.status()
            if raised is not None:
                raise raised
    except (ValueError, KeyboardInterrupt, GeneratorExit):
        pass
    end()
    assert ((ACKNOWLEDGED, 0) in said) == acknowledged


def test_why_a_feed_is_over_is_told_again(java, monkeypatch):
    feed, other = java
    monkeypatch.setattr(_java, "ended", lambda: "the Java process 1 of this program was killed by signal 9")
    other.close()
    for ask in (lambda: next(feed), lambda: next(feed), feed.result, feed.status):
        with pytest.raises(Unreachable, match="killed by signal 9"):
            ask()
    feed.close()


def test_a_feed_is_true_also_where_its_length_is_not_known(java):
    feed, _ = java
    assert feed and bool(feed)


def test_who_asks_for_a_batch_by_its_place_or_for_the_length_is_told_what_to_do(java):
    feed, _ = java
    with pytest.raises(Refused, match="none is had by its place") as refused:
        feed[0]
    assert "walk over the feed itself, feed.torch(), or feed.loader()" in refused.value.__notes__[0]
    with pytest.raises(TypeError, match="is not known before they came; walk over the feed itself"):
        len(feed)


def test_an_answer_that_nobody_waits_for_any_more_is_passed_over(java):
    feed, other = java
    other.say(EXPLAINED, b"{}")
    other.offer(0)
    assert next(feed).size == 1


def test_what_threads_get_of_an_epoch_is_of_that_epoch(java, monkeypatch):
    feed, other = java
    other.offer(0, epoch=0)
    other.offer(1, epoch=1)
    other.say(END)
    epoch = next(feed.epochs())
    came = []
    thread = threading.Thread(target=lambda: came.extend(epoch), daemon=True)
    look = feed._epoch_of_next

    def while_another_thread_asks():
        number = look()
        if not thread.ident:
            thread.start()
            thread.join(0.2)
        return number

    monkeypatch.setattr(feed, "_epoch_of_next", while_another_thread_asks)
    came += epoch
    thread.join(LONG)
    assert [batch.epoch for batch in came] == [0]


#: tickets, and components: how many bytes of each, of strings with a minus
LAID = [
    (1, [LEAST]),
    (1, [LEAST, 64]),
    (1, [64, LEAST]),
    (1, [LEAST, LEAST]),
    (1, [-LEAST]),
    (1, [-64, LEAST, LEAST]),
    (0, [LEAST]),
    (LEAST // 8, [64]),
    (LEAST // 8, [LEAST]),
    (LEAST // 8, [LEAST, -64]),
    (LEAST // 8, []),
]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("place", [0, FOLLOWS, IN_SEGMENT])
@pytest.mark.parametrize("tickets, components", LAID)
def test_a_batchs_memory_goes_back_with_the_last_of_its_arrays_wherever_it_lies(java, tmp_path, first, place, tickets, components):
    feed, other = java
    names = [str(index) for index in range(len(components))]
    other.say(COMPONENTS, json.dumps({"names": names}).encode())
    numbers = struct.pack(f"<{tickets}q", *range(tickets))
    laid = b"" if place == IN_SEGMENT else numbers
    described = b""
    for index, size in enumerate(components):
        laid += bytes(-len(laid) % 64)
        start, length = len(laid), abs(size)
        if size > 0:
            described += COMPONENT.pack(4, 1, start, length) + struct.pack("<q", length)
            laid += bytes([index + 1]) * length
        else:
            described += COMPONENT.pack(7, 1, start, length) + struct.pack("<q", 1)
            laid += struct.pack("<2q", 0, length - 16) + bytes([index + 1]) * (length - 16)
    offset = 0 if place == FOLLOWS else 4096
    head = offer_of(0, place=place, components=len(components), offset=offset, size=len(laid), tickets=tickets) + described
    behind = b""
    if place == IN_SEGMENT:
        with open(tmp_path / "segment", "wb") as file:
            file.write(bytes(offset) + laid)
        other.say(SEGMENT, SEGMENT_HEAD.pack(5, offset + len(laid)) + os.fsencode(tmp_path / "segment"))
        behind = struct.pack("<q", 5) + numbers
    elif place == FOLLOWS:
        behind = laid
    else:
        feed._memory._mapped[offset : offset + len(laid)] = laid
    speaks = threading.Thread(target=other.say, args=(OFFERED, head + behind), daemon=True)
    speaks.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch = next(feed)
    speaks.join(LONG)
    held = [batch.tickets, *(value for value in batch.data)] if components else [batch.tickets]
    assert held[0].tolist() == list(range(tickets))
    for index, (value, size) in enumerate(zip(held[1:], components)):
        expected = [bytes([index + 1]) * (-size - 16)] if size < 0 else [index + 1] * size
        assert value.tolist() == expected
        if size > 0:
            value[:] = 77  # it is the loop's
    # what is copied out keeps nothing; strings are copied out when they are looked at
    lasts = [place != IN_SEGMENT and tickets * 8 >= LEAST, *(size >= LEAST for size in components)]
    batch = value = None
    if place == FOLLOWS:
        assert feed._memory.freed() == [] and feed.batches_held == 0
        return
    while held:
        part = held.pop(0 if first else -1)[1:][:3]  # of which numpy knows no more than whose memory it is
        assert feed.batches_held == any(lasts)
        del lasts[0 if first else -1], part
        assert feed.batches_held == any(lasts)
    assert feed._memory.freed() == [0]


# the worker that shares it is gone; whoever waits for another answer reads on while the batch lies there
def test_a_segment_stays_as_long_as_a_batch_is_offered_that_lies_in_it(java, tmp_path):
    feed, other = java
    other.say(COMPONENTS, b'{"names": ["0"]}')
    with open(tmp_path / "segment", "wb") as file:
        file.write(bytes([7]) * LEAST)
    other.say(SEGMENT, SEGMENT_HEAD.pack(5, LEAST) + os.fsencode(tmp_path / "segment"))
    described = COMPONENT.pack(4, 1, 0, LEAST) + struct.pack("<q", LEAST)
    other.say(OFFERED, offer_of(0, place=IN_SEGMENT, components=1, size=LEAST) + described + struct.pack("<q", 5))
    other.say(SEGMENT, SEGMENT_HEAD.pack(5, 0))
    other.say(TOLD_STATUS, b"{}")
    assert feed.status() == {}
    assert (next(feed)[0] == 7).all()
    other.offer(1)
    other.say(END)
    feed._await_offer()
    assert not feed._memory._segments


def offer_three(other):
    """Batches of one component each, that lie one behind the other: one ends and the next begins within a page."""
    size = LEAST + 64
    other.say(COMPONENTS, b'{"names": ["0"]}')
    described = COMPONENT.pack(4, 1, 0, size) + struct.pack("<q", size)
    for number in range(3):
        other.say(OFFERED, offer_of(number, components=1, offset=number * size, size=size) + described)


def have_values_of_their_own(arrays):
    """Whether a child that is forked has these arrays as they are now, and writes to none of this process."""
    for number, array in enumerate(arrays):
        array[:] = number + 1
    go, goes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(goes)
        os.read(go, 1)
        right = all((array == number + 1).all() for number, array in enumerate(arrays))
        for array in arrays:
            array[:] = 9
        os._exit(0 if right else 1)
    # as what comes into that memory next, once it is given back
    for array in arrays:
        array[:] = 8
    os.close(goes)
    os.close(go)
    right = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return right and all((array == 8).all() for array in arrays)


def test_arrays_that_a_child_has_stay_as_they_were_and_are_its_own(java):
    feed, other = java
    offer_three(other)
    arrays = [next(feed)[0] for _ in range(3)]
    assert have_values_of_their_own(arrays)
    del arrays
    assert feed._memory.freed() == [0, 1, 2]


def test_arrays_that_outlive_their_feed_are_a_childs_own_too(opened):
    feed, other = opened()
    offer_three(other)
    arrays = [next(feed)[0] for _ in range(3)]
    feed._pipe.close()
    gone = weakref.ref(feed)
    del feed
    assert gone() is None
    assert have_values_of_their_own(arrays)
    before = len(outlived._roots)
    del arrays[1:]
    assert len(outlived._roots) == before - 2
    assert have_values_of_their_own(arrays)
