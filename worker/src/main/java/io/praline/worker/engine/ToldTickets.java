package io.praline.worker.engine;

import java.util.List;
import java.util.stream.LongStream;

/**
 * What a graph told beside its elements.
 *
 * @param dropped tickets of elements that filters rejected
 * @param unbatched tickets of elements of batches that came short and were left out
 */
public record ToldTickets(List<Long> dropped, List<Long> unbatched) {
    /** Nothing. */
    public static final ToldTickets NOTHING = new ToldTickets(List.of(), List.of());

    public ToldTickets {
        dropped = List.copyOf(dropped);
        unbatched = List.copyOf(unbatched);
    }

    static ToldTickets of(long[] told) {
        return new ToldTickets(
                LongStream.of(told).filter(each -> each >= 0).boxed().toList(),
                LongStream.of(told)
                        .filter(each -> each < 0)
                        .map(each -> ~each)
                        .boxed()
                        .toList());
    }
}
