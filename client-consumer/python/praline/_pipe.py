"""A feed's two pipes and its memory, and the messages that go over them."""

from __future__ import annotations

import fcntl
import io
import mmap
import os
import select
from collections import deque
from typing import Callable

from . import _java
from ._errors import Refused, Unreachable
from ._wire import CLOSE, FOLLOWS, HEAD, OFFER, OFFER_PLACE, OFFERED, message

_READ_BYTES = 1 << 16
_MEANWHILE_MS = 1_000

#: how long Java may take to close a feed in order: it tells the dispatcher, and waits for the ledger's last numbers
_CLOSE_MS = 30_000

# in fcntl since Python 3.10
_F_ADD_SEALS = 1033
_SEAL_SEAL, _SEAL_SHRINK, _SEAL_GROW = 1, 2, 4


class Pipe:
    """Commands to Java, events from it. What is put goes out when it is flushed, at the latest before anything is waited for."""

    def __init__(self, commands: int, events: int) -> None:
        self._commands = commands
        # owns the descriptor; what is written and what is not is settled within one call, where Ctrl-C cannot part the two
        self._raw = io.FileIO(commands, "wb")
        self._out = io.BufferedWriter(self._raw)
        self._events = events
        self._process = os.getpid()
        self._poll = select.poll()
        self._poll.register(events, select.POLLIN)
        self._in = bytearray()
        self._seen = 0
        self._ending = False
        self.closed = False
        #: called where the Java process has gone
        self.lost: Callable[[], None] | None = None

    @staticmethod
    def make(memory_bytes: int) -> tuple[Pipe, mmap.mmap]:
        """The pipes and memory of a feed, open on both sides."""
        memory = os.memfd_create("praline", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        descriptors = [memory]
        try:
            os.ftruncate(memory, memory_bytes)
            fcntl.fcntl(memory, _F_ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW | _SEAL_SEAL)
            mapped = mmap.mmap(memory, memory_bytes)
            commands_read, commands = os.pipe()
            descriptors.append(commands_read)
            events, events_write = os.pipe()
            descriptors.append(events_write)
            os.set_blocking(events, False)
            pipe = Pipe(commands, events)
            try:
                _java.ask(
                    {
                        "pid": os.getpid(),
                        "commands": commands_read,
                        "events": events_write,
                        "memory": memory,
                        "bytes": memory_bytes,
                    }
                )
            except BaseException:
                pipe.close()
                raise
            return pipe, mapped
        finally:
            # Java has its own: whoever keeps an end open, keeps the other side from hearing of the end
            for descriptor in descriptors:
                os.close(descriptor)

    def require_here(self) -> None:
        """Refuses a use that cannot be: of a feed that is closed, or by a child of the process that opened it."""
        if os.getpid() != self._process:
            raise Refused(
                "a feed belongs to the process that opened it, and this is another one",
                "give DataLoader num_workers=0, or open the feed in the process that trains",
            )
        if self.closed:
            raise Refused("the feed is closed", "open another one")

    def put(self, command: bytes) -> None:
        """Says something, soon."""
        try:
            self._out.write(command)
        except BrokenPipeError:
            self.gone()

    def flush(self) -> None:
        """Says what was put."""
        try:
            self._out.flush()
        except BrokenPipeError:
            self.gone()

    def gone(self) -> None:
        """Nothing follows: tells why, as an exception."""
        self.close()
        if self._ending:
            raise Refused("the feed was closed by another thread", "let a thread that takes batches end before that")
        how = _java.ended()
        if self.lost is not None:
            self.lost()
        raise Unreachable(
            f"{how}; the feed is over",
            "open another feed, and look at standard error for the cause; a job without an id is cancelled",
        )

    def get(self, meanwhile: Callable[[], None] | None = None) -> tuple[int, bytearray, memoryview | None]:
        """
        The next event: its kind, its body, and of a batch that is not in the memory its bytes. It comes again until it is
        said to be handled: Ctrl-C may keep who asked from that.

        :param meanwhile: called about once a second until it comes
        """
        while True:
            size = len(self._in)
            if size >= HEAD.size:
                length, kind = HEAD.unpack_from(self._in)
                if size >= length + 4:
                    self._seen = length + 4
                    return self._cut(length, kind)
            self.flush()
            if not self._poll.poll(None if meanwhile is None else _MEANWHILE_MS):
                if meanwhile is not None:
                    meanwhile()
                continue
            # in one call: Ctrl-C between reading and keeping what came would lose it
            deque(map(self._in.__iadd__, map(os.read, (self._events,), (_READ_BYTES,))), 0)
            if len(self._in) == size:
                self.gone()

    def handled(self) -> None:
        """The event that came last does not come again."""
        del self._in[: self._seen]

    def _cut(self, length: int, kind: int) -> tuple[int, bytearray, memoryview | None]:
        body = self._in[HEAD.size : length + 4]
        if kind == OFFERED and body[OFFER_PLACE] == FOLLOWS:
            size = OFFER.unpack_from(body)[6]
            return kind, body[: len(body) - size], memoryview(body)[len(body) - size :]
        return kind, body, None

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
            while self._poll.poll(_CLOSE_MS):
                if not os.read(self._events, _READ_BYTES):
                    break
        except (Unreachable, BlockingIOError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Closes both ends; Java takes that for the end."""
        if not self.closed:
            self.closed = True
            self._raw.close()  # and not the writer, which would wait until Java has read what is left
            os.close(self._events)

    def forget(self) -> None:
        """In a child: the ends are its parent's."""
        self.close()
