package io.praline.worker.engine;

import io.praline.identity.Ticket;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What a graph told beside its elements.
 *
 * @param dropped tickets of elements that filters rejected
 * @param unbatched tickets of elements of batches that came short and were left out
 * @param ended ordinals of splits whose elements came out to the last
 */
public record ToldTickets(List<Long> dropped, List<Long> unbatched, List<Long> ended) {
    /** Nothing. */
    public static final ToldTickets NOTHING = new ToldTickets(List.of(), List.of(), List.of());

    public ToldTickets {
        dropped = List.copyOf(dropped);
        unbatched = List.copyOf(unbatched);
        ended = List.copyOf(ended);
    }

    static ToldTickets of(long[] told) {
        return new ToldTickets(
                LongStream.of(told)
                        .filter(each -> each >= 0 && !Ticket.isEnd(each))
                        .boxed()
                        .toList(),
                LongStream.of(told)
                        .filter(each -> each < 0)
                        .map(each -> ~each)
                        .boxed()
                        .toList(),
                LongStream.of(told)
                        .filter(each -> each >= 0 && Ticket.isEnd(each))
                        .map(Ticket::ordinal)
                        .boxed()
                        .toList());
    }
}
