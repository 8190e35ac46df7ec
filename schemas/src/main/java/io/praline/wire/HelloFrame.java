package io.praline.wire;

import io.netty.buffer.ByteBuf;
import io.praline.identity.AttemptKey;
import java.util.Arrays;
import java.util.Objects;

/**
 * The first frame of a channel: who wants which attempt's batches, and from where on.
 *
 * @param version of the channel that the client speaks; what follows is only read if it is ours
 * @param consumer which of those that share the job, from 0
 * @param generation of that consumer, see {@code ConsumerSlot} of the schemas: a lane serves the newest one
 * @param incarnation the client's
 * @param workerIncarnation the worker must be this one; empty: any
 * @param token a {@link ConsumerToken}
 * @param receivedThrough sequence of the last batch that came; -1: none
 * @param windowBytes how much may be out
 * @param heldBytes how much is out: came on an earlier connection and is not closed
 * @param heldBatches in how many batches
 * @param segment name of the {@code SharedSegment} that batches may come in; empty: they come on the connection
 */
@SuppressWarnings("ArrayRecordComponent") // equals is ours
public record HelloFrame(
        int version,
        AttemptKey attempt,
        int consumer,
        int generation,
        String incarnation,
        String workerIncarnation,
        byte[] token,
        long receivedThrough,
        long windowBytes,
        long heldBytes,
        int heldBatches,
        String segment)
        implements Frame {
    /** "PRLN", as the little-endian number it makes: tells a client of ours from a stray connection. */
    private static final int MAGIC = 'P' | ('R' << 8) | ('L' << 16) | ('N' << 24);

    private static final int SHARES = 1;
    private static final AttemptKey UNREAD = new AttemptKey("?", 0, 0);
    private static final byte[] NO_TOKEN = {};

    public HelloFrame {
        atLeast(0, consumer, "consumer");
        atLeast(0, generation, "generation");
        atLeast(-1, receivedThrough, "received through");
        atLeast(1, windowBytes, "window");
        atLeast(0, heldBytes, "bytes held");
        atLeast(0, heldBatches, "batches held");
    }

    private static void atLeast(long least, long value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", is " + value);
        }
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.HELLO).writeByte(segment.isEmpty() ? 0 : SHARES).writeShortLE(version);
        out.writeIntLE(MAGIC).writeIntLE(attempt.epoch()).writeIntLE(attempt.attempt());
        out.writeIntLE(consumer).writeIntLE(heldBatches);
        out.writeLongLE(receivedThrough).writeLongLE(windowBytes).writeLongLE(heldBytes);
        out.writeIntLE(generation);
        WireText.write(out, attempt.job(), "job", FrameLimits.MAX_JOB_BYTES);
        WireText.write(out, incarnation, "client incarnation", FrameLimits.MAX_INCARNATION_BYTES);
        WireText.write(out, workerIncarnation, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES);
        WireText.writeBytes(out, token, "token", FrameLimits.MAX_TOKEN_BYTES);
        if (!segment.isEmpty()) {
            WireText.write(out, segment, "segment", FrameLimits.MAX_SEGMENT_BYTES);
        }
    }

    static HelloFrame read(ByteBuf in) {
        int flags = in.readUnsignedByte();
        int version = in.readUnsignedShortLE();
        if (in.readIntLE() != MAGIC) {
            throw new MalformedFrame("a HELLO must start with PRLN");
        }
        if (version != FrameLimits.VERSION) {
            in.skipBytes(in.readableBytes());
            return new HelloFrame(version, UNREAD, 0, 0, "", "", NO_TOKEN, -1, 1, 0, 0, "");
        }
        WireText.expectZero(flags & ~SHARES, "a HELLO's unused flags");
        int epoch = in.readIntLE();
        int attempt = in.readIntLE();
        int consumer = in.readIntLE();
        int heldBatches = in.readIntLE();
        long receivedThrough = in.readLongLE();
        long windowBytes = in.readLongLE();
        long heldBytes = in.readLongLE();
        int generation = in.readIntLE();
        String job = WireText.read(in, "job", FrameLimits.MAX_JOB_BYTES);
        String incarnation = WireText.read(in, "client incarnation", FrameLimits.MAX_INCARNATION_BYTES);
        String workerIncarnation = WireText.read(in, "worker incarnation", FrameLimits.MAX_INCARNATION_BYTES);
        byte[] token = WireText.readBytes(in, "token", FrameLimits.MAX_TOKEN_BYTES);
        String segment = flags == SHARES ? WireText.read(in, "segment", FrameLimits.MAX_SEGMENT_BYTES) : "";
        return new HelloFrame(
                version,
                new AttemptKey(job, epoch, attempt),
                consumer,
                generation,
                incarnation,
                workerIncarnation,
                token,
                receivedThrough,
                windowBytes,
                heldBytes,
                heldBatches,
                segment);
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.hello(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HelloFrame that
                && version == that.version
                && attempt.equals(that.attempt)
                && consumer == that.consumer
                && generation == that.generation
                && incarnation.equals(that.incarnation)
                && workerIncarnation.equals(that.workerIncarnation)
                && Arrays.equals(token, that.token)
                && receivedThrough == that.receivedThrough
                && windowBytes == that.windowBytes
                && heldBytes == that.heldBytes
                && heldBatches == that.heldBatches
                && segment.equals(that.segment);
    }

    @Override
    public int hashCode() {
        return Objects.hash(attempt, consumer, generation, incarnation, receivedThrough);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "HELLO " + attempt + " consumer " + consumer + " generation " + generation + " incarnation "
                + incarnation + " through " + receivedThrough;
    }
}
