"""Reads one attempt's batches from a Praline worker, by its wire format alone. Needs numpy, and nothing of Kafka.

    python praline_reader.py --address tcp://127.0.0.1:7101 --token HEX --job JOB --epoch 0 --attempt 1 [--consumer 0]

prints a line of JSON for each batch and one at the end. The job's state on the topic `jobs` names attempts and their addresses; the
token is made with the secret that workers read (`ConsumerToken`). In a program:

    with Reader(address, token, job="j", epoch=0, attempt=1) as reader:
        for batch in reader:
            batch.tickets, batch.tensors         # int64[n], [numpy.ndarray]

The frames are drawn in schemas/src/main/java/io/praline/wire/package-info.java. All numbers are little-endian.
"""

import argparse
import json
import socket
import struct
import sys
import threading
import time
import uuid
from dataclasses import dataclass

import numpy as np

VERSION = 3
HELLO, WELCOME, CREDIT, BATCH, END, REFUSED, ALIVE = 1, 2, 3, 4, 5, 6, 7
UNKNOWN_ATTEMPT = 3
MAX_CONTROL_BYTES = 4096
MAX_BATCH_BYTES = 1 << 30
ALIGNMENT = 64

# TensorFlow's numbers of data types. numpy has no bfloat16: it is widened to float32, which loses nothing.
DTYPES = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 5: np.int16, 6: np.int8, 8: np.complex64, 9: np.int64,
          10: np.bool_, 17: np.uint16, 18: np.complex128, 19: np.float16, 22: np.uint32, 23: np.uint64}
STRING, BFLOAT16 = 7, 14


class Refused(Exception):
    """The worker ended the channel and said why."""

    def __init__(self, code, reason):
        super().__init__(f"{reason} (code {code})")
        self.code = code


@dataclass
class Batch:
    """One batch. `tickets` says which elements of the job it holds: split << 36 | record; empty where they are not tracked."""

    sequence: int
    tickets: np.ndarray
    tensors: list


class Reader:
    """Iterates over batches. The memory of one is given back to the worker as credit when the next is asked for."""

    def __init__(self, address, token, job, epoch, attempt, consumer=0, generation=0, worker_incarnation="", window=64 << 20, patience=5.0):
        self._hello = (token, job, epoch, attempt, consumer, generation, worker_incarnation, window)
        self._address = address
        self._patience = patience
        self._incarnation = str(uuid.uuid4())
        self._received_through = -1
        self._sending = threading.Lock()
        self._closed = threading.Event()
        self._socket = None
        self.last = False  # at the end: whether the job's whole stream is over
        self.bytes = 0

    def __enter__(self):
        deadline = time.monotonic() + self._patience
        while True:
            try:
                self._connect()
                break
            except Refused as refused:
                # an attempt may be announced a moment before its worker knows it
                if refused.code != UNKNOWN_ATTEMPT or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        threading.Thread(target=self._signs_of_life, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._closed.set()
        if self._socket is not None:
            self._socket.close()

    def __iter__(self):
        while True:
            kind, payload = self._frame()
            if kind == BATCH:
                sequence, packed, tickets, tensors = parse_batch(payload)
                if sequence != self._received_through + 1:
                    raise ValueError(f"batch {sequence} came behind {self._received_through}")
                self._received_through = sequence
                self._credit(0, 0)
                if packed > 0:  # the worker batched so many elements for the journey only
                    for at in range(packed):
                        yield Batch(sequence, tickets[at : at + 1], [tensor[at] for tensor in tensors])
                else:
                    yield Batch(sequence, tickets, tensors)
                self._credit(1, len(payload))
            elif kind == END:
                over, last = int(payload[1]), struct.unpack_from("<q", payload, 8)[0]
                if last != self._received_through:
                    raise ValueError(f"the end came behind {self._received_through}, and the last batch is {last}")
                self.last = over == 1
                self._credit(0, 0, end=True)
                return
            elif kind != ALIVE:
                raise ValueError(f"a frame of type {kind} in a stream of batches")

    def _connect(self):
        token, job, epoch, attempt, consumer, generation, worker, window = self._hello
        self._socket = dial(self._address)
        texts = b"".join(struct.pack("<H", len(part)) + part
                         for part in (job.encode(), self._incarnation.encode(), worker.encode(), token))
        self._send(struct.pack("<BBH4siiiiqqqi", HELLO, 0, VERSION, b"PRLN", epoch, attempt, consumer, 0,
                               self._received_through, window, 0, generation) + texts)
        kind, payload = self._frame()
        if kind != WELCOME or struct.unpack_from("<H", payload, 2)[0] != VERSION:
            raise ValueError(f"the worker answered with a frame of type {kind}")

    def _signs_of_life(self):
        while not self._closed.wait(1.0):
            try:
                self._credit(0, 0)
            except OSError:
                return  # the reading side says what happened

    def _credit(self, batches, size, end=False):
        # what the accounts have is nothing that a reader without reports knows of
        self._send(struct.pack("<BBHiqqq", CREDIT, int(end), 0, batches, size, self._received_through, -1))

    def _send(self, payload):
        with self._sending:
            self._socket.sendall(struct.pack("<i", len(payload)) + payload)

    def _frame(self):
        """(type, payload): the payload lies at an address that is a multiple of 64, so every tensor does."""
        length = struct.unpack("<i", self._exactly(np.empty(4, np.uint8)))[0]
        if not 1 <= length <= MAX_BATCH_BYTES:
            raise ValueError(f"a frame of {length} bytes")
        room = np.empty(length + ALIGNMENT, np.uint8)
        start = -room.ctypes.data % ALIGNMENT
        payload = self._exactly(room[start : start + length])
        kind = int(payload[0])
        if kind != BATCH and length > MAX_CONTROL_BYTES:
            raise ValueError(f"a frame of type {kind} with {length} bytes")
        self.bytes += length + 4
        if kind == REFUSED:
            code, size = struct.unpack_from("<HH", payload, 2)
            raise Refused(code, payload[6 : 6 + size].tobytes().decode())
        return kind, payload

    def _exactly(self, into):
        view, at = memoryview(into), 0
        while at < len(view):
            got = self._socket.recv_into(view[at:])
            if got == 0:
                raise ConnectionError("the worker closed the connection in the middle of the stream")
            at += got
        return into


def dial(address):
    scheme, _, rest = address.partition("://")
    if scheme == "tcp":
        host, _, port = rest.rpartition(":")
        connection = socket.create_connection((host.strip("[]"), int(port)))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection
    if scheme == "unix":
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(rest)
        return connection
    raise ValueError(f"an address is tcp://host:port or unix:///path, is {address}")


def parse_batch(payload):
    """(sequence, packed, tickets, tensors); numeric tensors are views of the payload, with no copy."""
    count, header = struct.unpack_from("<Hi", payload, 2)
    sequence, packed, ticket_bytes = struct.unpack_from("<qii", payload, 16)
    at, layouts = 32, []
    for _ in range(count):
        dtype, rank, size = struct.unpack_from("<iiq", payload, at)
        shape = struct.unpack_from(f"<{rank}q", payload, at + 16)
        layouts.append((dtype, shape, size))
        at += 16 + 8 * rank
    tickets = parse_tickets(payload[at : at + ticket_bytes].tobytes())
    at, tensors = header, []
    for dtype, shape, size in layouts:
        at = -(-at // ALIGNMENT) * ALIGNMENT
        tensors.append(parse_tensor(dtype, shape, payload[at : at + size]))
        at += size
    return sequence, packed, tickets, tensors


def parse_tensor(dtype, shape, body):
    if dtype == STRING:
        number = int(np.prod(shape, dtype=np.int64))
        offsets = body[: 8 * (number + 1)].view(np.int64)
        texts = body[8 * (number + 1) :].tobytes()
        strings = np.empty(number, object)
        for at in range(number):
            strings[at] = texts[offsets[at] : offsets[at + 1]]
        return strings.reshape(shape)
    if dtype == BFLOAT16:
        return (body.view(np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(shape)
    if dtype not in DTYPES:
        raise ValueError(f"no numpy type for TensorFlow's type {dtype}")
    return body.view(DTYPES[dtype]).reshape(shape)


def parse_tickets(runs):
    """Runs of neighbours: zigzag varint of first - last of the run before, varint of the length."""
    pieces, at, last = [], 0, 0
    while at < len(runs):
        zigzag, at = varint(runs, at)
        length, at = varint(runs, at)
        first = last + ((zigzag >> 1) ^ -(zigzag & 1))
        pieces.append(np.arange(first, first + length, dtype=np.int64))
        last = first + length - 1
    return np.concatenate(pieces) if pieces else np.empty(0, np.int64)


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def described(tensor):
    line = {"dtype": "string" if tensor.dtype == object else str(tensor.dtype), "shape": list(tensor.shape)}
    if tensor.dtype == object:
        line["bytes"] = sum(len(text) for text in tensor.flat)
    elif tensor.dtype.kind != "c":
        line["sum"] = float(tensor.sum(dtype=np.float64))
    return line


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--address", required=True, help="tcp://host:port or unix:///path")
    arguments.add_argument("--token", required=True, help="hexadecimal")
    arguments.add_argument("--job", required=True)
    arguments.add_argument("--epoch", type=int, required=True)
    arguments.add_argument("--attempt", type=int, required=True)
    arguments.add_argument("--consumer", type=int, default=0)
    arguments.add_argument("--generation", type=int, default=0)
    arguments.add_argument("--worker-incarnation", default="", help="empty: any")
    arguments.add_argument("--window", type=int, default=64 << 20, help="bytes that may be on their way or in use")
    arguments.add_argument("--quiet", action="store_true", help="only the last line")
    given = arguments.parse_args()
    batches, tickets, began = 0, 0, time.monotonic()
    try:
        with Reader(given.address, bytes.fromhex(given.token), given.job, given.epoch, given.attempt, given.consumer, given.generation,
                    given.worker_incarnation, given.window) as reader:
            for batch in reader:
                batches += 1
                tickets += len(batch.tickets)
                if not given.quiet:
                    print(json.dumps({"sequence": batch.sequence, "tickets": batch.tickets.tolist(),
                                      "tensors": [described(tensor) for tensor in batch.tensors]}))
        print(json.dumps({"batches": batches, "elements": tickets, "bytes": reader.bytes, "last": reader.last,
                          "seconds": round(time.monotonic() - began, 3)}))
    except Refused as refused:
        print(f"refused by {given.address}: {refused}", file=sys.stderr)
        return 3
    except (OSError, ValueError) as broken:
        print(f"{given.address}: {broken}", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())
