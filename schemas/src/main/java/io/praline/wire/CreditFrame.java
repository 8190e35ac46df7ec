package io.praline.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * What the client got, and what it is done with. With all zeroes: it is alive.
 *
 * @param batches closed since the frame before
 * @param bytes of those batches, as they weigh
 * @param receivedThrough sequence of the last batch that came; -1: none
 * @param confirmedThrough sequence of a batch up to which the accounts have all that the loop claimed of this channel, as the
 *     client knows: nobody will ask what was sent; -1: none
 * @param endReceived whether END came
 * @param freed offsets of the batches in the segment that were closed since the frame before
 */
public record CreditFrame(
        int batches, long bytes, long receivedThrough, long confirmedThrough, boolean endReceived, List<Long> freed)
        implements Frame {
    /** As many as a frame takes. */
    public static final int MAX_FREED = 250;

    private static final int END_RECEIVED = 1;

    public CreditFrame {
        if (batches < 0) {
            throw new IllegalArgumentException("batches must not be negative, is " + batches);
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must not be negative, is " + bytes);
        }
        if (receivedThrough < -1) {
            throw new IllegalArgumentException("received through must be at least -1, is " + receivedThrough);
        }
        if (confirmedThrough < -1 || confirmedThrough > receivedThrough) {
            throw new IllegalArgumentException("confirmed through must be at least -1, and no more than is received, "
                    + receivedThrough + "; it is " + confirmedThrough);
        }
        if (freed.size() > MAX_FREED) {
            throw new IllegalArgumentException("a CREDIT must free at most " + MAX_FREED + ", not " + freed.size());
        }
        freed = List.copyOf(freed);
    }

    /** Only tells how far batches came, and how far the accounts have them. */
    public static CreditFrame nothing(long receivedThrough, long confirmedThrough) {
        return new CreditFrame(0, 0, receivedThrough, confirmedThrough, false, List.of());
    }

    /** The same, which gives these parts of the segment back too. */
    public CreditFrame freeing(List<Long> offsets) {
        return offsets.isEmpty()
                ? this
                : new CreditFrame(batches, bytes, receivedThrough, confirmedThrough, endReceived, offsets);
    }

    @Override
    public void writePayload(ByteBuf out) {
        out.writeByte(FrameType.CREDIT)
                .writeByte(endReceived ? END_RECEIVED : 0)
                .writeShortLE(0);
        out.writeIntLE(batches).writeLongLE(bytes).writeLongLE(receivedThrough).writeLongLE(confirmedThrough);
        freed.forEach(out::writeLongLE);
    }

    static CreditFrame read(ByteBuf in) {
        int flags = in.readUnsignedByte();
        WireText.expectZero(flags & ~END_RECEIVED, "a CREDIT's unused flags");
        WireText.expectZero(in.readShortLE(), "a CREDIT's unused bytes");
        int batches = in.readIntLE();
        long bytes = in.readLongLE();
        long receivedThrough = in.readLongLE();
        long confirmedThrough = in.readLongLE();
        List<Long> freed = new ArrayList<>();
        while (in.isReadable()) {
            freed.add(in.readLongLE());
        }
        return new CreditFrame(batches, bytes, receivedThrough, confirmedThrough, flags == END_RECEIVED, freed);
    }

    @Override
    public <R> R match(Cases<R> cases) {
        return cases.credit(this);
    }
}
