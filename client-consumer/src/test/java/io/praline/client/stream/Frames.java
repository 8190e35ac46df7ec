package io.praline.client.stream;

import io.praline.client.StatusOf;
import io.praline.client.channel.ReceivedTensor;
import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Frames of one float an element, which remember by their first ticket that they were freed. */
final class Frames {
    final List<Long> freed = new ArrayList<>();

    static AttemptKey key(int epoch, int attempt) {
        return new AttemptKey(StatusOf.JOB, epoch, attempt);
    }

    /** One batch. */
    Frame batch(int epoch, int attempt, long sequence, long... tickets) {
        return frame(epoch, attempt, sequence, 0, tickets);
    }

    /** A batch an element. */
    Frame packed(int epoch, int attempt, long sequence, long... tickets) {
        return frame(epoch, attempt, sequence, tickets.length, tickets);
    }

    private Frame frame(int epoch, int attempt, long sequence, int packed, long... tickets) {
        ByteBuffer data = ByteBuffer.allocateDirect(tickets.length * Float.BYTES);
        return new Frame(
                key(epoch, attempt),
                sequence,
                packed,
                ByteBuffer.wrap(TicketRuns.encode(tickets)),
                List.of(new ReceivedTensor(1, new long[] {tickets.length}, data)),
                data.remaining(),
                () -> freed.add(tickets[0]));
    }
}
