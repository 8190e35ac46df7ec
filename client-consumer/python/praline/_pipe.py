"""A feed's two pipes and its memory, and the messages that go over them."""

from __future__ import annotations

import io
import mmap
import os
import select
from collections import deque
from typing import Callable

from . import _java
from ._errors import PralineError, Refused, Unreachable
from ._wire import CLOSE, FOLLOWS, HEAD, OFFER, OFFER_PLACE, OFFERED, message

_READ_BYTES = 1 << 16
_MEANWHILE_MS = 1_000

#: how long Java may take to close a feed in order: it tells the dispatcher, and waits for the ledger's last numbers
_CLOSE_MS = 30_000

# in fcntl since Python 3.10
_F_ADD_SEALS = 1033
_SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1, 2, 4


def _make(memory_bytes: int, ours: list[int], theirs: list[int]) -> mmap.mmap:
    """Memory, and descriptors: the ends of commands and events, and those and the memory's for Java."""
    import fcntl  # here, since other systems have none: a feed is refused there in a sentence

    try:
        theirs.append(os.memfd_create("praline", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))
        os.ftruncate(theirs[0], memory_bytes)
        fcntl.fcntl(theirs[0], _F_ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW | _SEAL_SEAL)
        mapped = mmap.mmap(theirs[0], memory_bytes)
        for mine in (1, 0):
            pipe = os.pipe()
            ours.append(pipe[mine])
            theirs.append(pipe[1 - mine])
        os.set_blocking(ours[1], False)
    except OSError as refused:
        raise Unreachable(
            f"the memory of a feed, {memory_bytes >> 20} MiB, and its pipes cannot be had: {refused}",
            "raise the limit of memory (ulimit -v) or of open files (ulimit -n), or give the feed less by memory_mb=",
        ) from refused
    return mapped


def _poll(descriptor: int) -> select.poll:
    made = select.poll()
    made.register(descriptor, select.POLLIN)
    return made


class Pipe:
    """Commands to Java, events from it. What is put goes out when it is flushed, at the latest before anything is waited for."""

    def __init__(self, commands: int, events: int) -> None:
        self._commands = commands
        # owns the descriptor; what is written and what is not is settled within one call, where Ctrl-C cannot part the two
        self._raw = io.FileIO(commands, "wb")
        self._out = io.BufferedWriter(self._raw)
        self._events = events
        #: that opened it
        self.process = os.getpid()
        self._poll = _poll(events)
        self._unsaid = False
        self._in = bytearray()
        self._seen = 0
        self._ending = False
        self.closed = False
        #: called where the Java process has gone
        self.lost: Callable[[], None] | None = None
        self._gone: PralineError | None = None

    @staticmethod
    def make(memory_bytes: int) -> tuple[Pipe, mmap.mmap]:
        """The pipes and memory of a feed, open on both sides."""
        ours: list[int] = []
        theirs: list[int] = []
        try:
            mapped = _make(memory_bytes, ours, theirs)
            pipe = Pipe(*ours)
            ours.clear()
            memory, commands, events = theirs
            try:
                _java.ask(
                    {"pid": os.getpid(), "commands": commands, "events": events, "memory": memory, "bytes": memory_bytes}
                )
            except BaseException:
                pipe.close()
                raise
            return pipe, mapped
        finally:
            # Java has its own: whoever keeps an end open, keeps the other side from hearing of the end
            for descriptor in ours + theirs:
                os.close(descriptor)

    def require_here(self) -> None:
        """Refuses a use that cannot be: of a feed that is closed, or by a child of the process that opened it."""
        if os.getpid() != self.process:
            raise Refused(
                "a feed belongs to the process that opened it, and this is another one",
                "give DataLoader num_workers=0, or open the feed in the process that trains",
            )
        if self.closed:
            raise self._gone or Refused("the feed is closed", "open another one")

    def put(self, command: bytes) -> None:
        """Says something, soon."""
        self._unsaid = True
        try:
            self._out.write(command)
        except BrokenPipeError:
            self.gone()
        except RuntimeError:
            # a signal's handler says it, that came into the writing of something else, of which all is written or nothing
            self._say_beside(command)
        except ValueError:
            self.require_here()  # what a signal's handler called has closed it
            raise

    def say(self, command: bytes) -> None:
        """Says something at once, where there is anything to say."""
        if not command and not self._unsaid:
            return
        if self._unsaid or len(command) > select.PIPE_BUF:
            self.put(command)
            self.flush()
            return
        try:
            self._raw.write(command)  # all of it or nothing, whatever interrupts it
        except BrokenPipeError:
            self.gone()
        except ValueError:
            self.require_here()  # as above
            raise

    def flush(self) -> None:
        """Says what was put."""
        try:
            self._out.flush()
            self._unsaid = False
        except BrokenPipeError:
            self.gone()
        except RuntimeError:
            pass  # a signal's handler, as above: what is there is being said
        except ValueError:
            self.require_here()  # what a signal's handler called has closed it
            raise

    def _say_beside(self, command: bytes) -> None:
        try:
            os.write(self._commands, command)
        except OSError:
            self.gone()

    def gone(self) -> None:
        """Nothing follows: tells why, as an exception."""
        if self.closed:
            self.require_here()
        self.close()
        if self._ending:
            raise Refused("the feed was closed by another thread", "let a thread that takes batches end before that")
        self._gone = Unreachable(
            f"{_java.ended()}; the feed is over",
            "open another feed, and look at standard error for the cause; a job without an id is cancelled",
        )
        if self.lost is not None:
            self.lost()
        raise self._gone

    def get(self, meanwhile: Callable[[], None] | None = None) -> tuple[int, bytearray, memoryview | None]:
        """
        The next event: its kind, its body, and of a batch that is not in the memory its bytes. It comes again until it is
        said to be handled: Ctrl-C may keep who asked from that.

        :param meanwhile: called about once a second until it comes
        """
        try:
            while True:
                size = len(self._in)
                if size >= HEAD.size:
                    length, kind = HEAD.unpack_from(self._in)
                    if size >= length + 4:
                        self._seen = length + 4
                        body = self._in[HEAD.size : length + 4]
                        if kind == OFFERED and body[OFFER_PLACE] == FOLLOWS:
                            bytes_from = len(body) - OFFER.unpack_from(body)[6]
                            return kind, body[:bytes_from], memoryview(body)[bytes_from:]
                        return kind, body, None
                if self._unsaid:
                    self.flush()
                try:
                    comes = self._poll.poll(_MEANWHILE_MS)
                except RuntimeError:  # it is waited below this already: this is what a signal's handler calls
                    comes = _poll(self._events).poll(_MEANWHILE_MS)
                if not comes:
                    if meanwhile is not None:
                        meanwhile()
                    continue
                # in one call: Ctrl-C between reading and keeping what came would lose it
                deque(map(self._in.__iadd__, map(os.read, (self._events,), (_READ_BYTES,))), 0)
                if len(self._in) == size:
                    self.gone()
        except OSError:
            self.require_here()  # as above
            raise

    def handled(self) -> None:
        """The event that came last does not come again."""
        del self._in[: self._seen]

    def ask_end(self, last: bytes) -> None:
        """Says that nothing more is wanted than an answer to this, while another thread waits for an event: it hears of both."""
        self._ending = True
        try:
            os.write(self._commands, last + message(CLOSE))
        except OSError:
            pass  # Java has gone, or the other thread has closed the feed: it hears of that

    def end(self) -> None:
        """Says that nothing more is wanted, and waits until Java has closed the feed."""
        if self.closed:
            return
        try:
            self.put(message(CLOSE))
            self.flush()
            rest = _poll(self._events)  # of its own: what a handler of signals closes may be waited for below it
            while rest.poll(_CLOSE_MS):
                if not os.read(self._events, _READ_BYTES):
                    break
        except (PralineError, BlockingIOError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Closes both ends; Java takes that for the end."""
        if not self.closed:
            self.closed = True
            self._raw.close()  # and not the writer, which would wait until Java has read what is left
            events, self._events = self._events, -1  # its number may be another file's at once
            os.close(events)

    def forget(self) -> None:
        """In a child: the ends are its parent's."""
        self.close()
